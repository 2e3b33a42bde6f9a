//! Words of a text as the scorer counts them, and their trigrams.

use std::collections::HashSet;

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
use xxhash_rust::xxh3::xxh3_64;

/// Words in a gram.
const GRAM: usize = 3;

/// Hashes of words, and of the runs of three of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// Number of words.
    pub(super) len: usize,
    /// Trigrams in text order; a shorter text is one gram.
    pub(super) grams: Vec<u64>,
}

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let words: Vec<u64> = words(text).map(|word| xxh3_64(word.to_lowercase().as_bytes())).collect();
        let grams: Vec<u64> = if words.len() < GRAM {
            (!words.is_empty()).then(|| gram(&words)).into_iter().collect()
        } else {
            words.windows(GRAM).map(gram).collect()
        };
        Self { len: words.len(), grams }
    }

    pub(super) fn gram_set(&self) -> HashSet<u64> {
        self.grams.iter().copied().collect()
    }

    /// Words that are in a gram of `set`.
    pub(super) fn covered(&self, set: &HashSet<u64>) -> usize {
        let (mut covered, mut end) = (0, 0);
        for (place, _) in self.grams.iter().enumerate().filter(|(_, gram)| set.contains(gram)) {
            let gram_end = (place + GRAM).min(self.len);
            covered += gram_end - place.max(end);
            end = gram_end;
        }
        covered
    }
}

/// Number of words of a text.
pub(super) fn count(text: &str) -> usize {
    words(text).count()
}

fn gram(words: &[u64]) -> u64 {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    xxh3_64(&bytes)
}

/// Runs of letters, numbers and `_` by Unicode's general category: what `\w+` finds in Python. Vowel signs and other marks
/// are no letters there, though `char::is_alphanumeric` takes many for such.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let categories = CodePointMapData::<GeneralCategory>::new();
    let is_word = move |c: char| match c {
        '_' => true,
        _ if c.is_ascii() => c.is_ascii_alphanumeric(),
        _ => {
            let category = categories.get(c);
            GeneralCategoryGroup::Letter.contains(category) || GeneralCategoryGroup::Number.contains(category)
        }
    };
    text.split(move |c| !is_word(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_python() {
        // re.findall(r"\w+", …)
        let cases: [(&str, &[&str]); 5] = [
            ("it's a_b, 3.5 — Ärger!", &["it", "s", "a_b", "3", "5", "Ärger"]),
            ("x² ½ Ⅷ 中文字", &["x²", "½", "Ⅷ", "中文字"]),
            ("हिन्दी", &["ह", "न", "द"]),
            ("e\u{301}te", &["e", "te"]),
            (" .\u{a0}", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text).collect::<Vec<_>>(), expected, "{text}");
            assert_eq!(count(text), expected.len());
        }
    }

    #[test]
    fn grams_of_short_and_long_texts() {
        assert_eq!(Words::of("").grams.len(), 0);
        assert_eq!((Words::of("one").grams.len(), Words::of("one two").grams.len()), (1, 1));
        assert_eq!(Words::of("a b c d").grams.len(), 2);
        assert_eq!(Words::of("A, b; C").grams, Words::of("a b c").grams);
        assert_ne!(Words::of("a b").grams, Words::of("a b c").grams);
    }

    #[test]
    fn covered_words_count_once() {
        // Grams abc and bcd are in the gold: four words of six.
        assert_eq!(Words::of("x a b c d y").covered(&Words::of("a b c d").gram_set()), 4);
        // abc at both ends.
        assert_eq!(Words::of("a b c z a b c").covered(&Words::of("a b c").gram_set()), 6);
        assert_eq!(Words::of("a b").covered(&Words::of("a b").gram_set()), 2);
        assert_eq!(Words::of("a b").covered(&Words::of("a b c").gram_set()), 0);
    }
}
