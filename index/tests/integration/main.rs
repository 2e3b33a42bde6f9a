//! The index as its callers see it, in one binary.

mod analysis;
mod languages;
mod lifecycle;
mod search;
mod snippets;
mod support;
