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
struct Counted {
    word: ResolvedWord,
    blocks: u64,
}

impl Resolution<'_> {
    /// Some words with how likely each is beside the query's other words, by how much more often than by chance it stands in one block with
    /// these; the likeliest first.
    pub(super) fn likeliest_here(
        &mut self,
        given: &Surface<'_>,
        suggestions: Vec<Suggestion>,
    ) -> Result<Vec<(f32, Suggestion)>, EngineError> {
        let beside = if suggestions.len() < 2 { Vec::new() } else { self.rarest_beside(given)? };
        let mut rated = Vec::with_capacity(suggestions.len());
        for suggestion in suggestions {
            rated.push((suggestion.likelihood + self.lift_beside(&suggestion.word, &beside)?, suggestion));
        }
        rated.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        Ok(rated)
    }

    /// Whether a word was likelier meant as it was given than another one, beside the query's other words: `Brot` beside `Naan`, and not
    /// `broth`. `likelihood` is that of the given word by itself.
    pub(super) fn is_at_home(
        &mut self,
        given: &Surface<'_>,
        likelihood: f32,
        suggestion: &Suggestion,
    ) -> Result<bool, EngineError> {
        let beside = self.rarest_beside(given)?;
        let of_given = likelihood + self.lift_beside(given.text, &beside)?;
        Ok(of_given >= suggestion.likelihood + self.lift_beside(&suggestion.word, &beside)?)
    }

    /// Whether a word that was not given stands with the query's other words clearly more often than by chance, or always, where these are few;
    /// that nothing else was given is enough.
    pub(super) fn fits_beside(&mut self, given: &Surface<'_>, suggestion: &Suggestion) -> Result<bool, EngineError> {
        let beside = self.rarest_beside(given)?;
        let own = self.counted(&suggestion.word)?;
        let (mut lift, mut most) = (0.0, 0.0);
        for other in &beside {
            lift += self.lift(&own, other)?;
            most += self.lift_of(own.blocks.min(other.blocks), &own, other);
        }
        Ok(lift >= FITS.min(most))
    }

    /// Whether a word is in capitals where the query's others are not: it is a name, not a slip of a word.
    pub(super) fn is_acronym(&self, given: &Surface<'_>) -> bool {
        let is_small = |text: &String| text.chars().any(char::is_lowercase);
        !given.text.chars().any(char::is_lowercase)
            && given.text.chars().any(char::is_uppercase)
            && (self.plain.len() < 2 || self.plain.iter().any(is_small))
    }

    /// The rarest words of the query beside one.
    fn rarest_beside(&mut self, given: &Surface<'_>) -> Result<Vec<Counted>, EngineError> {
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

    /// The blocks that have two words, or `most` if there are more.
    fn blocks_with(&self, one: &Counted, other: &Counted, most: u64) -> Result<u64, EngineError> {
        let either = |counted: &Counted| Clause::AnyWord(vec![counted.word.clone()]);
        self.blocks_that_meet(Clause::all(vec![either(one), either(other)]), most)
    }

    /// The sum of [`Resolution::lift`] of a word with some others.
    fn lift_beside(&mut self, word: &str, beside: &[Counted]) -> Result<f32, EngineError> {
        let own = self.counted(word)?;
        beside.iter().map(|other| self.lift(&own, other)).sum()
    }

    /// The logarithm of how many times more often than by chance two words stand in one block.
    fn lift(&self, one: &Counted, other: &Counted) -> Result<f32, EngineError> {
        Ok(self.lift_of(self.blocks_with(one, other, u64::MAX)?, one, other))
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
