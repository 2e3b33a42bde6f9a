//! The chain from a decoded page to its main blocks, and the tree as it is stored.

mod analyse;
mod links;
mod params;
mod site;
mod source;
mod stored_tree;
mod words;

pub use analyse::{AnalysedPage, PageAnalyser, Stage};
pub use links::{LinkName, LinkResolver, LinkTarget, link_keys};
pub use params::ExtractParams;
pub use site::SiteBlocks;
pub use source::PageSource;
pub use stored_tree::{StoredTree, StoredTreeError};
pub use words::words;
