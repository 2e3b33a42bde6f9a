//! A small set of words, as of a link's text.

use xxhash_rust::xxh3::xxh3_64;

/// Words of a short text, a bit each of 64: a Bloom filter of one hash (Bloom 1970). A word that is not in a text of three words is
/// said to be in it in one of 22 cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WordSet(u64);

impl WordSet {
    /// From its bits.
    pub(crate) fn of_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Its bits.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Adds a term.
    pub fn add(&mut self, term: &str) {
        self.0 |= 1 << (xxh3_64(term.as_bytes()) >> 58);
    }

    /// Whether both have a word; true also for some that have none.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(terms: &[&str]) -> WordSet {
        let mut set = WordSet::default();
        for term in terms {
            set.add(term);
        }
        set
    }

    #[test]
    fn words_are_found_again() {
        let links = WordSet::of_bits(set(&["os", "path", "join"]).bits());
        assert!(["os", "path", "join"].iter().all(|term| links.meets(set(&[term]))));
        let others = (0..1000).filter(|number| links.meets(set(&[&format!("other{number}")]))).count();
        assert!((20..90).contains(&others), "{others}");
        assert!(!WordSet::default().meets(links));
    }
}
