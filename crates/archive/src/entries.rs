//! Containers of files: each file is opened as an archive of its own.

use std::io::Read;
use std::path::PathBuf;

use super::member::{file_url, member_path};
use super::open::{NestedPlace, Source, open_stream};
use super::record::{ArchiveError, ArchiveReader, ArchiveRecord, Payload, RecordKind};
use super::stream::Stream;

/// Files within files within files: more levels nobody has.
const DEPTH_MAX: u8 = 4;

/// A file in a container.
pub(super) struct ContainerEntry {
    /// Its name with its folders.
    pub(super) name: String,
    /// Where it begins in the container.
    pub(super) offset_bytes: u64,
    /// Its size, where that is known.
    pub(super) len: Option<u64>,
    /// Its bytes. They may be read until the next entry is asked for.
    pub(super) content: Source,
}

/// A container that gives files one after another.
pub(super) trait Entries {
    /// The next file, or what could not be read as one.
    fn next_entry(&mut self) -> Option<Result<ContainerEntry, ArchiveError>>;

    /// Bytes of the container read so far.
    fn position_bytes(&self) -> u64;
}

/// Reads the records of all files in a container. A file that is no archive and no page is one record that is none either.
pub(super) struct EntriesReader<E> {
    entries: E,
    place: NestedPlace,
    current: Option<Box<dyn ArchiveReader + Send>>,
}

impl<E: Entries> EntriesReader<E> {
    pub(super) fn new(entries: E, place: NestedPlace) -> Self {
        Self { entries, place, current: None }
    }

    /// Opens a file; gives a record where there is nothing to open.
    fn open(&mut self, entry: ContainerEntry) -> Option<Result<ArchiveRecord, ArchiveError>> {
        let archive = member_path(&self.place.archive, &entry.name);
        if self.place.depth >= DEPTH_MAX {
            let reason = format!("files within files: more than {DEPTH_MAX} levels are not opened");
            let offset_bytes = entry.offset_bytes;
            return Some(Err(ArchiveError::Malformed { archive, offset_bytes, record_id: None, reason }));
        }
        let place = NestedPlace { archive: archive.clone(), depth: self.place.depth + 1, ..self.place };
        match open_stream(Stream::open(entry.content), None, entry.len, place) {
            Ok(reader) => self.current = Some(reader),
            Err(ArchiveError::Unknown { .. } | ArchiveError::Empty { .. }) => {
                return Some(Ok(other_file(archive, entry.offset_bytes)));
            }
            Err(error) => return Some(Err(error)),
        }
        None
    }
}

/// A file that holds no page.
fn other_file(archive: PathBuf, offset_bytes: u64) -> ArchiveRecord {
    let payload = Payload::Bare { content_type: Some("application/octet-stream".to_owned()), body: Vec::new() };
    ArchiveRecord::new(RecordKind::Resource, file_url(&archive), archive, offset_bytes, payload)
}

impl<E: Entries> ArchiveReader for EntriesReader<E> {
    fn next_record(&mut self) -> Option<Result<ArchiveRecord, ArchiveError>> {
        loop {
            if let Some(item) = self.current.as_mut().and_then(|reader| reader.next_record()) {
                return Some(item);
            }
            self.current = None;
            let item = match self.entries.next_entry()? {
                Ok(entry) => self.open(entry),
                Err(error) => Some(Err(error)),
            };
            if item.is_some() {
                return item;
            }
        }
    }

    fn position_bytes(&self) -> u64 {
        self.entries.position_bytes()
    }
}

/// Stops a decoder that gives more than a bomb's share of its input: a reader for compressed entries.
pub(super) struct Bounded<R> {
    decoder: R,
    left: u64,
}

/// Bytes that an entry may decode to whatever its ratio.
const RATIO_FREE_BYTES: u64 = 64 << 20;

/// Decoded to encoded bytes of an entry, above [`RATIO_FREE_BYTES`]: deflate reaches no more.
const RATIO_MAX: u64 = 1032;

impl<R: Read> Bounded<R> {
    /// Bounds what `decoder` makes of `encoded` bytes.
    pub(super) fn new(decoder: R, encoded: u64) -> Self {
        Self { decoder, left: encoded.saturating_mul(RATIO_MAX).max(RATIO_FREE_BYTES) }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.decoder.read(into)?;
        if read as u64 > self.left {
            let reason = format!("the file decodes to more than {RATIO_MAX} times its size");
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, reason));
        }
        self.left -= read as u64;
        Ok(read)
    }
}
