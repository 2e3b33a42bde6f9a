//! The index as its callers see it, in one binary.

mod analysis;
mod conformance;
mod engines;
mod hostile;
mod languages;
mod lifecycle;
mod naive;
mod query;
mod quoted;
mod search;
mod slips;
mod snippets;
mod support;
