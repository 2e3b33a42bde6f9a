//! The chain from a decoded page to its main blocks, and the tree as it is stored.

mod analyse;
mod documents;
mod params;
mod stored_tree;

pub use analyse::{AnalysedPage, PageAnalyser, Stage};
pub use documents::{PageFacts, block_documents};
pub use params::ExtractParams;
pub use stored_tree::{StoredTree, StoredTreeError};
