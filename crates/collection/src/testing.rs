//! Pages for tests.

use lopper_archive::page::{Page, PageId, Provenance};

/// A page of one time, as it is posted.
pub(crate) fn posted(url: &str, html: &str) -> Page {
    Page {
        id: PageId::of(url, Some(1)),
        url: url.to_owned(),
        captured_at: Some(1),
        status: 200,
        media_type: "text/html".to_owned(),
        charset: "UTF-8",
        content_language: None,
        listed_title: None,
        remark: None,
        html: html.to_owned(),
        provenance: Provenance { archive: "posted".into(), offset_bytes: 0, record_id: None },
    }
}
