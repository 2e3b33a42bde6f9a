//! How long the files of former commits are kept.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// How long what a former commit needs is kept, for readers that are just opening it.
const KEPT_FOR: Duration = Duration::from_secs(10);

/// Former commits, at most, whose files are kept; the last one always is.
const KEPT_MAX: usize = 200;

/// The files that the last commits need.
#[derive(Debug, Default)]
pub(super) struct Retention(VecDeque<KeptCommit>);

#[derive(Debug)]
struct KeptCommit {
    since: Instant,
    rows: BTreeSet<u64>,
    epochs: BTreeSet<u64>,
}

impl Retention {
    /// Notes a commit with the files that it needs, and gives those that are still needed: rows, and epochs of the statistics.
    pub(super) fn note(&mut self, rows: BTreeSet<u64>, epochs: BTreeSet<u64>) -> (BTreeSet<u64>, BTreeSet<u64>) {
        let now = Instant::now();
        if let Some(last) = self.0.back_mut() {
            // It was the newest one until now.
            last.since = now;
        }
        self.0.push_back(KeptCommit { since: now, rows, epochs });
        let is_past = |kept: &KeptCommit| now.duration_since(kept.since) > KEPT_FOR;
        while self.0.len() > KEPT_MAX || (self.0.len() > 2 && self.0.front().is_some_and(is_past)) {
            self.0.pop_front();
        }
        let rows = self.0.iter().flat_map(|kept| kept.rows.iter().copied()).collect();
        let epochs = self.0.iter().flat_map(|kept| kept.epochs.iter().copied()).collect();
        (rows, epochs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_commits_are_kept() {
        let mut retention = Retention::default();
        for commit in 0..300u64 {
            let (rows, epochs) = retention.note(BTreeSet::from([commit]), BTreeSet::from([commit + 1]));
            assert_eq!((rows.last(), epochs.last()), (Some(&commit), Some(&(commit + 1))));
            assert_eq!(rows.len(), KEPT_MAX.min(commit as usize + 1), "all are of the last seconds");
        }
    }
}
