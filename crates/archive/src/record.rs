//! The hand-over from archives to pages: one record, and the trait that yields them.

use std::path::PathBuf;

use crate::FailureCode;

/// What a record is, in the words of the WARC standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordKind {
    /// An HTTP response: headers and body.
    Response,
    /// A bare resource without HTTP headers.
    Resource,
    /// A capture whose body is that of an earlier one.
    Revisit,
    /// What the archive says of itself: `warcinfo`, the version block of an ARC file.
    Warcinfo,
    /// An HTTP request.
    Request,
    /// What is told of another record (also WAT).
    Metadata,
    /// A record's content in another form (also WET).
    Conversion,
    /// A further part of a record that was begun elsewhere.
    Continuation,
    /// A part of a page that is in another record: a frame, an image, a style (MHTML).
    Part,
    /// Another name of an entry (ZIM).
    Redirect,
    /// Any other record.
    Other,
}

/// A record's block. The bytes are as captured: transfer and content codings are not yet undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payload {
    /// An HTTP message: status line, headers, body. The body is left out where the headers say that it is no page.
    Http(Vec<u8>),
    /// A body alone, with the media type that the archive gives for it, if any. The body is left out where the media
    /// type says that it is no page.
    Bare {
        /// Media type with parameters, as the archive has it.
        content_type: Option<String>,
        /// The body's bytes.
        body: Vec<u8>,
    },
    /// Nothing to read: the kind is passed over, and its bytes were skipped.
    Skipped,
}

impl Payload {
    /// Its bytes; 0 where they were skipped.
    pub fn len(&self) -> usize {
        match self {
            Self::Http(bytes) | Self::Bare { body: bytes, .. } => bytes.len(),
            Self::Skipped => 0,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a revisit says of the capture that has its body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Revisit {
    /// `WARC-Profile`, a URI: it ends in `identical-payload-digest` or `server-not-modified`.
    pub profile: Option<String>,
    /// `WARC-Refers-To`: the record id of the original.
    pub refers_to_id: Option<String>,
    /// `WARC-Refers-To-Target-URI`: the original's URL; without it, the original has the record's own.
    pub refers_to_url: Option<String>,
    /// `WARC-Refers-To-Date`: the original's capture time, seconds since 1970-01-01T00:00:00Z.
    pub refers_to_date: Option<i64>,
    /// The HTTP message that came without its body, where the record has one.
    pub http_head: Vec<u8>,
}

/// What is wrong with a record that could be read nevertheless, at least in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Which fault.
    pub kind: RemarkKind,
    /// The fault in words, without the record's place.
    pub message: String,
}

impl Remark {
    /// On a capture time that is no date.
    pub(super) fn of_unreadable_date(date: &str) -> Self {
        /// Characters of the date that are shown.
        const SHOWN_MAX: usize = 40;
        let shown: String = date.chars().take(SHOWN_MAX).collect();
        let message = format!("the date {shown:?} cannot be read; the record has no time");
        Self { kind: RemarkKind::UnreadableDate, message }
    }
}

/// Faults that do not cost a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RemarkKind {
    /// The record ends before its declared length: what is there was taken.
    Truncated,
    /// The declared length is not the record's: the bytes up to the next record were taken.
    WrongLength,
    /// The compressed data breaks within the record: what precedes the damage was taken.
    Damaged,
    /// The capture time is no date: the record has none.
    UnreadableDate,
}

impl RemarkKind {
    /// Whether the record is not whole.
    pub fn is_damage(self) -> bool {
        self != Self::UnreadableDate
    }

    /// A stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::WrongLength => "wrong_length",
            Self::Damaged => "damaged",
            Self::UnreadableDate => "unreadable_date",
        }
    }
}

