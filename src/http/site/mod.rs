//! The pages for people.

mod answer;
mod files;
mod page;
mod search;

pub(super) use files::{script, style};
pub(super) use page::page;
pub(super) use search::search;
