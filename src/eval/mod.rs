//! Measuring extraction and retrieval against labels, so that the figures in the documents can be made again.

mod gold;
mod interval;
mod parallel;
pub mod retrieval;
mod run;
mod words;

pub use gold::{GoldError, GoldPage, read_gold, read_page};
pub use interval::Interval;
pub use run::{Table, TableRow, evaluate};
pub(crate) use words::{WordScore, score_words};
