//! The JSON interface.

mod health;
mod ingest;
mod page;
mod search;
mod submission;
mod tree;
mod tree_view;

pub(super) use health::health;
pub(super) use ingest::ingest;
pub(super) use page::page;
pub(super) use search::search;
pub(super) use tree::tree;
