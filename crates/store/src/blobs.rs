//! The append-only file of trees, `trees.bin`.
//!
//! ```text
//! file   = "LOPPERTR" version:u32 0:u32 record*
//! record = length:u32 keys:u32 checksum:u64 body         integers little-endian; checksum: xxh3_64 of `keys` and body
//! body   = kinds hash * number, zstd(tree)               hash: 5 bytes; number: the lower 31 bits of `keys`
//! kinds  = terms:u32 links:u32 sites:u32                 how many of the hashes are of each kind; only where `keys` has its top bit
//! ```
//!
//! The file itself does not say where it ends: the database keeps the valid length, and what lies behind it is of a commit
//! that was cut off. A page's keys are kept with its tree because replacing the page must take exactly these out of the collection's
//! statistics. Records of data version 3 do not tell the kinds of their keys.

use std::path::Path;

use lopper_content::statistics::{Kind, PageKeys};
use lopper_content::weigh::TERM_HASH_BITS;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::append_file::{AppendFile, FileFormat, unpacked, unpacked_first};
use super::files::TREES_NAME;
use super::{DamageCause, StoreError};

pub(super) const FORMAT: FileFormat = FileFormat { name: TREES_NAME, magic: *b"LOPPERTR", version: 1 };
const RECORD_HEADER_BYTES: usize = 16;
const HASH_BYTES: usize = TERM_HASH_BITS as usize / 8;

/// In `keys`: the body begins with the numbers of each kind.
const WITH_KINDS: u32 = 1 << 31;

/// The kinds that a record tells apart, in their order.
const KINDS: [Kind; 3] = [Kind::Term, Kind::Link, Kind::Site];

/// Bytes of the numbers of each kind.
const KINDS_BYTES: usize = KINDS.len() * 4;

/// Where a page's record is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BlobPointer {
    /// Offset of the record, in bytes.
    pub(super) offset_bytes: u64,
    /// Length of the body, in bytes.
    pub(super) body_bytes: u32,
    /// Number of hashes at the start of the body; its top bit says that they are by kind.
    pub(super) keys: u32,
    /// Length of the tree, uncompressed, in bytes.
    pub(super) tree_bytes: u32,
}

impl BlobPointer {
    /// Bytes of the file that the record takes.
    pub(super) fn record_bytes(&self) -> u64 {
        RECORD_HEADER_BYTES as u64 + u64::from(self.body_bytes)
    }

    /// Bytes of the body before the tree.
    fn keys_bytes(&self) -> usize {
        let kinds = if self.keys & WITH_KINDS == 0 { 0 } else { KINDS_BYTES };
        kinds + (self.keys & !WITH_KINDS) as usize * HASH_BYTES
    }
}

/// A page's tree, compressed, with its keys: what is appended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Blob {
    pub(super) keys: PageKeys,
    pub(super) tree_compressed: Vec<u8>,
    pub(super) tree_bytes: u32,
}

impl Blob {
    /// The number of hashes, as it is stored.
    fn keys_field(&self) -> u32 {
        self.keys.len() as u32 | if self.keys.is_mixed() { 0 } else { WITH_KINDS }
    }

    fn record(&self) -> Vec<u8> {
        let keys_bytes = KINDS_BYTES + self.keys.len() * HASH_BYTES;
        let mut record = Vec::with_capacity(RECORD_HEADER_BYTES + keys_bytes + self.tree_compressed.len());
        record.extend_from_slice(&[0; 4]);
        record.extend_from_slice(&self.keys_field().to_le_bytes());
        record.extend_from_slice(&[0; 8]);
        if !self.keys.is_mixed() {
            for kind in KINDS {
                record.extend_from_slice(&(self.keys.of(kind).len() as u32).to_le_bytes());
            }
        }
        for hash in Kind::ALL.iter().flat_map(|kind| self.keys.of(*kind)) {
            record.extend_from_slice(&hash.to_le_bytes()[..HASH_BYTES]);
        }
        record.extend_from_slice(&self.tree_compressed);
        let body_bytes = (record.len() - RECORD_HEADER_BYTES) as u32;
        record[..4].copy_from_slice(&body_bytes.to_le_bytes());
        let checksum = checksum(&record);
        record[8..RECORD_HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
        record
    }
}

/// Checksum of a record: over the number of its keys and its body.
fn checksum(record: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&record[4..8]);
    hasher.update(&record[RECORD_HEADER_BYTES..]);
    hasher.digest()
}

