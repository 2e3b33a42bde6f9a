//! What reader and writer both look at.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Progress;
use super::budget::ByteBudget;
use super::epochs::Epochs;
use super::seen_files::SeenFiles;

pub(super) struct Shared {
    pub(super) budget: ByteBudget,
    pub(super) epochs: Epochs,
    progress: Mutex<Progress>,
    seen: Mutex<SeenFiles>,
    interrupted: AtomicBool,
}

impl Shared {
    pub(super) fn new(epochs: Epochs, in_flight_bytes_max: usize) -> Self {
        let budget = ByteBudget::new(in_flight_bytes_max);
        Self { budget, epochs, progress: Mutex::default(), seen: Mutex::default(), interrupted: AtomicBool::new(false) }
    }

    /// Notes that the reader stopped before the end.
    pub(super) fn interrupted(&self) {
        self.interrupted.store(true, Ordering::Release);
    }

    pub(super) fn was_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Acquire)
    }

    /// The files that the run has come to.
    pub(super) fn seen(&self) -> MutexGuard<'_, SeenFiles> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn into_seen(self) -> SeenFiles {
        self.seen.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The run is over.
    pub(super) fn stop(&self) {
        self.epochs.stop();
        self.budget.give_back(usize::MAX);
    }

    pub(super) fn update_progress(&self, update: impl FnOnce(&mut Progress)) -> Progress {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        update(&mut progress);
        *progress
    }
}
