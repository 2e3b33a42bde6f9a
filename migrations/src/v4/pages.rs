//! The keys of a page of version 3: from its place to its row, from there to its record in `trees.bin`.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, de::DeserializeOwned};
use xxhash_rust::xxh3::Xxh3;

use super::convert::ROW_VERSION;

const PAGE_HEAD_BYTES: usize = 12;
const TREE_HEAD_BYTES: usize = 16;
const KEY_BYTES: usize = 5;

/// Bytes of a record that are believed: trees end at 256 MiB.
const RECORD_BYTES_MAX: usize = 512 << 20;

/// Place of a row in `pages.bin`.
#[derive(Deserialize)]
struct PagePlace {
    offset_bytes: u64,
    row_bytes: u32,
}

/// A page's row; the order of the fields is the format. A last byte, the page's type, may follow.
#[derive(Deserialize)]
struct PageRow {
    _url: String,
    _canonical_url: Option<String>,
    _host: String,
    _title: String,
    _description: String,
    _language: Option<String>,
    _captured_at: Option<i64>,
    _status: u16,
    _charset: String,
    _archive: Vec<u8>,
    _offset_bytes: u64,
    _record_id: Option<String>,
    _html_bytes: u64,
    _main_blocks: u32,
    _runs: u32,
    _digest: Option<u128>,
    _simhash: u64,
    _archive_id: u128,
    _ordinal: u64,
    tree: TreePlace,
}

/// Place of a record in `trees.bin`.
#[derive(Deserialize)]
struct TreePlace {
    offset_bytes: u64,
    body_bytes: u32,
    keys: u32,
    _tree_bytes: u32,
}

/// The files of pages and trees.
pub(super) struct Pages {
    pages: File,
    trees: File,
}

impl Pages {
    pub(super) fn open(data: &Path) -> io::Result<Self> {
        Ok(Self { pages: File::open(data.join("pages.bin"))?, trees: File::open(data.join("trees.bin"))? })
    }

    /// The keys of page `id`, whose place is in the row `place`; `None` where something is damaged.
    pub(super) fn keys(&self, id: u128, place: &[u8]) -> Option<Vec<u64>> {
        let place: PagePlace = decoded(place)?;
        let record = read(&self.pages, place.offset_bytes, PAGE_HEAD_BYTES + place.row_bytes as usize)?;
        let (head, row) = record.split_at(PAGE_HEAD_BYTES);
        let checksum = checksum(&[&id.to_le_bytes(), row]);
        if head[4..] != checksum {
            return None;
        }
        self.keys_of_tree(&decoded::<PageRow>(row)?.tree)
    }

    fn keys_of_tree(&self, place: &TreePlace) -> Option<Vec<u64>> {
        let record = read(&self.trees, place.offset_bytes, TREE_HEAD_BYTES + place.body_bytes as usize)?;
        let (head, body) = record.split_at(TREE_HEAD_BYTES);
        if head[4..8] != place.keys.to_le_bytes() || head[8..] != checksum(&[&head[4..8], body]) {
            return None;
        }
        let keys = body.get(..(place.keys as usize).checked_mul(KEY_BYTES)?)?;
        let key = |bytes: &[u8]| bytes.iter().rev().fold(0, |key, byte| key << 8 | u64::from(*byte));
        Some(keys.chunks_exact(KEY_BYTES).map(key).collect())
    }
}

fn decoded<T: DeserializeOwned>(row: &[u8]) -> Option<T> {
    let (value, _) = postcard::take_from_bytes(row.strip_prefix(&[ROW_VERSION])?).ok()?;
    Some(value)
}

fn read(mut file: &File, offset_bytes: u64, length: usize) -> Option<Vec<u8>> {
    if length > RECORD_BYTES_MAX {
        return None;
    }
    let mut bytes = vec![0; length];
    file.seek(SeekFrom::Start(offset_bytes)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn checksum(parts: &[&[u8]]) -> [u8; 8] {
    let mut hasher = Xxh3::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.digest().to_le_bytes()
}
