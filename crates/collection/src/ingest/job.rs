//! What passes between the threads of an ingest.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError};
use std::time::Duration;

use lopper_archive::page::{Page, SkipReason};
use lopper_archive::{ArchiveRecord, FailureCode};
use lopper_content::cst::CutShort;
use lopper_content::statistics::StatisticsSnapshot;
use lopper_index::EncodedPage;
use lopper_store::{ArchiveKey, Checkpoint, PagePut, RecordFacts, RecordPlace, Revisit};

/// A failure as the ledger keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: FailureCode,
    pub(crate) message: String,
    pub(crate) record_id: Option<String>,
}

/// Where a record is.
#[derive(Debug, Clone)]
pub(super) struct At {
    pub(super) archive: Arc<ArchiveKey>,
    pub(super) ordinal: u64,
    pub(super) offset_bytes: u64,
    /// What is wrong with it although it could be read.
    pub(super) remark: Option<String>,
    /// Whether it is not whole: it ends too early, or something in it is damaged.
    pub(super) is_damaged: bool,
}

impl At {
    /// A record with nothing wrong.
    pub(super) fn new(archive: Arc<ArchiveKey>, ordinal: u64, offset_bytes: u64) -> Self {
        Self { archive, ordinal, offset_bytes, remark: None, is_damaged: false }
    }

    pub(super) fn place(&self) -> RecordPlace<'_> {
        RecordPlace { archive: &self.archive, ordinal: self.ordinal, offset_bytes: self.offset_bytes }
    }

    /// With what is damaged in its page, unless more is wrong with the record.
    pub(super) fn with_damage(self, page: Option<&str>) -> Self {
        let is_damaged = self.is_damaged || page.is_some();
        Self { is_damaged, remark: self.remark.or_else(|| page.map(str::to_owned)), ..self }
    }

    /// With the limit that cut its page short, unless more is wrong with it.
    pub(super) fn cut_short_by(self, limit: Option<CutShort>) -> Self {
        Self { remark: self.remark.or_else(|| limit.map(|limit| limit.to_string())), ..self }
    }
}

/// What the reader hands on, numbered in reading order.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) work: Work,
}

#[derive(Debug)]
pub(super) enum Work {
    /// A file begins, or goes on.
    Begin { archive: Arc<ArchiveKey>, start: Start },
    /// A record to decode and analyse, and what to weigh it by.
    Record { at: At, record: Box<ArchiveRecord>, statistics: StatisticsSnapshot },
    /// A record that a worker elsewhere has judged: its line of a part.
    Judged { at: At, line: String, payload_bytes: usize, statistics: StatisticsSnapshot },
    /// Bytes that are no record.
    Broken { at: At, failure: Failure },
    /// How far the file was read.
    Checkpoint { archive: Arc<ArchiveKey>, checkpoint: Checkpoint },
    /// The batch is full: commit.
    Commit,
}

/// How a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// From its first record; what the ledger has of it is forgotten.
    Anew,
    /// From where an earlier run stopped.
    Resumed,
    /// Not at all: it was read to its end before.
    Done,
}

/// What a worker made of a job.
pub(super) struct Done {
    pub(super) number: u64,
    pub(super) result: Outcome,
    /// Payload bytes to give back to the budget.
    pub(super) payload_bytes: usize,
}

pub(super) enum Outcome {
    Begin {
        archive: Arc<ArchiveKey>,
        start: Start,
    },
    Page {
        at: At,
        put: Box<PagePut>,
        encoded: EncodedPage,
    },
    /// The store has such a page. Not analysed yet, since the batch before may change that.
    Held {
        at: At,
        facts: Box<RecordFacts>,
        page: Box<Page>,
        statistics: StatisticsSnapshot,
    },
    Revisit {
        at: At,
        revisit: Box<Revisit>,
    },
    Skipped {
        at: At,
        reason: SkipReason,
    },
    Failed {
        at: At,
        failure: Failure,
    },
    Checkpoint {
        archive: Arc<ArchiveKey>,
        checkpoint: Checkpoint,
    },
    Commit,
}

/// Puts what comes from several workers back into reading order.
pub(super) struct InOrder<'a> {
    incoming: &'a Receiver<Done>,
    early: BTreeMap<u64, Done>,
    next: u64,
}

impl<'a> InOrder<'a> {
    pub(super) fn new(incoming: &'a Receiver<Done>) -> Self {
        Self { incoming, early: BTreeMap::new(), next: 0 }
    }

    /// Whether results are there that wait for one that never came.
    pub(super) fn is_waiting(&self) -> bool {
        !self.early.is_empty()
    }

    /// The next in order, `None` when it does not come within `duration`; an error when all workers are gone.
    pub(super) fn next_within(&mut self, duration: Duration) -> Result<Option<Done>, RecvError> {
        loop {
            if let Some(done) = self.early.remove(&self.next) {
                self.next += 1;
                return Ok(Some(done));
            }
            match self.incoming.recv_timeout(duration) {
                Ok(done) => drop(self.early.insert(done.number, done)),
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(RecvError),
            }
        }
    }
}
