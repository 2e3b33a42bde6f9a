//! The one row that says which commit counts, and the counters.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::append_file::HEADER_BYTES;
use super::page::{BodyRow, PageRow};
use super::verify::RowsDigest;

/// Number of a commit; 0 is the empty store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Sequence(pub u64);

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What the last commit left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Meta {
    pub(super) sequence: Sequence,
    /// Epoch of the statistics; 0: there is no file, they are empty.
    pub(super) epoch: u64,
    /// The epoch by which the pages of the last batch were weighed.
    pub(super) batch_epoch: u64,
    /// The epoch by which the next batch is weighed, when the last commit was one in the middle of a run: a run that was cut off goes on as
    /// if it had not been.
    pub(super) next_batch_epoch: Option<u64>,
    /// Valid length of `trees.bin`.
    pub(super) trees_bytes: u64,
    /// Bytes of it that replaced pages left behind.
    pub(super) garbage_bytes: u64,
    /// Valid length of `ledger.bin`.
    pub(super) ledger_bytes: u64,
    /// Valid length of `bodies.bin`.
    pub(super) bodies_bytes: u64,
    /// Rows of the last batch's page ids.
    pub(super) last_batch_chunks: u32,
    /// See [`RowsDigest`](super::verify::RowsDigest).
    pub(super) rows_digest: RowsDigest,
    pub(super) counters: Counters,
    /// Valid length of `pages.bin`.
    pub(super) pages_bytes: u64,
}

impl Meta {
    pub(super) fn empty() -> Self {
        Self {
            sequence: Sequence(0),
            epoch: 0,
            batch_epoch: 0,
            next_batch_epoch: None,
            trees_bytes: HEADER_BYTES,
            garbage_bytes: 0,
            ledger_bytes: HEADER_BYTES,
            bodies_bytes: HEADER_BYTES,
            last_batch_chunks: 0,
            rows_digest: RowsDigest::default(),
            counters: Counters::default(),
            pages_bytes: HEADER_BYTES,
        }
    }
}

/// Sums over the pages of the store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counters {
    /// Records that hold a page; replaying one does not count again.
    pub(super) captures: u64,
    /// Of these, those that hold what another one held before.
    pub(super) duplicates: u64,
    /// Revisit records with an original.
    pub(super) revisits: u64,
    /// Pages whose body is kept.
    pub(super) bodies: u64,
    /// Pages, each identity once. The sums below are over these.
    pub(super) pages: u64,
    pub(super) hosts: u64,
    pub(super) html_bytes: u64,
    pub(super) main_blocks: u64,
    pub(super) runs: u64,
}

impl Counters {
    pub(super) fn add(&mut self, row: &PageRow) {
        self.pages += 1;
        self.html_bytes += row.html_bytes;
        self.main_blocks += u64::from(row.main_blocks);
        self.runs += u64::from(row.runs);
        self.bodies += u64::from(matches!(row.links.body, BodyRow::Kept(_)));
    }

    /// Undoes [`add`](Self::add).
    pub(super) fn remove(&mut self, row: &PageRow) {
        self.pages -= 1;
        self.html_bytes -= row.html_bytes;
        self.main_blocks -= u64::from(row.main_blocks);
        self.runs -= u64::from(row.runs);
        self.bodies -= u64::from(matches!(row.links.body, BodyRow::Kept(_)));
    }
}

/// The store in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreStatistics {
    /// Captures ingested: records that hold a page. Captures of one URL at one time count each, those with the same content too.
    pub pages: u64,
    /// Of these, captures that hold what the same URL had before.
    pub duplicates: u64,
    /// Captures by revisit records, besides these.
    pub revisits: u64,
    /// Pages held: captures of one URL at one time count once. The numbers below are over these.
    pub distinct_pages: u64,
    /// Main blocks, as the index has them.
    pub blocks: u64,
    /// All text runs of the trees, kept or pruned.
    pub runs: u64,
    /// Distinct hosts.
    pub hosts: u64,
    /// Decoded HTML, in bytes.
    pub bytes: u64,
    /// Length of the file of trees, in bytes.
    pub trees_bytes: u64,
    /// Bytes of it that replaced pages left behind.
    pub garbage_bytes: u64,
    /// Pages whose HTML is kept in the data folder.
    pub bodies: u64,
    /// Length of the file of kept bodies, in bytes.
    pub bodies_bytes: u64,
    /// Length of the file of what became of each record, in bytes.
    pub ledger_bytes: u64,
    /// Number of the last commit.
    pub sequence: Sequence,
    /// Version of the data folder.
    pub data_version: u32,
}

impl From<&Meta> for StoreStatistics {
    fn from(meta: &Meta) -> Self {
        Self {
            pages: meta.counters.captures,
            distinct_pages: meta.counters.pages,
            blocks: meta.counters.main_blocks,
            runs: meta.counters.runs,
            hosts: meta.counters.hosts,
            bytes: meta.counters.html_bytes,
            trees_bytes: meta.trees_bytes,
            garbage_bytes: meta.garbage_bytes,
            duplicates: meta.counters.duplicates,
            revisits: meta.counters.revisits,
            bodies: meta.counters.bodies,
            bodies_bytes: meta.bodies_bytes,
            ledger_bytes: meta.ledger_bytes,
            sequence: meta.sequence,
            data_version: lopper_migrations::DATA_VERSION,
        }
    }
}
