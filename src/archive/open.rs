//! Tells what a file is by its content, and opens it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::arc_head::is_arc_start;
use super::framing::{Framing, is_warc_start};
use super::html_file::HtmlFileReader;
use super::record::{ArchiveError, ArchiveReader, ArchiveRecord};
use super::stream::{Stop, Stream};
use super::warc::WarcReader;

use crate::limits::Limits;
use crate::page::sniff;

/// Decoded bytes that are looked at.
const SNIFFED_BYTES: usize = 8 << 10;

/// A container that can be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    Warc,
    Arc,
    Html,
}

/// Opens an archive file, whatever its name says.
///
/// Gzip is looked into. The name counts only where the content leaves it open: for text without tags, and for files
/// that are empty or damaged at once.
///
/// # Errors
///
/// [`ArchiveError::Io`] if the file cannot be read, [`ArchiveError::Unknown`] if it is no known container.
pub fn open(path: &Path, limits: &Limits) -> Result<Box<dyn ArchiveReader + Send>, ArchiveError> {
    let (file, len) = open_file(path).map_err(|source| ArchiveError::Io { archive: path.to_owned(), source })?;
    open_source(file, Some(len), path, limits)
}

fn open_file(path: &Path) -> io::Result<(File, u64)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok((file, metadata.len()))
}

/// Opens an archive that is read from `source`; `path` names it and `len` is its size, where that is known.
///
/// # Errors
///
/// As [`open`].
pub fn open_source(
    source: impl Read + Send + 'static,
    len: Option<u64>,
    path: &Path,
    limits: &Limits,
) -> Result<Box<dyn ArchiveReader + Send>, ArchiveError> {
    let mut stream = Stream::open(source);
    let reader: Box<dyn ArchiveReader + Send> = match sniff_stream(&mut stream, path)? {
        Some(Container::Warc) => Box::new(WarcReader::new(stream, Framing::Warc, path.to_owned(), len, *limits)),
        Some(Container::Arc) => Box::new(WarcReader::new(stream, Framing::Arc, path.to_owned(), len, *limits)),
        Some(Container::Html) => Box::new(HtmlFileReader::new(stream, path.to_owned(), *limits)),
        None => return Err(ArchiveError::Unknown { archive: path.to_owned() }),
    };
    Ok(Box::new(Numbered { reader, next: 0 }))
}

/// Numbers what a reader gives.
struct Numbered {
    reader: Box<dyn ArchiveReader + Send>,
    next: u64,
}

impl ArchiveReader for Numbered {
    fn next_record(&mut self) -> Option<Result<ArchiveRecord, ArchiveError>> {
        let mut item = self.reader.next_record()?;
        if let Ok(record) = &mut item {
            record.ordinal = self.next;
        }
        self.next += 1;
        Some(item)
    }

    fn position_bytes(&self) -> u64 {
        self.reader.position_bytes()
    }
}

/// Tells what the file at `path` is.
pub(super) fn sniff_file(path: &Path) -> Result<Option<Container>, ArchiveError> {
    let (file, _) = open_file(path).map_err(|source| ArchiveError::Io { archive: path.to_owned(), source })?;
    sniff_stream(&mut Stream::open(file), path)
}

fn sniff_stream<R: Read>(stream: &mut Stream<R>, path: &Path) -> Result<Option<Container>, ArchiveError> {
    let whole = !stream.fill_to(SNIFFED_BYTES);
    if let (true, Some(Stop::Io(_))) = (stream.window().is_empty(), stream.stop())
        && let Some(Stop::Io(source)) = stream.take_stop()
    {
        return Err(ArchiveError::Io { archive: path.to_owned(), source });
    }
    let bytes = &stream.window()[..stream.window().len().min(SNIFFED_BYTES)];
    Ok(by_content(bytes).or_else(|| by_name(bytes, whole && bytes.is_empty(), path)))
}

fn by_content(bytes: &[u8]) -> Option<Container> {
    if bytes.trim_ascii_start().starts_with(b"WARC/") {
        Some(Container::Warc)
    } else if is_arc_start(bytes.trim_ascii_start()) {
        Some(Container::Arc)
    } else if sniff::is_html(bytes) {
        Some(Container::Html)
    } else if memchr::memmem::find_iter(bytes, b"\nWARC/").any(|at| is_warc_start(&bytes[at + 1..])) {
        Some(Container::Warc)
    } else {
        None
    }
}

fn by_name(bytes: &[u8], is_empty: bool, path: &Path) -> Option<Container> {
    let container = name_says(path)?;
    let is_possible = if container == Container::Html { sniff::is_text(bytes) } else { is_empty };
    is_possible.then_some(container)
}

/// Name endings of compressed files and of those still being written.
const OUTER_ENDINGS: [&str; 6] = ["gz", "zst", "lz4", "bz2", "xz", "open"];

/// Name endings of containers.
const ENDINGS: [(&str, Container); 5] = [
    ("warc", Container::Warc),
    ("arc", Container::Arc),
    ("html", Container::Html),
    ("htm", Container::Html),
    ("xhtml", Container::Html),
];

/// What a file's name says, without the endings of compressed files and of those still being written.
pub(super) fn name_says(path: &Path) -> Option<Container> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let (_, endings) = name.split_once('.')?;
    let ending = endings.split('.').rev().find(|ending| !OUTER_ENDINGS.contains(ending))?;
    ENDINGS.iter().find(|(name, _)| *name == ending).map(|&(_, container)| container)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniff(bytes: &'static [u8], name: &str) -> Option<Container> {
        sniff_stream(&mut Stream::open(bytes), Path::new(name)).unwrap()
    }

    #[test]
    fn content_goes_before_the_name() {
        assert_eq!(sniff(b"WARC/1.0\r\n", "page.html"), Some(Container::Warc));
        assert_eq!(sniff(b"<!DOCTYPE html><p>", "x.warc.gz"), Some(Container::Html));
        assert_eq!(sniff(b"just words", "x.warc"), None);
        assert_eq!(sniff(b"just words", "x.htm"), Some(Container::Html));
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n\0\0", "x.html"), None);
    }

    #[test]
    fn empty_files_go_by_their_name() {
        assert_eq!(sniff(b"", "x.warc"), Some(Container::Warc));
        assert_eq!(sniff(b"", "x.warc.gz.open"), Some(Container::Warc));
        assert_eq!(sniff(b"", "x.html"), Some(Container::Html));
        assert_eq!(sniff(b"", "x.txt"), None);
    }
}
