//! Ways to rank, put to the same queries.

use lopper_collection::search::{SearchEngine, SearchError, SearchRequest};
use lopper_index::{BlockQuery, Feature, RankedBlock, Ranking, RankingWeights};

use super::super::parallel::in_parallel;
use super::score::{BLOCKS_READ, QueryScore, Shown, score};
use super::{Judged, JudgedQuery};

/// Pages of an answer.
const PAGES: usize = 100;

/// A way to rank.
#[derive(Debug, Clone, PartialEq)]
pub struct Contender {
    /// Its name in the table.
    pub name: String,
    /// The ranking.
    pub ranking: Ranking,
    /// Weights, where it is the blend.
    pub weights: RankingWeights,
}

impl Contender {
    /// A ranking as it is.
    pub fn new(ranking: Ranking) -> Self {
        let name = match ranking {
            Ranking::Cosine => "cosine",
            Ranking::Bm25 => "bm25",
            Ranking::Blend => "blend",
        };
        Self { name: name.to_owned(), ranking, weights: RankingWeights::default() }
    }

    /// The same with other weights.
    #[must_use]
    pub fn with_weights(self, weights: RankingWeights) -> Self {
        Self { weights, ..self }
    }

    /// The blend of these weights without each of its features in turn; those of weight 0 are left out, as they change nothing.
    pub(crate) fn ablations(full: &RankingWeights) -> Vec<Self> {
        let used = Feature::ALL.into_iter().filter(|feature| full.of(*feature) > 0.0);
        let without = |feature: Feature| Self {
            name: format!("blend − {}", feature.name()),
            ranking: Ranking::Blend,
            weights: full.without(feature),
        };
        used.map(without).collect()
    }

    /// A query of this ranking for `limit` blocks.
    pub(super) fn query(&self, text: &str, limit: usize) -> BlockQuery {
        BlockQuery { ranking: self.ranking, ..BlockQuery::new(text, limit) }
    }
}

/// Puts every query to `engine`, on all cores, and scores what `lopper search --format run` would print. A query that cannot be
/// understood finds nothing.
///
/// # Errors
///
/// [`SearchError`] when the collection cannot be read.
pub fn score_queries(
    engine: &SearchEngine,
    queries: &[JudgedQuery],
    contender: &Contender,
) -> Result<Vec<QueryScore>, SearchError> {
    in_parallel(queries, |JudgedQuery { query, judged }| {
        let ranking = contender.ranking;
        let request = SearchRequest { ranking, pages: PAGES, ..SearchRequest::new(query.query.clone()) };
        let blocks = or_nothing(engine.run(&request, &contender.weights))?;
        Ok(score_blocks(&blocks, judged))
    })
}

/// An empty answer instead of a query's error.
pub(super) fn or_nothing<T: Default>(ranked: Result<T, SearchError>) -> Result<T, SearchError> {
    match ranked {
        Err(SearchError::Query(_)) => Ok(T::default()),
        ranked => ranked,
    }
}

fn score_blocks(blocks: &[RankedBlock], judged: &Judged) -> QueryScore {
    let texts: Vec<String> = blocks.iter().take(BLOCKS_READ).map(RankedBlock::shown).collect();
    let text = |place: usize| texts.get(place).map_or("", String::as_str);
    let shown = blocks.iter().enumerate().map(|(place, block)| Shown { url: &block.document.url, text: text(place) });
    score(&shown.collect::<Vec<_>>(), judged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ablation_lacks_one_part() {
        let full = RankingWeights::default();
        for contender in Contender::ablations(&full) {
            let differs = |feature: &Feature| (full.of(*feature) - contender.weights.of(*feature)).abs() > 0.0;
            assert_eq!(Feature::ALL.into_iter().filter(differs).count(), 1, "{}", contender.name);
        }
    }
}
