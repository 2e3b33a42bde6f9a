//! A job at work, on a thread of its own.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use actix_web::web;
use lopper_collection::archive_name;
use lopper_collection::ingest::{Bodies, IngestError, IngestOptions, IngestReport, Interrupt, Observer, Progress};
use lopper_store::{ArchiveKey, Sequence, StateKind};

use super::error::{ApiError, ErrorCode};
use super::fetched_archive::Fetch;
use super::jobs::{Job, JobState, Jobs};
use super::leftovers;
use super::posts::refusal;
use super::state::State;

/// What is said of a job that panicked.
const PANICKED: &str = "the archive stopped its job; this is a fault of lopper, please report it";

/// What a job takes in.
#[derive(Debug, Clone)]
pub(super) struct Archives {
    /// The archive, or the folder that was named.
    pub(super) named: PathBuf,
    /// The files.
    pub(super) files: Vec<PathBuf>,
    /// The folder that no answer names.
    pub(super) root: PathBuf,
    /// What is kept of their HTML.
    pub(super) bodies: Bodies,
    /// Whether what was read to its end is read again.
    pub(super) again: bool,
    /// Brings the file first.
    pub(super) fetch: Option<Fetch>,
    /// Whether the file was made for this job: it goes again where nothing refers to it.
    pub(super) is_own: bool,
}

impl Archives {
    /// Archives in the data folder.
    pub(super) fn uploaded(files: Vec<PathBuf>) -> Self {
        let root = files.first().and_then(|file| file.parent()).unwrap_or(Path::new("")).to_owned();
        Self {
            named: if let [file] = &*files { file.clone() } else { root.clone() },
            files,
            root,
            bodies: Bodies::default(),
            again: false,
            fetch: None,
            is_own: true,
        }
    }
}

/// Begins to take archives in. Gives the job at once.
pub(super) fn start(state: &web::Data<State>, archives: Archives) -> Result<Job, ApiError> {
    let jobs = state.jobs().clone();
    let (job, interrupt) = jobs.begin(&archives.named)?;
    let (number, state) = (job.number, state.clone());
    let begun = Instant::now();
    let run = move || {
        let ended = catch_unwind(AssertUnwindSafe(|| run(&state, number, &archives, interrupt, begun)));
        let ended = ended.unwrap_or_else(|_| Err(ApiError::internal(&io::Error::other(PANICKED))));
        state.jobs().update(number, |job| {
            job.seconds = begun.elapsed().as_secs_f64();
            job.seconds_left = None;
            match ended {
                Ok(report) if nothing_was_read(&report) => {
                    (job.state, job.message) = (JobState::Failed, report.messages.first().cloned());
                    job.report = Some(report);
                }
                Ok(report) => {
                    for kind in StateKind::ALL {
                        state.metrics().count_records(kind, report.records.in_state(kind));
                    }
                    job.state = if report.interrupted { JobState::Cancelled } else { JobState::Done };
                    job.report = Some(report);
                }
                Err(error) => (job.state, job.message) = (JobState::Failed, Some(error.message)),
            }
        });
    };
    match thread::Builder::new().name(format!("ingest {number}")).spawn(run) {
        Ok(_) => Ok(job),
        Err(error) => {
            jobs.update(number, |job| job.state = JobState::Failed);
            Err(ApiError::internal(&error))
        }
    }
}

fn run(
    state: &State,
    number: u64,
    archives: &Archives,
    interrupt: Interrupt,
    begun: Instant,
) -> Result<IngestReport, ApiError> {
    let options = IngestOptions {
        threads: state.options().threads,
        limits: state.options().limits,
        bodies: archives.bodies,
        again: archives.again,
        interrupt,
        ..IngestOptions::default()
    };
    if let Some(why) = state.writer_stopped() {
        return Err(ApiError::new(ErrorCode::WriterStopped, why));
    }
    let mut follower = Follower { state, jobs: state.jobs().clone(), number, begun };
    let fetched = match &archives.fetch {
        Some(fetch) => match fetch.run(state, &options.interrupt, &mut follower)? {
            Some(file) => Some(Archives::uploaded(vec![file])),
            None => return Ok(IngestReport { interrupted: true, ..IngestReport::default() }),
        },
        None => None,
    };
    let archives = fetched.as_ref().unwrap_or(archives);
    let ingested = state.ingest(&archives.files, &options, &mut follower);
    if ingested.is_err() && archives.is_own {
        // The server goes on, and tries again when it begins anew.
        archives.files.iter().for_each(|file| leftovers::release(file));
    }
    let report = ingested.map_err(|error| match error {
        IngestError::Collection(error) => refusal(&error),
        error => error.into(),
    })?;
    state.engine().reload()?;
    if archives.is_own {
        let is_cancelled = state.jobs().get(number).is_some_and(|job| job.is_cancelled);
        put_away(state, &archives.files, report.interrupted, is_cancelled)?;
    }
    Ok(without_folders(report, &archives.root))
}

