//! How pages are extracted, as Python says it.

use lopper_content::extract::content::ContentOptions;
use lopper_content::extract::methods::Variant;
use lopper_content::extract::{Comments, Extractor};
use lopper_content::limits::Limits;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The form of what is extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    Markdown,
    Html,
    Tei,
    Json,
}

/// What is wanted of each page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    pub(crate) form: Form,
    pub(crate) method: Extractor,
    pub(crate) comments: Comments,
    pub(crate) content: ContentOptions,
    pub(crate) body_only: bool,
    pub(crate) limits: Limits,
}

/// The same as Python gives it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    format: String,
    method: String,
    variant: String,
    comments: String,
    links: bool,
    images: bool,
    body_only: bool,
}

impl TryFrom<Asked> for Options {
    type Error = PyErr;

    fn try_from(asked: Asked) -> PyResult<Self> {
        let method: Extractor = asked.method.parse().map_err(PyValueError::new_err)?;
        let variant: Variant = asked.variant.parse().map_err(PyValueError::new_err)?;
        Ok(Self {
            form: form(&asked.format)?,
            method: method.with_variant(variant),
            comments: asked.comments.parse().map_err(PyValueError::new_err)?,
            content: ContentOptions { links: asked.links, images: asked.images },
            body_only: asked.body_only,
            limits: Limits::default(),
        })
    }
}

fn form(name: &str) -> PyResult<Form> {
    Ok(match name {
        "text" => Form::Text,
        "markdown" => Form::Markdown,
        "html" => Form::Html,
        "tei" => Form::Tei,
        "json" => Form::Json,
        other => {
            let message =
                format!("there is no format `{other}`: use one of `markdown`, `text`, `html`, `tei`, `json`, `dict`");
            return Err(PyValueError::new_err(message));
        }
    })
}
