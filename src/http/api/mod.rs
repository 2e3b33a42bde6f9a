//! The JSON interface.

mod archives;
mod batch;
mod captures;
mod cite;
mod deletion;
mod export;
mod extract;
mod health;
mod ingest;
mod jobs;
mod ledger;
mod lines;
mod metrics;
mod openapi;
mod page;
mod search;
mod suggest;
mod tree;
mod tree_view;

pub(super) use archives::{Source, add_archive, take_archive};
pub(super) use batch::batch;
pub(super) use captures::{block_captures, captures};
pub(super) use cite::cite;
pub(super) use deletion::{delete_page, delete_pages, lift_takedown, selection, takedowns};
pub(super) use export::{export, export_by_body};
pub(super) use extract::{content, extract};
pub(super) use health::health;
pub(super) use ingest::ingest;
pub(super) use jobs::{cancel_job, job, job_events, list_jobs};
pub(super) use ledger::{archive_records, archives, job_records};
pub(super) use metrics::{metrics, ready};
pub(super) use openapi::openapi;
pub(super) use page::{page, page_of_url};
pub(super) use search::{search, search_by_body};
pub(super) use suggest::suggest;
pub(super) use tree::tree;
