//! Equation (1) between a query and a found block, with the collection's statistics.

use lopper_index::{Ranked, TextReading, WordVector};

use super::memory::Memory;

/// Similarities of the blocks of one answer.
pub(super) struct Similarities<'a>(pub(super) &'a Memory);

impl Similarities<'_> {
    /// Cosine similarity of a block's text and the words that the query was understood as, in [0, 1].
    pub(super) fn of_query(&self, ranked: &Ranked, text: &TextReading) -> f32 {
        WordVector(&ranked.words).similarity(text, &|hash| self.0.idf(hash))
    }
}
