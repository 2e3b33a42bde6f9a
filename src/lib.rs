//! Lopper indexes web archives by the *blocks* of their pages.
//!
//! The data goes one way, and each stage takes the former type whole:
//!
//! ```text
//! bytes -> ArchiveRecord -> Page -> Dom -> ContentStructureTree -> WeightedTree -> PrunedTree -> MainBlock
//!       -> BlockDocument -> commit
//! request -> SearchRequest -> BlockQuery -> RankedBlock -> SearchResponse
//! ```
//!
//! `docs/ARCHITECTURE.md` holds the map, `docs/ALGORITHM.md` the way from the papers to the functions.

pub mod archive;
pub mod blocks;
pub mod cli;
pub mod config;
pub mod cst;
pub mod dom;
pub mod eval;
pub mod extract;
pub mod http;
pub mod ingest;
pub mod limits;
pub mod metadata;
mod model_file;
pub mod page;
pub mod page_type;
pub mod pipeline;
pub mod prune;
pub mod search;
mod simhash;
pub mod statistics;
pub mod store;
pub mod telemetry;
pub mod weigh;
