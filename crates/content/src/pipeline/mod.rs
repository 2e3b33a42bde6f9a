//! The chain from a decoded page to its main blocks, and the tree as it is stored.

mod analyse;
mod judged_page;
mod links;
mod outline;
mod page_text;
mod params;
mod parsed;
mod site;
mod stored_tree;
mod work;

pub use crate::text::words::words;
pub use analyse::{AnalysedPage, PageAnalyser, Stage};
pub use judged_page::JudgedPage;
pub use links::{LinkName, LinkResolver, LinkTarget, link_keys};
pub use outline::{ItemId, PageOutline};
pub use page_text::PageText;
pub use params::ExtractParams;
pub use parsed::ParsedPage;
pub use site::SiteBlocks;
pub use stored_tree::{EncodedTree, StoredTree, StoredTreeError};
pub use work::AnalysisError;
