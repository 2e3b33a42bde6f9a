//! Which of several words was meant, told by the query's other words.

use super::ast::{Field, Node};
use super::leaves::resolved_word;
use super::resolve::Resolution;
use super::resolved::{Clause, ResolvedQuery, ResolvedWord, TextField};
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

impl Resolution<'_> {
    /// The likeliest of some words beside the query's other words: by how much more often than by chance they stand in one block with these.
    pub(super) fn likeliest_here(
        &mut self,
        given: &Surface<'_>,
        suggestions: Vec<Suggestion>,
    ) -> Result<Option<Suggestion>, EngineError> {
        if suggestions.len() < 2 {
            return Ok(suggestions.into_iter().next());
        }
        let beside = self.rarest_beside(given)?;
        let mut best: Option<(f32, Suggestion)> = None;
        for suggestion in suggestions {
            let mut likelihood = suggestion.likelihood;
            for other in &beside {
                likelihood += self.lift(&suggestion.word, other)?;
            }
            if best.as_ref().is_none_or(|(most, _)| likelihood > *most) {
                best = Some((likelihood, suggestion));
            }
        }
        Ok(best.map(|(_, suggestion)| suggestion))
    }

    /// The rarest words of the query beside one, each with its number of blocks.
    fn rarest_beside(&mut self, given: &Surface<'_>) -> Result<Vec<(u64, ResolvedWord)>, EngineError> {
        let mut beside: Vec<(u64, ResolvedWord)> = Vec::new();
        for text in self.plain.clone() {
            for surface in surfaces(&text).into_iter().take(PLAIN_MAX) {
                if surface.text == given.text || beside.iter().any(|(_, word)| word.surface == surface.text) {
                    continue;
                }
                let forms = self.words.forms(&surface);
                let blocks = self.words.document_frequency(TextField::All, &forms)?;
                beside.extend((blocks > 0).then(|| (blocks, resolved_word(surface.text, forms, TextField::All))));
            }
        }
        beside.sort_by_key(|(blocks, _)| *blocks);
        beside.truncate(BESIDE_MAX);
        Ok(beside)
    }

    /// The logarithm of how many times more often than by chance a word stands in one block with another.
    fn lift(&mut self, word: &str, (other_blocks, other): &(u64, ResolvedWord)) -> Result<f32, EngineError> {
        let found = surfaces(word);
        let Some(surface) = found.first() else { return Ok(0.0) };
        let forms = self.words.forms(surface);
        let own_blocks = self.words.document_frequency(TextField::All, &forms)?;
        let word = resolved_word(word, forms, TextField::All);
        let both = Clause::all(vec![Clause::AnyWord(vec![word]), Clause::AnyWord(vec![other.clone()])]);
        let query = ResolvedQuery { constraint: Some(both), ..ResolvedQuery::default() };
        let together = self.words.snapshot.prepare(&query, self.vocabulary.budget())?.count()?;
        let blocks = self.words.snapshot.facts().blocks.max(1) as f32;
        let by_chance = own_blocks as f32 * *other_blocks as f32 / blocks;
        Ok(((together as f32 + SMOOTHING) / (by_chance + SMOOTHING)).ln())
    }
}

/// Some plain words of a query's tree that are searched in texts and not excluded.
pub(super) fn plain_words(root: Option<&Node>) -> Vec<String> {
    let mut plain = Vec::new();
    let mut open: Vec<&Node> = root.into_iter().collect();
    while let Some(node) = open.pop() {
        match node {
            Node::Word { text, is_prefix: false, .. } | Node::Phrase { text, .. } => plain.push(text.clone()),
            Node::Require(part) | Node::Field(Field::Title | Field::Heading, part) => open.push(part),
            Node::Word { .. } | Node::Not(_) | Node::Field(..) => {}
            Node::And(parts) | Node::Or(parts) | Node::List(parts) => open.extend(parts),
        }
    }
    plain.truncate(PLAIN_MAX);
    plain
}
