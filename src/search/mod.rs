//! Search: a query in, ranked blocks grouped by page out.

mod engine;
mod locator;
mod request;
mod response;
mod run;
mod similarity;

pub use engine::SearchEngine;
pub use locator::Locator;
pub use request::{SearchError, SearchRequest};
pub use response::{BlockHit, HighlightedText, PageHit, SearchResponse};
pub use run::{RUN_BLOCKS_PER_PAGE_MAX, run_blocks, run_query};
