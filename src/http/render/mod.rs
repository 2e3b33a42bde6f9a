//! HTML for people. Whatever comes from an archive or a client goes through [`Html::text`] or [`Html::attribute`]: markup
//! itself can only be a literal of the program.

mod boxes;
mod figures;
mod home;
mod html;
mod layout;
mod navigation;
mod overview;
mod page;
mod results;
mod tree;

pub(super) use home::{failure, home, no_results};
pub(super) use html::Html;
pub(super) use overview::Overview;
pub(super) use page::page;
pub(super) use results::results;
