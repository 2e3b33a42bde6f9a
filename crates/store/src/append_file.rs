//! Files that only grow: a header, then records. Trees, bodies and the ledger are kept in such files.
//!
//! ```text
//! file = magic (8 bytes) version:u32 0:u32 record*        integers little-endian
//! ```
//!
//! The file itself does not say where it ends: the database keeps the valid length, and what lies behind it is of a commit that was
//! cut off. Each kind of record has its own checksum.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lopper_faults::failpoint;

use lopper_faults::disk::sync_folder;

use super::{DamageCause, DamagedPart, StoreError};

/// Length of a file's header: that of a file without records.
pub(super) const HEADER_BYTES: u64 = 16;

/// What tells one kind of file from the others.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileFormat {
    pub(super) name: &'static str,
    pub(super) magic: [u8; 8],
    pub(super) version: u32,
}

impl FileFormat {
    fn header(self) -> [u8; HEADER_BYTES as usize] {
        let mut header = [0; HEADER_BYTES as usize];
        header[..8].copy_from_slice(&self.magic);
        header[8..12].copy_from_slice(&self.version.to_le_bytes());
        header
    }
}

/// The open file.
#[derive(Debug)]
pub(super) struct AppendFile {
    file: File,
    data: PathBuf,
    path: PathBuf,
    format: FileFormat,
}

impl AppendFile {
    /// Opens the file in the folder `data`, of which `valid_bytes` count; makes it when no record was ever committed. What lies behind
    /// the valid bytes is cut off when the file is `writable`.
    pub(super) fn open(data: &Path, format: FileFormat, valid_bytes: u64, writable: bool) -> Result<Self, StoreError> {
        debug_assert!(valid_bytes >= HEADER_BYTES, "the header always counts");
        let path = data.join(format.name);
        if valid_bytes == HEADER_BYTES && !holds_header(&path) {
            create(&path, format).map_err(StoreError::io("make", &path))?;
        }
        let file = OpenOptions::new().read(true).write(writable).open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                StoreError::damaged(data, DamagedPart::Records, format!("{} is missing", format.name), error)
            }
            _ => StoreError::io("open", &path)(error),
        })?;
        let opened = Self { file, data: data.to_owned(), path, format };
        opened.check(valid_bytes)?;
        if writable {
            opened.truncate(valid_bytes)?;
        }
        Ok(opened)
    }

    /// Makes a damaged file as long as what counts of it: with zeros, which fit no checksum.
    pub(super) fn pad(data: &Path, format: FileFormat, valid_bytes: u64) -> Result<(), StoreError> {
        let path = data.join(format.name);
        if !holds_header(&path) {
            create(&path, format).map_err(StoreError::io("make", &path))?;
        }
        let file = OpenOptions::new().write(true).open(&path).map_err(StoreError::io("open", &path))?;
        let length = file.metadata().map_err(StoreError::io("read", &path))?.len();
        file.set_len(length.max(valid_bytes)).map_err(StoreError::io("extend", &path))
    }

    /// Whether the file is there, with a header that is not its own.
    pub(super) fn has_wrong_header(data: &Path, format: FileFormat) -> Result<bool, StoreError> {
        let path = data.join(format.name);
        if !holds_header(&path) {
            return Ok(false);
        }
        let file = File::open(&path).map_err(StoreError::io("open", &path))?;
        let mut header = [0; HEADER_BYTES as usize];
        read_at(&file, &mut header, 0).map_err(StoreError::io("read", &path))?;
        Ok(header != format.header())
    }

    /// Writes the header over what stands in its place, durably.
    pub(super) fn write_header(data: &Path, format: FileFormat) -> Result<(), StoreError> {
        let path = data.join(format.name);
        let file = OpenOptions::new().write(true).open(&path).map_err(StoreError::io("open", &path))?;
        write_at(&file, &format.header(), 0).and_then(|()| file.sync_all()).map_err(StoreError::io("write", &path))
    }

    fn check(&self, valid_bytes: u64) -> Result<(), StoreError> {
        let (name, length) = (self.format.name, self.length()?);
        if length < valid_bytes {
            let what = format!("{name} has {length} bytes of {valid_bytes}");
            return Err(StoreError::inconsistent(&self.data, DamagedPart::Records, what));
        }
        if self.read(0, HEADER_BYTES as usize)? != self.format.header() {
            let what = format!("{name} has a wrong header");
            return Err(StoreError::inconsistent(&self.data, DamagedPart::Records, what));
        }
        Ok(())
    }

    /// Cuts off what a failed commit left behind the valid length.
    fn truncate(&self, valid_bytes: u64) -> Result<(), StoreError> {
        let length = self.length()?;
        if length > valid_bytes {
            let cut = length - valid_bytes;
            tracing::info!(cut_bytes = cut, "{}: dropping an unfinished commit", self.format.name);
            self.file.set_len(valid_bytes).map_err(self.io("truncate"))?;
        }
        Ok(())
    }

    /// Its name, and the file itself, which stays what it is if another one is put in its place.
    pub(super) fn held(&self) -> Result<(String, File), StoreError> {
        Ok((self.format.name.to_owned(), self.file.try_clone().map_err(self.io("open"))?))
    }

    pub(super) fn length(&self) -> Result<u64, StoreError> {
        Ok(self.file.metadata().map_err(self.io("read"))?.len())
    }

    /// Writes `record` at `offset_bytes`. Durable only after [`sync`](Self::sync).
    pub(super) fn write(&self, offset_bytes: u64, record: &[u8]) -> Result<(), StoreError> {
        write_at(&self.file, record, offset_bytes).map_err(self.io("write"))
    }

    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.file.sync_data().map_err(self.io("sync"))
    }

    /// Exactly `length` bytes at `offset_bytes`.
    pub(super) fn read(&self, offset_bytes: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        if self.length()? < offset_bytes.saturating_add(length as u64) {
            return Err(self.damaged(offset_bytes, format!("the file ends before the {length} bytes of a record")));
        }
        let mut bytes = vec![0; length];
        read_at(&self.file, &mut bytes, offset_bytes).map_err(self.io("read"))?;
        Ok(bytes)
    }

    /// The error for a record at `offset_bytes` that is not what was written.
    pub(super) fn damaged(&self, offset_bytes: u64, source: impl Into<DamageCause>) -> StoreError {
        let what = format!("{} at byte {offset_bytes}", self.format.name);
        StoreError::damaged(&self.data, DamagedPart::Records, what, source)
    }

    fn io(&self, action: &'static str) -> impl FnOnce(io::Error) -> StoreError + use<> {
        StoreError::io(action, &self.path)
    }
}

