//! The spelling that was meant.
//!
//! The dictionary holds stems, the user wrote a word. So terms near the word's stems are candidates (the slip is in the stem), and
//! so are terms that a word with its beginning may have (the slip is in the ending); then the words behind them, looked up in
//! some of their blocks, are compared with what the user wrote.

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

/// A word of the collection near to one of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Suggestion {
    pub(super) word: String,
    pub(super) distance: usize,
    pub(super) blocks: u64,
}

/// The word nearest to `word`, which has `forms`: by changes, then with the same first letter, then the most frequent.
///
/// Words of at least four characters may differ by one change, of at least ten by two behind the first letter (of shorter ones too many that
/// are right and rare have another so near: `Einstein`, `einstieg`); those that the
/// collection has (`is_known`) by one behind the first letter. Words with digits are not looked into.
pub(super) fn suggestion(
    vocabulary: &Vocabulary<'_>,
    analyzer: &mut Analyzer,
    word: &str,
    forms: &[TermForm],
    is_known: bool,
) -> Result<Option<Suggestion>, EngineError> {
    let word = word.to_lowercase();
    let Some(distance_max) = distance_max(&word) else { return Ok(None) };
    let distance_max = if is_known { 1 } else { distance_max };
    let family = vocabulary.sampled_family(&word, stem_bytes_min(&word))?;
    let mut behind = HashMap::new();
    for changes in 1..=distance_max {
        let terms = candidates(vocabulary, &word, forms, &family, changes, is_known)?;
        for (place, (term, _)) in terms.iter().enumerate() {
            if !behind.contains_key(term) {
                let blocks = if place < LIKELY_MAX { LIKELY_BLOCKS } else { SAMPLE_BLOCKS };
                behind.insert(term.clone(), vocabulary.words_behind(analyzer, term, blocks)?);
            }
        }
        let found = nearest(&word, &terms, &behind, changes);
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The best of the words `behind` `terms` that are at most `changes` away.
fn nearest(
    word: &str,
    terms: &[TermCount],
    behind: &HashMap<String, Vec<String>>,
    changes: usize,
) -> Option<Suggestion> {
    let mut best: Option<((usize, bool), Suggestion)> = None;
    for (term, blocks) in terms {
        for found in behind.get(term).into_iter().flatten() {
            let found = found.to_lowercase();
            let distance = edit_distance(word, &found);
            if distance == 0 || distance > changes {
                continue;
            }
            let rank = (distance, found.chars().next() != word.chars().next());
            let is_better = best
                .as_ref()
                .is_none_or(|(known, suggestion)| rank < *known || (rank == *known && *blocks > suggestion.blocks));
            if is_better {
                best = Some((rank, Suggestion { word: found, distance, blocks: *blocks }));
            }
        }
    }
    best.map(|(_, suggestion)| suggestion)
}

fn distance_max(word: &str) -> Option<usize> {
    let is_word = word.chars().all(|char| char.is_alphabetic() || char == '\'' || char == '-');
    match word.chars().count() {
        _ if !is_word => None,
        0..=3 => None,
        4..=9 => Some(1),
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
) -> Result<Vec<TermCount>, EngineError> {
    let mut ranked = Vec::new();
    // Forms that stand for no word as it is written have none like them.
    let written: BTreeSet<&str> =
        forms.iter().map(|form| form.term.as_str()).filter(|term| !term.starts_with(char::is_control)).collect();
    for form in written {
        let mut near = vocabulary.near(form, changes as u8)?;
        if changes == 1 && !is_known {
            near.extend(vocabulary.with_other_first(form)?);
        }
        ranked.extend(near.into_iter().map(|(term, blocks)| (edit_distance(form, &term), term, blocks)));
    }
    let first = word.chars().next();
    ranked.sort_by(|(a_distance, a, a_blocks), (b_distance, b, b_blocks)| {
        let other_first = |term: &str| term.chars().next() != first;
        (a_distance, other_first(a)).cmp(&(b_distance, other_first(b))).then(b_blocks.cmp(a_blocks)).then(a.cmp(b))
    });
    let near = ranked.into_iter().map(|(_, term, blocks)| (term, blocks));
    let mut seen = HashSet::new();
    let mut candidates: Vec<TermCount> =
        near.filter(|(term, _)| seen.insert(term.clone())).take(CANDIDATES_MAX).collect();
    candidates.extend(family.iter().filter(|(term, _)| !seen.contains(term)).take(CANDIDATES_MAX).cloned());
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
            ["the", "tree", "einstein", "moderation", "1234567", "mp3file", "東京"].map(distance_max),
            [None, Some(1), Some(1), Some(2), None, None, None]
        );
    }

    #[test]
    fn stems_have_a_least_length() {
        assert_eq!(["ab", "abcd", "häuser", "organization", "organizations"].map(stem_bytes_min), [2, 3, 4, 5, 6]);
    }
}
