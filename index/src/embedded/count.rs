//! How many documents match.

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::{DocId, Score, SegmentReader, TantivyError};

use crate::engine::Budget;

/// Counts documents one by one, as long as the budget lasts.
pub(super) struct Count<'a> {
    pub(super) budget: &'a Budget,
}

impl Collector for Count<'_> {
    type Fruit = u64;
    type Child = SegmentCount;

    fn for_segment(&self, _segment_ord: u32, _segment: &SegmentReader) -> Result<SegmentCount, TantivyError> {
        Ok(SegmentCount { count: 0, budget: self.budget.clone() })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, fruits: Vec<u64>) -> Result<u64, TantivyError> {
        Ok(fruits.iter().sum())
    }
}

pub(super) struct SegmentCount {
    count: u64,
    budget: Budget,
}

impl SegmentCollector for SegmentCount {
    type Fruit = u64;

    fn collect(&mut self, doc: DocId, _score: Score) {
        self.collect_block(&[doc]);
    }

    fn collect_block(&mut self, docs: &[DocId]) {
        if !self.budget.is_spent() {
            self.count += docs.len() as u64;
        }
    }

    fn harvest(self) -> u64 {
        self.count
    }
}
