//! The spelling that was meant.
//!
//! The dictionary holds stems, the user wrote a word. So terms near the word's stems are candidates (the slip is in the stem), and
//! so are terms that a word with its beginning may have (the slip is in the ending); then the words behind them, looked up in
//! some of their blocks, are compared with what the user wrote.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeSet, HashMap, HashSet};

use super::vocabulary::Vocabulary;
use crate::engine::{EngineError, TermCount, edit_distance};
use lopper_analysis::{Analyzer, TermForm};

/// Words whose spelling is looked into; each may cost some milliseconds.
pub(super) const LOOKUPS_MAX: usize = 4;

/// Candidates whose words are compared: terms near the word's stems, and as many that a word with its beginning may have.
const CANDIDATES_MAX: usize = 12;

/// The first of them, whose words are looked up in many blocks: a stem may stand for many words, of which a few blocks have the wrong ones.
const LIKELY_MAX: usize = 4;

/// Blocks in which the words behind these are looked up.
const LIKELY_BLOCKS: usize = 12;

/// Blocks in which the words behind any other term are looked up.
pub(super) const SAMPLE_BLOCKS: usize = 2;

/// Longest ending, in characters, that a stem may lack.
const ENDING_CHARS_MAX: usize = 7;

/// Shortest stem, in characters.
const STEM_CHARS_MIN: usize = 3;

/// Longest beginnings of a word whose words are looked up in many blocks too.
const LONG_BEGINNINGS: usize = 2;

/// Changes beyond those of the stem that an ending may bring.
const ENDING_CHANGES_MAX: usize = 1;

/// Characters that are cut off a word to look for stems near to the rest: a slip may keep its ending from being taken off.
const CUT_CHARS_MAX: usize = 5;

/// Stems that are so found whose words are compared, and of each number of characters that are cut off.
const CUT_CANDIDATES_MAX: usize = 12;
const CUT_CANDIDATES_EACH: usize = 4;

/// Characters of a word that is not short.
const WORD_CHARS_MIN: usize = 4;

/// Blocks that have what is put for a short word, at least.
const SHORT_BLOCKS_MIN: u64 = 10;

/// The logarithm of how many times more likely a slip of the easy kinds is.
const EASY_SLIP: f32 = 3.0;

/// The same of how much less likely one in the first letter is.
const FIRST_SLIP: f32 = 2.0;

/// A word of the collection near to one of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Suggestion {
    pub(super) word: String,
    pub(super) distance: usize,
    pub(super) blocks: u64,
}

/// The word that was most likely meant by `word`, which has `forms`: by changes, then by [`likelihood`].
///
/// Words of at least four characters may differ by one change, of at least ten by two behind the first letter (of shorter ones too many that
/// are right and rare have another so near: `Einstein`, `einstieg`); those of three small letters by one that is easily made, for a frequent
/// word; those that the collection has (`is_known`) by one behind the first letter. Words with digits are not looked into.
pub(super) fn suggestion(
    vocabulary: &Vocabulary<'_>,
    analyzer: &mut Analyzer,
    word: &str,
    forms: &[TermForm],
    is_known: bool,
) -> Result<Option<Suggestion>, EngineError> {
    let is_small = word.chars().all(char::is_lowercase);
    let word = word.to_lowercase();
    let Some(distance_max) = distance_max(&word).filter(|_| !is_short(&word) || (is_small && !is_known)) else {
        return Ok(None);
    };
    let distance_max = if is_known { 1 } else { distance_max };
    let family = vocabulary.sampled_family(&word, stem_bytes_min(&word))?;
    let mut behind = HashMap::new();
    for changes in 1..=distance_max {
        let terms = candidates(vocabulary, &word, forms, &family, changes, is_known)?;
        for (place, candidate) in terms.iter().enumerate() {
            if !behind.contains_key(&candidate.term) {
                let is_likely = place < LIKELY_MAX || candidate.is_long_beginning;
                let blocks = if is_likely { LIKELY_BLOCKS } else { SAMPLE_BLOCKS };
                behind.insert(candidate.term.clone(), vocabulary.words_behind(analyzer, &candidate.term, blocks)?);
            }
        }
        let found = nearest(&word, &terms, &behind, changes);
        if found.is_some() {
            return Ok(found);
        }
    }
    if is_known || is_short(&word) {
        return Ok(None);
    }
    let terms = near_cut(vocabulary, &word)?;
    for candidate in &terms {
        let words = vocabulary.words_behind(analyzer, &candidate.term, LIKELY_BLOCKS)?;
        behind.insert(candidate.term.clone(), words);
    }
    Ok(nearest(&word, &terms, &behind, 1))
}

