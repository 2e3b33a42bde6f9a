//! An archive, or a range of one, that a part is made of.

use std::io::{self, Read};
use std::path::Path;

use lopper_archive::{ArchiveError, ArchiveReader, ArchiveRecord, ResumePoint, Source};
use lopper_content::limits::Limits;
use lopper_store::ArchiveKey;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::PartError;
use crate::ingest::{fingerprint, is_by_place, real_path};

/// Bytes of an archive. A record belongs to the range that it begins in, so ranges side by side share nothing and leave nothing out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
pub struct ByteRange {
    /// The first byte.
    pub start: u64,
    /// The byte behind the last.
    pub end: u64,
}

impl From<(u64, u64)> for ByteRange {
    fn from((start, end): (u64, u64)) -> Self {
        Self { start, end }
    }
}

impl From<ByteRange> for (u64, u64) {
    fn from(range: ByteRange) -> Self {
        (range.start, range.end)
    }
}

/// An open archive.
pub struct PartInput {
    pub(super) key: ArchiveKey,
    pub(super) range: Option<ByteRange>,
    reader: Box<dyn ArchiveReader + Send>,
    first: Option<Result<ArchiveRecord, ArchiveError>>,
    /// Whether a record of the range was found: damage before that is of a record that begins before the range.
    is_within: bool,
}

impl PartInput {
    /// Opens the archive at `path`. Only WARC, ARC and NDJSON files have ranges.
    ///
    /// # Errors
    ///
    /// [`PartError::Archive`], [`PartError::Io`].
    pub fn open(path: &Path, range: Option<ByteRange>, limits: &Limits) -> Result<Self, PartError> {
        let path = &real_path(path);
        let content = fingerprint(path).map_err(PartError::io("read", path))?;
        let reader = match range {
            Some(range) if range.start > 0 => {
                let point = ResumePoint { offset_bytes: range.start, ordinal: 0 };
                lopper_archive::open_at(path, point, limits)?
            }
            _ => lopper_archive::open(path, limits)?,
        };
        Ok(Self::of_reader(reader, path, content, range))
    }

    /// An archive that is read from a stream; `uri` names it, and `version` is whatever is another one when its content is.
    ///
    /// # Errors
    ///
    /// [`PartError::Archive`].
    pub fn of_stream(
        stream: impl Read + Send + 'static,
        len: Option<u64>,
        uri: &str,
        version: &str,
        limits: &Limits,
    ) -> Result<Self, PartError> {
        let content = xxh3_128(format!("{uri}\0{version}").as_bytes());
        let reader = lopper_archive::open_source(stream, len, Path::new(uri), limits)?;
        Ok(Self::of_reader(reader, Path::new(uri), content, None))
    }

    /// An archive, or a range of one, that `source` gives from any byte on; `uri` names it, and `version` is whatever is another one when
    /// its content is.
    ///
    /// # Errors
    ///
    /// [`PartError::Archive`], [`PartError::Io`].
    pub fn of_source(
        mut source: impl FnMut(u64) -> io::Result<Source>,
        len: Option<u64>,
        uri: &str,
        version: &str,
        range: Option<ByteRange>,
        limits: &Limits,
    ) -> Result<Self, PartError> {
        let (path, content) = (Path::new(uri), xxh3_128(format!("{uri}\0{version}").as_bytes()));
        let reader = match range {
            Some(range) if range.start > 0 => {
                let point = ResumePoint { offset_bytes: range.start, ordinal: 0 };
                lopper_archive::open_source_at(source, len, path, point, limits)?
            }
            _ => lopper_archive::open_source(source(0).map_err(PartError::io("read", path))?, len, path, limits)?,
        };
        Ok(Self::of_reader(reader, path, content, range))
    }

    fn of_reader(
        mut reader: Box<dyn ArchiveReader + Send>,
        path: &Path,
        content: u128,
        range: Option<ByteRange>,
    ) -> Self {
        let is_within = range.is_none_or(|range| range.start == 0);
        let first = if is_within { reader.next_record() } else { None };
        let of = if is_by_place(first.as_ref()) { ArchiveKey::by_place } else { ArchiveKey::by_content };
        let mut key = of(path, content);
        if let Some(ByteRange { start, end }) = range {
            key.id = xxh3_128(format!("{:032x} {start} {end}", key.id).as_bytes());
        }
        Self { key, range, reader, first, is_within }
    }

    /// How far the archive was read.
    pub(super) fn position_bytes(&self) -> u64 {
        self.reader.position_bytes()
    }
}

impl Iterator for PartInput {
    type Item = Result<ArchiveRecord, ArchiveError>;

    /// The next record that begins in the range.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let next = self.first.take().or_else(|| self.reader.next_record())?;
            let offset_bytes = next.as_ref().map_or_else(ArchiveError::offset_bytes, |record| record.offset_bytes);
            if self.range.is_some_and(|range| offset_bytes >= range.end) {
                return None;
            }
            self.is_within |= next.is_ok();
            if self.is_within {
                return Some(next);
            }
        }
    }
}
