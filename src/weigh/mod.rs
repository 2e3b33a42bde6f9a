//! Content estimation (CST paper, sec. VI): every node of the tree gets its TF-IDF weight.

mod content;
mod statistics;
mod vocabulary;
mod weigher;

pub use statistics::{NoStatistics, PageStatistics, TermStatistics};
pub use weigher::{ContentWeight, TermId, WeighParams, Weigher, WeightedTree, inverse_document_frequency};