/// The open file.
#[derive(Debug)]
pub(super) struct BlobFile(pub(super) AppendFile);

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
            keys: blob.keys_field(),
            tree_bytes: blob.tree_bytes,
        })
    }

    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.0.sync()
    }

    /// The tree of the record at `pointer`, uncompressed.
    pub(super) fn tree(&self, pointer: &BlobPointer) -> Result<Vec<u8>, StoreError> {
        let body = self.body(pointer)?;
        let compressed = &body[pointer.keys_bytes()..];
        unpacked(compressed, pointer.tree_bytes as usize).map_err(|error| self.damaged(pointer, error))
    }

    /// What the first frame of that tree gives.
    pub(super) fn tree_start(&self, pointer: &BlobPointer) -> Result<Vec<u8>, StoreError> {
        let body = self.body(pointer)?;
        let compressed = &body[pointer.keys_bytes()..];
        unpacked_first(compressed, pointer.tree_bytes as usize).map_err(|error| self.damaged(pointer, error))
    }

    /// The keys of the record at `pointer`.
    pub(super) fn keys(&self, pointer: &BlobPointer) -> Result<PageKeys, StoreError> {
        let body = self.body(pointer)?;
        self.keys_of(pointer, &body)
    }

    fn keys_of(&self, pointer: &BlobPointer, body: &[u8]) -> Result<PageKeys, StoreError> {
        keys_from(pointer, body).ok_or_else(|| self.damaged(pointer, "wrong number of keys"))
    }

    /// The record at `pointer` as it was appended.
    pub(super) fn blob(&self, pointer: &BlobPointer) -> Result<Blob, StoreError> {
        let mut body = self.body(pointer)?;
        let keys = self.keys_of(pointer, &body)?;
        let tree_compressed = body.split_off(pointer.keys_bytes());
        Ok(Blob { keys, tree_compressed, tree_bytes: pointer.tree_bytes })
    }

    fn body(&self, pointer: &BlobPointer) -> Result<Vec<u8>, StoreError> {
        let length = RECORD_HEADER_BYTES + pointer.body_bytes as usize;
        let mut record = self.0.read(pointer.offset_bytes, length)?;
        let agrees = record[..4] == pointer.body_bytes.to_le_bytes()
            && record[4..8] == pointer.keys.to_le_bytes()
            && record[8..RECORD_HEADER_BYTES] == checksum(&record).to_le_bytes()
            && pointer.keys_bytes() <= pointer.body_bytes as usize;
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

/// The keys at the start of a body; `None` where the numbers of the kinds are not those of all.
fn keys_from(pointer: &BlobPointer, body: &[u8]) -> Option<PageKeys> {
    let body = body.get(..pointer.keys_bytes())?;
    if pointer.keys & WITH_KINDS == 0 {
        return Some(PageKeys::mixed(hashes_from(body)));
    }
    let (numbers, mut hashes) = body.split_at_checked(KINDS_BYTES)?;
    let mut lists = numbers.as_chunks().0.iter().map(|number| {
        let bytes = (u32::from_le_bytes(*number) as usize).checked_mul(HASH_BYTES)?;
        let (list, rest) = hashes.split_at_checked(bytes)?;
        hashes = rest;
        Some(hashes_from(list))
    });
    let keys = PageKeys::new(lists.next()??, lists.next()??, lists.next()??);
    drop(lists);
    hashes.is_empty().then_some(keys)
}

fn hashes_from(body: &[u8]) -> Vec<u64> {
    body.chunks_exact(HASH_BYTES).map(hash_from).collect()
}

fn hash_from(bytes: &[u8]) -> u64 {
    let mut hash = [0; 8];
    hash[..HASH_BYTES].copy_from_slice(bytes);
    u64::from_le_bytes(hash)
}

#[cfg(test)]
mod tests {
    use super::super::append_file::HEADER_BYTES;
    use super::super::files::trees_path;
    use super::*;

    fn blob(terms: &[u64], tree: &[u8]) -> Blob {
        with_keys(PageKeys::new(terms.to_vec(), Vec::new(), Vec::new()), tree)
    }

    fn with_keys(keys: PageKeys, tree: &[u8]) -> Blob {
        Blob { keys, tree_compressed: zstd::bulk::compress(tree, 3).unwrap(), tree_bytes: tree.len() as u32 }
    }

    #[test]
    fn a_tree_that_is_no_frame_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = BlobFile::open(folder.path(), HEADER_BYTES, true).unwrap();
        let mut blob = blob(&[], b"oak");
        for bytes in [&b""[..], b"oak", &zstd::bulk::compress(b"oaks", 3).unwrap()] {
            blob.tree_compressed = bytes.to_vec();
            let pointer = blobs.append(HEADER_BYTES, &blob).unwrap();
            assert!(matches!(blobs.tree_start(&pointer), Err(StoreError::Damaged { .. })), "{bytes:?}");
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
        assert_eq!(blobs.keys(&first).unwrap().of(Kind::Term), terms);
        assert_eq!(blobs.tree(&first).unwrap(), b"oak");
        assert!(blobs.keys(&second).unwrap().is_empty());
        assert_eq!(blobs.tree(&second).unwrap(), b"");
    }

    #[test]
    fn keys_come_back_by_kind_or_mixed() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = BlobFile::open(folder.path(), HEADER_BYTES, true).unwrap();
        let mut end = HEADER_BYTES;
        for keys in [PageKeys::new(vec![1, 9], vec![2], vec![3, 4, 5]), PageKeys::mixed(vec![7, 8])] {
            let blob = with_keys(keys, b"oak");
            let pointer = blobs.append(end, &blob).unwrap();
            assert_eq!(
                (blobs.keys(&pointer).unwrap(), blobs.tree(&pointer).unwrap()),
                (blob.keys.clone(), b"oak".to_vec())
            );
            assert_eq!(blobs.blob(&pointer).unwrap(), blob);
            end += pointer.record_bytes();
        }
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
