//! Whether two engines give the same first results.

use std::collections::BTreeMap;

use lopper_index::{
    Basis, BlockQuery, BlockSearcher, Budget, Feature, Features, Found, LinkCounts, Ranked, RankingWeights,
};

/// Results that are compared.
pub(crate) const FIRST: usize = 10;

/// Scores that differ by less, as a share of the greater, are equal: sums of 32-bit numbers in another order differ so.
const TOLERANCE: f32 = 1e-4;

/// How two answers to one query compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agreement {
    /// The same blocks in the same order.
    Same,
    /// The same but for places of blocks whose scores are equal within the tolerance.
    SameButTies,
    /// The same blocks in the same order, whose scores differ.
    SameOrder,
    /// Other blocks, or in another order.
    Other,
}

impl Agreement {
    /// Whether the scores are the same too.
    #[allow(dead_code)] // Not every user asks.
    pub(crate) fn is_of_scores_too(self) -> bool {
        matches!(self, Self::Same | Self::SameButTies)
    }
}

/// Ranks `query` in both engines and compares the first results.
pub(crate) fn agreement(a: &BlockSearcher, b: &BlockSearcher, query: &BlockQuery, links: &dyn LinkCounts) -> Agreement {
    let answer = |searcher: &BlockSearcher| {
        first(&searcher.rank(query, links, &RankingWeights::default(), &Budget::unlimited()).unwrap())
    };
    compare(&answer(a), &answer(b))
}

/// The features in which blocks differ that both engines have among the first, with the greatest difference of each.
#[allow(dead_code)] // Not every user asks.
pub(crate) fn differing_features(
    a: &BlockSearcher,
    b: &BlockSearcher,
    query: &BlockQuery,
    links: &dyn LinkCounts,
) -> BTreeMap<&'static str, f32> {
    let features = |searcher: &BlockSearcher| -> BTreeMap<String, Features> {
        let ranked = searcher.rank(query, links, &RankingWeights::default(), &Budget::unlimited()).unwrap();
        let first = ranked.found.iter().take(FIRST);
        let features = first.filter_map(|found| match found.basis {
            Basis::Features(features) => Some((ranked.fetch(found).unwrap().block_id, features)),
            Basis::Bm25 { .. } => None,
        });
        features.collect()
    };
    let (of_a, of_b) = (features(a), features(b));
    let mut differing = BTreeMap::new();
    for (of_a, of_b) in of_a.iter().filter_map(|(name, of_a)| Some((of_a, of_b.get(name)?))) {
        for feature in Feature::ALL {
            let by = (of_a.of(feature) - of_b.of(feature)).abs();
            let most = differing.entry(feature.name()).or_insert(0.0f32);
            *most = most.max(by);
        }
    }
    differing.retain(|_, by| *by > TOLERANCE);
    differing
}

/// Names and scores of the first results, and one more, to know whether the last is a tie.
fn first(ranked: &Ranked) -> Vec<(String, f32)> {
    let name = |found: &Found| (ranked.fetch(found).unwrap().block_id, found.score);
    ranked.found.iter().take(FIRST + 1).map(name).collect()
}

fn compare(a: &[(String, f32)], b: &[(String, f32)]) -> Agreement {
    let (first_a, first_b) = (&a[..a.len().min(FIRST)], &b[..b.len().min(FIRST)]);
    let same_names = first_a.iter().map(|(name, _)| name).eq(first_b.iter().map(|(name, _)| name));
    let close = |a: f32, b: f32| (a - b).abs() <= TOLERANCE * a.abs().max(b.abs());
    let same_scores = first_a.iter().zip(first_b).all(|(a, b)| close(a.1, b.1));
    if same_names {
        return if same_scores { Agreement::Same } else { Agreement::SameOrder };
    }
    if first_a.len() != first_b.len() || !same_scores {
        return Agreement::Other;
    }
    // Scores are the same place by place; so a name may stand elsewhere only among equals, or behind the last.
    let is_tied = |name: &str, score: f32, others: &[(String, f32)]| {
        let elsewhere = others.iter().find(|(other, _)| other == name);
        elsewhere.map_or(others.len() > FIRST && close(others[FIRST].1, score), |(_, other)| close(*other, score))
    };
    let all_tied = first_a.iter().all(|(name, score)| is_tied(name, *score, b))
        && first_b.iter().all(|(name, score)| is_tied(name, *score, a));
    if all_tied { Agreement::SameButTies } else { Agreement::Other }
}
