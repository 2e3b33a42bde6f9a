//! A count-min sketch: counts of many terms in fixed memory.

use xxhash_rust::xxh3::xxh3_64;

/// Bits of a term's hash. 40 bits keep a page's hashes short on disk; with ten million distinct terms a given term has
/// the hash of another one with probability 10⁷ / 2⁴⁰ ≈ 10⁻⁵, far below the sketch's own error.
pub(super) const TERM_HASH_BITS: u32 = 40;

/// Rows of the sketch.
pub(super) const DEPTH: usize = 4;

/// Counters in a row; a power of two.
pub(super) const WIDTH: usize = 1 << 18;

/// The hash by which the statistics know `term`. Stored with the pages: a change of it is a change of format.
pub fn term_hash(term: &str) -> u64 {
    xxh3_64(term.as_bytes()) >> (64 - TERM_HASH_BITS)
}

/// Count-min sketch after Cormode and Muthukrishnan (2005), with 4 × 2¹⁸ counters of 32 bits = 4 MiB.
///
/// A term adds 1 to one counter in each row; its estimate is the least of these counters. Other terms only add, so the
/// estimate is never below the truth; it is above it by more than e / 2¹⁸ ≈ 10⁻⁵ of *all* counts together with
/// probability at most e⁻⁴ ≈ 1.8 %. With 100,000 pages of 300 distinct terms that bound is 311 pages for a term; up to
/// some 300 such pages it is below one and counts are nearly always exact.
///
/// The update is the plain one: conservative update would estimate better but cannot be undone, and replaced pages must
/// be taken out again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CountMinSketch {
    /// Row after row; little-endian u32, so that they are on disk as they are here.
    counters: Vec<[u8; 4]>,
}

impl CountMinSketch {
    pub(super) fn new() -> Self {
        Self { counters: vec![[0; 4]; DEPTH * WIDTH] }
    }

    /// From the [`bytes`](Self::bytes) of another one; `None` unless there are exactly as many as a sketch has.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (counters, rest) = bytes.as_chunks();
        (counters.len() == DEPTH * WIDTH && rest.is_empty()).then(|| Self { counters: counters.to_vec() })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.counters.as_flattened()
    }

    pub(super) fn add(&mut self, hash: u64) {
        for at in cells(hash) {
            let count = self.count(at).saturating_add(1);
            self.counters[at] = count.to_le_bytes();
        }
    }

    /// Undoes one [`add`](Self::add) of `hash`.
    pub(super) fn remove(&mut self, hash: u64) {
        for at in cells(hash) {
            debug_assert!(self.count(at) > 0, "only what was added is removed");
            let count = self.count(at).saturating_sub(1);
            self.counters[at] = count.to_le_bytes();
        }
    }

    pub(super) fn estimate(&self, hash: u64) -> u32 {
        let least = cells(hash).map(|at| self.count(at)).into_iter().min();
        least.unwrap_or(0)
    }

    fn count(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.counters[at])
    }
}

/// The counters of `hash`, one in each row: 128 mixed bits split into four.
fn cells(hash: u64) -> [usize; DEPTH] {
    let low = mix(hash);
    let high = mix(low ^ 0x9e37_79b9_7f4a_7c15);
    let columns = [low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32];
    let mut row = 0;
    columns.map(|column| {
        let at = row * WIDTH + column as usize % WIDTH;
        row += 1;
        at
    })
}

/// The finaliser of SplitMix64: a bijection in which every input bit reaches every output bit.
fn mix(hash: u64) -> u64 {
    let hash = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hash_and_cells_are_those_of_the_format() {
        assert_eq!(term_hash("oak"), 738_872_494_355);
        assert_eq!(cells(1), [154_817, 404_972, 710_867, 826_137]);
    }

    #[test]
    fn each_row_has_its_own_column() {
        let cells = cells(term_hash("oak"));
        for (row, at) in cells.into_iter().enumerate() {
            assert_eq!(at / WIDTH, row);
        }
    }

    #[test]
    fn a_hundred_thousand_terms_stay_within_the_bound() {
        let mut sketch = CountMinSketch::new();
        let hash = |number: u32| term_hash(&format!("term{number}"));
        (0..100_000).for_each(|number| sketch.add(hash(number)));
        // e / 2^18 of 100,000 counts is 1.04: at most 1.8 % of the terms may be above 1 + 1.
        let above = (0..100_000).filter(|&number| sketch.estimate(hash(number)) > 2);
        assert!(above.count() < 1_800);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn never_below_the_truth_and_removal_undoes(
            kept in proptest::collection::vec(0u64..200, 0..200),
            passing in proptest::collection::vec(0u64..1 << TERM_HASH_BITS, 0..200),
        ) {
            let mut sketch = CountMinSketch::new();
            let mut truth = BTreeMap::<u64, u32>::new();
            for &hash in &kept {
                sketch.add(hash);
                *truth.entry(hash).or_default() += 1;
            }
            let before = sketch.clone();
            for &hash in &passing {
                sketch.add(hash);
            }
            for (&hash, &count) in &truth {
                prop_assert!(sketch.estimate(hash) >= count);
            }
            for &hash in &passing {
                sketch.remove(hash);
            }
            prop_assert!(sketch == before);
        }
    }
}
