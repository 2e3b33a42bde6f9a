//! Near-identical texts (Charikar 2002): 64 bits for each text, in which similar texts differ little.

use xxhash_rust::xxh3::xxh3_64;

use crate::text::words::words;

/// Bits in which near-identical texts may differ.
pub const BITS_MAX: u32 = 3;

/// Words in a row that are hashed together.
const SHINGLE_WORDS: usize = 3;

/// Votes of one page are fewer than 2 to the power of this.
const VOTE_BITS: usize = 32;

/// The simhash of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SimHash(
    /// Its 64 bits.
    pub u64,
);

impl SimHash {
    /// Over the terms of a passage, whatever their order: each votes as often as it occurs.
    ///
    /// `hashes` are those of the terms.
    pub fn of_terms(hashes: &[u64]) -> Self {
        let mut sorted = hashes.to_vec();
        sorted.sort_unstable();
        let mut votes = Votes::default();
        for alike in sorted.chunk_by(|a, b| a == b) {
            votes.add(alike[0], alike.len() as i32);
        }
        votes.end()
    }

    /// Over each run of three words of a page's passages. 0 without words.
    pub fn of_words<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut votes = SingleVotes::default();
        // The words of a text, a blank behind each, and where they begin.
        let (mut joined, mut starts) = (String::new(), Vec::new());
        for text in texts {
            joined.clear();
            starts.clear();
            for word in words(text) {
                starts.push(joined.len());
                joined.push_str(word);
                joined.push(' ');
            }
            if (1..SHINGLE_WORDS).contains(&starts.len()) {
                votes.add(xxh3_64(joined.as_bytes()));
            }
            let ends = starts.iter().skip(SHINGLE_WORDS).copied().chain([joined.len()]);
            let shingles = starts.iter().zip(ends).take((starts.len() + 1).saturating_sub(SHINGLE_WORDS));
            for (start, end) in shingles {
                votes.add(xxh3_64(&joined.as_bytes()[*start..end]));
            }
        }
        votes.end()
    }

    /// Whether the texts are nearly the same.
    pub fn is_near(self, other: Self) -> bool {
        (self.0 ^ other.0).count_ones() <= BITS_MAX
    }
}

/// `Σ_f n_f · s_b(f)` for each bit `b`: `n_f` counts feature `f`, and `s_b(f)` is 1 or −1 by bit `b` of its hash.
struct Votes([i32; 64]);

impl Default for Votes {
    fn default() -> Self {
        Self([0; 64])
    }
}

impl Votes {
    fn add(&mut self, hash: u64, count: i32) {
        for (bit, sum) in self.0.iter_mut().enumerate() {
            *sum += if hash >> bit & 1 == 1 { count } else { -count };
        }
    }

    /// `bit_b = 1` where the sum is positive.
    fn end(&self) -> SimHash {
        SimHash(self.0.iter().enumerate().fold(0, |hash, (bit, sum)| hash | u64::from(*sum > 0) << bit))
    }
}

/// The same for votes that count one each. Bit `b` of `planes[p]` is bit `p` of the count for bit `b`, so a vote is an addition of 64
/// numbers at once.
#[derive(Default)]
struct SingleVotes {
    planes: [u64; VOTE_BITS],
    number: u64,
}

impl SingleVotes {
    fn add(&mut self, hash: u64) {
        self.number += 1;
        let mut carry = hash;
        for plane in &mut self.planes {
            if carry == 0 {
                break;
            }
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }

    /// The bits that more than half of the votes have.
    fn end(&self) -> SimHash {
        let count = |bit: usize| (0..VOTE_BITS).map(|plane| (self.planes[plane] >> bit & 1) << plane).sum::<u64>();
        SimHash((0..64).fold(0, |hash, bit| hash | u64::from(2 * count(bit) > self.number) << bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One vote after the other.
    fn slowly(texts: &[&str]) -> SimHash {
        let mut votes = Votes::default();
        for text in texts {
            let words: Vec<&str> = text.split_whitespace().collect();
            let lone = (1..SHINGLE_WORDS).contains(&words.len()).then_some(&words[..]);
            for shingle in words.windows(SHINGLE_WORDS).chain(lone) {
                votes.add(xxh3_64(format!("{} ", shingle.join(" ")).as_bytes()), 1);
            }
        }
        votes.end()
    }

    #[test]
    fn single_votes_are_counted_rightly() {
        let text = (0..300).map(|number| format!("word{}", number * 7 % 101)).collect::<Vec<_>>().join(" \n");
        for texts in [vec!["a"], vec!["a b", ""], vec!["a b c", "d"], vec![&text, "x y z", &text], vec![]] {
            assert_eq!(SimHash::of_words(texts.iter().copied()), slowly(&texts));
        }
    }

    #[test]
    fn near_pages_are_near() {
        let of = |text: &str| SimHash::of_words([text]);
        let text = (0..400).map(|number| format!("word{}", number * 7 % 101)).collect::<Vec<_>>().join(" ");
        let other = (0..400).map(|number| format!("term{}", number * 5 % 97)).collect::<Vec<_>>().join(" ");
        let near = of(&format!("{text} and one more sentence at the end"));
        assert!((of(&text).0 ^ near.0).count_ones() <= 8);
        assert!((of(&text).0 ^ of(&other).0).count_ones() >= 16);
        assert_eq!((of(""), SimHash::of_words([])), (SimHash(0), SimHash(0)));
        assert_ne!(of("two words"), SimHash(0));
    }

    #[test]
    fn near_texts_are_told_from_others() {
        let hash = |text: &str| {
            let hashes: Vec<u64> = words(text).map(|word| xxh3_64(word.to_lowercase().as_bytes())).collect();
            SimHash::of_terms(&hashes)
        };
        let words: Vec<String> = (0..200).map(|word| format!("word{}", word % 90)).collect();
        let text = words.join(" ");
        assert!(hash(&text).is_near(hash(&text.to_uppercase())));
        assert!(hash(&text).is_near(hash(&format!("{text} today"))));
        assert!(!hash(&text).is_near(hash("an old mill by the river grinds corn")));
        assert!(!hash("the mill of May").is_near(hash("the mill of June")));
    }
}
