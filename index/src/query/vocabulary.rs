//! What the collection's terms tell of words.

use std::collections::HashMap;

use lopper_analysis::Analyzer;

use super::resolved::TextField;
use super::words::surfaces;
use crate::document::BlockDocument;
use crate::engine::{BlockSnapshot, Budget, EngineError, TermCount, TermPattern, TermScope};

/// Terms that are looked at for the prefixes of one query, over all parts of the index.
const SCAN_TERMS_MAX: usize = 500_000;

/// How far apart the codes of an alphabet's letters stand.
const ALPHABET_SPAN: u32 = 32;

/// What it takes to look terms up by a pattern, beside those that are found.
const PATTERN_WORK: u64 = 1000;

/// The terms of one state of an engine. Where the budget of a query is spent, it has none.
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
        if self.budget.is_spent() {
            return Ok(Vec::new());
        }
        let before = self.scan_left;
        let terms = self.snapshot.terms(field, TermPattern::Prefix(prefix), TermScope::Whole, &mut self.scan_left)?;
        self.budget.spend((before - self.scan_left) as u64);
        Ok(terms)
    }

    /// Terms that may be the stem of `word` or of a word that begins with it, of so many bytes at least.
    pub(super) fn family(&self, field: TextField, word: &str, bytes_min: usize) -> Result<Vec<TermCount>, EngineError> {
        self.terms(field, TermPattern::Family { word, bytes_min }, TermScope::Whole)
    }

    /// The same in a large part of the index.
    pub(super) fn sampled_family(&self, word: &str, bytes_min: usize) -> Result<Vec<TermCount>, EngineError> {
        self.terms(TextField::All, TermPattern::Family { word, bytes_min }, TermScope::Sample)
    }

    /// Terms at most `distance` changes of a character away, none of which is in the first one: it makes it quick.
    pub(super) fn near(&self, term: &str, distance: u8) -> Result<Vec<TermCount>, EngineError> {
        self.terms(TextField::All, TermPattern::Near { term, distance }, TermScope::Sample)
    }

    /// Terms that are `term` but for their beginning: without its first character, with another one, with one more, or with the first two
    /// swapped. Other characters are letters that stand near to the second one in the code, as those of one alphabet do.
    pub(super) fn with_other_first(&self, term: &str) -> Result<Vec<TermCount>, EngineError> {
        let mut chars = term.chars();
        let (Some(first), Some(second)) = (chars.next(), chars.next()) else { return Ok(Vec::new()) };
        let (without, behind) = (&term[first.len_utf8()..], chars.as_str());
        let mut texts = vec![without.to_owned(), format!("{second}{first}{behind}")];
        let codes = u32::from(second).saturating_sub(ALPHABET_SPAN)..=u32::from(second).saturating_add(ALPHABET_SPAN);
        let letters = codes.filter_map(char::from_u32).filter(|char| char.is_alphabetic() && !char.is_uppercase());
        texts.extend(letters.flat_map(|letter| [format!("{letter}{without}"), format!("{letter}{term}")]));
        texts.retain(|text| text != term);
        self.terms(TextField::All, TermPattern::AnyOf(&texts), TermScope::Sample)
    }

    fn terms(
        &self,
        field: TextField,
        pattern: TermPattern<'_>,
        scope: TermScope,
    ) -> Result<Vec<TermCount>, EngineError> {
        if self.budget.is_spent() {
            return Ok(Vec::new());
        }
        let terms = self.snapshot.terms(field, pattern, scope, &mut { SCAN_TERMS_MAX })?;
        self.budget.spend(PATTERN_WORK + terms.len() as u64);
        Ok(terms)
    }

    /// Words, as they stand in at most `blocks` blocks that have it, whose term is `term`; each once, the most frequent first.
    pub(super) fn words_behind(
        &self,
        analyzer: &mut Analyzer,
        term: &str,
        blocks: usize,
    ) -> Result<Vec<String>, EngineError> {
        let mut counts: HashMap<String, u64> = HashMap::new();
        for block in self.snapshot.blocks_with(term, blocks)? {
            for text in texts(&block) {
                for surface in surfaces(text) {
                    if analyzer.term(&surface, block.language) == term {
                        *counts.entry(surface.text.to_owned()).or_default() += 1;
                    }
                }
            }
        }
        let mut words: Vec<TermCount> = counts.into_iter().collect();
        words.sort_unstable_by(|(a, a_count), (b, b_count)| b_count.cmp(a_count).then_with(|| a.cmp(b)));
        Ok(words.into_iter().map(|(word, _)| word).collect())
    }
}

/// The searched texts of a block.
fn texts(block: &BlockDocument) -> impl Iterator<Item = &str> {
    let single = [&block.title, &block.lead, &block.body, &block.image_text];
    single.into_iter().chain(&block.heading_path).map(String::as_str)
}
