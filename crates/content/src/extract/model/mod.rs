//! The trained part of the default method: forests of decision trees in a compact file.

mod forest;
mod format;

pub use forest::Forest;
pub use format::{Model, ModelError};
