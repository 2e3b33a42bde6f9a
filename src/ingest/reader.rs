//! Numbers records and cuts them into batches.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use super::IngestOptions;
use super::fingerprint::fingerprint;
use super::job::{Failure, Job, Work};
use super::shared::Shared;
use super::worker::payload_bytes;
use crate::archive::{self, ArchiveError};
use crate::store::{ArchiveKey, CollectionStatistics};

/// Records of a run's first batch: few, so that a new collection soon has statistics to weigh by.
const FIRST_BATCH_RECORDS: u64 = 200;

pub(super) struct Reader<'a> {
    shared: &'a Shared,
    options: &'a IngestOptions,
    jobs: SyncSender<Job>,
    number: u64,
    batch: u64,
    batch_records: u64,
    batch_bytes: usize,
    statistics: Arc<CollectionStatistics>,
}

/// The writer is gone: there is nobody to read for.
struct Stopped;

impl<'a> Reader<'a> {
    pub(super) fn new(
        shared: &'a Shared,
        options: &'a IngestOptions,
        jobs: SyncSender<Job>,
        statistics: Arc<CollectionStatistics>,
    ) -> Self {
        Self { shared, options, jobs, number: 0, batch: 0, batch_records: 0, batch_bytes: 0, statistics }
    }

    pub(super) fn read_all(mut self, files: &[PathBuf]) {
        let length = |file: &PathBuf| fs::metadata(file).map_or(0, |metadata| metadata.len());
        self.shared.update_progress(|progress| progress.bytes_total = files.iter().map(length).sum());
        let mut bytes_before = 0;
        for file in files {
            if self.read_file(file, bytes_before).is_err() {
                return;
            }
            bytes_before += length(file);
            self.shared.update_progress(|progress| progress.bytes_read = bytes_before);
        }
    }

    fn read_file(&mut self, file: &Path, bytes_before: u64) -> Result<(), Stopped> {
        let fingerprint = fingerprint(file).unwrap_or(0);
        self.send(Work::Begin { archive: ArchiveKey { path: file.to_owned(), fingerprint } })?;
        let mut reader = match archive::open(file, &self.options.limits) {
            Ok(reader) => reader,
            Err(error) => return self.send(broken(&error)),
        };
        while let Some(next) = reader.next_record() {
            match next {
                Ok(record) => {
                    let statistics = self.statistics.clone();
                    self.send(Work::Record { record: Box::new(record), statistics })?;
                }
                Err(error) => self.send(broken(&error))?,
            }
            let position = reader.position_bytes();
            self.shared.update_progress(|progress| {
                progress.bytes_read = bytes_before + position;
                progress.records += 1;
            });
            self.batch_records += 1;
            if self.batch_is_full() {
                self.send(Work::Checkpoint { position_bytes: position, finished: false })?;
                self.end_batch()?;
            }
        }
        self.send(Work::Checkpoint { position_bytes: reader.position_bytes(), finished: true })
    }

    fn batch_is_full(&self) -> bool {
        let records_max = if self.batch == 0 { FIRST_BATCH_RECORDS } else { self.options.batch_records_max };
        self.batch_records >= records_max || self.batch_bytes >= self.options.batch_bytes_max
    }

    /// Asks for a commit. The next batch is weighed by the statistics of the commit before this one, so that analysing and
    /// committing go side by side, and the result does not depend on which is faster.
    fn end_batch(&mut self) -> Result<(), Stopped> {
        self.send(Work::Commit)?;
        self.statistics = self.shared.statistics_after(self.batch).ok_or(Stopped)?;
        self.batch += 1;
        (self.batch_records, self.batch_bytes) = (0, 0);
        Ok(())
    }

    fn send(&mut self, work: Work) -> Result<(), Stopped> {
        let bytes = payload_bytes(&work);
        self.shared.budget.take(bytes);
        self.batch_bytes += bytes;
        let job = Job { number: self.number, work };
        self.number += 1;
        self.jobs.send(job).map_err(|_| Stopped)
    }
}

fn broken(error: &ArchiveError) -> Work {
    let (code, offset_bytes) = (error.code(), error.offset_bytes());
    let source = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    Work::Broken { offset_bytes, failure: Failure { code, message: format!("{error}{source}") } }
}
