//! What reader and writer both look at.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use lopper_store::{CollectionStatistics, Store};

use super::Progress;
use super::budget::ByteBudget;

/// Commits whose statistics are kept: the reader asks for those of the last or the one before.
const STATISTICS_KEPT: usize = 2;

pub(super) struct Shared {
    pub(super) budget: ByteBudget,
    committed: Mutex<Committed>,
    changed: Condvar,
    progress: Mutex<Progress>,
    interrupted: AtomicBool,
}

struct Committed {
    /// Number of commits of the run and the statistics after them, the newest last.
    statistics: VecDeque<(u64, Arc<CollectionStatistics>)>,
    stopped: bool,
}

impl Shared {
    pub(super) fn new(store: &Store, in_flight_bytes_max: usize) -> Self {
        let statistics = VecDeque::from([(0, store.snapshot())]);
        Self {
            budget: ByteBudget::new(in_flight_bytes_max),
            committed: Mutex::new(Committed { statistics, stopped: false }),
            changed: Condvar::new(),
            progress: Mutex::default(),
            interrupted: AtomicBool::new(false),
        }
    }

    /// Notes that the reader stopped before the end.
    pub(super) fn interrupted(&self) {
        self.interrupted.store(true, Ordering::Release);
    }

    pub(super) fn was_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Acquire)
    }

    fn committed(&self) -> MutexGuard<'_, Committed> {
        self.committed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a commit.
    pub(super) fn publish(&self, statistics: Arc<CollectionStatistics>) {
        let mut committed = self.committed();
        let commits = committed.statistics.back().map_or(0, |(commits, _)| commits + 1);
        committed.statistics.push_back((commits, statistics));
        if committed.statistics.len() > STATISTICS_KEPT {
            committed.statistics.pop_front();
        }
        self.changed.notify_all();
    }

    /// The run is over.
    pub(super) fn stop(&self) {
        self.committed().stopped = true;
        self.changed.notify_all();
        self.budget.give_back(usize::MAX);
    }

    /// Waits for that many commits and gives the statistics after just these; `None` when the run was stopped.
    pub(super) fn statistics_after(&self, commits: u64) -> Option<Arc<CollectionStatistics>> {
        let mut committed = self.committed();
        loop {
            if committed.stopped {
                return None;
            }
            if let Some((_, statistics)) = committed.statistics.iter().find(|(number, _)| *number == commits) {
                return Some(statistics.clone());
            }
            committed = self.changed.wait(committed).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn update_progress(&self, update: impl FnOnce(&mut Progress)) -> Progress {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        update(&mut progress);
        *progress
    }
}
