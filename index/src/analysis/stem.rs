//! Stemming with a bounded cache of the words met so far.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rust_stemmers::{Algorithm, Stemmer};

use super::Language;

/// A stemmer with its direct-mapped cache: a word has one slot, and the newest word of a slot stays.
pub(super) struct CachedStemmer {
    stemmer: Stemmer,
    algorithm: Algorithm,
    slots: Vec<Slot>,
    /// Bits to shift a hash down to an index of `slots`.
    shift: u32,
}

#[derive(Clone, Default)]
struct Slot {
    word: String,
    stem: String,
}

impl CachedStemmer {
    /// The stemmer of `language`, if it has one; `entries` is rounded up to a power of two.
    pub(super) fn new(language: Language, entries: usize) -> Option<Self> {
        let algorithm = language.algorithm()?;
        let entries = entries.max(2).next_power_of_two();
        Some(Self {
            stemmer: Stemmer::create(algorithm),
            algorithm,
            slots: vec![Slot::default(); entries],
            shift: u64::BITS - entries.trailing_zeros(),
        })
    }

    /// The stem of a word in lower case, never empty.
    pub(super) fn stem(&mut self, word: &str) -> &str {
        let slot = &mut self.slots[(word_hash(word.as_bytes()) >> self.shift) as usize];
        if slot.word != word {
            let stem = stem_uncached(&self.stemmer, self.algorithm, word);
            slot.word.clear();
            slot.word.push_str(word);
            slot.stem.clear();
            slot.stem.push_str(if stem.is_empty() { word } else { &stem });
        }
        &slot.stem
    }
}

/// Stems a word; one that makes the Greek stemmer of rust-stemmers 1.2 panic is its own stem.
fn stem_uncached<'w>(stemmer: &Stemmer, algorithm: Algorithm, word: &'w str) -> Cow<'w, str> {
    if algorithm != Algorithm::Greek {
        return stemmer.stem(word);
    }
    catch_unwind(AssertUnwindSafe(|| stemmer.stem(word))).unwrap_or(Cow::Borrowed(word))
}

/// A quick hash whose high bits are good; it need not resist attack because a slot holds one word.
fn word_hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        hash = (hash.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    }
    let mut tail = 0;
    for &byte in chunks.remainder() {
        tail = tail << 8 | u64::from(byte);
    }
    (hash.rotate_left(23) ^ tail).wrapping_mul(FACTOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_stems_equal_fresh_ones() {
        let words = ["running", "ran", "runs", "university", "running", "trees", "tree", "ran"];
        let mut cached = CachedStemmer::new(Language::from_code("en"), 2).unwrap();
        let fresh = Stemmer::create(Algorithm::English);
        for word in words {
            assert_eq!(cached.stem(word), fresh.stem(word));
        }
    }

    #[test]
    fn greek_words_that_panic_are_their_own_stem() {
        let mut stemmer = CachedStemmer::new(Language::from_code("el"), 16).unwrap();
        for word in ["ισαισα", "ισαισε", "ισαισεσ"] {
            assert_eq!(stemmer.stem(word), word);
        }
        assert_ne!(stemmer.stem("ανθρωποσ"), "ανθρωποσ");
    }
}
