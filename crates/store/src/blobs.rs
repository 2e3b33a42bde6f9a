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

use std::path::Path;

use lopper_content::weigh::TERM_HASH_BITS;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::append_file::{AppendFile, FileFormat, unpacked};
use super::files::TREES_NAME;
use super::{DamageCause, StoreError};

pub(super) const FORMAT: FileFormat = FileFormat { name: TREES_NAME, magic: *b"LOPPERTR", version: 1 };
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
pub(super) struct BlobFile(AppendFile);

impl BlobFile {
    /// Opens the file, of which `valid_bytes` count; makes it when no record was ever committed.
    pub(super) fn open(data: &Path, valid_bytes: u64, writable: bool) -> Result<Self, StoreError> {
        Ok(Self(AppendFile::open(data, FORMAT, valid_bytes, writable)?))
    }

    /// Writes `blob` at `offset_bytes`, the end of the file. Durable only after [`sync`](Self::sync).
    pub(super) fn append(&self, offset_bytes: u64, blob: &Blob) -> Result<BlobPointer, StoreError> {
        let record = blob.record();
        self.0.write(offset_bytes, &record)?;
        Ok(BlobPointer {
            offset_bytes,
            body_bytes: (record.len() - RECORD_HEADER_BYTES) as u32,
            terms: blob.terms.len() as u32,
            tree_bytes: blob.tree_bytes,
        })
    }

    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.0.sync()
    }

    /// The tree of the record at `pointer`, uncompressed.
    pub(super) fn tree(&self, pointer: &BlobPointer) -> Result<Vec<u8>, StoreError> {
        let body = self.body(pointer)?;
        let compressed = &body[pointer.terms as usize * TERM_BYTES..];
        unpacked(compressed, pointer.tree_bytes as usize).map_err(|error| self.damaged(pointer, error))
    }

    /// The term hashes of the record at `pointer`.
    pub(super) fn terms(&self, pointer: &BlobPointer) -> Result<Vec<u64>, StoreError> {
        let mut body = self.body(pointer)?;
        body.truncate(pointer.terms as usize * TERM_BYTES);
        Ok(terms_from(&body))
    }

    /// The record at `pointer` as it was appended.
    pub(super) fn blob(&self, pointer: &BlobPointer) -> Result<Blob, StoreError> {
        let mut terms = self.body(pointer)?;
        let tree_compressed = terms.split_off(pointer.terms as usize * TERM_BYTES);
        Ok(Blob { terms: terms_from(&terms), tree_compressed, tree_bytes: pointer.tree_bytes })
    }

    fn body(&self, pointer: &BlobPointer) -> Result<Vec<u8>, StoreError> {
        let length = RECORD_HEADER_BYTES + pointer.body_bytes as usize;
        let mut record = self.0.read(pointer.offset_bytes, length)?;
        let agrees = record[..4] == pointer.body_bytes.to_le_bytes()
            && record[4..8] == pointer.terms.to_le_bytes()
            && record[8..RECORD_HEADER_BYTES] == checksum(&record).to_le_bytes()
            && pointer.terms as usize * TERM_BYTES <= pointer.body_bytes as usize;
        if !agrees {
            return Err(self.damaged(pointer, "wrong checksum"));
        }
        record.drain(..RECORD_HEADER_BYTES);
        Ok(record)
    }

    fn damaged(&self, pointer: &BlobPointer, source: impl Into<DamageCause>) -> StoreError {
        self.0.damaged(pointer.offset_bytes, source)
    }
}

fn terms_from(body: &[u8]) -> Vec<u64> {
    body.chunks_exact(TERM_BYTES).map(term_from).collect()
}

fn term_from(bytes: &[u8]) -> u64 {
    let mut term = [0; 8];
    term[..TERM_BYTES].copy_from_slice(bytes);
    u64::from_le_bytes(term)
}

#[cfg(test)]
mod tests {
    use super::super::append_file::HEADER_BYTES;
    use super::super::files::trees_path;
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
