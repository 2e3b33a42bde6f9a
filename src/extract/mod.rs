//! From a page's tree to its main content.

pub mod content;
pub mod methods;
