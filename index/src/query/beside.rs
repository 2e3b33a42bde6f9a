//! Which of several words was meant, told by the query's other words.

use super::ast::{Field, Node};
use super::leaves::resolved_word;
use super::resolve::Resolution;
use super::resolved::{Clause, ResolvedWord, TextField};
use super::spelling::Suggestion;
use super::words::surfaces;
use crate::engine::EngineError;
use lopper_analysis::Surface;

/// Words of a query of which those that are asked are chosen.
const PLAIN_MAX: usize = 32;

/// Words that are asked, the rarest: they tell most.
const BESIDE_MAX: usize = 2;

/// What is added to numbers of blocks, so that none is 0.
const SMOOTHING: f32 = 0.5;

/// The logarithm of how many times more often than by chance a word stands with others that it fits beside. Frequent words stand with any a
/// little more often, in the longer blocks.
const FITS: f32 = 0.2;

/// A word with the blocks that have it.
pub(super) struct Counted {
    word: ResolvedWord,
    blocks: u64,
}

/// A word that may have been meant, beside the query's other words.
pub(super) struct Rated {
    pub(super) suggestion: Suggestion,
    counted: Counted,
    /// The logarithm of how many times more often than by chance it stands in one block with these.
    lift: f32,
}

impl Rated {
    /// The logarithm of how likely it is, but for a constant.
    pub(super) fn likelihood(&self) -> f32 {
        self.suggestion.likelihood + self.lift
    }
}

impl Resolution<'_> {
    /// Some words as they are rated beside others, the likeliest first.
    pub(super) fn likeliest_beside(
        &mut self,
        beside: &[Counted],
        suggestions: Vec<Suggestion>,
    ) -> Result<Vec<Rated>, EngineError> {
        let mut rated = Vec::with_capacity(suggestions.len());
        for suggestion in suggestions {
            let counted = self.counted(&suggestion.word)?;
            let lift = self.lift_beside(&counted, beside)?;
            rated.push(Rated { suggestion, counted, lift });
        }
        rated.sort_by(|a, b| b.likelihood().total_cmp(&a.likelihood()));
        Ok(rated)
    }

    /// Whether a word was likelier meant as it was given than another one, beside others: `Brot` beside `Naan`, and not `broth`. `likelihood`
    /// is that of the given word by itself.
    pub(super) fn is_at_home(
        &mut self,
        given: &Surface<'_>,
        likelihood: f32,
        beside: &[Counted],
        other: &Rated,
    ) -> Result<bool, EngineError> {
        let given = self.counted(given.text)?;
        Ok(likelihood + self.lift_beside(&given, beside)? >= other.likelihood())
    }

    /// Whether a word that was not given stands with the query's other words clearly more often than by chance, or always, where these are few;
    /// that nothing else was given is enough.
    pub(super) fn fits_beside(&self, beside: &[Counted], found: &Rated) -> bool {
        let own = &found.counted;
        let most = |other: &Counted| self.lift_of(own.blocks.min(other.blocks), own, other);
        found.lift >= FITS.min(beside.iter().map(most).sum())
    }

    /// Whether a word is in capitals where the query's others are not: it is a name, not a slip of a word.
    pub(super) fn is_acronym(&self, given: &Surface<'_>) -> bool {
        let is_small = |text: &String| text.chars().any(char::is_lowercase);
        !given.text.chars().any(char::is_lowercase)
            && given.text.chars().any(char::is_uppercase)
            && (self.plain.len() < 2 || self.plain.iter().any(is_small))
    }

    /// The rarest words of the query beside one.
    pub(super) fn rarest_beside(&mut self, given: &Surface<'_>) -> Result<Vec<Counted>, EngineError> {
        let mut beside: Vec<Counted> = Vec::new();
        for text in self.plain.clone() {
            for surface in surfaces(&text).into_iter().take(PLAIN_MAX) {
                if surface.text != given.text
                    && !self.opening.has(surface.text)
                    && beside.iter().all(|known| known.word.surface != surface.text)
                {
                    let counted = self.counted(surface.text)?;
                    beside.extend((counted.blocks > 0).then_some(counted));
                }
            }
        }
        beside.sort_by_key(|word| word.blocks);
        beside.truncate(BESIDE_MAX);
        Ok(beside)
    }

    fn counted(&mut self, word: &str) -> Result<Counted, EngineError> {
        let forms = self.words.forms_of(word);
        let blocks = self.words.document_frequency(TextField::All, &forms)?;
        Ok(Counted { word: resolved_word(word, forms, TextField::All), blocks })
    }

    /// The sum of [`Resolution::lift`] of a word with some others.
    fn lift_beside(&self, word: &Counted, beside: &[Counted]) -> Result<f32, EngineError> {
        beside.iter().map(|other| self.lift(word, other)).sum()
    }

    /// The logarithm of how many times more often than by chance two words stand in one block.
    fn lift(&self, one: &Counted, other: &Counted) -> Result<f32, EngineError> {
        let has = |counted: &Counted| Clause::AnyWord(vec![counted.word.clone()]);
        let together = self.blocks_that_meet(Clause::all(vec![has(one), has(other)]), u64::MAX)?;
        Ok(self.lift_of(together, one, other))
    }

    /// The same of two words that stand in so many blocks together.
    fn lift_of(&self, together: u64, one: &Counted, other: &Counted) -> f32 {
        let by_chance = one.blocks as f32 * other.blocks as f32 / self.words.snapshot.facts().blocks.max(1) as f32;
        ((together as f32 + SMOOTHING) / (by_chance + SMOOTHING)).ln()
    }
}

/// The first plain words of a query's tree, in order, that are searched in texts and not excluded.
pub(super) fn plain_words(root: Option<&Node>) -> Vec<String> {
    let mut plain = Vec::new();
    let mut open: Vec<&Node> = root.into_iter().collect();
    while let Some(node) = open.pop() {
        match node {
            Node::Word { text, is_prefix: false, .. } | Node::Phrase { text, .. } => plain.push(text.clone()),
            Node::Require(part) | Node::Field(Field::Title | Field::Heading, part) => open.push(part),
            Node::Word { .. } | Node::Not(_) | Node::Field(..) => {}
            Node::And(parts) | Node::Or(parts) | Node::List(parts) => open.extend(parts.iter().rev()),
        }
    }
    plain.truncate(PLAIN_MAX);
    plain
}