/// One record of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveRecord {
    /// What it is.
    pub kind: RecordKind,
    /// Its number among the records and failures of its file, from 0.
    pub ordinal: u64,
    /// The target URL as the archive has it (angle brackets of old writers removed); a `file:` URL for files.
    pub url: String,
    /// Capture time, seconds since 1970-01-01T00:00:00Z.
    pub captured_at: Option<i64>,
    /// `WARC-Record-ID` as written, where there is one.
    pub record_id: Option<String>,
    /// `WARC-Payload-Digest` as written, where there is one. It was not checked.
    pub payload_digest: Option<String>,
    /// For a revisit, what it says of the original.
    pub revisit: Option<Box<Revisit>>,
    /// What the archive's list of pages says of this URL, where it has a list.
    pub listing: Option<Listing>,
    /// What is wrong with it.
    pub remark: Option<Remark>,
    /// Archive file. For a file within a file, the outer one's path with the inner one's behind.
    pub archive: PathBuf,
    /// Offset of the record (of its gzip member where it has its own) in the file, in bytes.
    pub offset_bytes: u64,
    /// The block.
    pub payload: Payload,
}

/// What a list of pages says of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listing {
    /// It is a page, under this title if any.
    Page {
        /// The title that the capturing browser showed.
        title: Option<String>,
    },
    /// It is not in the list: a part of a page, a frame.
    NotListed,
}

impl ArchiveRecord {
    /// A record of `kind` at a place, with nothing else known of it. Characters of `url` that no URL has, such as line ends, are encoded.
    pub fn new(kind: RecordKind, url: String, archive: PathBuf, offset_bytes: u64, payload: Payload) -> Self {
        Self {
            kind,
            ordinal: 0,
            url: clean_url(url),
            captured_at: None,
            record_id: None,
            payload_digest: None,
            revisit: None,
            listing: None,
            remark: None,
            archive,
            offset_bytes,
            payload,
        }
    }

    /// The file and the place in it, for messages.
    pub fn place(&self) -> String {
        format!("{} at byte {}", self.archive.display(), self.offset_bytes)
    }
}

/// A URL without characters that steer a terminal or begin a line: as the URL standard has it, line ends and tabs are left out, others
/// percent-encoded.
#[must_use]
pub fn clean_url(url: String) -> String {
    if !url.contains(is_steering) {
        return url;
    }
    let trimmed = url.trim_matches(|c: char| c.is_control() || c == ' ');
    let mut clean = String::with_capacity(trimmed.len());
    for c in trimmed.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')) {
        if is_steering(c) {
            let mut bytes = [0; 4];
            clean.extend(c.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")));
        } else {
            clean.push(c);
        }
    }
    clean
}

/// Control characters, separators of lines and paragraphs, and what sets the direction of text.
fn is_steering(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod url_tests {
    use super::*;

    #[test]
    fn urls_are_one_line_that_steers_nothing() {
        for (url, clean) in [
            ("http://e.org/a b?ü", "http://e.org/a b?ü"),
            (" http://e.org/\ncaptured: 2001\u{2028}x\n", "http://e.org/captured: 2001%E2%80%A8x"),
            ("http://e.org/\u{1b}[31m\u{7}\u{202e}", "http://e.org/%1B[31m%07%E2%80%AE"),
        ] {
            assert_eq!(clean_url(url.to_owned()), clean);
        }
    }
}

/// A place of an archive file at which reading can begin in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResumePoint {
    /// Its offset in the file, in bytes.
    pub offset_bytes: u64,
    /// The number of the first record there.
    pub ordinal: u64,
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

    /// The last place before the next record at which [`open_at`](super::open_at) can begin, to give the same records from there on;
    /// `None` where the container has no such places.
    fn resume_point(&self) -> Option<ResumePoint> {
        None
    }
}

