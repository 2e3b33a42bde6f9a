//! The JSON interface.

mod archives;
mod deletion;
mod health;
mod ingest;
mod lines;
mod metrics;
mod page;
mod search;
mod suggest;
mod tree;
mod tree_view;

pub(super) use archives::{Source, add_archive, list_jobs, take_archive};
pub(super) use deletion::{delete_page, delete_pages, lift_takedown, selection, takedowns};
pub(super) use health::health;
pub(super) use ingest::ingest;
pub(super) use metrics::{metrics, ready};
pub(super) use page::page;
pub(super) use search::search;
pub(super) use suggest::suggest;
pub(super) use tree::tree;
