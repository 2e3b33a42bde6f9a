//! Content estimation (CST paper, sec. VI): every node of the tree gets its TF-IDF weight.

mod content;
mod statistics;
mod term_hash;
mod vocabulary;
mod weigher;

pub use statistics::{NoStatistics, PageStatistics, TermStatistics};
pub use term_hash::{TERM_HASH_BITS, distinct_hashes, term_hash, term_hash_of};
pub use weigher::{ContentWeight, TermId, WeighParams, Weigher, WeightedTree, inverse_document_frequency};
