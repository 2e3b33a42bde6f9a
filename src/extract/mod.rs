//! What of a page is its content: the methods that decide it.

pub mod cut;
pub mod features;
pub mod lopper;
pub mod model;
mod page_view;
pub mod structured;

pub use page_view::PageView;
