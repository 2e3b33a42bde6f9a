//! The pages for people.

mod answer;
mod api;
mod changes;
mod files;
mod ingest;
mod page;
mod picture;
mod search;
mod try_page;

pub(super) use answer::failure;
pub(super) use api::docs;
pub(super) use changes::changes;
pub(super) use files::{ingest_script, search_script, style, view_script};
pub(super) use ingest::{add_by_form, delete_by_form, ingest};
pub(super) use page::{former_page, frame, page, page_methods};
pub(super) use picture::picture;
pub(super) use search::search;
pub(super) use try_page::{try_form, try_page};
