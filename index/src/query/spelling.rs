//! The spelling that was meant: a noisy channel over the collection's words as they are written.
//!
//! Words near to that of the query are looked up, and the most likely is taken: how many pages have it, times how likely the slip is.

use std::cmp::Ordering;

use super::vocabulary::Vocabulary;
use crate::engine::{EngineError, edit_distance};

/// Words whose spelling is looked into; each may cost some milliseconds.
pub(super) const LOOKUPS_MAX: usize = 6;

/// Pages of a word that may be a slip: with more it is spelt as it should be.
pub(super) const SLIP_PAGES_MAX: u64 = 5;

/// Characters of a word that is not short.
const WORD_CHARS_MIN: usize = 4;

/// Pages that have what is put for a short word, at least.
const SHORT_PAGES_MIN: u64 = 10;

/// The logarithm of how many times more likely a slip of the easy kinds is.
const EASY_SLIP: f32 = 3.0;

/// The same of how much less likely one in the first letter is than one in any other letter.
const FIRST_SLIP: f32 = 1.0;

/// The same of how much more likely it is that a word of the collection was meant as it stands.
const RIGHT: f32 = 6.0;

/// The logarithm of how many times likelier another word is than one that no page has as it stands, to put it in its place unasked.
const SURE: f32 = 3.0;

/// The same of how much less likely two slips in a word are than one.
const TWO_SLIPS: f32 = 3.0;

/// The logarithm of how likely another word has to be to put it unasked in place of one that is nowhere, which may be right as it stands:
/// one that a single page has, by a slip of the unlikelier kinds, is not.
const SEEN_ONCE: f32 = 0.5;

/// How much less likely a word may be than the likeliest that the query's other words are asked about both.
const ALIKE: f32 = 5.0;

/// How much less likely a word may be than the likeliest to be asked about beside it.
pub(super) const NEARLY: f32 = 2.0;

/// Words that these are asked about.
const SUGGESTIONS_MAX: usize = 4;

/// How many pages a word counts as that no page has as it stands, where some have another of the same stem.
const OTHER_FORM_PAGES: f32 = 0.1;

/// How often the collection has a word of the query.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// Pages that have it as it stands.
    pub(super) pages: u64,
    /// Blocks that have it or another of the same stem.
    pub(super) blocks: u64,
}

impl Known {
    fn is_nowhere(self) -> bool {
        self.pages == 0 && self.blocks == 0
    }

    /// Whether `suggestion` is to be put in place of the word unasked: of one that is nowhere, where it is likely at all, and of one that no
    /// page has as it stands where it is far likelier.
    pub(super) fn is_surely_not(self, suggestion: &Suggestion) -> bool {
        self.pages == 0 && suggestion.likelihood > self.likelihood().map_or(SEEN_ONCE, |right| right + SURE)
    }

    /// The logarithm of how likely it was meant as it stands; nothing of one that is nowhere.
    pub(super) fn likelihood(self) -> Option<f32> {
        (!self.is_nowhere()).then(|| (self.pages as f32).max(OTHER_FORM_PAGES).ln() + RIGHT)
    }
}

/// A word that may have been meant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Suggestion {
    pub(super) word: String,
    /// The logarithm of how likely it is, but for a constant.
    pub(super) likelihood: f32,
}

/// The words that were most likely meant by `word`, which is in its normal form and `is_small` where it has no capital; the likeliest first.
///
/// Words of at least four characters may differ by one change, of at least ten that are nowhere by two behind the first letter (of shorter
/// ones too many that are right and rare have another so near: `Einstein`, `einstieg`); those of three small letters by one that is
/// easily made, for a frequent word. Words with digits are not looked into.
pub(super) fn suggestions(
    vocabulary: &Vocabulary<'_>,
    word: &str,
    is_small: bool,
    known: Known,
) -> Result<Vec<Suggestion>, EngineError> {
    let is_looked_into = !is_short(word) || (is_small && known.is_nowhere());
    let Some(distance_max) = distance_max(word).filter(|_| is_looked_into) else { return Ok(Vec::new()) };
    let distance_max = if known.is_nowhere() { distance_max } else { 1 };
    for distance in 1..=distance_max {
        let mut near = vocabulary.near(word, distance)?;
        if distance == 1 {
            near.extend(vocabulary.with_other_first(word)?);
        }
        let likeliest = likeliest(word, near, known);
        if !likeliest.is_empty() {
            return Ok(likeliest);
        }
    }
    Ok(Vec::new())
}

/// Those of some words that are more likely than that `word` was meant as it stands, and nearly as likely as the first of them.
fn likeliest(word: &str, near: Vec<(String, u64)>, known: Known) -> Vec<Suggestion> {
    let enough = near.into_iter().filter(|(found, pages)| found != word && is_enough(word, found, *pages, known));
    let rated = enough.map(|(found, pages)| Suggestion { likelihood: likelihood(word, &found, pages), word: found });
    let mut rated: Vec<Suggestion> =
        rated.filter(|found| known.likelihood().is_none_or(|right| found.likelihood > right)).collect();
    rated.sort_by(|a, b| b.likelihood.total_cmp(&a.likelihood).then_with(|| a.word.cmp(&b.word)));
    let least = rated.first().map_or(0.0, |best| best.likelihood - ALIKE);
    rated.retain(|found| found.likelihood >= least);
    rated.truncate(SUGGESTIONS_MAX);
    rated
}

