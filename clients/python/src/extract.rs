//! One page, in the calling thread.

use pyo3::prelude::*;

use crate::error::LopperError;
use crate::html::OwnedHtml;
use crate::options::{Asked, Options};
use crate::told::tell;

/// Extracts a page; other threads of Python run meanwhile.
#[pyfunction]
pub(crate) fn extract(py: Python<'_>, html: &Bound<'_, PyAny>, url: Option<&str>, options: Asked) -> PyResult<String> {
    let options = Options::try_from(options)?;
    let (html, url) = (OwnedHtml::of(html)?, url.unwrap_or_default());
    py.detach(|| tell(&html.decoded(url), url, &options)).map_err(LopperError::new_err)
}
