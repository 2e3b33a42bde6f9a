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
pub mod cst;
pub mod dom;
pub mod extract;
pub mod limits;
pub mod page;
