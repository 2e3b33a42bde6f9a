//! HTML for people, in components that give [`maud::Markup`]: a page is one of [`home`], [`no_results`], [`results`], [`page`] and
//! [`failure`] in the frame of `layout`.

mod boxes;
mod figures;
mod home;
mod layout;
mod navigation;
mod overview;
mod page;
mod results;
mod summary;
mod text;
mod tree;

pub(super) use home::{failure, home, no_results};
pub(super) use overview::Overview;
pub(super) use page::page;
pub(super) use results::results;
