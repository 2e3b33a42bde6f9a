//! Archives that are being taken in: one at a time, on a thread of its own, with figures to look at.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use actix_web::web;
use lopper_collection::archive_name;
use lopper_collection::ingest::{IngestError, IngestOptions, IngestReport, Observer, Progress};
use serde::Serialize;

use super::error::{ApiError, ErrorCode};
use super::posts::refusal;
use super::state::State;

/// Jobs that are remembered.
const KEPT_MAX: usize = 20;

/// What became of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum JobState {
    /// It is at work.
    Running,
    /// The archive was read to its end.
    Done,
    /// It could not go on; what was committed before stays.
    Failed,
}

/// An archive that is or was taken in.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Job {
    /// Its number, from 1 since the server was started.
    pub(super) number: u64,
    /// The archive's file name.
    pub(super) archive: String,
    pub(super) state: JobState,
    /// How far it is.
    pub(super) progress: Progress,
    /// Seconds since it began, or that it took.
    pub(super) seconds: f64,
    /// Seconds to the end, if the rest is read as fast as what was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds_left: Option<u64>,
    /// What was read, at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) report: Option<IngestReport>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
}

/// The jobs since the server was started, the newest last.
#[derive(Debug, Clone, Default)]
pub(super) struct Jobs(Arc<Mutex<Vec<Job>>>);

impl Jobs {
    fn lock(&self) -> MutexGuard<'_, Vec<Job>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that are remembered.
    pub(super) fn list(&self) -> Vec<Job> {
        self.lock().clone()
    }

    /// Whether one is at work.
    pub(super) fn is_running(&self) -> bool {
        self.lock().last().is_some_and(|job| job.state == JobState::Running)
    }

    fn begin(&self, archive: &Path) -> Result<Job, ApiError> {
        let mut jobs = self.lock();
        if jobs.last().is_some_and(|job| job.state == JobState::Running) {
            return Err(ApiError::new(ErrorCode::Busy, "an archive is being taken in; try again when it is done"));
        }
        let job = Job {
            number: jobs.last().map_or(1, |job| job.number + 1),
            archive: archive.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            state: JobState::Running,
            progress: Progress::default(),
            seconds: 0.0,
            seconds_left: None,
            report: None,
            message: None,
        };
        jobs.push(job.clone());
        if jobs.len() > KEPT_MAX {
            jobs.remove(0);
        }
        Ok(job)
    }

    fn update(&self, number: u64, update: impl FnOnce(&mut Job)) {
        if let Some(job) = self.lock().iter_mut().find(|job| job.number == number) {
            update(job);
        }
    }
}

/// Takes an archive in, on a thread of its own. Gives the job at once.
pub(super) fn start(state: &web::Data<State>, archive: PathBuf) -> Result<Job, ApiError> {
    let jobs = state.jobs().clone();
    let job = jobs.begin(&archive)?;
    let (number, state) = (job.number, state.clone());
    let begun = Instant::now();
    let run = move || {
        let ended = run(&state, number, &archive, begun);
        state.jobs().update(number, |job| {
            job.seconds = begun.elapsed().as_secs_f64();
            job.seconds_left = None;
            match ended {
                Ok(report) => (job.state, job.report) = (JobState::Done, Some(report)),
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

fn run(state: &State, number: u64, archive: &Path, begun: Instant) -> Result<IngestReport, ApiError> {
    let mut follower = Follower { jobs: state.jobs().clone(), number, begun };
    let options = IngestOptions { limits: state.options().limits, ..IngestOptions::default() };
    if let Some(why) = state.writer_stopped() {
        return Err(ApiError::new(ErrorCode::WriterStopped, why));
    }
    let report = state.ingest(&[archive.to_owned()], &options, &mut follower).map_err(|error| match error {
        IngestError::Collection(error) => refusal(&error),
        error => error.into(),
    })?;
    state.engine().reload()?;
    Ok(without_folders(report, archive))
}

/// The report with the archive's name in place of its path.
fn without_folders(mut report: IngestReport, archive: &Path) -> IngestReport {
    let (path, name) = (archive.to_string_lossy().into_owned(), archive_name(archive));
    for message in report.messages.iter_mut().chain(&mut report.remark_messages) {
        *message = message.replace(&path, &name);
    }
    for file in &mut report.unreadable {
        *file = PathBuf::from(archive_name(file));
    }
    report
}

/// Notes how far a job is.
struct Follower {
    jobs: Jobs,
    number: u64,
    begun: Instant,
}

impl Observer for Follower {
    fn progress(&mut self, progress: &Progress) {
        let seconds = self.begun.elapsed().as_secs_f64();
        self.jobs.update(self.number, |job| {
            (job.progress, job.seconds) = (*progress, seconds);
            let left = progress.bytes_total.saturating_sub(progress.bytes_read) as f64;
            job.seconds_left =
                (progress.bytes_read > 0).then(|| (left * seconds / progress.bytes_read as f64).ceil() as u64);
        });
    }
}
