//! A page as it comes from Python: text, or bytes in whatever encoding.

use std::borrow::Cow;

use lopper_content::text::charset;
use lopper_content::text::url::host;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyString};

/// A page of its own, to be taken to another thread.
pub(crate) enum OwnedHtml {
    Text(String),
    Bytes(PyBackedBytes),
}

impl OwnedHtml {
    /// The page of a `str`, `bytes` or `bytearray`. Lone surrogates, which no page has, become U+FFFD.
    pub(crate) fn of(html: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = html.cast::<PyString>() {
            return Ok(Self::Text(text.to_string_lossy().into_owned()));
        }
        if html.is_instance_of::<PyBytes>() || html.is_instance_of::<PyByteArray>() {
            return Ok(Self::Bytes(html.extract()?));
        }
        Err(wrong_type(html))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }

    /// The page's text.
    pub(crate) fn decoded(&self, url: &str) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Bytes(bytes) => Cow::Owned(charset::decode(Cow::Borrowed(bytes), None, host(url).as_deref()).0),
        }
    }
}

fn wrong_type(html: &Bound<'_, PyAny>) -> PyErr {
    let found = html.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("the page must be `str` or `bytes`, not `{found}`"))
}
