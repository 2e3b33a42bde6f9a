//! The index as its callers see it, in one binary.

mod analysis;
mod lifecycle;
mod search;
mod snippets;
mod support;
