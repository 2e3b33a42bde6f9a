//! Main blocks: what survives pruning, cut into passages that can be found and shown.

mod cut;
mod entries;
mod headings;
mod landmarks;
mod lines;
mod measure;
mod model;
mod piece;
mod pieces;
mod records;
mod sentence;
mod table_heads;
mod units;

pub(crate) use cut::cut_tree;
pub use cut::{BlockParams, cut};
pub(crate) use headings::{PERMALINK_SIGNS, PERMALINK_WORDS};
pub use landmarks::{LANDMARK_WORDS, lead_of, parts_of, words_of};
pub(crate) use measure::BlockMeasure;
pub use model::{BlockId, BlockLink, MainBlock};
pub use piece::Piece;
