//! Captures: every record that a page stands for, by the canonical URL.

use std::path::PathBuf;

use lopper_archive::page::PageId;
use lopper_content::text::url::{canonical_or_written, canonical_url, former, forms_of};
use serde::{Deserialize, Serialize};

use super::digest::url_hash;
use super::{RecordFacts, Store, StoreError, keys};

/// How a record is a capture of its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaptureKind {
    /// The page was read from it.
    Page,
    /// It holds the same as the page.
    Duplicate,
    /// A revisit record.
    Revisit,
}

/// A capture of a URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// Capture time, seconds since 1970-01-01T00:00:00Z.
    pub captured_at: Option<i64>,
    /// The page that holds what was captured.
    pub page: PageId,
    /// How.
    pub kind: CaptureKind,
    /// Archive file; as it was named when it was last read.
    pub archive: PathBuf,
    /// Offset of the record in it, in bytes.
    pub offset_bytes: u64,
}

/// [`Capture`] as it is on disk; the URL's hash and the record's are in the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CaptureRow {
    pub(super) captured_at: Option<i64>,
    pub(super) page: [u8; 16],
    pub(super) kind: CaptureKind,
    /// 0 for captures of data version 1: then the page knows its archive.
    pub(super) archive_id: u128,
    pub(super) offset_bytes: u64,
}

impl CaptureRow {
    pub(super) fn page(&self) -> PageId {
        PageId(u128::from_be_bytes(self.page))
    }
}

/// A revisit record: what it says of its original.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revisit {
    /// Canonical form of its own URL.
    pub canonical_url: String,
    /// Its own capture time.
    pub captured_at: Option<i64>,
    /// Payload digest as the archive declares it.
    pub payload_digest: Option<String>,
    /// URL of the original, as written.
    pub refers_to_url: Option<String>,
    /// Capture time of the original.
    pub refers_to_time: Option<i64>,
}

impl Revisit {
    /// What tells whether its own page is kept out.
    pub fn facts(&self) -> RecordFacts {
        let (canonical_url, captured_at) = (self.canonical_url.clone(), self.captured_at);
        let id = PageId::of(&canonical_url, captured_at);
        RecordFacts { id, canonical_url, captured_at, digest: None, declared_digest: self.payload_digest.clone() }
    }
}

/// A revisit whose original was not found yet, as it is on disk; archive and ordinal are in the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingRow {
    pub(super) revisit: Revisit,
    pub(super) offset_bytes: u64,
}

impl Store {
    /// All captures of a URL, whatever form of it is given, in the order of their times: each record that stands for a page of it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn captures(&self, url: &str) -> Result<Vec<Capture>, StoreError> {
        let mut captures = Vec::new();
        for form in forms_of(&canonical_or_written(url)) {
            for row in self.captures_at(&form) {
                captures.extend(self.capture(&row?)?);
            }
        }
        captures.sort_by_key(|capture| (capture.captured_at, capture.offset_bytes));
        Ok(captures)
    }

    /// Shows `see` the time and the page of each dated capture of a URL, whatever form of it is given, in no order; captures without a time
    /// are passed over. Stops where it says that it wants no more, and tells whether all were shown.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn dated_captures(&self, url: &str, see: &mut dyn FnMut(i64, PageId) -> bool) -> Result<bool, StoreError> {
        for form in forms_of(&canonical_or_written(url)) {
            for row in self.captures_at(&form) {
                let row = row?;
                if row.captured_at.is_some_and(|time| !see(time, row.page())) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The captures of a canonical URL, also those that stand under what it was when their pages were taken in.
    pub(super) fn captures_at(&self, canonical: &str) -> impl Iterator<Item = Result<CaptureRow, StoreError>> {
        let former = former(canonical).map(|former| self.capture_rows(url_hash(&former)));
        let is_of_it = |row: &CaptureRow| {
            let own = self.page(row.page())?.and_then(|page| canonical_url(&page.url));
            Ok::<_, StoreError>(own.as_deref() == Some(canonical))
        };
        let of_former = former.into_iter().flatten().filter_map(move |row| match row {
            Ok(row) => is_of_it(&row).map(|is_of_it| is_of_it.then_some(row)).transpose(),
            error => Some(error),
        });
        self.capture_rows(url_hash(canonical)).chain(of_former)
    }

    fn capture(&self, row: &CaptureRow) -> Result<Option<Capture>, StoreError> {
        let page = row.page();
        let archive = match self.archive(row.archive_id)? {
            Some(entry) => entry.key.path,
            None => match self.page(page)? {
                Some(page) => page.provenance.archive,
                None => return Ok(None),
            },
        };
        let CaptureRow { captured_at, kind, offset_bytes, .. } = *row;
        Ok(Some(Capture { captured_at, page, kind, archive, offset_bytes }))
    }

    /// The captures under a URL, by its hash.
    pub(super) fn capture_rows(&self, url_hash: u128) -> impl Iterator<Item = Result<CaptureRow, StoreError>> {
        let rows = self.database.scan(&keys::captures(url_hash));
        rows.map(|row| self.decoded(&row?.1, "a capture's row"))
    }
}
