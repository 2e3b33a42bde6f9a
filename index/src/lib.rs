//! Lopper's block index: analysis, schema, writer and searcher. The only crate that knows tantivy.
//!
//! ```
//! use lopper_index::{BlockDocument, BlockIndex, BlockQuery, WriterOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let dir = tempfile::tempdir()?;
//! let index = BlockIndex::open_or_create(dir.path())?;
//! let mut writer = index.writer(WriterOptions::default())?;
//! writer.add(&BlockDocument {
//!     block_id: "page-1:0".to_owned(),
//!     page_id: "page-1".to_owned(),
//!     language: "en".into(),
//!     body: "The pruned tree keeps the blocks that answer.".to_owned(),
//!     ..BlockDocument::default()
//! })?;
//! writer.commit("checkpoint 1")?;
//!
//! let searcher = index.searcher();
//! searcher.reload()?;
//! let ranked = searcher.search(&BlockQuery::new("pruning trees", 10))?;
//! assert_eq!(ranked.blocks[0].document.block_id, "page-1:0");
//! # Ok(())
//! # }
//! ```
//!
//! The way in: [`PageDocument`] with [`BlockDocument`]s → [`PageEncoder`] → [`BlockWriter::add_encoded`] → [`BlockWriter::commit`] with the caller's checkpoint. The way out:
//! [`BlockQuery`] → [`BlockSearcher::search`] → [`RankedBlocks`]. The crate `lopper-analysis` serves both and the weighing of trees.

#![forbid(unsafe_code)]

mod block_index;
mod document;
mod encoder;
mod engine;
mod facets;
mod highlight;
mod inventory;
mod layout;
mod lexicon;
mod merging;
mod passage;
mod query;
mod rank;
mod ranked;
mod ranker;
mod reading;
mod schema;
mod searcher;
mod similarity;
mod snippet;
mod term_counts;
mod term_stream;
mod top_blocks;
mod word_set;
mod writer;

pub use block_index::{BlockIndex, FORMAT_VERSION, IndexError};
pub use document::{BlockDocument, PageDocument, Pointer};
pub use encoder::{EncodedPage, PageEncoder};
pub use facets::{FACET_VALUES_MAX, Facet, FacetValue, Facets};
pub use highlight::{FoundWords, QueryTerms};
pub use passage::Passage;
pub use query::{
    BlockQuery, Correction, Order, PAGE_TYPES, PREFIX_TERMS_MAX, QUERY_BYTES_MAX, QUERY_DEPTH_MAX, QUERY_PARTS_MAX,
    QUERY_SLOP_MAX, QUERY_TERMS_MAX, QueryError, QueryErrorKind, QueryNote, Ranking,
};
pub use rank::{BlendWeights, Evidence, FieldCounts, LinkCounts, NoLinks, PARTS, Part};
pub use ranked::{Basis, Found, PartScore, QueryWord, Ranked, WordForm};
pub use reading::TextReading;
pub use searcher::{BlockSearcher, Highlights, LanguageCount, RankedBlock, RankedBlocks, SearchError};
pub use similarity::WordVector;
pub use snippet::{FRAGMENTS_MAX, Snippet, fragments, snippet};
pub use writer::{BlockWriter, WriterError, WriterOptions};
