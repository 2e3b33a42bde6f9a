//! Tar files: blocks of 512 bytes, a header block before each file.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use memchr::memmem;

use super::entries::{ContainerEntry, Entries};
use super::open::Source;
use super::record::ArchiveError;
use super::stream::{Stop, Stream};
use super::tar_head::{TarHead, TarKind};

/// Bytes of a block.
pub(super) const BLOCK_BYTES: usize = 512;

/// Where in a header its magic stands.
const MAGIC_AT: usize = 257;

/// Bytes of a name or of attributes that stand in blocks of their own.
const EXTENSION_BYTES_MAX: u64 = 64 << 10;

/// Gives the files of a tar file.
pub(super) struct TarEntries {
    shared: Arc<Mutex<Shared>>,
    archive: PathBuf,
}

/// The stream, and how much of it the entry that was given last may still read.
struct Shared {
    stream: Stream<Source>,
    /// The entry's number: one that was given before reads no more.
    entry: u64,
    left: u64,
    /// Bytes between the entry's end and the next block.
    padding: u64,
}

impl TarEntries {
    pub(super) fn new(stream: Stream<Source>, archive: PathBuf) -> Self {
        Self { shared: Arc::new(Mutex::new(Shared { stream, entry: 0, left: 0, padding: 0 })), archive }
    }

    fn malformed(&self, offset_bytes: u64, reason: &str) -> ArchiveError {
        let (archive, reason) = (self.archive.clone(), reason.to_owned());
        ArchiveError::Malformed { archive, offset_bytes, record_id: None, reason }
    }

    /// The next file's header and offset, with what blocks before it say of it.
    fn next_head(&self, shared: &mut Shared) -> Option<Result<(TarHead, u64), ArchiveError>> {
        let mut name = None;
        loop {
            shared.pass_rest();
            if !shared.stream.fill_to(BLOCK_BYTES) {
                return self.stopped(shared).map(Err);
            }
            let offset = shared.stream.offset();
            let block = &shared.stream.window()[..BLOCK_BYTES];
            if block.iter().all(|&byte| byte == 0) {
                shared.stream.consume(BLOCK_BYTES);
                continue;
            }
            let Some(mut head) = TarHead::read(block) else {
                shared.seek();
                return Some(Err(
                    self.malformed(offset, "no tar header is here; the bytes up to the next were passed over")
                ));
            };
            shared.stream.consume(BLOCK_BYTES);
            shared.begin(head.len);
            match head.kind {
                TarKind::LongName | TarKind::Attributes => name = shared.extension(head.kind).or(name),
                TarKind::File => {
                    head.name = name.take().unwrap_or(head.name);
                    return Some(Ok((head, offset)));
                }
                TarKind::Other => name = None,
            }
        }
    }

    fn stopped(&self, shared: &mut Shared) -> Option<ArchiveError> {
        let offset_bytes = shared.stream.offset();
        let cut_off = shared.stream.window().iter().any(|&byte| byte != 0);
        let len = shared.stream.window().len();
        shared.stream.consume(len);
        let archive = self.archive.clone();
        match shared.stream.take_stop()? {
            Stop::End if cut_off => Some(self.malformed(offset_bytes, "the tar file is cut off in a header")),
            Stop::End => None,
            Stop::Damaged(source) => Some(ArchiveError::Damaged { archive, offset_bytes, record_id: None, source }),
            Stop::Io(source) => Some(ArchiveError::Io { archive, source }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    fn begin(&mut self, len: u64) {
        self.entry += 1;
        self.left = len;
        self.padding = len.next_multiple_of(BLOCK_BYTES as u64) - len;
    }

    /// Passes over what is left of an entry.
    fn pass_rest(&mut self) {
        let mut left = self.left + std::mem::take(&mut self.padding);
        self.left = 0;
        while left > 0 && self.stream.fill_to(1) {
            let len = (self.stream.window().len() as u64).min(left);
            self.stream.consume(len as usize);
            left -= len;
        }
    }

    /// Moves from a block that is no header to what may be one, at whatever place behind a damage.
    fn seek(&mut self) {
        self.stream.consume(self.stream.window().len().min(1));
        loop {
            let more = self.stream.fill_to(2 * BLOCK_BYTES);
            let window = self.stream.window();
            let is_head = |at: &usize| window.get(*at..*at + BLOCK_BYTES).is_some_and(|it| TarHead::read(it).is_some());
            let found = memmem::find_iter(window, b"ustar").filter_map(|at| at.checked_sub(MAGIC_AT)).find(is_head);
            let passed = found.unwrap_or(if more { window.len() - BLOCK_BYTES } else { window.len() });
            self.stream.consume(passed);
            if found.is_some() || !more {
                return;
            }
        }
    }

    /// The name that an extension gives to the next file.
    fn extension(&mut self, kind: TarKind) -> Option<String> {
        if self.left > EXTENSION_BYTES_MAX {
            return None;
        }
        let mut content = vec![0; self.left as usize];
        let len = self.read(&mut content).unwrap_or(0);
        content.truncate(len);
        super::tar_head::extended_name(kind, &content)
    }

    /// Reads of the present entry, as much as `into` takes.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let wanted = self.left.min(into.len() as u64) as usize;
        let mut read = 0;
        while read < wanted && self.stream.fill_to(1) {
            let window = self.stream.window();
            let len = window.len().min(wanted - read);
            into[read..read + len].copy_from_slice(&window[..len]);
            self.stream.consume(len);
            read += len;
        }
        self.left -= read as u64;
        match self.stream.stop() {
            Some(Stop::Damaged(error)) if read == 0 && wanted > 0 => {
                Err(io::Error::new(error.kind(), error.to_string()))
            }
            Some(Stop::Io(error)) if read == 0 && wanted > 0 => Err(io::Error::new(error.kind(), error.to_string())),
            Some(Stop::End) if read == 0 && wanted > 0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(read),
        }
    }
}

impl Entries for TarEntries {
    fn next_entry(&mut self) -> Option<Result<ContainerEntry, ArchiveError>> {
        let mut shared = self.lock();
        let (head, offset_bytes) = match self.next_head(&mut shared)? {
            Ok(found) => found,
            Err(error) => return Some(Err(error)),
        };
        let content = Box::new(TarContent { shared: self.shared.clone(), entry: shared.entry });
        Some(Ok(ContainerEntry { name: head.name, offset_bytes, len: Some(head.len), content }))
    }

    fn position_bytes(&self) -> u64 {
        self.lock().stream.file_position()
    }
}

/// The bytes of one file.
struct TarContent {
    shared: Arc<Mutex<Shared>>,
    entry: u64,
}

impl Read for TarContent {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.entry == self.entry { shared.read(into) } else { Ok(0) }
    }
}
