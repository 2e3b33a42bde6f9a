//! Who may add to the next commit.
//!
//! What is added to the index's writer becomes part of whatever commit comes next, and that must be the commit of the store that it belongs to.
//! So an ingest and pages that are posted meanwhile take turns, in the order in which they asked.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// One at a time, first come, first served.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    /// The number that the next one gets.
    next: u64,
    /// The number whose turn it is.
    now: u64,
}

/// The right to add to the index's writer and to commit; given back on drop.
#[derive(Debug)]
pub(crate) struct Turn<'a>(&'a Turns);

impl Turns {
    /// Waits for its turn.
    pub(crate) fn take(&self) -> Turn<'_> {
        let mut queue = self.queue();
        let own = queue.next;
        queue.next += 1;
        while queue.now != own {
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        Turn(self)
    }

    /// Whether anybody waits.
    pub(crate) fn are_wanted(&self) -> bool {
        let queue = self.queue();
        queue.next > queue.now + 1
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.queue().now += 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_come_one_by_one_in_their_order() {
        let turns = Turns::default();
        let order = Mutex::new(Vec::new());
        let first = turns.take();
        assert!(!turns.are_wanted());
        std::thread::scope(|scope| {
            for number in 0..4u64 {
                let (turns, order) = (&turns, &order);
                scope.spawn(move || {
                    let _turn = turns.take();
                    order.lock().unwrap().push(number);
                });
                while turns.queue().next < number + 2 {
                    std::thread::yield_now();
                }
            }
            assert!(turns.are_wanted() && order.lock().unwrap().is_empty());
            drop(first);
        });
        assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3]);
        assert!(!turns.are_wanted());
    }
}
