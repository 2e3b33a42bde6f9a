//! The append-only file of trees, `trees.bin`.
//!
//! ```text
//! file   = "LOPPERTR" version:u32 0:u32 record*
//! record = length:u32 terms:u32 checksum:u64 body        integers little-endian
//! body   = term hash (5 bytes) * terms, zstd(tree)       checksum: xxh3_64 of `terms` and body
//! ```
//!
//! The file itself does not say where it ends: the database keeps the valid length, and what lies behind it is of a commit
//! that was cut off. A page's term hashes are kept with its tree because replacing the page must take exactly these out
//! of the collection's statistics.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::StoreError;
use super::files::{sync_folder, trees_path};
use super::sketch::TERM_HASH_BITS;

/// Length of the file's header: that of a file without records.
pub(super) const HEADER_BYTES: u64 = 16;

const MAGIC: &[u8; 8] = b"LOPPERTR";
const VERSION: u32 = 1;
const RECORD_HEADER_BYTES: usize = 16;
const TERM_BYTES: usize = TERM_HASH_BITS as usize / 8;

/// Where a page's record is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BlobPointer {
    /// Offset of the record, in bytes.
    pub(super) offset_bytes: u64,
    /// Length of the body, in bytes.
    pub(super) body_bytes: u32,
    /// Term hashes at the start of the body.
    pub(super) terms: u32,
    /// Length of the tree, uncompressed, in bytes.
    pub(super) tree_bytes: u32,
}

impl BlobPointer {
    /// Bytes of the file that the record takes.
    pub(super) fn record_bytes(&self) -> u64 {
        RECORD_HEADER_BYTES as u64 + u64::from(self.body_bytes)
    }
}

/// A page's tree, compressed, with its term hashes: what is appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Blob {
    /// Distinct, ascending.
    pub(super) terms: Vec<u64>,
    pub(super) tree_compressed: Vec<u8>,
    pub(super) tree_bytes: u32,
}

impl Blob {
    fn record(&self) -> Vec<u8> {
        let body_bytes = self.terms.len() * TERM_BYTES + self.tree_compressed.len();
        let mut record = Vec::with_capacity(RECORD_HEADER_BYTES + body_bytes);
        record.extend_from_slice(&(body_bytes as u32).to_le_bytes());
        record.extend_from_slice(&(self.terms.len() as u32).to_le_bytes());
        record.extend_from_slice(&[0; 8]);
        for term in &self.terms {
            record.extend_from_slice(&term.to_le_bytes()[..TERM_BYTES]);
        }
        record.extend_from_slice(&self.tree_compressed);
        let checksum = checksum(&record);
        record[8..RECORD_HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
        record
    }
}

/// Checksum of a record: over the number of its terms and its body.
fn checksum(record: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&record[4..8]);
    hasher.update(&record[RECORD_HEADER_BYTES..]);
    hasher.digest()
}

/// The open file.
#[derive(Debug)]
pub(super) struct BlobFile {
    file: File,
    data: PathBuf,
    path: PathBuf,
}

