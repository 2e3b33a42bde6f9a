//! What is measured of one query's answer.

use serde::Serialize;

/// A figure of a query's answer. Pages rank in the order in which their blocks first appear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum Metric {
    /// Discounted gain of the first ten pages, as a share of the best there is.
    #[serde(rename = "nDCG@10")]
    Ndcg10,
    /// 1 / place of the first relevant page among the first ten.
    #[serde(rename = "MRR@10")]
    Mrr10,
    /// Relevant pages among the first ten, as a share of all of them.
    #[serde(rename = "R@10")]
    Recall10,
    /// The same among the first hundred.
    #[serde(rename = "R@100")]
    Recall100,
    /// Whether the first block holds the gold span.
    #[serde(rename = "bS@1")]
    BlockSuccess1,
    /// Whether one of the first five blocks does.
    #[serde(rename = "bS@5")]
    BlockSuccess5,
    /// 1 / place of the first such block among the first ten.
    #[serde(rename = "bMRR@10")]
    BlockMrr10,
    /// Share of the first block's words that are gold.
    #[serde(rename = "bP@1")]
    BlockPrecision1,
    /// Harmonic mean of that and the share of the gold that the first block holds.
    #[serde(rename = "bF1@1")]
    BlockF1,
    /// Words of the first block.
    #[serde(rename = "words@1")]
    Words1,
    /// Words down to and including the first block with the gold span.
    #[serde(rename = "read")]
    Read,
}

/// Number of [`Metric`]s.
pub(crate) const METRICS: usize = 11;

impl Metric {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; METRICS] = [
        Self::Ndcg10,
        Self::Mrr10,
        Self::Recall10,
        Self::Recall100,
        Self::BlockSuccess1,
        Self::BlockSuccess5,
        Self::BlockMrr10,
        Self::BlockPrecision1,
        Self::BlockF1,
        Self::Words1,
        Self::Read,
    ];

    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ndcg10 => "nDCG@10",
            Self::Mrr10 => "MRR@10",
            Self::Recall10 => "R@10",
            Self::Recall100 => "R@100",
            Self::BlockSuccess1 => "bS@1",
            Self::BlockSuccess5 => "bS@5",
            Self::BlockMrr10 => "bMRR@10",
            Self::BlockPrecision1 => "bP@1",
            Self::BlockF1 => "bF1@1",
            Self::Words1 => "words@1",
            Self::Read => "read",
        }
    }

    /// Whether it counts words; the others are shares.
    pub(crate) fn is_in_words(self) -> bool {
        matches!(self, Self::Words1 | Self::Read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_json() {
        for (place, metric) in Metric::ALL.into_iter().enumerate() {
            assert_eq!(serde_json::to_string(&metric).unwrap(), format!("\"{}\"", metric.name()));
            assert_eq!(metric as usize, place);
        }
    }
}
