//! The trained part of the default method: forests of decision trees in a compact file.

mod forest;
mod format;

pub(super) use forest::LANES;
pub use format::{Model, ModelError};