/// Terms one change away from the word without its last characters: `validtion` and `validation` have no stems near to each other, since
/// `-tion` is no ending, but `validt` is near to the stem `valid`.
fn near_cut(vocabulary: &Vocabulary<'_>, word: &str) -> Result<Vec<Candidate>, EngineError> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).skip(STEM_CHARS_MIN).collect();
    for end in ends.into_iter().rev().take(CUT_CHARS_MAX) {
        let base = &word[..end];
        let mut near = vocabulary.near(base, 1)?;
        near.extend(vocabulary.with_other_first(base)?);
        near.retain(|(term, _)| candidates.iter().all(|known| known.term != *term));
        near.sort_by(|(a, a_blocks), (b, b_blocks)| {
            let likelier = likelihood(base, b, *b_blocks).total_cmp(&likelihood(base, a, *a_blocks));
            edit_distance(base, a).cmp(&edit_distance(base, b)).then(likelier).then(a.cmp(b))
        });
        let near = near.into_iter().take(CUT_CANDIDATES_EACH);
        let candidate = |(term, blocks)| Candidate { term, blocks, is_near: false, is_long_beginning: false };
        candidates.extend(near.map(candidate));
    }
    candidates.truncate(CUT_CANDIDATES_MAX);
    Ok(candidates)
}

/// A term whose words are worth comparing.
#[derive(Debug, Clone)]
struct Candidate {
    term: String,
    /// Blocks that have it.
    blocks: u64,
    /// Whether it is as near to the stem of the word as words may be.
    is_near: bool,
    /// Whether it is one of the two longest beginnings of the word that are terms.
    is_long_beginning: bool,
}

/// The best of the words `behind` `terms` that are at most `changes` away; else, behind a term that is so near to the word's stem, the
/// nearest that is one change further away: its ending was not seen in the blocks that were looked into, of which there are more.
fn nearest(
    word: &str,
    terms: &[Candidate],
    behind: &HashMap<String, Vec<String>>,
    changes: usize,
) -> Option<Suggestion> {
    let mut best: Option<((bool, usize, f32), Suggestion)> = None;
    for Candidate { term, blocks, is_near, .. } in terms {
        for found in behind.get(term).into_iter().flatten() {
            let found = found.to_lowercase();
            let distance = edit_distance(word, &found);
            let is_beyond = distance > changes;
            let may_be_unseen = *is_near && *blocks > LIKELY_BLOCKS as u64;
            let is_allowed = !is_beyond || (may_be_unseen && distance <= changes + ENDING_CHANGES_MAX);
            if distance == 0 || !is_allowed || !is_enough(word, &found, *blocks) {
                continue;
            }
            let rank = (is_beyond, distance, -likelihood(word, &found, *blocks));
            let is_better = |known: &(bool, usize, f32)| {
                (rank.0, rank.1).cmp(&(known.0, known.1)).then(rank.2.total_cmp(&known.2)).is_lt()
            };
            if best.as_ref().is_none_or(|(known, _)| is_better(known)) {
                best = Some((rank, Suggestion { word: found, distance, blocks: *blocks }));
            }
        }
    }
    best.map(|(_, suggestion)| suggestion)
}

/// How likely `found`, which stands in so many blocks, was meant by `word`: the logarithm of its frequency times the probability of the slip.
///
/// There are few ways to leave a letter out, to swap two or to double one, and some twenty times as many to put another letter in or in
/// place of one; so each of the few is the more likely. Slips in the first letter are seen, and rare.
fn likelihood(word: &str, found: &str, blocks: u64) -> f32 {
    let is_easy = is_easy_slip(word, found);
    let is_first = word.chars().next() != found.chars().next();
    (blocks.max(1) as f32).ln() + f32::from(u8::from(is_easy)) * EASY_SLIP - f32::from(u8::from(is_first)) * FIRST_SLIP
}

/// Whether `word` is `found` with a letter left out, two swapped, or one doubled.
pub(super) fn is_easy_slip(word: &str, found: &str) -> bool {
    let (typed, meant): (Vec<char>, Vec<char>) = (word.chars().collect(), found.chars().collect());
    let same = typed.iter().zip(&meant).take_while(|(a, b)| a == b).count();
    match typed.len().cmp(&meant.len()) {
        Ordering::Less => true,
        Ordering::Greater => same > 0 && typed[same] == typed[same - 1],
        Ordering::Equal => same + 1 < typed.len() && typed[same] == meant[same + 1] && typed[same + 1] == meant[same],
    }
}

/// Whether enough blocks have `found` to put it for `word`: one with another first letter stands in more than one, and for a short word in
/// many and by an easy slip.
fn is_enough(word: &str, found: &str, blocks: u64) -> bool {
    if is_short(word) {
        return blocks >= SHORT_BLOCKS_MIN && is_easy_slip(word, found);
    }
    blocks > 1 || word.chars().next() == found.chars().next()
}

