//! Captures: every record that a page stands for, by the canonical URL.

use std::path::PathBuf;

use lopper_archive::page::PageId;
use serde::{Deserialize, Serialize};

use super::RecordFacts;

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
