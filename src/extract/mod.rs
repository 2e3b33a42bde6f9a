//! What of a page is its content: the methods that decide it.

pub mod features;
mod page_view;
pub mod structured;

pub use page_view::PageView;