impl BlobFile {
    /// Opens the file, of which `valid_bytes` count; makes it when no record was ever committed.
    pub(super) fn open(data: &Path, valid_bytes: u64, writable: bool) -> Result<Self, StoreError> {
        debug_assert!(valid_bytes >= HEADER_BYTES, "the header always counts");
        let path = trees_path(data);
        if valid_bytes == HEADER_BYTES && !holds_header(&path) {
            create(&path).map_err(StoreError::io("make", &path))?;
        }
        let file = OpenOptions::new().read(true).write(writable).open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => StoreError::damaged(data, "trees.bin is missing", error),
            _ => StoreError::io("open", &path)(error),
        })?;
        let blobs = Self { file, data: data.to_owned(), path };
        blobs.check(valid_bytes)?;
        if writable {
            blobs.truncate(valid_bytes)?;
        }
        Ok(blobs)
    }

    fn check(&self, valid_bytes: u64) -> Result<(), StoreError> {
        let length = self.file.metadata().map_err(self.io("read"))?.len();
        if length < valid_bytes {
            let what = format!("trees.bin has {length} bytes of {valid_bytes}");
            return Err(StoreError::inconsistent(&self.data, what));
        }
        let header = self.read(0, HEADER_BYTES as usize)?;
        if header != self::header() {
            let what = "trees.bin has a wrong header";
            return Err(StoreError::inconsistent(&self.data, what));
        }
        Ok(())
    }

    /// Cuts off what a failed commit left behind the valid length.
    fn truncate(&self, valid_bytes: u64) -> Result<(), StoreError> {
        let length = self.file.metadata().map_err(self.io("read"))?.len();
        if length > valid_bytes {
            let cut = length - valid_bytes;
            tracing::info!(cut_bytes = cut, "trees.bin: dropping an unfinished commit");
            self.file.set_len(valid_bytes).map_err(self.io("truncate"))?;
        }
        Ok(())
    }

    /// Writes `blob` at `offset_bytes`, the end of the file. Durable only after [`sync`](Self::sync).
    pub(super) fn append(&self, offset_bytes: u64, blob: &Blob) -> Result<BlobPointer, StoreError> {
        let record = blob.record();
        write_at(&self.file, &record, offset_bytes).map_err(self.io("write"))?;
        Ok(BlobPointer {
            offset_bytes,
            body_bytes: (record.len() - RECORD_HEADER_BYTES) as u32,
            terms: blob.terms.len() as u32,
            tree_bytes: blob.tree_bytes,
        })
    }

    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.file.sync_data().map_err(self.io("sync"))
    }

    /// The tree of the record at `pointer`, uncompressed.
    pub(super) fn tree(&self, pointer: &BlobPointer) -> Result<Vec<u8>, StoreError> {
        let body = self.body(pointer)?;
        let compressed = &body[pointer.terms as usize * TERM_BYTES..];
        let tree_bytes = pointer.tree_bytes as usize;
        match zstd::bulk::decompress(compressed, tree_bytes) {
            Ok(tree) if tree.len() == tree_bytes => Ok(tree),
            Ok(_) => Err(self.damaged(pointer)),
            Err(error) => Err(StoreError::damaged(&self.data, self.place(pointer), error)),
        }
    }

    /// The term hashes of the record at `pointer`.
    pub(super) fn terms(&self, pointer: &BlobPointer) -> Result<Vec<u64>, StoreError> {
        let mut body = self.body(pointer)?;
        body.truncate(pointer.terms as usize * TERM_BYTES);
        Ok(body.chunks_exact(TERM_BYTES).map(term_from).collect())
    }

    fn body(&self, pointer: &BlobPointer) -> Result<Vec<u8>, StoreError> {
        let length = RECORD_HEADER_BYTES + pointer.body_bytes as usize;
        let mut record = self.read(pointer.offset_bytes, length)?;
        let agrees = record[..4] == pointer.body_bytes.to_le_bytes()
            && record[4..8] == pointer.terms.to_le_bytes()
            && record[8..RECORD_HEADER_BYTES] == checksum(&record).to_le_bytes()
            && pointer.terms as usize * TERM_BYTES <= pointer.body_bytes as usize;
        if !agrees {
            return Err(self.damaged(pointer));
        }
        record.drain(..RECORD_HEADER_BYTES);
        Ok(record)
    }

    fn read(&self, offset_bytes: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        let mut bytes = vec![0; length];
        match read_at(&self.file, &mut bytes, offset_bytes) {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                let what = format!("trees.bin ends before byte {offset_bytes} + {length}");
                Err(StoreError::damaged(&self.data, what, error))
            }
            Err(error) => Err(self.io("read")(error)),
        }
    }

    fn damaged(&self, pointer: &BlobPointer) -> StoreError {
        StoreError::inconsistent(&self.data, self.place(pointer))
    }

    #[allow(clippy::unused_self)] // Reads better beside `damaged`.
    fn place(&self, pointer: &BlobPointer) -> String {
        format!("trees.bin at byte {}", pointer.offset_bytes)
    }

    fn io(&self, action: &'static str) -> impl FnOnce(io::Error) -> StoreError + use<> {
        StoreError::io(action, &self.path)
    }
}

