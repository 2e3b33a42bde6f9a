//! Archives: streams of captured records, told by their content and read in bounded memory.
//!
//! A container implements [`ArchiveReader`]; [`open`] gives the one that fits a file, and [`paths::expand`] finds the
//! files in folders. Nothing in a file can make a reader panic, grow without bounds, or end before the file does.

mod arc_head;
mod coding;
mod framing;
mod html_file;
mod input;
mod open;
pub mod paths;
mod record;
mod scan;
mod stream;
mod warc;
mod warc_block;
mod warc_date;
mod warc_head;

pub use open::{open, open_source};
pub use record::{
    ArchiveError, ArchiveReader, ArchiveRecord, Listing, Payload, RecordKind, Remark, RemarkKind, Revisit,
};
