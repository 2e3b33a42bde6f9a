//! From a page's HTML to its content and blocks.
#![forbid(unsafe_code)]

pub mod blocks;
pub mod cst;
pub mod document;
pub mod dom;
pub mod extract;
pub mod judge;
pub mod limits;
pub mod metadata;
mod model_file;
mod page_id;
pub mod page_type;
pub mod pipeline;
pub mod prune;
pub mod simhash;
pub mod statistics;
pub mod text;
pub mod weigh;

pub use page_id::PageId;
