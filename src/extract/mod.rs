//! From a page's tree to its main content.

pub mod content;
mod extractor;
pub mod methods;

pub use extractor::Extractor;
