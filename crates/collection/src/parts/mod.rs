//! Parts: what a worker that has no collection makes of an archive, for collections and engines to take in.
//!
//! A part is a file of JSON lines, compressed by zstd. The first line is a [`PartHead`], the last one a [`PartEnd`], and each one between
//! is a [`PartLine`], for one record of the archive: a page with its blocks in plain fields for any program, and with the page as it was
//! judged for [`ingest`](crate::ingest), which weighs and prunes it with the collection's statistics. So ingesting an archive's part
//! gives what ingesting the archive gives. Beside a part lie its [`PartCounts`]: in how many of its pages each term occurs.
//!
//! A part's bytes and its name follow from the archive, the version, the parameters and the counts that it was weighed by. Nothing
//! else is in them, no clock and no name of a machine, so making it again gives the same part.

mod counts;
mod error;
mod format;
mod input;
mod make;
mod publish;
mod read;
mod receipt;
mod write;

pub use counts::PartCounts;
pub use error::PartError;
pub use format::{Became, PART_ENDING, PartBlock, PartEnd, PartHead, PartLine, PartPage, Quarantined, is_part_name};
pub use input::{ByteRange, PartInput};
pub use make::{PartEvent, PartOptions, make_part, part_head};
pub use publish::{PartFolder, Published};
pub(crate) use read::LinePlace;
pub use read::PartReader;
pub use receipt::Receipt;
