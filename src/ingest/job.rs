//! What passes between the threads of an ingest.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvError};

use crate::archive::ArchiveRecord;
use crate::page::SkipReason;
use crate::pipeline::PageDocuments;
use crate::store::{ArchiveKey, CollectionStatistics, PagePut};

/// A failure as the ledger keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) code: &'static str,
    pub(super) message: String,
}

/// What the reader hands on, numbered in reading order.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) work: Work,
}

#[derive(Debug)]
pub(super) enum Work {
    /// A file begins.
    Begin { archive: ArchiveKey },
    /// A record to decode and analyse.
    Record { record: Box<ArchiveRecord>, statistics: Arc<CollectionStatistics> },
    /// Bytes that are no record.
    Broken { offset_bytes: u64, failure: Failure },
    /// How far the file was read, with whether that is its end.
    Checkpoint { position_bytes: u64, finished: bool },
    /// The batch is full: commit.
    Commit,
}

/// What a worker made of a job.
pub(super) struct Done {
    pub(super) number: u64,
    pub(super) result: Outcome,
    /// Payload bytes to give back to the budget.
    pub(super) payload_bytes: usize,
}

pub(super) enum Outcome {
    Begin { archive: ArchiveKey },
    Page { put: Box<PagePut>, documents: PageDocuments },
    Skipped { offset_bytes: u64, reason: SkipReason },
    Failed { offset_bytes: u64, failure: Failure },
    Checkpoint { position_bytes: u64, finished: bool },
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

    /// The next in order; an error when all workers are gone.
    pub(super) fn next(&mut self) -> Result<Done, RecvError> {
        loop {
            if let Some(done) = self.early.remove(&self.next) {
                self.next += 1;
                return Ok(done);
            }
            let done = self.incoming.recv()?;
            self.early.insert(done.number, done);
        }
    }
}
