//! Links as evidence: what the index asks, told by the collection's statistics.

use lopper_index::LinkCounts;

use crate::statistics::StatisticsSnapshot;

/// The links that a snapshot of the statistics counts.
pub(super) struct CountedLinks<'a>(pub(super) &'a StatisticsSnapshot);

impl LinkCounts for CountedLinks<'_> {
    fn pages_linking_to(&self, key: u64) -> u64 {
        self.0.pages_linking_to(key)
    }
}
