//! A page's metadata, and its row.

use lopper_archive::page::{PageId, Provenance};
use lopper_content::page_type::PageType;
use serde::{Deserialize, Deserializer, Serialize};

use super::ContentDigest;
use super::blobs::BlobPointer;
use super::ledger::RecordPlace;
use super::paths::{from_bytes, to_bytes};

/// Bytes of a title that are kept. sled is at its best with rows below 7 KB.
pub(super) const TITLE_BYTES_MAX: usize = 1 << 10;

/// Bytes of a description that are kept.
pub(super) const DESCRIPTION_BYTES_MAX: usize = 2 << 10;

/// What the store knows of a page, besides its tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Type, where it was told; of pages of programs that told none, `None`.
    pub page_type: Option<PageType>,
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
    /// Digest of the decoded HTML; `None` for pages of data version 1.
    pub digest: Option<ContentDigest>,
    /// 64 bits of similarity hash over the words of the main blocks: the fewer bits differ, the more two pages have in common. 0: not
    /// known, or no words.
    pub simhash: u64,
    /// Where the page's HTML can be read again.
    pub body: BodyPlace,
}

/// Where a page's HTML can be read again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyPlace {
    /// Nowhere: neither the body nor a reference counts.
    None,
    /// In the archive, at the page's [`Provenance`], for as long as that file is there.
    #[default]
    Archive,
    /// In the data folder, in `bodies.bin`.
    Kept,
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

/// [`BodyPlace`] as it is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum BodyRow {
    None,
    Archive,
    /// Offset in `bodies.bin`.
    Kept(u64),
}

impl From<BodyRow> for BodyPlace {
    fn from(row: BodyRow) -> Self {
        match row {
            BodyRow::None => Self::None,
            BodyRow::Archive => Self::Archive,
            BodyRow::Kept(_) => Self::Kept,
        }
    }
}

/// A page's row's links to other rows and files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PageLinks {
    /// The archive that it was last read from; 0 for pages of data version 1.
    pub(super) archive_id: u128,
    /// Number of the record in it.
    pub(super) ordinal: u64,
    pub(super) tree: BlobPointer,
    pub(super) body: BodyRow,
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
    digest: Option<u128>,
    simhash: u64,
    pub(super) links: PageLinks,
    /// One more than the type's number, or 0. Rows that were written before there were types end without it and are read as 0; programs
    /// of that time pass over it.
    #[serde(deserialize_with = "at_end")]
    page_type: u8,
}

/// The row's last byte, 0 where the row has ended.
#[allow(clippy::unnecessary_wraps)] // As serde asks.
fn at_end<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    Ok(u8::deserialize(deserializer).unwrap_or(0))
}

impl PageRow {
    pub(super) fn new(page: StoredPage, links: PageLinks) -> Self {
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
            digest: page.digest.map(|digest| digest.0),
            simhash: page.simhash,
            links,
            page_type: page.page_type.map_or(0, |kind| kind as u8 + 1),
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
            page_type: self.page_type.checked_sub(1).and_then(PageType::from_index),
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
            digest: self.digest.map(ContentDigest),
            simhash: self.simhash,
            body: self.links.body.into(),
        }
    }

    /// Names another record as the one that the page was read from.
    pub(super) fn move_to(&mut self, origin: &PageOrigin, provenance: Provenance) {
        self.archive = to_bytes(&provenance.archive);
        (self.offset_bytes, self.record_id) = (provenance.offset_bytes, provenance.record_id);
        (self.links.archive_id, self.links.ordinal) = (origin.archive_id, origin.ordinal);
    }

    pub(super) fn canonical_url(&self) -> &str {
        self.canonical_url.as_deref().unwrap_or(&self.url)
    }

    pub(super) fn digest(&self) -> Option<ContentDigest> {
        self.digest.map(ContentDigest)
    }

    /// Capture time, and where the record is: what tells a capture from others.
    pub(super) fn origin(&self) -> PageOrigin {
        PageOrigin {
            captured_at: self.captured_at,
            archive_id: self.links.archive_id,
            ordinal: self.links.ordinal,
            offset_bytes: self.offset_bytes,
            path: self.archive.clone(),
        }
    }
}

/// The record that a page was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PageOrigin {
    pub(super) captured_at: Option<i64>,
    pub(super) archive_id: u128,
    pub(super) ordinal: u64,
    pub(super) offset_bytes: u64,
    pub(super) path: Vec<u8>,
}

impl PageOrigin {
    pub(super) fn new(place: &RecordPlace<'_>, captured_at: Option<i64>) -> Self {
        Self {
            captured_at,
            archive_id: place.archive.id,
            ordinal: place.ordinal,
            offset_bytes: place.offset_bytes,
            path: to_bytes(&place.archive.path),
        }
    }

    /// Of a page of which no more is known than where it was read from.
    pub(super) fn of_provenance(provenance: &Provenance, captured_at: Option<i64>) -> Self {
        let (path, offset_bytes) = (to_bytes(&provenance.archive), provenance.offset_bytes);
        Self { captured_at, archive_id: 0, ordinal: 0, offset_bytes, path }
    }

    /// Whether both are the same record: of one archive, however it is named now, or at one place of one file, which has grown since.
    pub(super) fn is_same_record(&self, other: &Self) -> bool {
        let same_ordinal = self.archive_id == other.archive_id && self.ordinal == other.ordinal && self.archive_id != 0;
        same_ordinal || (self.offset_bytes == other.offset_bytes && self.path == other.path)
    }

    /// A hash of the record's place.
    pub(super) fn hash(&self) -> u64 {
        let mut place = if self.archive_id == 0 { self.path.clone() } else { self.archive_id.to_be_bytes().to_vec() };
        let number = if self.archive_id == 0 { self.offset_bytes } else { self.ordinal };
        place.extend_from_slice(&number.to_be_bytes());
        xxhash_rust::xxh3::xxh3_64(&place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::page;

    #[test]
    fn rows_give_back_the_page() {
        let tree = BlobPointer { offset_bytes: 16, body_bytes: 9, keys: 1, tree_bytes: 3 };
        let links = PageLinks { archive_id: 7, ordinal: 2, tree, body: BodyRow::Archive };
        let mut page = page("http://oak.example/");
        for canonical in ["http://oak.example/", "https://www.oak.example/"] {
            page.canonical_url = canonical.to_owned();
            let bytes = super::super::rows::encode(&PageRow::new(page.clone(), links));
            let row: PageRow = super::super::rows::decode(&bytes).unwrap();
            assert_eq!(row.canonical_url(), canonical);
            assert_eq!(row.into_page(page.id), page);
        }
    }

    #[test]
    fn rows_that_end_before_the_type_have_none() {
        let tree = BlobPointer { offset_bytes: 16, body_bytes: 9, keys: 1, tree_bytes: 3 };
        let links = PageLinks { archive_id: 7, ordinal: 2, tree, body: BodyRow::Kept(3) };
        for kind in PageType::ALL {
            let page = StoredPage { page_type: Some(kind), body: BodyPlace::Kept, ..page("http://oak.example/") };
            let bytes = super::super::rows::encode(&PageRow::new(page.clone(), links));
            let read = |bytes: &[u8]| super::super::rows::decode::<PageRow>(bytes).map(|row| row.into_page(page.id));
            assert_eq!(read(&bytes).as_ref(), Ok(&page));
            let earlier = &bytes[..bytes.len() - 1];
            assert_eq!(read(earlier), Ok(StoredPage { page_type: None, ..page.clone() }));
            assert!(read(&earlier[..earlier.len() - 1]).is_err());
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
