//! What answers looked up in the collection's statistics: most of it is asked for again by the next.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use lopper_content::statistics::StatisticsSnapshot;
use lopper_content::weigh::{TermStatistics, inverse_document_frequency, term_hash_of};
use lopper_index::LinkCounts;
use rustc_hash::FxHashMap;

/// Numbers of a kind that are remembered: about 2 MB.
const NUMBERS_MAX: usize = 1 << 16;

/// Numbers of one state of the statistics, for one thread at a time.
#[derive(Debug)]
pub(super) struct Memory {
    statistics: StatisticsSnapshot,
    /// By hash of the term.
    idfs: RefCell<FxHashMap<u64, f32>>,
    /// By link key.
    links: RefCell<FxHashMap<u64, u64>>,
}

/// The memories that no answer needs just now; the lock is held for moments only.
#[derive(Debug, Default)]
pub(super) struct Memories(Mutex<Vec<Memory>>);

impl Memories {
    /// Lends `work` a memory of these statistics. Those of others are forgotten.
    pub(super) fn with<T>(&self, statistics: &StatisticsSnapshot, work: impl FnOnce(&Memory) -> T) -> T {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let known = known.filter(|known| known.statistics.is(statistics));
        let memory = known.unwrap_or_else(|| Memory::new(statistics.clone()));
        let result = work(&memory);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
        result
    }
}

impl Memory {
    fn new(statistics: StatisticsSnapshot) -> Self {
        Self { statistics, idfs: RefCell::default(), links: RefCell::default() }
    }

    /// Inverse document frequency over pages of the term with this hash.
    pub(super) fn idf(&self, hash: u64) -> f32 {
        remembered(&self.idfs, hash, || {
            let statistics = &self.statistics;
            inverse_document_frequency(statistics.pages(), statistics.pages_with_hash(term_hash_of(hash)))
        })
    }
}

impl LinkCounts for Memory {
    fn pages_linking_to(&self, key: u64) -> u64 {
        remembered(&self.links, key, || self.statistics.pages_linking_to(key))
    }
}

/// Forgets all when there are too many.
fn remembered<T: Copy>(numbers: &RefCell<FxHashMap<u64, T>>, key: u64, look_up: impl FnOnce() -> T) -> T {
    let mut numbers = numbers.borrow_mut();
    if numbers.len() >= NUMBERS_MAX {
        numbers.clear();
    }
    *numbers.entry(key).or_insert_with(look_up)
}

#[cfg(test)]
mod tests {
    use lopper_content::weigh::term_hash;
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;

    #[test]
    fn numbers_are_those_of_the_statistics_asked_for() {
        let memories = Memories::default();
        let few = StatisticsSnapshot::default().with_page(["mill"]).with_page(["sail"]);
        let more = few.with_page(["mill"]);
        let idf = |statistics: &StatisticsSnapshot| memories.with(statistics, |memory| memory.idf(xxh3_64(b"mill")));
        let expected = |statistics: &StatisticsSnapshot| {
            inverse_document_frequency(statistics.pages(), statistics.pages_with_hash(term_hash("mill")))
        };
        for statistics in [&few, &few, &more, &few, &more] {
            assert_eq!(idf(statistics).to_bits(), expected(statistics).to_bits());
        }
        assert_ne!(idf(&few).to_bits(), idf(&more).to_bits());
        assert_eq!(memories.0.lock().unwrap().len(), 1, "one is used again");
    }
}