/// Decompresses what must come out as `length` bytes.
pub(super) fn unpacked(compressed: &[u8], length: usize) -> Result<Vec<u8>, DamageCause> {
    let bytes = zstd::bulk::decompress(compressed, length)?;
    if bytes.len() == length { Ok(bytes) } else { Err("another length than was written".into()) }
}

/// Decompresses the first frame of some, which gives no more than `length_max` bytes.
pub(super) fn unpacked_first(compressed: &[u8], length_max: usize) -> Result<Vec<u8>, DamageCause> {
    let frame = zstd::zstd_safe::find_frame_compressed_size(compressed).ok();
    let frame = frame.and_then(|bytes| compressed.get(..bytes)).ok_or("it is no compressed frame")?;
    // Each frame that was written says its length.
    let length = zstd::zstd_safe::get_frame_content_size(frame).ok().flatten().ok_or("a frame without a length")?;
    let length = usize::try_from(length).ok().filter(|length| *length <= length_max);
    unpacked(frame, length.ok_or("a frame is longer than what was written")?)
}

/// Whether the file was made completely; else a crash cut its making off.
fn holds_header(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.len() >= HEADER_BYTES)
}

fn create(path: &Path, format: FileFormat) -> io::Result<()> {
    let mut file = File::create(path)?;
    failpoint::pass("file.made");
    file.write_all(&format.header())?;
    file.sync_all()?;
    path.parent().map_or(Ok(()), sync_folder)
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], offset_bytes: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset_bytes)
}

#[cfg(unix)]
pub(super) fn read_at(file: &File, bytes: &mut [u8], offset_bytes: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset_bytes)
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut offset_bytes: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset_bytes)?;
        bytes = &bytes[written..];
        offset_bytes += written as u64;
    }
    Ok(())
}

#[cfg(windows)]
pub(super) fn read_at(file: &File, mut bytes: &mut [u8], mut offset_bytes: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset_bytes)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = &mut bytes[read..];
                offset_bytes += read as u64;
            }
        }
    }
    Ok(())
}
