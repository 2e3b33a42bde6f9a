//! Sets of words as bit fields: a word may be taken for another, at a small and bounded rate.

use super::lexicon::{FUNCTION_WORD, Lexicon, WordHash};
use super::text::is_unspaced;

/// Most words that are put into a set.
const WORDS_MAX: usize = 20_000;

/// A set of word hashes.
#[derive(Debug, Clone, Default)]
pub(super) struct WordSet {
    /// Empty until something is added, then a power of two of bits.
    bits: Vec<u64>,
    shift: u32,
    len: usize,
}

impl WordSet {
    /// A set of `1 << log2_bits` bits.
    pub(super) fn with_bits(log2_bits: u32) -> Self {
        Self { bits: vec![0; 1 << (log2_bits - 6)], shift: 32 - log2_bits, len: 0 }
    }

    /// Adds a word.
    pub(super) fn insert(&mut self, hash: WordHash) {
        let place = self.place(hash);
        self.bits[place >> 6] |= 1 << (place & 63);
        self.len += 1;
    }

    fn place(&self, hash: WordHash) -> usize {
        (hash.0.wrapping_mul(0x85eb_ca6b) >> self.shift) as usize
    }

    /// Whether the word is in the set (or shares its bit with one that is).
    #[inline]
    pub(super) fn contains(&self, hash: WordHash) -> bool {
        if self.len == 0 {
            return false;
        }
        let place = self.place(hash);
        self.bits[place >> 6] >> (place & 63) & 1 != 0
    }
}

/// What the page says of itself, as sets.
#[derive(Debug, Clone, Default)]
pub(super) struct PageWords {
    /// Words of title, first headline and description, without function words.
    pub(super) title: WordSet,
    /// Word pairs of the text that the page's metadata gives.
    pub(super) described: WordSet,
}

impl PageWords {
    /// From the texts of title and headline, and from those of the metadata.
    pub(super) fn new<'a>(titles: impl Iterator<Item = &'a str>, described: impl Iterator<Item = &'a str>) -> Self {
        let mut words = Self { title: WordSet::with_bits(12), described: WordSet::with_bits(16) };
        let lexicon = Lexicon::get();
        for text in titles {
            for_each_word(text, |_, hash| {
                if lexicon.classes(hash) & FUNCTION_WORD == 0 {
                    words.title.insert(hash);
                }
            });
        }
        for text in described {
            for_each_word(text, |previous, hash| words.described.insert(previous.then(hash)));
        }
        words
    }
}

/// Calls with each word's hash and that of the word before it.
pub(super) fn for_each_word(text: &str, mut call: impl FnMut(WordHash, WordHash)) {
    let mut previous = WordHash::EMPTY;
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    for word in words.take(WORDS_MAX) {
        let mut hash = WordHash::EMPTY;
        for c in word.chars() {
            if is_unspaced(c) {
                hash = WordHash::EMPTY;
            }
            hash.push(c.to_lowercase().next().unwrap_or(c));
            if is_unspaced(c) {
                call(previous, hash);
                previous = hash;
            }
        }
        if !word.ends_with(is_unspaced) {
            call(previous, hash);
            previous = hash;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_again() {
        let words = PageWords::new(["The Elephant"].into_iter(), ["grey and large"].into_iter());
        assert_eq!(words.title.len, 1);
        assert_eq!(words.described.len, 3);
        let mut hashes = Vec::new();
        for_each_word("elephant and large", |previous, hash| hashes.push((previous, hash)));
        assert!(words.title.contains(hashes[0].1));
        assert!(words.described.contains(hashes[2].0.then(hashes[2].1)));
    }
}
