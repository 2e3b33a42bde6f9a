//! Scores of many queries as rows of a table.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::interval::{Interval, bootstrap};
use super::{JudgedQuery, Metric, QueryScore};

/// Means over queries.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Figures {
    /// Number of queries.
    pub queries: usize,
    /// A mean with its interval over the queries that have the figure; absent where none has it.
    pub means: BTreeMap<Metric, Interval>,
}

impl Figures {
    fn of<'a>(scores: &(impl Iterator<Item = &'a QueryScore> + Clone)) -> Self {
        let values = |metric: Metric| scores.clone().filter_map(move |score| score.of(metric)).collect::<Vec<f64>>();
        let means = Metric::ALL.into_iter().map(|metric| (metric, values(metric)));
        let known = means.filter(|(_, values)| !values.is_empty());
        Self {
            queries: scores.clone().count(),
            means: known.map(|(metric, values)| (metric, bootstrap(&values))).collect(),
        }
    }
}

/// What was searched.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Standing {
    /// The rule of pruning; empty when it is that of a folder.
    pub prune: String,
    /// Blocks in the index.
    pub blocks: u64,
    /// Bytes of the index's files.
    pub index_bytes: u64,
}

/// A way to rank, over one collection.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What was searched.
    #[serde(flatten)]
    pub place: Standing,
    /// The way to rank.
    pub ranking: String,
    /// Over all queries.
    pub all: Figures,
    /// By kind of query.
    pub by_type: BTreeMap<String, Figures>,
}

/// Sums up the scores of `queries`.
pub fn row(place: &Standing, ranking: &str, queries: &[JudgedQuery], scores: &[QueryScore]) -> Row {
    let mut types: BTreeMap<String, Vec<&QueryScore>> = BTreeMap::new();
    for (query, score) in queries.iter().zip(scores) {
        types.entry(query.query.kind.clone()).or_default().push(score);
    }
    Row {
        place: place.clone(),
        ranking: ranking.to_owned(),
        all: Figures::of(&scores.iter()),
        by_type: types.into_iter().map(|(kind, scores)| (kind, Figures::of(&scores.into_iter()))).collect(),
    }
}
