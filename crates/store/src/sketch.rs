//! A count-min sketch: counts of many terms in fixed memory.

/// Rows of the sketch.
pub(super) const DEPTH: usize = 4;

/// Counters in a row; a power of two.
pub(super) const WIDTH: usize = 1 << 20;

/// Count-min sketch after Cormode and Muthukrishnan (2005), with 4 × 2²⁰ counters of 32 bits = 16 MiB.
///
/// A term adds 1 to one counter in each row. Other terms only add to it, so the least of the counters is an
/// [`upper_bound`](Self::upper_bound). In a large collection that bound is the noise of thousands of terms; so the
/// [`estimate`](Self::estimate) takes the noise that a counter has on average off each counter and goes by the median of
/// the rows (count-mean-min, Deng and Rafiei 2007).
///
/// The update is the plain one: conservative update would estimate better but cannot be undone, and replaced pages must
/// be taken out again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CountMinSketch {
    /// Row after row; little-endian u32, so that they are on disk as they are here.
    counters: Vec<[u8; 4]>,
    /// Sum of a row: all that was added and not removed.
    total: u64,
}

impl CountMinSketch {
    pub(super) fn new() -> Self {
        Self { counters: vec![[0; 4]; DEPTH * WIDTH], total: 0 }
    }

    /// From the [`bytes`](Self::bytes) of another one; `None` unless there are exactly as many as a sketch has.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (counters, rest) = bytes.as_chunks();
        if counters.len() != DEPTH * WIDTH || !rest.is_empty() {
            return None;
        }
        let total = counters[..WIDTH].iter().map(|counter| u64::from(u32::from_le_bytes(*counter))).sum();
        Some(Self { counters: counters.to_vec(), total })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.counters.as_flattened()
    }

    pub(super) fn add(&mut self, hash: u64) {
        self.total += 1;
        for at in cells(hash) {
            let count = self.count(at).saturating_add(1);
            self.counters[at] = count.to_le_bytes();
        }
    }

    /// Undoes one [`add`](Self::add) of `hash`.
    pub(super) fn remove(&mut self, hash: u64) {
        self.total = self.total.saturating_sub(1);
        for at in cells(hash) {
            debug_assert!(self.count(at) > 0, "only what was added is removed");
            let count = self.count(at).saturating_sub(1);
            self.counters[at] = count.to_le_bytes();
        }
    }

    /// The least counter of `hash`: never below the truth.
    pub(super) fn upper_bound(&self, hash: u64) -> u32 {
        cells(hash).map(|at| self.count(at)).into_iter().min().unwrap_or(0)
    }

    /// The count of `hash` without the noise that is to be expected; never above the [`upper_bound`](Self::upper_bound).
    pub(super) fn estimate(&self, hash: u64) -> u32 {
        let mut cleaned = cells(hash).map(|at| self.without_noise(self.count(at)));
        cleaned.sort_by(f64::total_cmp);
        let median = f64::midpoint(cleaned[DEPTH / 2 - 1], cleaned[DEPTH / 2]).round().max(0.0);
        (median as u32).min(self.upper_bound(hash))
    }

    /// What other terms put into a counter on average.
    pub(super) fn noise(&self) -> u64 {
        self.total / WIDTH as u64
    }

    /// A counter less what the row's other terms put into a counter on average.
    fn without_noise(&self, count: u32) -> f64 {
        let others = self.total.saturating_sub(u64::from(count)) as f64;
        f64::from(count) - others / (WIDTH - 1) as f64
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

    use lopper_content::weigh::{TERM_HASH_BITS, term_hash};

    use super::*;

    #[test]
    fn each_row_has_its_own_column() {
        let cells = cells(term_hash("oak"));
        for (row, at) in cells.into_iter().enumerate() {
            assert_eq!(at / WIDTH, row);
        }
    }

    /// Eight million counts of rare terms put about eight into every counter; the estimate is still near the truth.
    #[test]
    fn rare_and_frequent_terms_are_told_apart_in_the_noise() {
        let mut sketch = CountMinSketch::new();
        (0..8_000_000u64).for_each(|number| sketch.add(mix(number) >> (64 - TERM_HASH_BITS)));
        let rare: Vec<u32> = (0..1000).map(|number| sketch.estimate(mix(number) >> (64 - TERM_HASH_BITS))).collect();
        assert!(rare.iter().filter(|&&count| count <= 4).count() > 950);
        (0..5000).for_each(|_| sketch.add(term_hash("the")));
        assert!((4990..5010).contains(&sketch.estimate(term_hash("the"))));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

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
                prop_assert!(sketch.upper_bound(hash) >= count);
                prop_assert_eq!(sketch.estimate(hash), count);
            }
            for &hash in &passing {
                sketch.remove(hash);
            }
            prop_assert!(sketch == before);
        }
    }
}
