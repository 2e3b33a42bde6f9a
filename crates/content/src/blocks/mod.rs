//! Main blocks: what survives pruning, cut into passages that can be found and shown.

mod cut;
mod headings;
mod model;
mod pieces;
mod records;

pub use cut::{BlockMeasure, BlockParams, Piece, cut, cut_tree};
pub use model::{BlockId, BlockLink, MainBlock};
