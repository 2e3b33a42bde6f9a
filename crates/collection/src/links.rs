//! Links between pages as the collection's statistics count them.

use lopper_content::statistics::StatisticsSnapshot;
use lopper_index::LinkCounts;

/// The statistics, asked for links.
pub struct CountedLinks<'a>(pub &'a StatisticsSnapshot);

impl LinkCounts for CountedLinks<'_> {
    fn pages_linking_to(&self, key: u64) -> u64 {
        self.0.pages_linking_to(key)
    }
}
