//! The append-only file of pages' rows, `pages.bin`.
//!
//! ```text
//! file   = "LOPPERPG" version:u32 0:u32 record*
//! record = length:u32 checksum:u64 row                   integers little-endian; checksum: xxh3_64 of page id and row
//! ```
//!
//! A page's row has some hundred bytes; in sled it would take room in leaves that are rewritten for every few new pages, and sled
//! does not give room back. So sled has the place only. What replaced pages leave behind is freed by a rebuild.

use std::path::Path;

use lopper_archive::page::PageId;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::StoreError;
use super::append_file::{AppendFile, FileFormat};
use super::files::PAGES_NAME;

pub(super) const FORMAT: FileFormat = FileFormat { name: PAGES_NAME, magic: *b"LOPPERPG", version: 1 };
const HEAD_BYTES: usize = 12;

/// Where a page's row is in the file: what sled keeps of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PagePlace {
    /// Offset of the record, in bytes.
    pub(super) offset_bytes: u64,
    /// Length of the row, in bytes.
    pub(super) row_bytes: u32,
}

impl PagePlace {
    /// Where the record ends.
    pub(super) fn end_bytes(&self) -> u64 {
        self.offset_bytes + HEAD_BYTES as u64 + u64::from(self.row_bytes)
    }
}

/// The open file.
#[derive(Debug)]
pub(super) struct PageFile(pub(super) AppendFile);

impl PageFile {
    /// Opens the file, of which `valid_bytes` count; makes it when no page was ever committed.
    pub(super) fn open(data: &Path, valid_bytes: u64, writable: bool) -> Result<Self, StoreError> {
        Ok(Self(AppendFile::open(data, FORMAT, valid_bytes, writable)?))
    }

    /// Writes rows one behind the other at `offset_bytes`, the end of the file, and gives their places. Durable only after
    /// [`sync`](Self::sync).
    pub(super) fn append(&self, offset_bytes: u64, rows: &[(PageId, Vec<u8>)]) -> Result<Vec<PagePlace>, StoreError> {
        let mut records = Vec::with_capacity(rows.iter().map(|(_, row)| HEAD_BYTES + row.len()).sum());
        let mut places = Vec::with_capacity(rows.len());
        for (id, row) in rows {
            places.push(PagePlace { offset_bytes: offset_bytes + records.len() as u64, row_bytes: row.len() as u32 });
            records.extend_from_slice(&head(*id, row));
            records.extend_from_slice(row);
        }
        self.0.write(offset_bytes, &records)?;
        Ok(places)
    }

    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.0.sync()
    }

    /// The row of page `id`.
    pub(super) fn row(&self, id: PageId, place: &PagePlace) -> Result<Vec<u8>, StoreError> {
        let mut record = self.0.read(place.offset_bytes, HEAD_BYTES + place.row_bytes as usize)?;
        if record[..HEAD_BYTES] != head(id, &record[HEAD_BYTES..]) {
            return Err(self.0.damaged(place.offset_bytes, "wrong checksum"));
        }
        record.drain(..HEAD_BYTES);
        Ok(record)
    }
}

fn head(id: PageId, row: &[u8]) -> [u8; HEAD_BYTES] {
    let mut hasher = Xxh3::new();
    hasher.update(&id.0.to_le_bytes());
    hasher.update(row);
    let mut head = [0; HEAD_BYTES];
    head[..4].copy_from_slice(&(row.len() as u32).to_le_bytes());
    head[4..].copy_from_slice(&hasher.digest().to_le_bytes());
    head
}

#[cfg(test)]
mod tests {
    use super::super::append_file::HEADER_BYTES;
    use super::*;

    #[test]
    fn rows_come_back_and_every_flipped_byte_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let file = PageFile::open(folder.path(), HEADER_BYTES, true).unwrap();
        let rows = [(PageId(1), b"oak".to_vec()), (PageId(2), b"elm tree".to_vec())];
        let places = file.append(HEADER_BYTES, &rows).unwrap();
        for ((id, row), place) in rows.iter().zip(&places) {
            assert_eq!(&file.row(*id, place).unwrap(), row);
        }
        assert!(file.row(PageId(2), &places[0]).is_err(), "the row of another page");
        let path = folder.path().join(PAGES_NAME);
        let sound = std::fs::read(&path).unwrap();
        assert_eq!(places[1].end_bytes(), sound.len() as u64);
        for at in HEADER_BYTES as usize..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 0x10;
            std::fs::write(&path, bytes).unwrap();
            let damaged = usize::from(at as u64 >= places[1].offset_bytes);
            let error = file.row(rows[damaged].0, &places[damaged]).unwrap_err();
            assert!(error.to_string().contains("pages.bin at byte"), "{error}");
        }
    }
}
