//! Further forms of words beside the terms that pages are weighed by: for the index, and for queries.
//!
//! A further form stands in the index at the position of its word, behind a mark that no word begins with. So it finds the word
//! in another spelling, and a query can count it less than the word as it stands.

use unicode_segmentation::UnicodeSegmentation;

use super::compound::SignedName;
use super::fold::{fold, fold_to_pairs};
use super::language::Language;
use super::normal::normalise;
use super::words::Surface;

/// Stands before another spelling of a word: without marks, joined, or one character of a pair.
pub(super) const SPELLING: char = '\u{2}';

/// Stands before a part of a programmer's name.
pub(super) const PART: char = '\u{3}';

/// Letters of an acronym.
const ACRONYM_LETTERS: std::ops::RangeInclusive<usize> = 2..=5;

/// Whether a word is written as acronyms are: a few Latin capitals.
pub(super) fn is_in_capitals(word: &str) -> bool {
    ACRONYM_LETTERS.contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether `term` is another word than the lower case of a word in capitals, as `up` is of `UPS`.
pub(super) fn is_cut(word: &str, term: &str) -> bool {
    !word.eq_ignore_ascii_case(term)
}

/// Whether a term of the index is a further form, not a word as it was written (and stemmed).
pub fn is_further_form(term: &str) -> bool {
    term.starts_with([SPELLING, PART])
}

/// Room to make forms in.
#[derive(Default)]
pub(super) struct FormBuffer {
    pub(super) normal: String,
    pub(super) folded: String,
    marked: String,
}

impl FormBuffer {
    pub(super) fn normalise(&mut self, word: &str, language: Language) {
        self.normal.clear();
        normalise(word, language, &mut self.normal);
    }

    /// Takes the words of a compound for one word.
    pub(super) fn normalise_joined(&mut self, words: &[Surface<'_>], language: Language) {
        self.marked.clear();
        for word in words {
            self.marked.push_str(word.text);
        }
        self.normal.clear();
        normalise(&self.marked, language, &mut self.normal);
    }

    /// Folds the normal form; tells whether that is another spelling.
    pub(super) fn fold(&mut self) -> bool {
        self.folded.clear();
        fold(&self.normal, &mut self.folded) && !self.folded.is_empty()
    }

    /// Folds a name with its signs, of which underscores are some. Options of one letter are as different as their letters: `-v`, `-V`.
    pub(super) fn fold_name(&mut self, name: &str) {
        self.normalise(name, Language::UNDETERMINED);
        self.folded.clear();
        if name.len() == 2 && name.starts_with('-') {
            self.folded.push_str(name);
        } else if self.normal.contains('_') {
            self.folded.push_str(&self.normal);
        } else {
            fold(&self.normal, &mut self.folded);
        }
    }

    pub(super) fn fold_to_pairs(&mut self) -> bool {
        self.folded.clear();
        fold_to_pairs(&self.normal, &mut self.folded)
    }

    /// A word as it is written, behind the mark of a spelling.
    pub(super) fn as_written(&mut self, word: &str) -> &str {
        self.marked.clear();
        self.marked.push(SPELLING);
        self.marked.push_str(word);
        &self.marked
    }

    /// The stem of what was folded, behind a mark.
    pub(super) fn marked<'s>(&'s mut self, mark: char, stem: impl FnOnce(&'s str) -> &'s str) -> &'s str {
        self.marked.clear();
        self.marked.push(mark);
        self.marked.push_str(stem(&self.folded));
        &self.marked
    }
}

/// The words of a compound without what is between them.
pub(super) fn joined(words: &[Surface<'_>]) -> String {
    words.iter().map(|word| word.text).collect()
}

/// The name that a lone word is with its signs.
pub(super) fn signed_name<'t>(text: &'t str, words: &[Surface<'t>]) -> Option<&'t str> {
    let [word] = words else {
        return None;
    };
    if word.is_pair {
        return None;
    }
    underscored_name(text, word).or_else(|| {
        let name = SignedName::around(text, word.start, word.start + word.text.len())?;
        text.get(name.start..name.end)
    })
}

/// The name that a word is with the underscores around it, also within a compound: `object.__init__`.
pub(super) fn underscored_name<'t>(text: &'t str, word: &Surface<'t>) -> Option<&'t str> {
    let name = SignedName::with_underscores(text, word.start, word.start + word.text.len())?;
    text.get(name.start..name.end).filter(|_| !word.is_pair)
}

/// The character as the reader sees it, when there is but one.
pub(super) fn only_unit(pair: &str) -> Option<&str> {
    let mut units = pair.graphemes(true);
    units.next().filter(|_| units.next().is_none())
}
