//! Equation (1) between a query and a found block, with the collection's statistics.

use std::cell::RefCell;
use std::collections::HashMap;

use lopper_content::statistics::StatisticsSnapshot;
use lopper_content::weigh::{TermStatistics, inverse_document_frequency, term_hash_of};
use lopper_index::{Ranked, TextReading, WordVector};

/// Similarities of the blocks of one answer. They have many words in common, each of which is looked up once.
pub(super) struct Similarities<'a> {
    statistics: &'a StatisticsSnapshot,
    /// By hash of the term.
    idfs: RefCell<HashMap<u64, f32>>,
}

impl<'a> Similarities<'a> {
    pub(super) fn new(statistics: &'a StatisticsSnapshot) -> Self {
        Self { statistics, idfs: RefCell::default() }
    }

    /// Cosine similarity of a block's text and the words that the query was understood as, in [0, 1].
    pub(super) fn of_query(&self, ranked: &Ranked, text: &TextReading) -> f32 {
        let idf = |hash| *self.idfs.borrow_mut().entry(hash).or_insert_with(|| self.idf(hash));
        WordVector(&ranked.words).similarity(text, &idf)
    }

    fn idf(&self, hash: u64) -> f32 {
        let statistics = self.statistics;
        inverse_document_frequency(statistics.pages(), statistics.pages_with_hash(term_hash_of(hash)))
    }
}
