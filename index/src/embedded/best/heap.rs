//! The best documents so far, and what a score must reach to be among them.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use tantivy::DocAddress;

/// The best so far.
pub(super) struct Best {
    pub(super) heap: BinaryHeap<Reverse<Scored>>,
    pub(super) limit: usize,
    /// What a score must reach to count.
    pub(super) least: f32,
}

/// Ordered by score; of equal ones the later document is less.
#[derive(PartialEq)]
pub(super) struct Scored {
    pub(super) score: f32,
    pub(super) address: DocAddress,
}

impl Eq for Scored {}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.address.cmp(&self.address))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Best {
    pub(super) fn new(limit: usize) -> Self {
        let least = if limit == 0 { f32::INFINITY } else { -1.0 };
        Self { heap: BinaryHeap::new(), limit, least }
    }

    /// Whether there are as many as wanted.
    pub(super) fn is_full(&self) -> bool {
        self.heap.len() >= self.limit
    }

    pub(super) fn add(&mut self, score: f32, address: DocAddress) {
        let scored = Scored { score, address };
        if self.heap.len() < self.limit {
            self.heap.push(Reverse(scored));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && scored > worst.0
        {
            *worst = Reverse(scored);
        }
        if self.heap.len() == self.limit
            && let Some(Reverse(worst)) = self.heap.peek()
        {
            self.least = worst.score;
        }
    }
}