/// How likely `found`, which stands on so many pages, was meant by `word`: the logarithm of its frequency times the probability of the slip.
///
/// There are few ways to leave a letter out, to swap two or to double one, and some twenty times as many to put another letter in or in
/// place of one; so each of the few is the more likely. Slips in the first letter are seen, and rare.
fn likelihood(word: &str, found: &str, pages: u64) -> f32 {
    let is_one = edit_distance(word, found) == 1;
    let is_first = word.chars().next() != found.chars().next();
    let times = |applies: bool, slip: f32| if applies { slip } else { 0.0 };
    (pages.max(1) as f32).ln() + times(is_one && is_easy_slip(word, found), EASY_SLIP)
        - times(is_first, FIRST_SLIP)
        - times(!is_one, TWO_SLIPS)
}

/// Whether `word` is `found` with a letter left out, two swapped, or one doubled; there is one change between them.
fn is_easy_slip(word: &str, found: &str) -> bool {
    let (typed, meant): (Vec<char>, Vec<char>) = (word.chars().collect(), found.chars().collect());
    let same = typed.iter().zip(&meant).take_while(|(a, b)| a == b).count();
    match typed.len().cmp(&meant.len()) {
        Ordering::Less => true,
        Ordering::Greater => same > 0 && typed[same] == typed[same - 1],
        Ordering::Equal => same + 1 < typed.len() && typed[same] == meant[same + 1] && typed[same + 1] == meant[same],
    }
}

/// Whether enough pages have `found` to put it for `word`: one with another first letter stands on more than one, unless the first two are
/// swapped in a word that is nowhere; and for a short word on many and by an easy slip.
fn is_enough(word: &str, found: &str, pages: u64, known: Known) -> bool {
    if is_short(word) {
        return pages >= SHORT_PAGES_MIN && is_easy_slip(word, found);
    }
    let is_swap = || word.chars().count() == found.chars().count() && is_easy_slip(word, found);
    pages > 1 || word.chars().next() == found.chars().next() || known.is_nowhere() && is_swap()
}

fn is_short(word: &str) -> bool {
    word.chars().count() < WORD_CHARS_MIN
}

fn distance_max(word: &str) -> Option<u8> {
    let is_word = word.chars().all(|char| char.is_alphabetic() || char == '\'' || char == '-');
    match word.chars().count() {
        _ if !is_word => None,
        0..=2 => None,
        3..=9 => Some(1),
        _ => Some(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_and_numbers_are_left_alone() {
        assert_eq!(
            ["to", "the", "tree", "einstein", "moderation", "1234567", "mp3file", "東京"].map(distance_max),
            [None, Some(1), Some(1), Some(1), Some(2), None, None, None]
        );
    }

    #[test]
    fn slips_that_are_easily_made() {
        for (word, found, expected) in [
            ("gathe", "gather", true),
            ("gathe", "gate", false),
            ("apdding", "padding", true),
            ("adding", "padding", true),
            ("apdding", "adding", false),
            ("paddding", "padding", true),
            ("device", "advice", false),
        ] {
            assert_eq!(is_easy_slip(word, found), expected, "{word} for {found}");
        }
    }

    #[test]
    fn the_likelier_slip_wins_unless_the_other_word_is_far_more_frequent() {
        let best = |word: &str, (pages, blocks), near: &[(&str, u64)]| {
            let near = near.iter().map(|(found, pages)| ((*found).to_owned(), *pages)).collect();
            likeliest(word, near, Known { pages, blocks }).into_iter().next().map(|found| found.word)
        };
        let some = |word: &str| Some(word.to_owned());
        assert_eq!(best("gathe", (0, 0), &[("gate", 29), ("gather", 12)]), some("gather"));
        assert_eq!(best("gathe", (0, 0), &[("gate", 2900), ("gather", 12)]), some("gate"));
        assert_eq!(best("aevice", (0, 0), &[("advice", 9), ("device", 300)]), some("device"));
        assert_eq!(best("einstein", (0, 0), &[("feinstein", 1)]), None, "with another first letter, on one page alone");
        assert_eq!(best("leliptic", (0, 0), &[("elliptic", 1)]), some("elliptic"), "its first letters are swapped");
        assert_eq!(best("leliptic", (1, 1), &[("elliptic", 1)]), None);
        assert_eq!(best("abacus", (0, 0), &[("bacus", 1)]), None, "its first letter is left out");
        assert_eq!(best("mke", (0, 0), &[("make", 50), ("mk", 90)]), some("make"));
        assert_eq!(best("mke", (0, 0), &[("mkd", 50), ("make", 2)]), None);
        assert_eq!(best("zweros", (0, 0), &[("zeros", 40)]), some("zeros"));
        assert_eq!(best("archvie", (1, 1), &[("archive", 100)]), some("archive"), "a rare word may be a slip");
        assert_eq!(best("archvie", (9, 9), &[("archive", 100)]), None);
        assert_eq!(
            best("listeing", (0, 20), &[("listening", 9)]),
            some("listening"),
            "a stem like its own is there, it is not"
        );
        assert_eq!(best("taping", (0, 20), &[("taking", 9)]), None);
        let known = Known { pages: 0, blocks: 20 };
        let is_sure = |pages| known.is_surely_not(&likeliest("fiels", vec![("files".to_owned(), pages)], known)[0]);
        assert_eq!([9, 100].map(is_sure), [false, true]);
    }

    #[test]
    fn an_unlikely_word_is_only_asked_about() {
        let is_sure = |word: &str, found: &str, pages| {
            let nowhere = Known { pages: 0, blocks: 0 };
            nowhere.is_surely_not(&likeliest(word, vec![(found.to_owned(), pages)], nowhere)[0])
        };
        assert!(is_sure("manatou", "manitou", 2));
        assert!(!is_sure("manatou", "manitou", 1), "one page has it, which may be about anything");
        assert!(is_sure("manitu", "manitou", 1), "a letter is left out");
        assert!(!is_sure("nachtlicht", "nachricht", 4), "two slips");
        assert!(is_sure("modderatoin", "moderation", 90));
    }
}
