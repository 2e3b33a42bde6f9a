//! The run itself: reader, workers, writer.

use std::path::PathBuf;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use super::reader::Reader;
use super::shared::Shared;
use super::worker::{put_page, work};
use super::writer::Writer;
use super::{Collection, CollectionError, IngestReport, Observer};
use crate::archive::paths::{PathsError, expand};
use crate::limits::Limits;
use crate::page::Page;
use crate::pipeline::PageAnalyser;
use crate::store::{ArchiveKey, PageBatch};

/// How an ingest runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IngestOptions {
    /// Threads that decode and analyse. Default: all cores.
    pub threads: usize,
    /// Limits on records and pages.
    pub limits: Limits,
    /// Records in a batch, that is, between two commits. Default 2000.
    pub batch_records_max: u64,
    /// Payload bytes in a batch. Default 256 MiB.
    pub batch_bytes_max: usize,
    /// Payload bytes between reader and writer. Default 96 MiB.
    pub in_flight_bytes_max: usize,
}

impl Default for IngestOptions {
    fn default() -> Self {
        Self {
            threads: thread::available_parallelism().map_or(1, usize::from),
            limits: Limits::default(),
            batch_records_max: 2000,
            batch_bytes_max: 256 << 20,
            in_flight_bytes_max: 96 << 20,
        }
    }
}

/// Results that wait for the writer.
const RESULTS_WAITING_MAX: usize = 64;

/// Why an ingest ends early. What was committed before stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IngestError {
    /// The paths given are not there or hold nothing.
    #[error(transparent)]
    Paths(#[from] PathsError),
    /// Store or index failed.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// A worker thread died; this is a fault of the program.
    #[error("a worker stopped in the middle of the run; what was committed before is safe, please report this")]
    WorkerLost,
}

/// Ingests archives, HTML files and folders of them.
///
/// A broken record or file is counted and told in the report, and costs nothing else.
///
/// # Errors
///
/// [`IngestError`] when there is nothing to read, or the collection cannot be written.
pub fn ingest(
    collection: &Collection,
    paths: &[PathBuf],
    options: &IngestOptions,
    observer: &mut dyn Observer,
) -> Result<IngestReport, IngestError> {
    let started = Instant::now();
    let files = expand(paths)?;
    let shared = Shared::new(collection.store(), options.in_flight_bytes_max);
    let (job_sender, jobs) = sync_channel(options.threads * 4);
    let (result_sender, results) = sync_channel(RESULTS_WAITING_MAX);
    let jobs = Arc::new(Mutex::new(jobs));
    let written = thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            let (jobs, results) = (jobs.clone(), result_sender.clone());
            scope.spawn(move || work(&jobs, &results, collection.params(), &options.limits));
        }
        drop((jobs, result_sender));
        let reader = Reader::new(&shared, options, job_sender, collection.store().snapshot());
        scope.spawn(|| reader.read_all(&files));
        let written = Writer::new(collection, &shared, observer).write_all(&results);
        // In whatever state the others are: workers end when nobody takes their results, the reader when there are no workers.
        drop(results);
        shared.stop();
        written
    });
    let mut report = written?;
    report.duration = started.elapsed();
    Ok(report)
}

/// Ingests one page that is in memory, and commits it.
///
/// # Errors
///
/// [`CollectionError`] when the collection cannot be written.
pub fn ingest_page(collection: &Collection, page: &Page, limits: &Limits) -> Result<(), CollectionError> {
    let statistics = collection.store().snapshot();
    let mut analyser = PageAnalyser::new(collection.params(), *limits);
    let (put, documents) = put_page(page, &statistics, &mut analyser)?;
    let key = ArchiveKey { path: page.provenance.archive.clone(), fingerprint: page.id.0 };
    let mut batch = PageBatch::new();
    batch.restart(&key);
    collection.with_writer(|writer| {
        writer.delete_page(&page.id.to_string())?;
        writer.add_page(&documents.page, &documents.blocks)
    })?;
    batch.put(&key, put);
    batch.checkpoint(&key, 0, true);
    collection.commit(batch)
}
