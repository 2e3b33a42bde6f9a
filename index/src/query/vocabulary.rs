//! What the collection's dictionaries tell: that of its terms, which are stems, and that of its words as they are written.

use super::resolved::TextField;
use crate::engine::{BlockSnapshot, Budget, EngineError, TermCount, TermPattern, TermScope};

/// Terms that are looked at for the prefixes of one query, over all parts of the index.
const SCAN_TERMS_MAX: usize = 500_000;

/// How far apart the codes of an alphabet's letters stand.
const ALPHABET_SPAN: u32 = 32;

/// What it takes to walk through a dictionary by a pattern, beside what is found.
const PATTERN_WORK: u64 = 1000;

/// The dictionaries of one state of an engine. Where the budget of a query is spent, they are empty.
pub(super) struct Vocabulary<'a> {
    snapshot: &'a dyn BlockSnapshot,
    budget: &'a Budget,
    /// Terms that may still be looked at for prefixes.
    scan_left: usize,
}

impl<'a> Vocabulary<'a> {
    pub(super) fn new(snapshot: &'a dyn BlockSnapshot, budget: &'a Budget) -> Self {
        Self { snapshot, budget, scan_left: SCAN_TERMS_MAX }
    }

    /// What is left of the query's work.
    pub(super) fn budget(&self) -> &Budget {
        self.budget
    }

    /// Terms that begin with `prefix`, most frequent first.
    pub(super) fn beginning_with(&mut self, field: TextField, prefix: &str) -> Result<Vec<TermCount>, EngineError> {
        self.scan(|snapshot, scan_left| snapshot.terms(field, TermPattern::Prefix(prefix), TermScope::Whole, scan_left))
    }

    /// Words that begin with `prefix`, those of most pages first.
    pub(super) fn words_beginning_with(&mut self, prefix: &str) -> Result<Vec<TermCount>, EngineError> {
        self.scan(|snapshot, scan_left| {
            Ok(snapshot.words(TermPattern::Prefix(prefix), TermScope::Whole, scan_left)?.unwrap_or_default())
        })
    }

    fn scan(
        &mut self,
        look_up: impl FnOnce(&dyn BlockSnapshot, &mut usize) -> Result<Vec<TermCount>, EngineError>,
    ) -> Result<Vec<TermCount>, EngineError> {
        if self.budget.is_spent() {
            return Ok(Vec::new());
        }
        let before = self.scan_left;
        let found = look_up(self.snapshot, &mut self.scan_left)?;
        self.budget.spend((before - self.scan_left) as u64);
        Ok(found)
    }

    /// Pages that have a word as it is written; nothing where that is not known.
    pub(super) fn pages_with(&self, word: &str) -> Result<Option<u64>, EngineError> {
        if self.budget.is_spent() {
            return Ok(None);
        }
        self.budget.spend(1);
        self.snapshot.pages_with(word)
    }

    /// Words at most `distance` changes of a character away, none of which is in the first one: it makes it quick.
    pub(super) fn near(&self, word: &str, distance: u8) -> Result<Vec<TermCount>, EngineError> {
        self.words(TermPattern::Near { term: word, distance }, PATTERN_WORK)
    }

    /// Words that are `word` but for their beginning: without its first character, with another one, with one more, or with the first two
    /// swapped. Other characters are letters that stand near to the second one in the code, as those of one alphabet do.
    pub(super) fn with_other_first(&self, word: &str) -> Result<Vec<TermCount>, EngineError> {
        let mut chars = word.chars();
        let (Some(first), Some(second)) = (chars.next(), chars.next()) else { return Ok(Vec::new()) };
        let (without, behind) = (&word[first.len_utf8()..], chars.as_str());
        let mut texts = vec![without.to_owned(), format!("{second}{first}{behind}")];
        let codes = u32::from(second).saturating_sub(ALPHABET_SPAN)..=u32::from(second).saturating_add(ALPHABET_SPAN);
        let letters = codes.filter_map(char::from_u32).filter(|char| char.is_alphabetic() && !char.is_uppercase());
        texts.extend(letters.flat_map(|letter| [format!("{letter}{without}"), format!("{letter}{word}")]));
        texts.retain(|text| text != word);
        self.words(TermPattern::AnyOf(&texts), texts.len() as u64)
    }

    /// Words of a large part of the collection.
    fn words(&self, pattern: TermPattern<'_>, work: u64) -> Result<Vec<TermCount>, EngineError> {
        if self.budget.is_spent() {
            return Ok(Vec::new());
        }
        let found = self.snapshot.words(pattern, TermScope::Sample, &mut { SCAN_TERMS_MAX })?.unwrap_or_default();
        self.budget.spend(work + found.len() as u64);
        Ok(found)
    }
}
