//! Equation (1) between a query and a found block, with the collection's statistics.

use lopper_index::analysis::Analyzer;
use lopper_index::{BlockDocument, Ranked, WordVector};

use crate::weigh::{TermStatistics, inverse_document_frequency};

/// Cosine similarity of a block's text and the words that the query was understood as, in [0, 1].
pub(super) fn query_similarity(
    analyzer: &mut Analyzer,
    ranked: &Ranked,
    block: &BlockDocument,
    statistics: &dyn TermStatistics,
) -> f32 {
    let pages = statistics.pages();
    let idf = |term: &str| inverse_document_frequency(pages, statistics.pages_with(term));
    let query = WordVector { terms: &ranked.terms, words: &ranked.words };
    query.similarity(analyzer, &block.body, block.language, &idf)
}
