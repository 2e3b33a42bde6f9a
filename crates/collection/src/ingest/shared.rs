//! What reader and writer both look at.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Progress;
use super::budget::ByteBudget;
use super::epochs::Epochs;

pub(super) struct Shared {
    pub(super) budget: ByteBudget,
    pub(super) epochs: Epochs,
    progress: Mutex<Progress>,
    interrupted: AtomicBool,
}

impl Shared {
    pub(super) fn new(epochs: Epochs, in_flight_bytes_max: usize) -> Self {
        let budget = ByteBudget::new(in_flight_bytes_max);
        Self { budget, epochs, progress: Mutex::default(), interrupted: AtomicBool::new(false) }
    }

    /// Notes that the reader stopped before the end.
    pub(super) fn interrupted(&self) {
        self.interrupted.store(true, Ordering::Release);
    }

    pub(super) fn was_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Acquire)
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
