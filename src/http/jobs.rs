//! Archives that are being taken in: one job at a time, with figures to look at.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lopper_collection::ingest::{IngestReport, Interrupt, Progress};
use serde::Serialize;

use super::error::{ApiError, ErrorCode};
use crate::http::parameters::shortened;

/// Jobs that are remembered.
const KEPT_MAX: usize = 20;

/// Clients that follow jobs at the same time.
const FOLLOWERS_MAX: usize = 64;

/// Time that a job has to commit what it read when the server stops.
const STOP_DURATION_MAX: Duration = Duration::from_secs(10);

/// What became of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum JobState {
    /// It is at work.
    Running,
    /// All was read to its end.
    Done,
    /// It was told to stop: what was read until then is committed, the rest was not read.
    Cancelled,
    /// It could not go on; what was committed before stays.
    Failed,
}

/// Archives that are or were taken in.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Job {
    /// Its number, from 1 since the server was started.
    pub(super) number: u64,
    /// The name of the archive, or of the folder of them.
    pub(super) archive: String,
    pub(super) state: JobState,
    /// Whether it was told to stop; it goes on until what it read is committed.
    pub(super) is_cancelled: bool,
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
    /// The ledger's numbers of what it read.
    #[serde(skip)]
    pub(super) archives: Arc<Vec<u128>>,
    #[serde(skip)]
    interrupt: Interrupt,
}

/// The jobs since the server was started, the newest last.
#[derive(Debug, Clone, Default)]
pub(super) struct Jobs {
    jobs: Arc<Mutex<Vec<Job>>>,
    followers: Arc<AtomicUsize>,
}

impl Jobs {
    fn lock(&self) -> MutexGuard<'_, Vec<Job>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that are remembered.
    pub(super) fn list(&self) -> Vec<Job> {
        self.lock().clone()
    }

    /// One of them.
    pub(super) fn get(&self, number: u64) -> Option<Job> {
        self.lock().iter().find(|job| job.number == number).cloned()
    }

    /// The job whose number stands in an address.
    pub(super) fn named(&self, number: &str) -> Result<Job, ApiError> {
        let found = number.parse().ok().and_then(|number| self.get(number));
        found.ok_or_else(|| {
            let message = format!(
                "there is no job {}; the last {KEPT_MAX} since the server started are remembered",
                shortened(number)
            );
            ApiError::new(ErrorCode::JobNotFound, message)
        })
    }

    /// Whether one is at work.
    pub(super) fn is_running(&self) -> bool {
        self.lock().last().is_some_and(|job| job.state == JobState::Running)
    }

    /// Begins a job of this archive, or folder of them.
    pub(super) fn begin(&self, archive: &Path) -> Result<(Job, Interrupt), ApiError> {
        let mut jobs = self.lock();
        if jobs.last().is_some_and(|job| job.state == JobState::Running) {
            return Err(ApiError::new(ErrorCode::Busy, "an archive is being taken in; try again when it is done"));
        }
        let job = Job {
            number: jobs.last().map_or(1, |job| job.number + 1),
            archive: archive.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            state: JobState::Running,
            is_cancelled: false,
            progress: Progress::default(),
            seconds: 0.0,
            seconds_left: None,
            report: None,
            message: None,
            archives: Arc::default(),
            interrupt: Interrupt::default(),
        };
        jobs.push(job.clone());
        if jobs.len() > KEPT_MAX {
            jobs.remove(0);
        }
        let interrupt = job.interrupt.clone();
        Ok((job, interrupt))
    }

    /// Tells a job to stop. It goes on until what it read is committed.
    pub(super) fn cancel(&self, number: &str) -> Result<Job, ApiError> {
        let number = self.named(number)?.number;
        let mut jobs = self.lock();
        let job = jobs.iter_mut().find(|job| job.number == number && job.state == JobState::Running);
        let job = job.ok_or_else(|| ApiError::new(ErrorCode::JobEnded, format!("job {number} has ended")))?;
        job.is_cancelled = true;
        job.interrupt.ask();
        Ok(job.clone())
    }

    pub(super) fn update(&self, number: u64, update: impl FnOnce(&mut Job)) {
        if let Some(job) = self.lock().iter_mut().find(|job| job.number == number) {
            update(job);
        }
    }

    /// The right to follow a job; given back on drop.
    pub(super) fn follow(&self) -> Result<Following, ApiError> {
        let following = Following(Arc::clone(&self.followers));
        if self.followers.fetch_add(1, Ordering::AcqRel) < FOLLOWERS_MAX {
            return Ok(following);
        }
        Err(ApiError::new(ErrorCode::Busy, format!("{FOLLOWERS_MAX} clients follow jobs already")))
    }

    /// Tells the running job to stop and waits until it has committed what it read.
    pub(super) fn stop(&self) {
        for job in self.lock().iter() {
            job.interrupt.ask();
        }
        let begun = Instant::now();
        while self.is_running() && begun.elapsed() < STOP_DURATION_MAX {
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// One who follows a job.
pub(super) struct Following(Arc<AtomicUsize>);

impl Drop for Following {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_job_runs_and_can_be_told_to_stop_once() {
        let jobs = Jobs::default();
        let (job, interrupt) = jobs.begin(Path::new("/srv/secret/a.warc")).unwrap();
        assert_eq!((job.number, &*job.archive), (1, "a.warc"));
        assert_eq!(jobs.begin(Path::new("b.warc")).err().map(|error| error.code), Some(ErrorCode::Busy));
        assert!(jobs.cancel("1").unwrap().is_cancelled && interrupt.is_asked());
        jobs.update(1, |job| job.state = JobState::Cancelled);
        let code = |number| jobs.cancel(number).unwrap_err().code;
        assert_eq!(
            [code("1"), code("2"), code("x")],
            [ErrorCode::JobEnded, ErrorCode::JobNotFound, ErrorCode::JobNotFound]
        );
        assert!(jobs.begin(Path::new("b.warc")).is_ok());
    }

    #[test]
    fn followers_are_bounded_and_leave() {
        let jobs = Jobs::default();
        let following: Vec<Following> = (0..FOLLOWERS_MAX).map(|_| jobs.follow().unwrap()).collect();
        assert!(jobs.follow().is_err());
        drop(following);
        assert!(jobs.follow().is_ok());
    }
}