fn is_short(word: &str) -> bool {
    word.chars().count() < WORD_CHARS_MIN
}

fn distance_max(word: &str) -> Option<usize> {
    let is_word = word.chars().all(|char| char.is_alphabetic() || char == '\'' || char == '-');
    match word.chars().count() {
        _ if !is_word => None,
        0..=2 => None,
        3..=9 => Some(1),
        _ => Some(2),
    }
}

/// Terms whose words are worth comparing, the most likely first.
fn candidates(
    vocabulary: &Vocabulary<'_>,
    word: &str,
    forms: &[TermForm],
    family: &[TermCount],
    changes: usize,
    is_known: bool,
) -> Result<Vec<Candidate>, EngineError> {
    let mut ranked = Vec::new();
    // Forms that stand for no word as it is written have none like them.
    let written: BTreeSet<&str> =
        forms.iter().map(|form| form.term.as_str()).filter(|term| !term.starts_with(char::is_control)).collect();
    for form in written {
        let mut near = vocabulary.near(form, changes as u8)?;
        if changes == 1 && !is_known {
            near.extend(vocabulary.with_other_first(form)?);
        }
        ranked.extend(near.into_iter().map(|(term, blocks)| {
            let likelihood = likelihood(form, &term, blocks);
            (edit_distance(form, &term), likelihood, term, blocks)
        }));
    }
    ranked.sort_by(|(a_distance, a_likelihood, a, _), (b_distance, b_likelihood, b, _)| {
        a_distance.cmp(b_distance).then(b_likelihood.total_cmp(a_likelihood)).then(a.cmp(b))
    });
    let mut seen = HashSet::new();
    let near = ranked.into_iter().filter(|(.., term, _)| seen.insert(term.clone())).take(CANDIDATES_MAX);
    let mut candidates: Vec<Candidate> =
        near.map(|(_, _, term, blocks)| Candidate { term, blocks, is_near: true, is_long_beginning: false }).collect();
    let mut beginnings: Vec<&TermCount> = family.iter().filter(|(term, _)| word.starts_with(term.as_str())).collect();
    beginnings.sort_by_key(|(term, _)| Reverse(term.len()));
    let longest: Vec<&TermCount> = beginnings.into_iter().take(LONG_BEGINNINGS).collect();
    let others = family.iter().filter(|count| !longest.contains(count));
    let family = longest.iter().copied().chain(others).filter(|(term, _)| !seen.contains(term)).take(CANDIDATES_MAX);
    candidates.extend(family.map(|(term, blocks)| Candidate {
        term: term.clone(),
        blocks: *blocks,
        is_near: false,
        is_long_beginning: longest.iter().any(|(long, _)| long == term),
    }));
    Ok(candidates)
}

/// Bytes of the shortest beginning of `word` that may be its stem, less the character that a stem may change.
pub(super) fn stem_bytes_min(word: &str) -> usize {
    let chars = word.chars().count().saturating_sub(ENDING_CHARS_MAX).max(STEM_CHARS_MIN);
    word.char_indices().nth(chars).map_or(word.len(), |(at, _)| at)
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
    fn stems_have_a_least_length() {
        assert_eq!(["ab", "abcd", "häuser", "organization", "organizations"].map(stem_bytes_min), [2, 3, 4, 5, 6]);
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
        let candidate =
            |term: &str, blocks| Candidate { term: term.to_owned(), blocks, is_near: true, is_long_beginning: false };
        let best = |word: &str, terms: &[(&str, u64)]| {
            let terms: Vec<Candidate> = terms.iter().map(|(term, blocks)| candidate(term, *blocks)).collect();
            let behind = terms.iter().map(|term| (term.term.clone(), vec![term.term.clone()])).collect();
            nearest(word, &terms, &behind, 1).map(|found| found.word)
        };
        let some = |word: &str| Some(word.to_owned());
        assert_eq!(best("gathe", &[("gate", 29), ("gather", 12)]), some("gather"));
        assert_eq!(best("gathe", &[("gate", 2900), ("gather", 12)]), some("gate"));
        assert_eq!(best("aevice", &[("advice", 9), ("device", 300)]), some("device"));
        assert_eq!(best("einstein", &[("feinstein", 1)]), None, "with another first letter, in one block alone");
        assert_eq!(best("mke", &[("make", 50), ("mk", 90)]), some("make"));
        assert_eq!(best("mke", &[("mkd", 50), ("make", 2)]), None);
        assert_eq!(best("kubernetes", &[("kubernat", 1)]), None, "all its blocks were looked into");
        // Two changes from the word itself, one from its stem.
        assert_eq!(best("zweros", &[("zero", 40)]), some("zero"));
    }
}
