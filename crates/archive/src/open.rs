//! Opens a file or a stream as the container that it is.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use lopper_content::limits::Limits;

use super::container::{Container, by_content, by_first_record, name_says};
use super::entries::EntriesReader;
use super::framing::Framing;
use super::har::HarReader;
use super::html_file::HtmlFileReader;
use super::input::Input;
use super::member::split_member;
use super::mhtml::MhtmlReader;
use super::ndjson::NdjsonReader;
use super::record::{ArchiveError, ArchiveReader, ArchiveRecord, ResumePoint};
use super::shared_file::SharedFile;
use super::spool::spool;
use super::stream::{Stop, Stream};
use super::tar::TarEntries;
use super::wacz::{WaczReader, is_wacz};
use super::warc::WarcReader;
use super::zim::ZimReader;
use super::zip::ZipEntries;
use crate::page::sniff;

/// Decoded bytes that are looked at.
const SNIFFED_BYTES: usize = 8 << 10;

/// Damages at a file's beginning behind which its first record is looked for.
const DAMAGES_MAX: usize = 64;

/// The path that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// Bytes to be opened as an archive.
pub type Source = Box<dyn Read + Send>;

type Reader = Box<dyn ArchiveReader + Send>;

/// What is being opened, and how deep within other files.
#[derive(Debug, Clone)]
pub(super) struct NestedPlace {
    pub(super) archive: PathBuf,
    pub(super) limits: Limits,
    pub(super) depth: u8,
    /// Whether bodies that are no pages are read, too.
    pub(super) has_all_bodies: bool,
}

impl NestedPlace {
    fn outermost(archive: &Path, limits: &Limits) -> Self {
        Self { archive: archive.to_owned(), limits: *limits, depth: 0, has_all_bodies: false }
    }
}

/// Opens an archive file, whatever its name says. `-` is standard input; a path that leads into a file (`x.wacz/archive/data.warc`)
/// opens the file in it.
///
/// Compressed files are looked into. The name counts only where the content leaves it open: for text without tags, and for files
/// that are empty or damaged at once.
///
/// # Errors
///
/// [`ArchiveError::Io`] if the file cannot be read, [`ArchiveError::Unknown`] if it is no known container.
pub fn open(path: &Path, limits: &Limits) -> Result<Reader, ArchiveError> {
    if path == Path::new(STANDARD_INPUT) {
        return open_source(io::stdin(), None, path, limits);
    }
    if let (false, Some((outer, _))) = (path.exists(), split_member(path)) {
        let reader = open(&outer, limits)?;
        return Ok(Box::new(Below { reader, path: path.to_owned(), is_found: false }));
    }
    open_place(NestedPlace::outermost(path, limits))
}

/// The same as [`open`] for an archive file, with the bodies of what is no page: pictures, style sheets. Files in a zip or tar that are no
/// archives have none.
///
/// # Errors
///
/// As [`open`].
pub fn open_whole(path: &Path, limits: &Limits) -> Result<Reader, ArchiveError> {
    open_place(NestedPlace { has_all_bodies: true, ..NestedPlace::outermost(path, limits) })
}

fn open_place(place: NestedPlace) -> Result<Reader, ArchiveError> {
    let (file, len) =
        open_file(&place.archive).map_err(|source| ArchiveError::Io { archive: place.archive.clone(), source })?;
    let shared = file.try_clone().and_then(SharedFile::new).ok();
    Ok(numbered(open_stream(Stream::open(Box::new(file)), shared, Some(len), place)?))
}

/// Opens the archive file at `path` in its middle, at a point that a reader of it gave.
///
/// # Errors
///
/// [`ArchiveError::Io`] if the file cannot be read, [`ArchiveError::Unknown`] if it is no archive that gives such points.
pub fn open_at(path: &Path, point: ResumePoint, limits: &Limits) -> Result<Reader, ArchiveError> {
    open_file_in_middle(path, point, false, limits)
}

/// The same as [`open_at`], with the bodies of responses that are no pages: pictures, style sheets.
///
/// # Errors
///
/// As [`open_at`].
pub fn open_whole_at(path: &Path, point: ResumePoint, limits: &Limits) -> Result<Reader, ArchiveError> {
    open_file_in_middle(path, point, true, limits)
}

/// The same as [`open_at`] for an archive that `source` gives from any byte on, as one behind a URL; `path` names it, and `len` is its
/// size, where that is known. `source` is asked for the beginning, which tells what the archive is, and then for the point or some bytes
/// before it.
///
/// # Errors
///
/// As [`open_at`].
pub fn open_source_at(
    source: impl FnMut(u64) -> io::Result<Source>,
    len: Option<u64>,
    path: &Path,
    point: ResumePoint,
    limits: &Limits,
) -> Result<Reader, ArchiveError> {
    open_in_middle(source, len, path, point, false, limits)
}

