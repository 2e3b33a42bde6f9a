//! The run itself: reader, workers, writer.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use lopper_archive::paths::{PathsError, expand};
use lopper_content::limits::Limits;
use lopper_store::{RecordFacts, RecordPlace, Store};
use serde::{Deserialize, Serialize};

use super::epochs::Epochs;
use super::missing::settle;
use super::reader::Reader;
use super::seen_files::SeenFiles;
use super::shared::Shared;
use super::source::STANDARD_INPUT;
use super::worker::{KnownPages, work};
use super::writer::Writer;
use super::{IngestReport, Interrupt, Observer, Site};
use crate::parts::PartError;
use crate::{CollectionError, DataFolder};

/// How an ingest runs.
#[derive(Debug, Clone)]
pub struct IngestOptions {
    /// Threads that decode and analyse. Default: all cores.
    pub threads: usize,
    /// Limits on records and pages.
    pub limits: Limits,
    /// Records in a batch, that is, between two commits. Default 2000.
    pub batch_records_max: u64,
    /// Payload bytes in a batch. Default 256 MiB.
    pub batch_bytes_max: usize,
    /// Payload bytes between reader and writer. Default 48 MiB.
    pub in_flight_bytes_max: usize,
    /// What is kept of pages' HTML. Default: a reference to the archive.
    pub bodies: Bodies,
    /// Whether archives that were read to their end are read again, and others from their beginning. Default: no.
    pub again: bool,
    /// Where HTML files are published; without it their pages have the `file:` addresses of their places.
    pub site: Option<Site>,
    /// Folders: the pages of HTML files that are gone are removed at the end of a run that was not interrupted. Of a site, these are those
    /// that are gone from its folder, and all that were read as its files from other folders and are not among those of the run, unless
    /// something could not be read; else those that are gone from these folders.
    pub remove_missing: Vec<PathBuf>,
    /// Stops the run when asked.
    pub interrupt: Interrupt,
    /// Brings parts that are named by addresses; without it there are none.
    pub fetch: Option<Arc<dyn PartFetch>>,
}

/// Brings parts from elsewhere.
pub trait PartFetch: Send + Sync + fmt::Debug {
    /// Copies the part at `address`, which has a scheme (`s3://…`), to a file, which goes when what is given back is dropped.
    ///
    /// # Errors
    ///
    /// [`PartError`] for what cannot be fetched.
    fn fetch(&self, address: &Path) -> Result<Box<dyn AsRef<Path> + Send>, PartError>;
}

/// Whether a path is an address with a scheme.
pub fn is_address(path: &Path) -> bool {
    let scheme = path.to_str().and_then(|path| path.split_once("://")).map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// What is kept of pages' HTML, for a [rebuild](super::rebuild).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bodies {
    /// The HTML itself, compressed, in the data folder.
    Keep,
    /// Archive, offset and digest.
    #[default]
    Refer,
    /// Nothing.
    None,
}

impl Default for IngestOptions {
    fn default() -> Self {
        Self {
            threads: thread::available_parallelism().map_or(1, usize::from),
            limits: Limits::default(),
            batch_records_max: 2000,
            batch_bytes_max: 256 << 20,
            in_flight_bytes_max: 48 << 20,
            bodies: Bodies::default(),
            again: false,
            site: None,
            remove_missing: Vec::new(),
            interrupt: Interrupt::default(),
            fetch: None,
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
    collection: &DataFolder,
    paths: &[PathBuf],
    options: &IngestOptions,
    observer: &mut dyn Observer,
) -> Result<IngestReport, IngestError> {
    ingest_files(collection, &files_of(paths)?, options, observer)
}

/// Ingests `files`, as [`files_of`] gives them.
///
/// # Errors
///
/// As [`ingest`].
pub fn ingest_files(
    collection: &DataFolder,
    files: &[PathBuf],
    options: &IngestOptions,
    observer: &mut dyn Observer,
) -> Result<IngestReport, IngestError> {
    let started = Instant::now();
    let statistics = collection.store().first_snapshot().map_err(CollectionError::from)?;
    let epochs = Epochs::new(statistics.clone(), collection.store().snapshot());
    let shared = Shared::new(epochs, options.in_flight_bytes_max);
    let (job_sender, jobs) = sync_channel(options.threads * 4);
    let (result_sender, results) = sync_channel(RESULTS_WAITING_MAX);
    let jobs = Arc::new(Mutex::new(jobs));
    let written = thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            let (jobs, results) = (jobs.clone(), result_sender.clone());
            scope.spawn(move || work(&jobs, &results, collection.store(), collection.params(), options));
        }
        drop((jobs, result_sender));
        let reader = Reader::new(collection, &shared, options, job_sender, statistics);
        scope.spawn(|| reader.read_all(files));
        let written = Writer::new(collection, &shared, options, observer).write_all(&results);
        // In whatever state the others are: workers end when nobody takes their results, the reader when there are no workers.
        drop(results);
        shared.stop();
        written
    });
    let mut report = written?;
    report.interrupted = shared.was_interrupted();
    let seen = shared.into_seen();
    if !report.interrupted && is_to_settle(options, &seen, &report) {
        settle(collection, options, &seen, &mut report)?;
    }
    (report.files_same, report.same_messages) = (seen.same, seen.same_messages);
    report.duration = started.elapsed();
    Ok(report)
}

/// Whether a run has something to settle: a look at a watched folder that found new files has not. An interrupted run before this one may have
/// taken pages over, by files that are known now.
fn is_to_settle(options: &IngestOptions, seen: &SeenFiles, report: &IngestReport) -> bool {
    let has_replaced = seen.has_taken_over || report.records.replaced > 0 || report.archives_already_ingested > 0;
    !options.remove_missing.is_empty() || (options.site.is_some() && has_replaced)
}

impl KnownPages for Store {
    fn is_duplicate(&self, place: &RecordPlace<'_>, facts: &RecordFacts) -> bool {
        // A store that cannot be read fails the writer, which asks again.
        self.is_duplicate(place, facts).unwrap_or(false)
    }
}

/// The files behind `paths`, folders walked; `-`, standard input, stays as it is, and so do addresses.
///
/// # Errors
///
/// [`PathsError`] for a path that is missing or cannot be read, and for a folder without anything to read.
pub fn files_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>, PathsError> {
    let is_input = |path: &PathBuf| path.as_os_str() == STANDARD_INPUT;
    let (input, named): (Vec<PathBuf>, Vec<PathBuf>) = paths.iter().cloned().partition(is_input);
    let (addresses, named): (Vec<PathBuf>, Vec<PathBuf>) = named.into_iter().partition(|path| is_address(path));
    let mut files = expand(&named)?;
    files.extend(addresses);
    files.extend(input.into_iter().take(1));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_a_site_that_found_only_new_files_settles_nothing() {
        let site = Site::new(Path::new("site"), "https://e.example/").unwrap();
        let of_site = IngestOptions { site: Some(site), ..IngestOptions::default() };
        let removing = IngestOptions { remove_missing: vec!["site".into()], ..of_site.clone() };
        let (seen, none) = (SeenFiles::default(), IngestReport::default());
        let known = IngestReport { archives_already_ingested: 1, ..IngestReport::default() };
        assert!(is_to_settle(&removing, &seen, &none) && is_to_settle(&of_site, &seen, &known));
        assert!(!is_to_settle(&of_site, &seen, &none) && !is_to_settle(&IngestOptions::default(), &seen, &known));
        let mut taken = SeenFiles::default();
        taken.has_taken_over = true;
        assert!(is_to_settle(&of_site, &taken, &none));
    }
}
