//! A bound on the bytes that are between reader and writer.

use std::sync::{Condvar, Mutex, PoisonError};

/// Lends out bytes; whoever asks for more than are left waits.
#[derive(Debug)]
pub(super) struct ByteBudget {
    max: usize,
    used: Mutex<usize>,
    returned: Condvar,
}

impl ByteBudget {
    pub(super) fn new(max: usize) -> Self {
        Self { max, used: Mutex::new(0), returned: Condvar::new() }
    }

    /// Waits until `bytes` are free. More than the whole budget is lent when nothing else is out.
    pub(super) fn take(&self, bytes: usize) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        while *used > 0 && *used + bytes > self.max {
            used = self.returned.wait(used).unwrap_or_else(PoisonError::into_inner);
        }
        *used += bytes;
    }

    pub(super) fn give_back(&self, bytes: usize) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        *used = used.saturating_sub(bytes);
        self.returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_large_loan_goes_alone() {
        let budget = ByteBudget::new(10);
        budget.take(25);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| budget.take(1));
            budget.give_back(25);
            waiting.join().unwrap();
        });
        assert_eq!(*budget.used.lock().unwrap(), 1);
    }
}
