//! Archives: streams of captured records, told by their content and read in bounded memory.
//!
//! A container implements [`ArchiveReader`]; [`open`] gives the one that fits a file, and [`paths::expand`] finds the
//! files in folders. Nothing in a file can make a reader panic, grow without bounds, or end before the file does.

mod arc_head;
mod coding;
mod container;
mod entries;
mod failure;
mod framing;
mod har;
mod html_file;
mod input;
mod json_items;
mod json_text;
mod little_endian;
mod mail_coding;
mod mail_head;
mod member;
mod mhtml;
mod ndjson;
mod open;
pub mod page;
pub mod paths;
mod record;
mod resume;
mod scan;
mod shared_file;
mod spool;
mod stream;
mod survey;
mod tar;
mod tar_head;
mod wacz;
mod warc;
mod warc_block;
mod warc_date;
mod warc_head;
mod zim;
mod zim_cluster;
mod zim_file;
mod zip;
mod zip_directory;

pub use failure::FailureCode;
pub use member::archive_file;
pub use open::{STANDARD_INPUT, Source, open, open_at, open_source, open_source_at, open_whole, open_whole_at};
pub use record::{
    ArchiveError, ArchiveReader, ArchiveRecord, Listing, Payload, RecordKind, Remark, RemarkKind, ResumePoint, Revisit,
    clean_url,
};
pub use survey::{Survey, survey};