/// Goes on with what was sent to the collection and was not taken in to its end, since the server ended before. Each is tried once: a file by
/// which the server ends again is left.
pub(super) fn go_on(state: &web::Data<State>) {
    if !state.collection().is_writable() {
        return;
    }
    let files = match leftovers::tidy(&state.collection()) {
        Ok(files) if files.is_empty() => return,
        Ok(files) => files,
        Err(error) => return tracing::warn!(%error, "what is left of uploads cannot be told"),
    };
    for file in &files {
        tracing::info!(file.path = %file.display(), "an upload is gone on with");
        leftovers::hold(file);
    }
    if let Err(error) = start(state, Archives::uploaded(files)) {
        tracing::warn!(cause = error.message, "uploads cannot be gone on with");
    }
}

/// What becomes of files that were sent, when their job ends: those that nothing refers to go. What was cancelled is held; what is cut off by the
/// server's own end is gone on with when it begins again.
fn put_away(state: &State, files: &[PathBuf], is_cut_off: bool, is_cancelled: bool) -> Result<(), ApiError> {
    let collection = state.collection();
    for file in files {
        match (is_cut_off, is_cancelled) {
            // One upload alone was not begun: nothing of it is wanted. Of several, others may be wanted yet.
            (true, true) if files.len() == 1 && !leftovers::is_known(&collection, file)? => {
                leftovers::remove_unless_known(&collection, file)?;
            }
            (true, true) => {
                leftovers::hold(file);
                continue;
            }
            (true, false) => {}
            (false, _) => leftovers::remove_unless_known(&collection, file)?,
        }
        leftovers::release(file);
        if leftovers::is_known(&collection, file)? {
            leftovers::remove_copies(&collection, file)?;
        }
    }
    Ok(())
}

/// Whether none of the archives is one.
fn nothing_was_read(report: &IngestReport) -> bool {
    let read = report.archives + report.archives_already_ingested;
    !report.interrupted && read > 0 && report.unreadable.len() as u64 == read
}

/// The report with paths from `root` on.
fn without_folders(mut report: IngestReport, root: &Path) -> IngestReport {
    let real = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    for root in [&*real, root].map(|root| format!("{}/", root.to_string_lossy())) {
        for message in report.messages.iter_mut().chain(&mut report.remark_messages).chain(&mut report.same_messages) {
            *message = message.replace(&root, "");
        }
    }
    for file in &mut report.unreadable {
        *file = PathBuf::from(archive_name(file));
    }
    report
}

/// Notes how far a job is, and lets what it commits be found.
struct Follower<'a> {
    state: &'a State,
    jobs: Jobs,
    number: u64,
    begun: Instant,
}

impl Observer for Follower<'_> {
    fn progress(&mut self, progress: &Progress) {
        let seconds = self.begun.elapsed().as_secs_f64();
        self.jobs.update(self.number, |job| {
            (job.progress, job.seconds) = (*progress, seconds);
            let left = progress.bytes_total.saturating_sub(progress.bytes_read) as f64;
            job.seconds_left =
                (progress.bytes_read > 0).then(|| (left * seconds / progress.bytes_read as f64).ceil() as u64);
        });
    }

    fn archive(&mut self, archive: &ArchiveKey) {
        self.jobs.update(self.number, |job| Arc::make_mut(&mut job.archives).push(archive.id));
    }

    fn committed(&mut self, _sequence: Sequence, _records: u64) {
        if let Err(error) = self.state.engine().reload() {
            tracing::warn!(%error, "what was committed cannot be searched yet");
        }
    }
}
