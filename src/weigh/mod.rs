//! Weights of nodes and terms.

mod statistics;

pub use statistics::TermStatistics;
