//! Measuring extraction against gold text, so that the figures in the documents can be made again.

mod gold;
mod run;
mod words;

pub use gold::{GoldError, GoldPage, read_gold, read_page};
pub use run::{Interval, Table, TableRow, evaluate};
pub use words::{WordScore, score_words};
