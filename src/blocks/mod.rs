//! Main blocks: what survives pruning, cut into passages that can be found and shown.

mod cut;
mod headings;
mod model;

pub use cut::{BlockParams, cut};
pub use model::{BlockId, MainBlock};
