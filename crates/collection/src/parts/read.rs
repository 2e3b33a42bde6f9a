//! Reading a part.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::format::{EndLine, PART_VERSION};
use super::{PartEnd, PartError, PartHead, PartLine};

/// Bytes of a line: a page's tree and blocks.
const LINE_BYTES_MAX: u64 = 1 << 30;

/// Lines of a part, one after the other.
pub struct PartReader {
    path: PathBuf,
    lines: Box<dyn BufRead + Send>,
    number: u64,
    head: PartHead,
    end: Option<PartEnd>,
    position_bytes: Arc<AtomicU64>,
}

/// Counts the bytes that are read.
struct Counted<R> {
    stream: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// What is read of each line before it is known where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinePlace {
    pub(crate) ordinal: u64,
    pub(crate) offset_bytes: u64,
    pub(crate) position_bytes: u64,
    pub(crate) payload_bytes: u64,
    pub(crate) remark: Option<String>,
}

/// Any line, with no more read of it than tells which one it is.
#[derive(Deserialize)]
struct AnyLine {
    ordinal: Option<u64>,
    offset_bytes: Option<u64>,
    position_bytes: Option<u64>,
    payload_bytes: Option<u64>,
    remark: Option<String>,
    end: Option<IgnoredAny>,
}

impl AnyLine {
    fn place(self) -> Option<LinePlace> {
        Some(LinePlace {
            ordinal: self.ordinal?,
            offset_bytes: self.offset_bytes?,
            position_bytes: self.position_bytes?,
            payload_bytes: self.payload_bytes?,
            remark: self.remark,
        })
    }
}

impl PartReader {
    /// Opens a part.
    ///
    /// # Errors
    ///
    /// [`PartError::Io`], [`PartError::Damaged`] for what is no part, [`PartError::OtherVersion`].
    pub fn open(path: &Path) -> Result<Self, PartError> {
        Self::open_as(path, path)
    }

    fn open_as(path: &Path, name: &Path) -> Result<Self, PartError> {
        let file = File::open(path).map_err(PartError::io("read", name))?;
        Self::of_stream(file, name)
    }

    /// The same of a stream; `path` names it.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn of_stream(stream: impl Read + Send + 'static, path: &Path) -> Result<Self, PartError> {
        let position_bytes = Arc::new(AtomicU64::new(0));
        let decoder = zstd::Decoder::new(Counted { stream, bytes: position_bytes.clone() })
            .map_err(PartError::io("read", path))?;
        let mut lines: Box<dyn BufRead + Send> = Box::new(BufReader::with_capacity(1 << 16, decoder));
        let damaged = |reason: String| PartError::Damaged { path: path.to_owned(), line: 1, reason };
        let mut first = String::new();
        (&mut lines).take(LINE_BYTES_MAX).read_line(&mut first).map_err(|error| damaged(error.to_string()))?;
        let head: PartHead = serde_json::from_str(&first).map_err(|error| damaged(format!("no part: {error}")))?;
        if head.lopper_part != PART_VERSION || head.version != env!("CARGO_PKG_VERSION") {
            return Err(PartError::OtherVersion { path: path.to_owned(), found: head.version });
        }
        Ok(Self { path: path.to_owned(), lines, number: 1, head, end: None, position_bytes })
    }

    /// Opens a part that is known to be whole, its checksum right, to its last line. Damage anywhere costs the whole of it, so that what is
    /// taken from a part never depends on where the damage is.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_whole(path: &Path) -> Result<Self, PartError> {
        Self::open_whole_as(path, path)
    }

    /// The same of a copy at `path` of what `name` names.
    pub(crate) fn open_whole_as(path: &Path, name: &Path) -> Result<Self, PartError> {
        let mut whole = Self::open_as(path, name)?;
        let mut last = Vec::new();
        loop {
            let mut line = Vec::new();
            let read = (&mut whole.lines).take(LINE_BYTES_MAX).read_until(b'\n', &mut line);
            whole.number += 1;
            if read.map_err(|error| whole.damaged(error.to_string()))? == 0 {
                break;
            }
            last = line;
        }
        match serde_json::from_slice::<EndLine>(&last) {
            Ok(_) => Self::open_as(path, name),
            Err(_) => Err(whole.damaged("the part ends in the middle".to_owned())),
        }
    }

    /// What the part was made of.
    pub fn head(&self) -> &PartHead {
        &self.head
    }

    /// Its sums, once [`next_line`](Self::next_line) has given all lines.
    pub fn end(&self) -> Option<&PartEnd> {
        self.end.as_ref()
    }

    /// Bytes of the part that were read.
    pub(crate) fn position_bytes(&self) -> u64 {
        self.position_bytes.load(Ordering::Relaxed)
    }

    /// The next record.
    ///
    /// # Errors
    ///
    /// [`PartError::Damaged`] for what cannot be read, and when the part ends without its last line.
    pub fn next_line(&mut self) -> Result<Option<PartLine>, PartError> {
        let Some((_, text)) = self.next_text()? else { return Ok(None) };
        serde_json::from_str(&text).map(Some).map_err(|error| self.damaged(error.to_string()))
    }

    /// The next record, with no more read of it than its place.
    pub(crate) fn next_text(&mut self) -> Result<Option<(LinePlace, String)>, PartError> {
        if self.end.is_some() {
            return Ok(None);
        }
        self.number += 1;
        let mut text = String::new();
        let read = (&mut self.lines).take(LINE_BYTES_MAX).read_line(&mut text);
        read.map_err(|error| self.damaged(error.to_string()))?;
        if text.is_empty() {
            return Err(self.damaged("the part ends in the middle".to_owned()));
        }
        let line: AnyLine = serde_json::from_str(&text).map_err(|error| self.damaged(error.to_string()))?;
        if line.end.is_some() {
            let end = serde_json::from_str::<EndLine>(&text);
            self.end = Some(end.map_err(|error| self.damaged(error.to_string()))?.end);
            return Ok(None);
        }
        match line.place() {
            Some(place) => Ok(Some((place, text))),
            None => Err(self.damaged("a record without its place".to_owned())),
        }
    }

    fn damaged(&self, reason: String) -> PartError {
        PartError::Damaged { path: self.path.clone(), line: self.number, reason }
    }
}
