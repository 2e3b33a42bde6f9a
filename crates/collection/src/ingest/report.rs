//! What an ingest tells while it runs and when it ends.

use std::path::PathBuf;
use std::time::Duration;

use lopper_store::{ArchiveKey, RecordSums, Sequence};
use serde::{Deserialize, Serialize};

/// Messages that a report keeps; the store's ledger has them all.
const MESSAGES_MAX: usize = 100;

/// How far an ingest is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Bytes of archive files read.
    pub bytes_read: u64,
    /// Bytes of all archive files.
    pub bytes_total: u64,
    /// Records read.
    pub records: u64,
    /// Pages analysed.
    pub pages: u64,
    /// Records that failed.
    pub failed: u64,
}

/// Follows an ingest.
pub trait Observer: Send {
    /// Called often, with the newest figures.
    fn progress(&mut self, progress: &Progress);

    /// Called for each archive before its records, also for one that was read before and is passed over.
    fn archive(&mut self, _archive: &ArchiveKey) {}

    /// Called after each commit: `records` records of this run are searchable and outlive a crash.
    fn committed(&mut self, _sequence: Sequence, _records: u64) {}
}

/// An observer that looks away.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _progress: &Progress) {}
}

/// The end of an ingest: the sums over all records, and what went wrong where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IngestReport {
    /// Archive files read, or gone on with.
    pub archives: u64,
    /// Of these, archives that an earlier run had begun.
    pub archives_resumed: u64,
    /// Archive files that were passed over, since an earlier run had read them to the end.
    pub archives_already_ingested: u64,
    /// Of these, archives that are elsewhere now: their pages refer to the new place.
    #[serde(default)]
    pub archives_moved: u64,
    /// Names of files that the run had come to by another name, as by links: that one gives the address.
    #[serde(default)]
    pub files_same: u64,
    /// The first of them, with the files that they are.
    #[serde(default)]
    pub same_messages: Vec<String>,
    /// Pages that were removed, as their HTML files are gone.
    #[serde(default)]
    pub removed: u64,
    /// Whether the run was interrupted: the same command goes on.
    pub interrupted: bool,
    /// Files that could not be opened as an archive at all.
    pub unreadable: Vec<PathBuf>,
    /// Records by what became of them.
    pub records: RecordSums,
    /// Records that were taken although something is wrong with them: cut off, or with a wrong length.
    pub remarks: u64,
    /// The first messages about these.
    pub remark_messages: Vec<String>,
    /// The first messages about what failed.
    pub messages: Vec<String>,
    /// Messages beyond those.
    pub messages_left_out: u64,
    /// Wall time.
    pub duration: Duration,
}

impl IngestReport {
    pub(super) fn remark(&mut self, message: String) {
        if self.remark_messages.len() < MESSAGES_MAX {
            self.remark_messages.push(message);
        }
    }

    pub(super) fn message(&mut self, message: String) {
        if self.messages.len() < MESSAGES_MAX {
            self.messages.push(message);
        } else {
            self.messages_left_out += 1;
        }
    }
}
