//! Pages: a record's HTTP message decoded to HTML text.

mod model;

pub use model::{Page, PageError, PageId, Provenance, SkipReason};
