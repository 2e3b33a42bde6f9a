//! Stemming with a bounded cache of the words met so far.

use std::borrow::Cow;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Language;

/// Bytes of a slot: two lengths, a word, its stem unless the word begins with it. A cache line.
const SLOT_BYTES: usize = 64;

/// Added to the length of a stem that the word begins with.
const BEGINS_WORD: u8 = 0x80;

/// Slots of a bucket, newest first; a word is in the bucket of its hash.
const BUCKET_SLOTS: usize = 2;

const BUCKET_BYTES: usize = SLOT_BYTES * BUCKET_SLOTS;

/// A stemmer's rules, by the crate that has them: `rust-stemmers`, else `frostem`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Algorithm {
    RustStemmers(rust_stemmers::Algorithm),
    Frostem(frostem::Algorithm),
}

/// A stemmer by its crate.
enum Stemmer {
    RustStemmers(rust_stemmers::Stemmer),
    /// Its Greek panics on some words.
    GreekRustStemmers(rust_stemmers::Stemmer),
    Frostem(frostem::Stemmer),
}

impl Stemmer {
    fn new(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::RustStemmers(greek @ rust_stemmers::Algorithm::Greek) => {
                Self::GreekRustStemmers(rust_stemmers::Stemmer::create(greek))
            }
            Algorithm::RustStemmers(algorithm) => Self::RustStemmers(rust_stemmers::Stemmer::create(algorithm)),
            Algorithm::Frostem(algorithm) => Self::Frostem(frostem::Stemmer::new(algorithm)),
        }
    }

    fn stem<'w>(&self, word: &'w str) -> Cow<'w, str> {
        match self {
            Self::RustStemmers(stemmer) => stemmer.stem(word),
            Self::GreekRustStemmers(stemmer) => greek_stem(stemmer, word),
            Self::Frostem(stemmer) => stemmer.stem(word),
        }
    }
}

/// A stemmer with a cache of fixed size. Words too long for a slot are stemmed anew each time.
pub(super) struct CachedStemmer {
    stemmer: Stemmer,
    /// Buckets side by side: reading a cached stem touches one or two cache lines and follows no pointer.
    buckets: Vec<u8>,
    /// Bits to shift a hash down to a bucket's number.
    shift: u32,
    uncached: String,
}

impl CachedStemmer {
    /// The stemmer of `language`, if it has one; `entries` is rounded up to a power of two.
    pub(super) fn new(language: Language, entries: usize) -> Option<Self> {
        let algorithm = language.algorithm()?;
        let buckets = entries.div_ceil(BUCKET_SLOTS).max(2).next_power_of_two();
        Some(Self {
            stemmer: Stemmer::new(algorithm),
            buckets: vec![0; buckets * BUCKET_BYTES],
            shift: u64::BITS - buckets.trailing_zeros(),
            uncached: String::new(),
        })
    }

    /// The stem of a word in lower case, never empty unless the word is.
    pub(super) fn stem<'a>(&'a mut self, word: &'a str) -> &'a str {
        let bucket = (word_hash(word.as_bytes()) >> self.shift) as usize * BUCKET_BYTES;
        let bucket = &mut self.buckets[bucket..][..BUCKET_BYTES];
        match find(bucket, word) {
            Some(CachedStem::BeginsWord(bytes)) => return word.get(..bytes).unwrap_or(word),
            Some(CachedStem::At(stem)) => return str::from_utf8(&bucket[stem]).unwrap_or(word),
            None => {}
        }
        let stem = self.stemmer.stem(word);
        let stem = if stem.is_empty() { word } else { &stem };
        self.uncached.clear();
        self.uncached.push_str(stem);
        insert(bucket, word, stem);
        &self.uncached
    }
}

/// Where a cached stem is.
enum CachedStem {
    /// It is so many of the word's first bytes.
    BeginsWord(usize),
    /// In the bucket.
    At(Range<usize>),
}

/// Finds the stem of `word` in `bucket`.
fn find(bucket: &[u8], word: &str) -> Option<CachedStem> {
    for slot in (0..BUCKET_BYTES).step_by(SLOT_BYTES) {
        let start = slot + 2;
        let stem_start = start + usize::from(bucket[slot]);
        if bucket[start..stem_start] == *word.as_bytes() {
            let length = bucket[slot + 1];
            return Some(if length >= BEGINS_WORD {
                CachedStem::BeginsWord(usize::from(length - BEGINS_WORD))
            } else {
                CachedStem::At(stem_start..stem_start + usize::from(length))
            });
        }
    }
    None
}

/// Puts a word into the first slot, and what was there into the second.
fn insert(bucket: &mut [u8], word: &str, stem: &str) {
    let begins_word = word.starts_with(stem);
    let (word, stem) = (word.as_bytes(), stem.as_bytes());
    let kept = if begins_word { &[] } else { stem };
    if 2 + word.len() + kept.len() <= SLOT_BYTES && stem.len() < usize::from(BEGINS_WORD) {
        bucket.copy_within(..BUCKET_BYTES - SLOT_BYTES, SLOT_BYTES);
        let mark = if begins_word { BEGINS_WORD } else { 0 };
        (bucket[0], bucket[1]) = (word.len() as u8, stem.len() as u8 + mark);
        bucket[2..][..word.len()].copy_from_slice(word);
        bucket[2 + word.len()..][..kept.len()].copy_from_slice(kept);
    }
}

/// Stems a Greek word; where the stemmer of rust-stemmers 1.2 panics, the word is its own stem.
///
/// All words known to make it panic (from three million joined of its own suffixes) begin with `ισαισ`; they are kept from it, since
/// a panic is told on stderr even when it is caught. The net is for those not known.
fn greek_stem<'w>(stemmer: &rust_stemmers::Stemmer, word: &'w str) -> Cow<'w, str> {
    if without_greek_accents(word).take(5).eq("ισαισ".chars()) {
        return Cow::Borrowed(word);
    }
    catch_unwind(AssertUnwindSafe(|| stemmer.stem(word))).unwrap_or(Cow::Borrowed(word))
}

fn without_greek_accents(word: &str) -> impl Iterator<Item = char> {
    word.chars().map(|char| match char {
        'ά' => 'α',
        'ί' | 'ϊ' | 'ΐ' => 'ι',
        _ => char,
    })
}

/// A quick hash whose high bits are good; it need not resist attack because a bucket is small.
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
        let long = "x".repeat(64);
        let words = ["running", "ran", "runs", "university", "running", &long, "trees", "tree", "ran", "", &long];
        let mut cached = CachedStemmer::new(Language::from_code("en"), 2).unwrap();
        let fresh = rust_stemmers::Stemmer::create(rust_stemmers::Algorithm::English);
        for word in words {
            assert_eq!(cached.stem(word), fresh.stem(word));
        }
    }

    #[test]
    fn greek_words_that_panic_are_their_own_stem() {
        let mut stemmer = CachedStemmer::new(Language::from_code("el"), 16).unwrap();
        for word in ["ισαισα", "ισαισε", "ισαισεσ", "ισαισανε", "ισάισα", "ίσαϊσα"]
        {
            assert_eq!(stemmer.stem(word), word);
        }
        assert_ne!(stemmer.stem("ανθρωποσ"), "ανθρωποσ");
    }
}
