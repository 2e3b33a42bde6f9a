//! Equation (1) between a query and a found block, with the collection's statistics.

use lopper_content::statistics::StatisticsSnapshot;
use lopper_content::weigh::{TermStatistics, inverse_document_frequency, term_hash_of};
use lopper_index::{Ranked, TextReading, WordVector};

/// Cosine similarity of a block's text and the words that the query was understood as, in [0, 1].
pub(super) fn query_similarity(ranked: &Ranked, text: &TextReading, statistics: &StatisticsSnapshot) -> f32 {
    let pages = statistics.pages();
    let idf = |hash| inverse_document_frequency(pages, statistics.pages_with_hash(term_hash_of(hash)));
    WordVector(&ranked.words).similarity(text, &idf)
}
