//! The program: command line and HTTP service over the crates that do the work.
//!
//! ```text
//! bytes -> ArchiveRecord -> Page -> Dom -> ContentStructureTree -> WeightedTree -> PrunedTree -> MainBlock
//!       -> BlockDocument -> commit
//! request -> SearchRequest -> BlockQuery -> RankedBlock -> SearchResponse
//! ```
//!
//! `docs/ARCHITECTURE.md` holds the map, `docs/ALGORITHM.md` the way from the papers to the functions.

pub mod allowance;
pub mod cli;
pub mod config;
pub mod eval;
mod export;
mod extracted;
mod handover;
pub mod http;
pub mod keys;
mod markup;
mod mcp;
pub mod origin;
mod priority;
pub mod telemetry;
mod url_prefix;
mod view;
mod worker;
