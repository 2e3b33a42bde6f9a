//! Links between pages as the collection's statistics count them.

use lopper_index::LinkCounts;
use lopper_store::CollectionStatistics;

/// The statistics, asked for links.
pub struct CountedLinks<'a>(pub &'a CollectionStatistics);

impl LinkCounts for CountedLinks<'_> {
    fn pages_linking_to(&self, key: u64) -> u64 {
        self.0.pages_with_hash(key)
    }
}
