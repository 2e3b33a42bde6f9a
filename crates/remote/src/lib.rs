//! Blocks in an engine of many machines: Quickwit, Elasticsearch or OpenSearch, spoken to over HTTP.
//!
//! [`RemoteEngine`] implements the traits of [`lopper_index::engine`] and is the only one that speaks HTTP. Texts are analysed on this side and the
//! engine stores terms; it finds candidates by its BM25, and their features are counted here, in the blocks that it gave back. So any
//! machine with an address can answer, and keeps nothing.
//!
//! An engine of this kind has no commit of several documents, may keep a document twice, and may lose what it acknowledged. Therefore each
//! document carries the number of its *batch*, and one document a commit tells which batches count: see [`commits`](self). What no commit
//! names is not there, a block that is there twice counts once, and a replaced page's former blocks are passed over.

#![forbid(unsafe_code)]

mod at_once;
mod bulk;
mod clauses;
mod client;
mod commits;
mod counting;
mod dialect;
mod document;
mod engine;
mod error;
mod fetched;
mod filters;
mod hits;
mod keep;
mod languages;
mod layout;
mod query;
mod settings;
mod snapshot;
mod words;
mod writer;

pub use dialect::EngineKind;
pub use engine::{Check, RemoteEngine};
pub use error::RemoteError;
pub use settings::{NameError, RemoteSettings};
pub use writer::RemoteWriter;
