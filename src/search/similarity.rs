//! Equation (1) between a query and a found block, with the collection's statistics.

use std::collections::HashMap;

use lopper_index::analysis::{Analyzer, Language};
use lopper_index::vector::{TermVector, cosine_similarity};

use crate::store::term_hash;
use crate::weigh::{TermStatistics, inverse_document_frequency};

/// Compares blocks with one query.
pub(super) struct QuerySimilarity<'a> {
    query: &'a str,
    statistics: &'a dyn TermStatistics,
    analyzer: &'a mut Analyzer,
    /// The query's vector in each language that was met.
    by_language: HashMap<Language, TermVector>,
}

impl<'a> QuerySimilarity<'a> {
    pub(super) fn new(query: &'a str, statistics: &'a dyn TermStatistics, analyzer: &'a mut Analyzer) -> Self {
        Self { query, statistics, analyzer, by_language: HashMap::new() }
    }

    pub(super) fn analyzer(&mut self) -> &mut Analyzer {
        self.analyzer
    }

    /// Cosine similarity of `text` and the query, in [0, 1].
    pub(super) fn of(&mut self, text: &str, language: Language) -> f32 {
        if !self.by_language.contains_key(&language) {
            let vector = self.vector(self.query, language);
            self.by_language.insert(language, vector);
        }
        let block = self.vector(text, language);
        cosine_similarity(&block, &self.by_language[&language]) as f32
    }

    /// `w_i = tf_i · idf_i`; the norm falls out of the cosine.
    fn vector(&mut self, text: &str, language: Language) -> TermVector {
        let pages = self.statistics.pages();
        let mut weights = Vec::new();
        self.analyzer.analyze(text, language, |token| {
            let idf = inverse_document_frequency(pages, self.statistics.pages_with(token.term));
            weights.push((term_hash(token.term), idf));
        });
        TermVector::new(weights)
    }
}
