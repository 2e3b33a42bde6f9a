//! Ranking: candidates to features to scores. Nothing here reads an index, and nothing in an engine ranks.
//!
//! ```text
//! engine ──> candidates ──> features ──> score ──> ranking
//!            blocks with     one number   Σ weight · feature
//!            the counts of   a feature
//!            the query's words
//! ```
//!
//! The best are looked at more closely (where the words stand), and what their links lead to becomes a candidate as well.

mod closeness;
mod feature;
mod field_counts;
mod leads_on;
mod links;
mod page_and_site;
mod page_evidence;
mod scorer;
mod weights;
mod word_features;

pub use feature::{FEATURES, Feature, Features};
pub use field_counts::FieldCounts;
pub(crate) use page_evidence::{page_evidence, sections};
pub(crate) use scorer::{Scored, ScoredBlock, Scorer};
pub use weights::{RankingWeights, WeightError};

/// How often pages link to a page or a block of the collection.
pub trait LinkCounts {
    /// Pages that link to what has this key; see [`crate::BlockDocument::link_keys`]. It may be an estimate.
    fn pages_linking_to(&self, key: u64) -> u64;

    /// The most that link to what has one of these keys: a block has one a name.
    fn most_linking_to(&self, keys: &[u64]) -> u64 {
        keys.iter().map(|key| self.pages_linking_to(*key)).max().unwrap_or(0)
    }
}

/// No link is known.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLinks;

impl LinkCounts for NoLinks {
    fn pages_linking_to(&self, _key: u64) -> u64 {
        0
    }
}
