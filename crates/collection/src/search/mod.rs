//! Search: a query in, ranked blocks grouped by page out.

mod as_of;
mod citation;
mod cursor;
mod engine;
mod explain;
mod focused;
mod groups;
mod hits;
mod like;
mod locator;
mod matching;
mod memory;
mod options;
mod page_view;
mod pruned;
mod pruning;
mod request;
mod response;
mod similarity;
mod suggest;
mod weights;

pub use as_of::AsOf;
pub use citation::{Citation, Verification};
pub use cursor::Cursor;
pub use engine::SearchEngine;
pub use explain::{BlockExplanation, BlockShare, Floor, Judged, PageExplanation, QueryExplanation};
pub use locator::Locator;
pub use options::{Collapse, Documents, SUM_BLOCKS_MAX};
pub use page_view::{BlockView, PageView};
pub use pruned::{KeptReason, PrunedBlock, PrunedPage};
pub use pruning::QueryPruning;
pub use request::{SearchError, SearchRequest};
pub use response::{BlockHit, HighlightedText, OtherBlock, OtherHits, PageHit, SearchResponse};
pub use suggest::{Suggestions, TitleSuggestion};
pub use weights::{WeightsError, read_weights};
