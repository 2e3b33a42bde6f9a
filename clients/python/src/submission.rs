//! A page that Python puts into a collection.

use std::path::PathBuf;

use lopper_archive::page::{Page, PageOutcome, decode};
use lopper_archive::{ArchiveRecord, Payload, RecordKind};
use lopper_content::limits::Limits;
use pyo3::prelude::*;

use crate::html::OwnedHtml;

/// What stands in place of an archive's path.
const SOURCE: &str = "POST from Python";

/// A page with its address and the time of its capture, in seconds since 1970.
pub(crate) struct Submission {
    url: String,
    html: OwnedHtml,
    captured_at: Option<i64>,
}

impl<'py> FromPyObject<'_, 'py> for Submission {
    type Error = PyErr;

    fn extract(page: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let (url, html, captured_at): (String, Bound<'py, PyAny>, Option<i64>) = page.extract()?;
        Ok(Self { url, html: OwnedHtml::of(&html)?, captured_at })
    }
}

impl Submission {
    /// Decodes the page, as one from an archive; the error says what is wrong with it.
    pub(crate) fn into_page(self, limits: &Limits) -> Result<Page, String> {
        let (content_type, body) = match self.html {
            OwnedHtml::Text(text) => ("text/html; charset=utf-8", text.into_bytes()),
            OwnedHtml::Bytes(bytes) => ("text/html", bytes.to_vec()),
        };
        let payload = Payload::Bare { content_type: Some(content_type.to_owned()), body };
        let record = ArchiveRecord {
            captured_at: self.captured_at,
            ..ArchiveRecord::new(RecordKind::Resource, self.url.clone(), PathBuf::from(SOURCE), 0, payload)
        };
        match decode(record, limits) {
            Ok(PageOutcome::Page(page)) => Ok(*page),
            Ok(PageOutcome::Skipped(reason)) => Err(format!("{}: there is no page: {}", self.url, reason.as_str())),
            Err(error) => Err(error.to_string()),
        }
    }
}
