//! A page's similarity hash.

use xxhash_rust::xxh3::xxh3_64;

use crate::pipeline::words;

/// Words in a row that are hashed together.
const SHINGLE_WORDS: usize = 3;

/// Votes of one page are fewer than 2 to the power of this.
const VOTE_BITS: usize = 32;

/// 64 bits over the words of `texts`: each run of three words votes with its hash on every bit (Charikar's simhash). Of pages that share
/// most of their runs, few bits differ. 0 without words.
pub(super) fn simhash<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut votes = Votes::default();
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
        if starts.len() < SHINGLE_WORDS {
            votes.add(&joined);
        }
        let ends = starts.iter().skip(SHINGLE_WORDS).copied().chain([joined.len()]);
        starts.iter().zip(ends).take((starts.len() + 1).saturating_sub(SHINGLE_WORDS)).for_each(|(start, end)| {
            votes.add(&joined[*start..end]);
        });
    }
    votes.majority()
}

/// Counts of votes by bit. Bit `b` of `planes[p]` is bit `p` of the count for bit `b`, so a vote is an addition of 64 numbers at once.
#[derive(Default)]
struct Votes {
    planes: [u64; VOTE_BITS],
    number: u64,
}

impl Votes {
    fn add(&mut self, shingle: &str) {
        if shingle.is_empty() {
            return;
        }
        self.number += 1;
        let mut carry = xxh3_64(shingle.as_bytes());
        for plane in &mut self.planes {
            if carry == 0 {
                break;
            }
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }

    /// The bits that more than half of the votes have.
    fn majority(&self) -> u64 {
        let count = |bit: usize| (0..VOTE_BITS).map(|plane| (self.planes[plane] >> bit & 1) << plane).sum::<u64>();
        (0..64).fold(0, |hash, bit| hash | u64::from(2 * count(bit) > self.number) << bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> u64 {
        simhash([text])
    }

    /// One vote after the other.
    fn slowly(texts: &[&str]) -> u64 {
        let mut votes = [0i32; 64];
        for text in texts {
            let words: Vec<&str> = text.split_whitespace().collect();
            let lone = (1..SHINGLE_WORDS).contains(&words.len()).then_some(&words[..]);
            for shingle in words.windows(SHINGLE_WORDS).chain(lone) {
                let hash = xxh3_64(format!("{} ", shingle.join(" ")).as_bytes());
                votes.iter_mut().enumerate().for_each(|(bit, vote)| *vote += if hash >> bit & 1 == 1 { 1 } else { -1 });
            }
        }
        votes.iter().enumerate().fold(0, |hash, (bit, vote)| hash | u64::from(*vote > 0) << bit)
    }

    #[test]
    fn near_pages_are_near() {
        let text = (0..400).map(|number| format!("word{}", number * 7 % 101)).collect::<Vec<_>>().join(" ");
        let other = (0..400).map(|number| format!("term{}", number * 5 % 97)).collect::<Vec<_>>().join(" ");
        let near = of(&format!("{text} and one more sentence at the end"));
        assert!((of(&text) ^ near).count_ones() <= 8, "{}", (of(&text) ^ near).count_ones());
        assert!((of(&text) ^ of(&other)).count_ones() >= 16);
        assert_eq!(of(""), 0);
    }

    #[test]
    fn votes_are_counted_rightly() {
        let text = (0..300).map(|number| format!("word{}", number * 7 % 101)).collect::<Vec<_>>().join(" \n");
        for texts in [vec!["a"], vec!["a b", ""], vec!["a b c", "d"], vec![&text, "x y z", &text], vec![]] {
            assert_eq!(simhash(texts.iter().copied()), slowly(&texts));
        }
    }
}
