//! The hand-over from archives to pages: one record, and the trait that yields them.

use std::path::PathBuf;

/// What a record is, in the words of the WARC standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// An HTTP response: headers and body.
    Response,
    /// A bare resource without HTTP headers.
    Resource,
    /// A capture whose body is that of an earlier one.
    Revisit,
    /// Any other record (`warcinfo`, `request`, `metadata`, `conversion` …): counted and passed over.
    Other,
}

/// A record's block. The bytes are as captured: transfer and content codings are not yet undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payload {
    /// An HTTP message: status line, headers, body.
    Http(Vec<u8>),
    /// A body alone, with the media type that the archive gives for it, if any.
    Bare {
        /// Media type with parameters, as the archive has it.
        content_type: Option<String>,
        /// The body's bytes.
        body: Vec<u8>,
    },
    /// Nothing to read: the kind is passed over, and its bytes were skipped.
    Skipped,
}

/// One record of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveRecord {
    /// What it is.
    pub kind: RecordKind,
    /// The target URL as the archive has it (angle brackets of old writers removed); a `file:` URL for files.
    pub url: String,
    /// Capture time, seconds since 1970-01-01T00:00:00Z.
    pub captured_at: Option<i64>,
    /// `WARC-Record-ID` as written, where there is one.
    pub record_id: Option<String>,
    /// Archive file.
    pub archive: PathBuf,
    /// Offset of the record (of its gzip member where it has its own) in the file, in bytes.
    pub offset_bytes: u64,
    /// The block.
    pub payload: Payload,
}

/// A stream of records.
///
/// After an [`ArchiveError`] the reader has already moved on: the next call gives the next readable record. `None` is the
/// end of the archive. An I/O error of the file itself is reported once and ends the stream.
pub trait ArchiveReader {
    /// The next record, an error that tells which bytes could not be read, or the end.
    fn next_record(&mut self) -> Option<Result<ArchiveRecord, ArchiveError>>;

    /// Bytes of the file read so far, for progress.
    fn position_bytes(&self) -> u64;
}

/// What could not be read of an archive, and where.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The file cannot be opened or read.
    #[error("cannot read {}", archive.display())]
    Io {
        /// Archive file.
        archive: PathBuf,
        /// Cause.
        #[source]
        source: std::io::Error,
    },
    /// A record's framing or header is broken.
    #[error("{} at byte {offset_bytes}: {reason}", archive.display())]
    Malformed {
        /// Archive file.
        archive: PathBuf,
        /// Where the record begins.
        offset_bytes: u64,
        /// What is wrong, in words.
        reason: String,
    },
    /// A record is larger than a limit.
    #[error("{} at byte {offset_bytes}: {what} is larger than {max} bytes", archive.display())]
    TooLarge {
        /// Archive file.
        archive: PathBuf,
        /// Where the record begins.
        offset_bytes: u64,
        /// What is too large.
        what: &'static str,
        /// The limit.
        max: u64,
    },
    /// The compressed data ends or breaks before the record does.
    #[error("{} at byte {offset_bytes}: the compressed data is cut off or damaged; what could be read is kept, fetch the file again for the rest", archive.display())]
    Damaged {
        /// Archive file.
        archive: PathBuf,
        /// Where the record begins.
        offset_bytes: u64,
        /// Cause.
        #[source]
        source: std::io::Error,
    },
    /// The file is none of the known containers.
    #[error("{} is neither a WARC nor an HTML file", archive.display())]
    Unknown {
        /// The file.
        archive: PathBuf,
    },
}