fn term_from(bytes: &[u8]) -> u64 {
    let mut term = [0; 8];
    term[..TERM_BYTES].copy_from_slice(bytes);
    u64::from_le_bytes(term)
}

fn header() -> [u8; HEADER_BYTES as usize] {
    let mut header = [0; HEADER_BYTES as usize];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header
}

/// Whether the file was made completely; else a crash cut its making off.
fn holds_header(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.len() >= HEADER_BYTES)
}

fn create(path: &Path) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(&header())?;
    file.sync_all()?;
    path.parent().map_or(Ok(()), sync_folder)
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], offset_bytes: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset_bytes)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset_bytes: u64) -> io::Result<()> {
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
fn read_at(file: &File, mut bytes: &mut [u8], mut offset_bytes: u64) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(terms: &[u64], tree: &[u8]) -> Blob {
        Blob {
            terms: terms.to_vec(),
            tree_compressed: zstd::bulk::compress(tree, 3).unwrap(),
            tree_bytes: tree.len() as u32,
        }
    }

    #[test]
    fn records_come_back_as_written() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = BlobFile::open(folder.path(), HEADER_BYTES, true).unwrap();
        let terms = [0, 7, (1 << TERM_HASH_BITS) - 1];
        let first = blobs.append(HEADER_BYTES, &blob(&terms, b"oak")).unwrap();
        let end = HEADER_BYTES + first.record_bytes();
        let second = blobs.append(end, &blob(&[], b"")).unwrap();
        assert_eq!(blobs.terms(&first).unwrap(), terms);
        assert_eq!(blobs.tree(&first).unwrap(), b"oak");
        assert!(blobs.terms(&second).unwrap().is_empty());
        assert_eq!(blobs.tree(&second).unwrap(), b"");
    }

    #[test]
    fn every_flipped_byte_of_a_record_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = BlobFile::open(folder.path(), HEADER_BYTES, true).unwrap();
        let pointer = (blobs.append(HEADER_BYTES, &blob(&[1, 2], b"oak"))).unwrap();
        let path = trees_path(folder.path());
        let sound = std::fs::read(&path).unwrap();
        for at in HEADER_BYTES as usize..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 0x10;
            std::fs::write(&path, bytes).unwrap();
            let error = blobs.tree(&pointer).unwrap_err();
            assert!(matches!(error, StoreError::Damaged { .. }), "byte {at}");
        }
    }

    #[test]
    fn what_lies_behind_the_valid_length_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = BlobFile::open(folder.path(), HEADER_BYTES, true).unwrap();
        let pointer = (blobs.append(HEADER_BYTES, &blob(&[1], b"oak"))).unwrap();
        let valid = HEADER_BYTES + pointer.record_bytes();
        blobs.append(valid, &blob(&[2], b"elm")).unwrap();
        let blobs = BlobFile::open(folder.path(), valid, true).unwrap();
        assert_eq!(blobs.tree(&pointer).unwrap(), b"oak");
        let length = std::fs::metadata(trees_path(folder.path())).unwrap().len();
        assert_eq!(length, valid);
    }

    #[test]
    fn a_short_foreign_or_missing_file_is_damage() {
        let folder = tempfile::tempdir().unwrap();
        let path = trees_path(folder.path());
        for content in [&b"LOPPERTR"[..], &[0; 40]] {
            std::fs::write(&path, content).unwrap();
            let error = BlobFile::open(folder.path(), 40, true).unwrap_err();
            assert!(matches!(error, StoreError::Damaged { .. }));
        }
        std::fs::remove_file(&path).unwrap();
        let error = BlobFile::open(folder.path(), 40, true).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }));
    }
}
