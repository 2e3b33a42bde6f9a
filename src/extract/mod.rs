//! From a page's tree to its main content.

pub mod methods;