fn open_file_in_middle(
    path: &Path,
    point: ResumePoint,
    is_whole: bool,
    limits: &Limits,
) -> Result<Reader, ArchiveError> {
    let (_, len) = open_file(path).map_err(|source| ArchiveError::Io { archive: path.to_owned(), source })?;
    open_in_middle(|start| file_from(path, start), Some(len), path, point, is_whole, limits)
}

fn open_in_middle(
    mut source: impl FnMut(u64) -> io::Result<Source>,
    len: Option<u64>,
    path: &Path,
    point: ResumePoint,
    is_whole: bool,
    limits: &Limits,
) -> Result<Reader, ArchiveError> {
    let failed = |source| ArchiveError::Io { archive: path.to_owned(), source };
    let mut stream: Stream<Source> = Stream::open(source(0).map_err(failed)?);
    let container = sniff_stream(&mut stream, path)?;
    let start = Input::<Source>::read_start(point.offset_bytes);
    stream.go_to(source(start).map_err(failed)?, point.offset_bytes).map_err(failed)?;
    let archive = path.to_owned();
    let records = |stream, framing, archive| {
        let reader = WarcReader::new(stream, framing, archive, len, *limits);
        Box::new(if is_whole { reader.with_all_bodies() } else { reader })
    };
    let reader: Reader = match container {
        Some(Container::Warc) => records(stream, Framing::Warc, archive),
        Some(Container::Arc) => records(stream, Framing::Arc, archive),
        Some(Container::Ndjson) => Box::new(NdjsonReader::new(stream, NestedPlace::outermost(&archive, limits))),
        _ => return Err(ArchiveError::Unknown { archive }),
    };
    Ok(Box::new(Numbered { reader, first: point.ordinal, given: 0 }))
}

fn file_from(path: &Path, start: u64) -> io::Result<Source> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    Ok(Box::new(file))
}

fn open_file(path: &Path) -> io::Result<(File, u64)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok((file, metadata.len()))
}

/// Opens an archive that is read from `source`; `path` names it and `len` is its size, where that is known. Formats that are read
/// from their end are put into a temporary file first.
///
/// # Errors
///
/// As [`open`].
pub fn open_source(
    source: impl Read + Send + 'static,
    len: Option<u64>,
    path: &Path,
    limits: &Limits,
) -> Result<Reader, ArchiveError> {
    let place = NestedPlace::outermost(path, limits);
    Ok(numbered(open_stream(Stream::open(Box::new(source)), None, len, place)?))
}

/// Opens what `stream` holds; `file` is the same, where it can be read at any place.
pub(super) fn open_stream(
    mut stream: Stream<Source>,
    file: Option<SharedFile>,
    len: Option<u64>,
    place: NestedPlace,
) -> Result<Reader, ArchiveError> {
    let Some(container) = sniff_stream(&mut stream, &place.archive)? else {
        let is_empty = stream.file_position() == 0;
        let archive = place.archive;
        return Err(if is_empty { ArchiveError::Empty { archive } } else { ArchiveError::Unknown { archive } });
    };
    let NestedPlace { archive, limits, has_all_bodies, .. } = place.clone();
    let records = |stream, framing, archive| {
        let reader = WarcReader::new(stream, framing, archive, len, limits);
        if has_all_bodies { reader.with_all_bodies() } else { reader }
    };
    Ok(match container {
        Container::Warc => Box::new(records(stream, Framing::Warc, archive)),
        Container::Arc => Box::new(records(stream, Framing::Arc, archive)),
        Container::Html => Box::new(HtmlFileReader::new(stream, archive, limits)),
        Container::Har => Box::new(HarReader::new(stream, place)),
        Container::Ndjson => Box::new(NdjsonReader::new(stream, place)),
        Container::Mhtml => Box::new(MhtmlReader::new(stream, place)),
        Container::Tar => Box::new(EntriesReader::new(TarEntries::new(stream, archive), place)),
        Container::Zip => open_zip(at_any_place(stream, file, &place)?, place)?,
        Container::Zim => Box::new(ZimReader::open(at_any_place(stream, file, &place)?, place)?),
    })
}

fn open_zip(file: SharedFile, place: NestedPlace) -> Result<Reader, ArchiveError> {
    if is_wacz(&file) {
        return Ok(Box::new(WaczReader::open(file, place)?));
    }
    let entries = ZipEntries::open(file, place.archive.clone(), |_| true)?;
    Ok(Box::new(EntriesReader::new(entries, place)))
}

/// The stream's content as a file: the file itself, if that is not compressed, else a temporary one.
fn at_any_place(
    mut stream: Stream<Source>,
    file: Option<SharedFile>,
    place: &NestedPlace,
) -> Result<SharedFile, ArchiveError> {
    match file.filter(|_| stream.family().is_none()) {
        Some(file) => Ok(file),
        None => spool(&mut stream, place.limits.spool_bytes_max, &place.archive),
    }
}

