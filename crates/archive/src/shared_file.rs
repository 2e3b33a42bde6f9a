//! A file that is read at any place, shared by the readers of its parts.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

/// A file open for reading at any place.
#[derive(Clone)]
pub(super) struct SharedFile {
    file: Arc<Mutex<File>>,
    len: u64,
}

impl SharedFile {
    pub(super) fn new(file: File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self { file: Arc::new(Mutex::new(file)), len })
    }

    /// Size of the file in bytes.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The bytes from `offset` on: `len` of them, or fewer at the file's end.
    pub(super) fn bytes_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.part(offset, len as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// A reader of `len` bytes from `offset` on, of fewer at the file's end.
    pub(super) fn part(&self, offset: u64, len: u64) -> Part {
        Part { file: self.clone(), offset, end: offset.saturating_add(len).min(self.len) }
    }
}

/// Reads a part of a [`SharedFile`].
pub(super) struct Part {
    file: SharedFile,
    offset: u64,
    end: u64,
}

impl Read for Part {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = self.end.saturating_sub(self.offset).min(into.len() as u64) as usize;
        if len == 0 {
            return Ok(0);
        }
        let mut file = self.file.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.offset))?;
        let read = file.read(&mut into[..len])?;
        self.offset += read as u64;
        Ok(read)
    }
}
