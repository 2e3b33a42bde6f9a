//! Near-identical texts (Charikar 2002): a number of 64 bits for each text, in which similar texts differ little.

use std::collections::HashMap;

use lopper_index::analysis::{Analyzer, Language};
use xxhash_rust::xxh3::xxh3_64;

/// Bits in which near-identical texts may differ.
const BITS_MAX: u32 = 3;

/// The simhash of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SimHash(u64);

impl SimHash {
    /// `bit_b = 1` where `Σ_t tf_t · s_b(t) > 0`, `s_b(t)` being 1 or −1 by bit `b` of the term's hash.
    pub(super) fn of(analyzer: &mut Analyzer, text: &str, language: Language) -> Self {
        let mut counts: HashMap<u64, i64> = HashMap::new();
        analyzer.analyze(text, language, |token| *counts.entry(xxh3_64(token.term.as_bytes())).or_default() += 1);
        let mut sums = [0i64; 64];
        for (hash, count) in counts {
            for (bit, sum) in sums.iter_mut().enumerate() {
                *sum += if hash >> bit & 1 == 1 { count } else { -count };
            }
        }
        Self(sums.iter().enumerate().map(|(bit, sum)| u64::from(*sum > 0) << bit).sum())
    }

    /// Whether the texts are nearly the same.
    pub(super) fn is_near(self, other: Self) -> bool {
        (self.0 ^ other.0).count_ones() <= BITS_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_texts_are_told_from_others() {
        let mut analyzer = Analyzer::new();
        let mut hash = |text: &str| SimHash::of(&mut analyzer, text, Language::from_code("en"));
        let words: Vec<String> = (0..200).map(|word| format!("word{}", word % 90)).collect();
        let text = words.join(" ");
        assert!(hash(&text).is_near(hash(&text.to_uppercase())));
        assert!(hash(&text).is_near(hash(&format!("{text} today"))));
        assert!(!hash(&text).is_near(hash("an old mill by the river grinds corn")));
        assert!(!hash("the mill of May").is_near(hash("the mill of June")));
    }
}
