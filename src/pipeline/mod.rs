//! The chain from a decoded page to its main blocks, and the tree as it is stored.

mod analyse;
mod documents;
mod links;
mod params;
mod site;
mod stored_tree;

pub use analyse::{AnalysedPage, PageAnalyser, Stage};
pub use documents::{PageDocuments, PageFacts, page_documents};
pub use links::{LinkResolver, LinkTarget, block_link_key, link_keys, page_link_key};
pub use params::ExtractParams;
pub use site::SiteBlocks;
pub use stored_tree::{StoredTree, StoredTreeError};
