//! A job at work, on a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Instant;
use std::{fs, io};

use actix_web::web;
use lopper_collection::archive_name;
use lopper_collection::ingest::{Bodies, IngestError, IngestOptions, IngestReport, Interrupt, Observer, Progress};
use lopper_store::{ArchiveKey, Sequence, StateKind};

use super::error::{ApiError, ErrorCode};
use super::fetched_archive::Fetch;
use super::jobs::{Job, JobState, Jobs};
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
    /// An archive in the data folder.
    pub(super) fn uploaded(archive: PathBuf) -> Self {
        let root = archive.parent().unwrap_or(Path::new("")).to_owned();
        Self {
            files: vec![archive.clone()],
            named: archive,
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
            Some(file) => Some(Archives::uploaded(file)),
            None => return Ok(IngestReport { interrupted: true, ..IngestReport::default() }),
        },
        None => None,
    };
    let archives = fetched.as_ref().unwrap_or(archives);
    let report = state.ingest(&archives.files, &options, &mut follower).map_err(|error| match error {
        IngestError::Collection(error) => refusal(&error),
        error => error.into(),
    })?;
    state.engine().reload()?;
    if archives.is_own && !report.interrupted {
        remove_unless_known(state, &archives.named)?;
    }
    Ok(without_folders(report, &archives.root))
}

/// Removes a file that was sent, unless the ledger has pages of it: it is no archive, or one that was read from another file.
fn remove_unless_known(state: &State, file: &Path) -> Result<(), ApiError> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let own = real(file);
    for entry in state.collection().store().archives() {
        let entry = entry?;
        let known = &entry.key.path;
        let has_pages = entry.sums.indexed + entry.sums.replaced + entry.sums.revisits > 0;
        if has_pages && (known == file || real(known) == own) {
            return Ok(());
        }
    }
    if let Err(error) = fs::remove_file(file) {
        tracing::warn!(%error, "a sent file that nothing refers to cannot be removed");
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
        for message in report.messages.iter_mut().chain(&mut report.remark_messages) {
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