/// What is said of compressed data that breaks.
const DAMAGED: &str =
    "the compressed data is cut off or damaged; what could be read is kept, fetch the file again for the rest";

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
    /// A path leads into a file that has nothing there.
    #[error("{} has no records: its file has nothing of that name", path.display())]
    NotInFile {
        /// The path.
        path: PathBuf,
    },
    /// A path leads into a file, where the whole file is wanted.
    #[error("{} leads into a file, which is taken in as a whole: give {}", path.display(), file.display())]
    LeadsIntoFile {
        /// The path.
        path: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// A record's framing or header is broken.
    #[error("{} at byte {offset_bytes}: {reason}{}", archive.display(), named(record_id.as_deref()))]
    Malformed {
        /// Archive file.
        archive: PathBuf,
        /// Where the record begins.
        offset_bytes: u64,
        /// `WARC-Record-ID`, where the record's head could be read.
        record_id: Option<String>,
        /// What is wrong, in words.
        reason: String,
    },
    /// A record is larger than a limit.
    #[error("{} at byte {offset_bytes}: {what} is larger than {max} bytes{}", archive.display(), named(record_id.as_deref()))]
    TooLarge {
        /// Archive file.
        archive: PathBuf,
        /// Where the record begins.
        offset_bytes: u64,
        /// `WARC-Record-ID`, where the record's head could be read.
        record_id: Option<String>,
        /// What is too large.
        what: &'static str,
        /// The limit.
        max: u64,
    },
    /// The compressed data ends or breaks before the record does.
    #[error("{} at byte {offset_bytes}: {DAMAGED}", archive.display())]
    Damaged {
        /// Archive file.
        archive: PathBuf,
        /// Where the record begins.
        offset_bytes: u64,
        /// `WARC-Record-ID`, where the record's head could be read.
        record_id: Option<String>,
        /// Cause.
        #[source]
        source: std::io::Error,
    },
    /// There is nothing in the file.
    #[error("{} is empty", archive.display())]
    Empty {
        /// The file.
        archive: PathBuf,
    },
    /// The file is none of the known containers.
    #[error("{} is neither an HTML file nor an archive of a known kind: WARC, ARC, WACZ, HAR, MHTML, ZIM, NDJSON, zip or tar, compressed or not", archive.display())]
    Unknown {
        /// The file.
        archive: PathBuf,
    },
}

/// A record's id behind a message about it.
fn named(record_id: Option<&str>) -> String {
    record_id.map(|id| format!(" (record {id})")).unwrap_or_default()
}

/// An error with its cause, in words.
pub(super) fn describe(error: &ArchiveError) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

impl ArchiveError {
    /// The failure's code.
    pub fn code(&self) -> FailureCode {
        match self {
            Self::Io { .. } => FailureCode::ArchiveIo,
            Self::NotInFile { .. } | Self::LeadsIntoFile { .. } => FailureCode::ArchivePath,
            Self::Empty { .. } => FailureCode::ArchiveEmpty,
            Self::Unknown { .. } => FailureCode::ArchiveUnknown,
            Self::Malformed { .. } => FailureCode::RecordMalformed,
            Self::TooLarge { .. } => FailureCode::RecordTooLarge,
            Self::Damaged { .. } => FailureCode::RecordDamaged,
        }
    }

    /// What is wrong, with its cause, without the place: for a [`Remark`], whose record has the place.
    pub(super) fn fault(&self) -> String {
        match self {
            Self::Damaged { source, .. } => format!("{DAMAGED}: {source}"),
            Self::Io { source, .. } => format!("the file cannot be read to its end: {source}"),
            other => describe(other),
        }
    }

    /// Where in the file the failure is, in bytes; 0 where it concerns the file as a whole.
    pub fn offset_bytes(&self) -> u64 {
        match self {
            Self::Io { .. }
            | Self::NotInFile { .. }
            | Self::LeadsIntoFile { .. }
            | Self::Empty { .. }
            | Self::Unknown { .. } => 0,
            Self::Malformed { offset_bytes, .. }
            | Self::TooLarge { offset_bytes, .. }
            | Self::Damaged { offset_bytes, .. } => *offset_bytes,
        }
    }

    /// `WARC-Record-ID` of the record that failed, where its head could be read.
    pub fn record_id(&self) -> Option<&str> {
        match self {
            Self::Io { .. }
            | Self::NotInFile { .. }
            | Self::LeadsIntoFile { .. }
            | Self::Empty { .. }
            | Self::Unknown { .. } => None,
            Self::Malformed { record_id, .. } | Self::TooLarge { record_id, .. } | Self::Damaged { record_id, .. } => {
                record_id.as_deref()
            }
        }
    }
}
