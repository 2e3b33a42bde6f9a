//! Lopper's block index: analysis, queries, ranking, and the engine inside, which is tantivy. The only crate that knows tantivy.
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
//! The way in: [`PageDocument`] with [`BlockDocument`]s → [`PageEncoder`] → [`BlockWriter::add_encoded`] →
//! [`BlockWriter::commit`] with the caller's checkpoint. The way out: [`BlockQuery`] → [`BlockSearcher::search`] →
//! [`RankedBlocks`]. [`lopper_analysis`] serves both and the weighing of trees.
//!
//! Another engine takes tantivy's place by the traits of [`engine`].

#![forbid(unsafe_code)]

mod block_terms;
mod coverage;
mod document;
mod embedded;
pub mod engine;
mod facets;
mod focus;
mod highlight;
mod layout;
mod page_words;
mod passage;
mod query;
mod rank;
mod ranked;
mod ranker;
mod reading;
mod searcher;
mod similarity;
mod snippet;
mod term_counts;
mod term_text;
mod word_set;
mod writer_error;

pub use block_terms::{BlockTerms, page_order, pointer_words, site};
pub use document::{BlockDocument, PageDocument, Pointer};
pub use embedded::{
    BlockIndex, BlockWriter, CommitFiles, EncodedPage, FORMAT_VERSION, IndexError, PageEncoder, WriterOptions,
};
pub use engine::{BlockEngine, Budget, QueryLimits};
pub use facets::{FACET_VALUES_MAX, Facet, FacetCounts, FacetValue, Facets};
pub use focus::{FocusReason, FocusedPage, KeptBlock};
pub use highlight::{FoundWords, QueryTerms};
pub use layout::{BlockPart, Layout, PagePart};
pub use passage::Passage;
pub use query::{
    BlockQuery, Clause, Correction, Filter, Order, PAGE_TYPES, PREFIX_TERMS_MAX, ParsedQuery, Phrase, QUERY_BYTES_MAX,
    QUERY_DEPTH_MAX, QUERY_PARTS_MAX, QUERY_PHRASE_WORDS_MAX, QUERY_SLOP_MAX, QUERY_TERMS_MAX, QueryError,
    QueryErrorKind, QueryField, QueryNode, QueryNote, QueryPlace, QueryShape, Ranking, ResolvedQuery, ResolvedWord,
    TermSequence, TextField, host_and_parents, last_second_of, parse_query, year_of,
};
pub use rank::{FEATURES, Feature, Features, FieldCounts, LinkCounts, NoLinks, RankingWeights, WeightError};
pub use ranked::{Basis, FeatureScore, Found, QueryWord, Ranked, WordForm};
pub use reading::TextReading;
pub use searcher::{BlockSearcher, Highlights, LanguageCount, RankedBlock, RankedBlocks, SearchError};
pub use similarity::WordVector;
pub use snippet::{FRAGMENTS_MAX, Snippet, fragments, snippet};
pub use term_text::PlacedTerm;
pub use word_set::WordSet;
pub use writer_error::WriterError;
