//! A collection as tools of language models, by the Model Context Protocol ([docs/MCP.md]).
//!
//! `Tools` decides what is answered, in plain text of bounded length; `Speaker` says it over the protocol. Nothing here writes.
//!
//! [docs/MCP.md]: ../../docs/MCP.md

mod bounded;
mod folder;
mod message;
mod speaker;
mod stdio;
mod tools;

pub(crate) use folder::{OneEngine, ReadFolder};
pub(crate) use message::fault;
pub(crate) use speaker::Speaker;
pub(crate) use stdio::serve_stdio;
pub(crate) use tools::Tools;

use std::sync::Arc;

use lopper_collection::search::{SearchEngine, SearchError};
use lopper_index::{Budget, QueryLimits};

/// Where the tools find the collection as it is now.
pub(crate) trait Collections: Send + Sync + 'static {
    /// What answers searches; after a commit another one.
    ///
    /// # Errors
    ///
    /// [`SearchError`] when the collection cannot be read.
    fn engine(&self) -> Result<Arc<SearchEngine>, SearchError>;

    /// What a search may take.
    fn budget(&self) -> Budget {
        Budget::new(QueryLimits::default())
    }
}
