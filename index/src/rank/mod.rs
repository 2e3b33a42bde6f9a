//! Ranking in two steps: the engine gathers candidates, the blend scores them.
//!
//! ```text
//! words ──> gather ──> candidates ──> frequencies ──> evidence ──> blend ──> ranking
//!           best blocks by BM25       of each word     one number   one sum
//!           and blocks of the          in each field    a part
//!           best pages
//! ```

mod best;
mod blend;
mod counted;
mod evidence;
mod fields;
mod frequencies;
mod gather;
mod look;
mod places;
mod pointers;
mod scorer;
mod segment;
mod view;

pub use blend::{BlendWeights, PARTS, Part};
pub use evidence::Evidence;
pub(crate) use gather::Gathering;
pub use look::FieldCounts;
pub(crate) use look::field_counts;
pub(crate) use scorer::BlendScorer;
pub(crate) use segment::RankWord;
pub(crate) use view::CommitView;

/// How often pages link to a page or a block of the collection.
pub trait LinkCounts {
    /// Pages that link to what has this key; see [`crate::BlockDocument::link_keys`]. It may be an estimate.
    fn pages_linking_to(&self, key: u64) -> u64;
}

/// No link is known.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLinks;

impl LinkCounts for NoLinks {
    fn pages_linking_to(&self, _key: u64) -> u64 {
        0
    }
}
