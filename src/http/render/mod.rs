//! HTML for people, in components that give [`maud::Markup`]: a page is one of [`home`], [`no_results`], [`results`], [`page`] and
//! [`failure`] in the frame of `layout`.

mod api;
mod boxes;
mod captures;
mod changes;
mod figures;
mod filters;
mod home;
mod ingest;
mod layout;
mod navigation;
mod overview;
mod page;
mod results;
mod summary;
mod text;
mod try_page;

pub(super) use api::api;
pub(super) use changes::changes;
pub(super) use filters::with_only;
pub(super) use home::{failure, home, no_results};
pub(super) use ingest::{ARCHIVES_SHOWN, Deletion, Ledger, Records, ingest};
pub(super) use layout::{Content, Frame, framed};
pub(super) use navigation::address;
pub(super) use overview::Overview;
pub(super) use page::{PageAround, page};
pub(super) use results::results;
pub(super) use try_page::{tried, try_form};
