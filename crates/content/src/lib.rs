//! From a page's HTML to its content and blocks. No IO, no clock, no randomness: the same page gives the same bytes.
//!
//! ```
//! use lopper_content::{ExtractOptions, extract};
//!
//! let html = "<nav><a href=/>Home</a></nav><main><h1>Mills</h1><p>The old mill at the river still grinds corn today.</p></main>";
//! let content = extract(html, &ExtractOptions::default());
//! assert_eq!(content.text(), "Mills\n\nThe old mill at the river still grinds corn today.");
//! ```
//!
//! [`extract()`] is the whole way to content in one call. The steps behind it are modules of their own:
//!
//! ```text
//! HTML -> Dom -> ContentStructureTree -> ContentVerdict -> Document           (extraction)
//!                                     -> WeightedTree -> PrunedTree -> MainBlock   (blocks for an index)
//! ```
//!
//! | module | does |
//! |---|---|
//! | [`dom`] | parses HTML; never fails, and is bounded by [`limits`] |
//! | [`cst`] | builds the Content Structure Tree |
//! | [`metadata`], [`page_type`], [`text`] | what the page says of itself, what kind of page it is, its language and address |
//! | [`mod@extract`], [`judge`] | judges what is content: the trained model and five published methods |
//! | [`marked`] | the page as it was, its runs marked, for showing |
//! | [`document`] | the content as text, Markdown, HTML, JSON or TEI |
//! | [`weigh`], [`statistics`] | TF-IDF weights by the counts of a collection |
//! | [`prune`] | eliminates blocks by cosine similarity, the judge and site memory |
//! | [`blocks`] | cuts what stays into passages |
//! | [`pipeline`] | all of these in a row: [`pipeline::PageAnalyser`] |
#![forbid(unsafe_code)]

pub mod blocks;
mod content;
pub mod cst;
pub mod document;
pub mod dom;
pub mod extract;
pub mod judge;
pub mod limits;
pub mod marked;
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

pub use content::{Content, ExtractOptions, extract};
pub use page_id::PageId;
