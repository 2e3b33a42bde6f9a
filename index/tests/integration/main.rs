//! The index as its callers see it, in one binary.

mod analysis;
mod languages;
mod lifecycle;
mod query;
mod search;
mod snippets;
mod support;
