//! Archives: streams of captured records, told by their content and read in bounded memory.
//!
//! A container implements [`ArchiveReader`].

mod record;

pub use record::{ArchiveError, ArchiveReader, ArchiveRecord, Payload, RecordKind};
