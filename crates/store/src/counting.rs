//! Statistics counted from pages' trees.

use lopper_content::statistics::{PageKeys, StatisticsChange, StatisticsSnapshot};

/// Keys that are counted before they become a layer.
const COUNTED_KEYS_MAX: usize = 4 << 20;

/// What was counted so far.
#[derive(Debug, Default)]
pub(super) struct Counting {
    layers: StatisticsSnapshot,
    change: StatisticsChange,
}

impl Counting {
    /// Counts a page by the keys of its tree.
    pub(super) fn add(&mut self, keys: &PageKeys) {
        self.change.add(keys);
        if self.change.len() >= COUNTED_KEYS_MAX {
            self.layers = self.layers.with(std::mem::take(&mut self.change));
        }
    }

    pub(super) fn statistics(self) -> StatisticsSnapshot {
        self.layers.with(self.change)
    }
}
