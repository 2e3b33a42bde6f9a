//! A page's metadata, and its row.

use serde::{Deserialize, Serialize};

use super::blobs::BlobPointer;
use super::paths::{from_bytes, to_bytes};
use crate::page::{PageId, Provenance};

/// Bytes of a title that are kept. sled is at its best with rows below 7 KB.
pub(super) const TITLE_BYTES_MAX: usize = 1 << 10;

/// Bytes of a description that are kept.
pub(super) const DESCRIPTION_BYTES_MAX: usize = 2 << 10;

/// What the store knows of a page, besides its tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoredPage {
    /// Identity.
    pub id: PageId,
    /// URL as the archive has it.
    pub url: String,
    /// Canonical form of the URL.
    pub canonical_url: String,
    /// Host of the URL, lower case; empty where it has none (`file:`), and then no host is counted.
    pub host: String,
    /// Title; the store keeps its first KiB.
    pub title: String,
    /// Description of the page by itself (`meta`); the store keeps its first 2 KiB.
    pub description: String,
    /// Language as a code, where one was told.
    pub language: Option<String>,
    /// Capture time, seconds since 1970-01-01T00:00:00Z.
    pub captured_at: Option<i64>,
    /// HTTP status.
    pub status: u16,
    /// Encoding that the page was decoded with, WHATWG name.
    pub charset: String,
    /// The record that the page was last read from.
    pub provenance: Provenance,
    /// Length of the decoded HTML, in bytes.
    pub html_bytes: u64,
    /// Main blocks: those that pruning left and that are in the index.
    pub main_blocks: u32,
    /// All text runs of the page's tree, kept or pruned.
    pub runs: u32,
}

impl StoredPage {
    /// Shortens what a hostile page could make large.
    pub(super) fn shorten(&mut self) {
        shorten(&mut self.title, TITLE_BYTES_MAX);
        shorten(&mut self.description, DESCRIPTION_BYTES_MAX);
    }
}

/// Cuts `text` to `bytes_max` bytes, between characters.
pub(super) fn shorten(text: &mut String, bytes_max: usize) {
    if text.len() > bytes_max {
        let boundary = (0..=bytes_max).rev().find(|&at| text.is_char_boundary(at));
        text.truncate(boundary.unwrap_or(0));
    }
}

/// [`StoredPage`] as it is on disk, with the place of its tree. The order of the fields is the format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PageRow {
    url: String,
    /// `None` when equal to `url`.
    canonical_url: Option<String>,
    pub(super) host: String,
    title: String,
    description: String,
    language: Option<String>,
    captured_at: Option<i64>,
    status: u16,
    charset: String,
    archive: Vec<u8>,
    offset_bytes: u64,
    record_id: Option<String>,
    pub(super) html_bytes: u64,
    pub(super) main_blocks: u32,
    pub(super) runs: u32,
    pub(super) tree: BlobPointer,
}

impl PageRow {
    pub(super) fn new(page: StoredPage, tree: BlobPointer) -> Self {
        Self {
            canonical_url: (page.canonical_url != page.url).then_some(page.canonical_url),
            url: page.url,
            host: page.host,
            title: page.title,
            description: page.description,
            language: page.language,
            captured_at: page.captured_at,
            status: page.status,
            charset: page.charset,
            archive: to_bytes(&page.provenance.archive),
            offset_bytes: page.provenance.offset_bytes,
            record_id: page.provenance.record_id,
            html_bytes: page.html_bytes,
            main_blocks: page.main_blocks,
            runs: page.runs,
            tree,
        }
    }

    pub(super) fn into_page(self, id: PageId) -> StoredPage {
        StoredPage {
            id,
            canonical_url: self.canonical_url.unwrap_or_else(|| self.url.clone()),
            url: self.url,
            host: self.host,
            title: self.title,
            description: self.description,
            language: self.language,
            captured_at: self.captured_at,
            status: self.status,
            charset: self.charset,
            provenance: Provenance {
                archive: from_bytes(self.archive),
                offset_bytes: self.offset_bytes,
                record_id: self.record_id,
            },
            html_bytes: self.html_bytes,
            main_blocks: self.main_blocks,
            runs: self.runs,
        }
    }

    pub(super) fn provenance(&self) -> Provenance {
        Provenance { archive: from_bytes(self.archive.clone()), offset_bytes: self.offset_bytes, record_id: None }
    }

    /// Whether the row was read from the record at `provenance`.
    pub(super) fn is_from(&self, provenance: &Provenance) -> bool {
        self.offset_bytes == provenance.offset_bytes && self.archive == to_bytes(&provenance.archive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::support::page;

    #[test]
    fn rows_give_back_the_page() {
        let tree = BlobPointer { offset_bytes: 16, body_bytes: 9, terms: 1, tree_bytes: 3 };
        let mut page = page("http://oak.example/");
        for canonical in ["http://oak.example/", "https://www.oak.example/"] {
            page.canonical_url = canonical.to_owned();
            let bytes = super::super::rows::encode(&PageRow::new(page.clone(), tree));
            let row: PageRow = super::super::rows::decode(&bytes).unwrap();
            assert!(row.is_from(&page.provenance));
            assert_eq!(row.into_page(page.id), page);
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let mut page = page("http://oak.example/");
        page.title = "ä".repeat(TITLE_BYTES_MAX);
        page.title.insert(0, 'a');
        page.shorten();
        assert_eq!(page.title.len(), TITLE_BYTES_MAX - 1);
    }
}
