//! By which statistics a batch is weighed.
//!
//! **The rule:** a run's first batch is weighed by the newest snapshot, every later one by the snapshot that was the newest when the batch
//! before it was handed over for its commit. So analysing a batch and committing the one before go side by side, and which snapshot it is does
//! not depend on which of them is faster, nor on the number of threads.
//!
//! The snapshot travels with each job, its epoch with what is made of the page. The commit of a batch records the epoch of the next one, so that
//! a run that was cut off goes on as if it had not been.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use lopper_content::statistics::StatisticsSnapshot;

/// Snapshots that can still be asked for: that of the batch that is read, and that of the next one.
const KEPT: usize = 2;

/// The snapshots of a run's batches: the reader asks for them, the writer's commits make them.
pub(super) struct Epochs {
    known: Mutex<Known>,
    changed: Condvar,
}

struct Known {
    /// Batches with their snapshots, the newest last.
    batches: VecDeque<(u64, StatisticsSnapshot)>,
    stopped: bool,
}

impl Epochs {
    /// Of a run whose first batch is weighed by `first`; `newest` is the store's newest snapshot. They are not the same when the run goes on
    /// with one that was cut off.
    pub(super) fn new(first: StatisticsSnapshot, newest: StatisticsSnapshot) -> Self {
        let batches = VecDeque::from([(0, first), (1, newest)]);
        Self { known: Mutex::new(Known { batches, stopped: false }), changed: Condvar::new() }
    }

    /// The snapshot that batch `number` of the run is weighed by, from 0. Waits until it is there; `None` when the run was stopped.
    pub(super) fn of_batch(&self, number: u64) -> Option<StatisticsSnapshot> {
        let mut known = self.known();
        loop {
            if known.stopped {
                return None;
            }
            if let Some((_, snapshot)) = known.batches.iter().find(|(batch, _)| *batch == number) {
                return Some(snapshot.clone());
            }
            known = self.changed.wait(known).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The epoch of the batch after the one that is about to be committed.
    pub(super) fn of_next_batch(&self) -> u64 {
        self.known().batches.back().map_or(0, |(_, snapshot)| snapshot.epoch())
    }

    /// Notes a commit: the batch after the next one is weighed by what it left.
    pub(super) fn committed(&self, newest: StatisticsSnapshot) {
        let mut known = self.known();
        let batch = known.batches.back().map_or(0, |(batch, _)| batch + 1);
        known.batches.push_back((batch, newest));
        if known.batches.len() > KEPT {
            known.batches.pop_front();
        }
        self.changed.notify_all();
    }

    /// The run is over.
    pub(super) fn stop(&self) {
        self.known().stopped = true;
        self.changed.notify_all();
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshots() -> Vec<StatisticsSnapshot> {
        let next = |before: &StatisticsSnapshot| Some(before.with_page(["oak"]));
        std::iter::successors(Some(StatisticsSnapshot::default()), next).take(6).collect()
    }

    #[test]
    fn a_batch_is_weighed_without_the_batch_before_it() {
        let made = snapshots();
        let epochs = Epochs::new(made[0].clone(), made[0].clone());
        let of_batch = |number| epochs.of_batch(number).unwrap().epoch();
        assert_eq!((of_batch(0), of_batch(1), epochs.of_next_batch()), (0, 0, 0));
        epochs.committed(made[1].clone());
        assert_eq!((of_batch(1), of_batch(2), epochs.of_next_batch()), (0, 1, 1));
        epochs.committed(made[2].clone());
        assert_eq!((of_batch(2), of_batch(3), epochs.of_next_batch()), (1, 2, 2));
    }

    /// Cut off after any batch, a run goes on by the epochs that it would have had.
    #[test]
    fn a_run_that_goes_on_has_the_epochs_of_one_that_was_not_cut_off() {
        let made = snapshots();
        let whole = Epochs::new(made[0].clone(), made[0].clone());
        for batch in 0..4 {
            let next = whole.of_next_batch();
            whole.committed(made[batch + 1].clone());
            let rest = Epochs::new(made[next as usize].clone(), made[batch + 1].clone());
            assert_eq!(rest.of_batch(0).unwrap().epoch(), whole.of_batch(batch as u64 + 1).unwrap().epoch());
            assert_eq!(rest.of_batch(1).unwrap().epoch(), whole.of_batch(batch as u64 + 2).unwrap().epoch());
            assert_eq!(rest.of_next_batch(), whole.of_next_batch());
        }
    }

    #[test]
    fn who_waits_is_told_of_the_end() {
        let epochs = Epochs::new(StatisticsSnapshot::default(), StatisticsSnapshot::default());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| epochs.of_batch(7).is_none());
            epochs.stop();
            assert!(waiting.join().unwrap());
        });
    }
}