fn numbered(reader: Reader) -> Reader {
    Box::new(Numbered { reader, first: 0, given: 0 })
}

/// Numbers what a reader gives.
struct Numbered {
    reader: Reader,
    /// The first record's number: not 0 for one who begins in the middle.
    first: u64,
    given: u64,
}

impl ArchiveReader for Numbered {
    fn next_record(&mut self) -> Option<Result<ArchiveRecord, ArchiveError>> {
        let mut item = self.reader.next_record()?;
        if let Ok(record) = &mut item {
            record.ordinal = self.first + self.given;
        }
        self.given += 1;
        Some(item)
    }

    fn position_bytes(&self) -> u64 {
        self.reader.position_bytes()
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        let point = self.reader.resume_point()?;
        Some(ResumePoint { ordinal: self.first + point.ordinal, ..point })
    }
}

/// Gives the records of one file within an archive.
struct Below {
    reader: Reader,
    path: PathBuf,
    /// Whether there was something of it, which may be that it cannot be read.
    is_found: bool,
}

impl ArchiveReader for Below {
    fn next_record(&mut self) -> Option<Result<ArchiveRecord, ArchiveError>> {
        while let Some(item) = self.reader.next_record() {
            if !item.as_ref().is_ok_and(|record| !record.archive.starts_with(&self.path)) {
                self.is_found = true;
                return Some(item);
            }
        }
        let is_missing = !std::mem::replace(&mut self.is_found, true);
        is_missing.then(|| Err(ArchiveError::NotInFile { path: self.path.clone() }))
    }

    fn position_bytes(&self) -> u64 {
        self.reader.position_bytes()
    }
}

/// The container and the compression of a file, in words.
pub(super) fn container_of(path: &Path) -> Result<String, ArchiveError> {
    let failed = |source| ArchiveError::Io { archive: path.to_owned(), source };
    let (file, _) = open_file(path).map_err(failed)?;
    let shared = file.try_clone().and_then(SharedFile::new).map_err(failed)?;
    let mut stream = Stream::open(file);
    let container = sniff_stream(&mut stream, path)?;
    let compression = stream.family().map(|family| format!(", {}", family.name())).unwrap_or_default();
    let name = match container {
        Some(Container::Zip) if compression.is_empty() && is_wacz(&shared) => "WACZ",
        Some(container) => container.name(),
        None => "unknown",
    };
    Ok(format!("{name}{compression}"))
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
    let named_html = || by_name(bytes, false, path).filter(|container| *container == Container::Html);
    let found = by_content(bytes).or_else(named_html).or_else(|| by_first_record(bytes));
    let found = found.or_else(|| by_name(bytes, whole && bytes.is_empty(), path));
    Ok(found.or_else(|| sniff_behind_damage(stream)))
}

/// Tells a file whose first members are damaged by the records behind them. What was held stays; the reader reports it.
fn sniff_behind_damage<R: Read>(stream: &mut Stream<R>) -> Option<Container> {
    for _ in 0..DAMAGES_MAX {
        stream.take_damage()?;
        let held = stream.window().len();
        stream.fill_to(held + SNIFFED_BYTES);
        let window = &stream.window()[held..];
        let behind = by_content(window).or_else(|| by_first_record(window));
        if let Some(Container::Warc | Container::Arc) = behind {
            return behind;
        }
    }
    None
}

fn by_name(bytes: &[u8], is_empty: bool, path: &Path) -> Option<Container> {
    let container = name_says(path)?;
    let is_possible = match container {
        Container::Html => sniff::is_text(bytes) || sniff::may_be_html(bytes),
        Container::Warc | Container::Arc => is_empty,
        _ => false,
    };
    is_possible.then_some(container)
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
    fn a_file_that_is_named_html_may_begin_with_anything_but_binary_data() {
        assert_eq!(sniff(b"<unknown>\n<!-- \x01 a long comment -->\n<p>words", "x.html.gz"), Some(Container::Html));
        let arc = b"<unknown>\nhttp://e.org/ 1.2.3.4 20200102030405 text/html 12\n";
        assert_eq!(sniff(arc, "x.html"), Some(Container::Html));
        assert_eq!(sniff(b"<unknown>\0\0\0\0\0\x01\x02", "x.html"), None);
    }

    #[test]
    fn empty_files_go_by_their_name() {
        assert_eq!(sniff(b"", "x.warc"), Some(Container::Warc));
        assert_eq!(sniff(b"", "x.warc.gz.open"), Some(Container::Warc));
        assert_eq!(sniff(b"", "x.html"), Some(Container::Html));
        assert_eq!(sniff(b"", "x.txt"), None);
    }
}
