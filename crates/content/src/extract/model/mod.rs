//! The trained part of the default method: forests of decision trees in a compact file.

mod forest;
mod format;

pub use format::{Model, ModelError};
