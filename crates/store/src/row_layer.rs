//! A layer of the rows that readers use: rows that a commit changed, in key order, in a file that is never changed.
//!
//! ```text
//! file   = "LOPPERRW" version:u32 0:u32 block* tail footer                         integers little-endian
//! block  = (key_len:u8 key value_len:u32 value)*                value_len 2³²-1: the row was removed, no value
//! tail   = (sequence:u64)*former (key_len:u8 key offset:u64 length:u32 checksum:u64)*blocks
//! footer = sequence:u64 former:u32 blocks:u32 tail_bytes:u64 checksum:u64
//! ```
//!
//! The tail names the commits whose layers lie below, oldest first, and each block with its first key and the xxh3_64 of its bytes. The
//! footer's checksum is over the tail and the footer before it. The blocks' list is kept in memory, some 60 bytes for 8 KiB.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::append_file::read_at;
use super::files::rows_path;
use super::{DamageCause, DamagedPart, StoreError};

const HEADER: [u8; 16] = *b"LOPPERRW\x01\0\0\0\0\0\0\0";
const FOOTER_BYTES: usize = 32;

/// Bytes of rows after which a block ends.
const BLOCK_BYTES: usize = 8 << 10;

/// Bytes of the blocks of a layer that are kept once they were read and checked. Small layers are soon kept whole: every look-up asks them, and
/// they have nothing of most that is sought.
const KEPT_BYTES_MAX: usize = 4 << 20;

/// In place of the length of a value: the row was removed.
const REMOVED: u32 = u32::MAX;

/// A key with its row, or `None` where the row was removed.
pub(super) type LayerRow = (Vec<u8>, Option<Vec<u8>>);

/// Where a block is.
#[derive(Debug, PartialEq, Eq)]
struct BlockPlace {
    first_key: Vec<u8>,
    offset_bytes: u64,
    length_bytes: u32,
    checksum: u64,
    /// The block, where it is kept.
    kept: OnceLock<Box<[u8]>>,
}

/// What is known of an open layer, besides its rows.
#[derive(Debug)]
pub(super) struct RowLayer {
    file: File,
    data: PathBuf,
    name: String,
    /// The commit that wrote it.
    pub(super) sequence: u64,
    /// The commits of the layers below, oldest first.
    pub(super) former: Vec<u64>,
    /// Length of the file.
    pub(super) bytes: u64,
    /// That of the footer: files of two folders differ in it.
    pub(super) checksum: u64,
    blocks: Vec<BlockPlace>,
    /// Bytes of the blocks that are kept, or were to be.
    kept_bytes: AtomicUsize,
}

impl RowLayer {
    /// Opens the layer of commit `sequence`, `None` when there is no such file.
    pub(super) fn open(data: &Path, sequence: u64) -> Result<Option<Self>, StoreError> {
        Self::open_file(data, &rows_path(data, sequence))
    }

    /// Opens the layer in the file `path`.
    pub(super) fn open_file(data: &Path, path: &Path) -> Result<Option<Self>, StoreError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::io("open", path)(error)),
        };
        let bytes = file.metadata().map_err(StoreError::io("read", path))?.len();
        let mut layer = Self {
            file,
            data: data.to_owned(),
            name,
            sequence: 0,
            former: vec![],
            bytes,
            checksum: 0,
            blocks: vec![],
            kept_bytes: AtomicUsize::new(0),
        };
        layer.read_tail()?;
        Ok(Some(layer))
    }

    fn read_tail(&mut self) -> Result<(), StoreError> {
        let footer_at = self.bytes.checked_sub(FOOTER_BYTES as u64).ok_or_else(|| self.damaged("it is cut off"))?;
        let footer = self.read(footer_at, FOOTER_BYTES)?;
        let tail_bytes = number(&footer[16..24]);
        let tail_at = footer_at.checked_sub(tail_bytes).filter(|at| *at >= HEADER.len() as u64);
        let tail_at = tail_at.ok_or_else(|| self.damaged("its footer is wrong"))?;
        let tail = self.read(tail_at, tail_bytes as usize)?;
        self.checksum = number(&footer[24..]);
        if self.checksum != checksum(&tail, &footer[..24]) || self.read(0, HEADER.len())? != HEADER {
            return Err(self.damaged("wrong checksum"));
        }
        self.sequence = number(&footer[..8]);
        let parsed = parse_tail(&tail, number(&footer[8..12]) as usize, number(&footer[12..16]) as usize);
        (self.former, self.blocks) = parsed.ok_or_else(|| self.damaged("its list of blocks is wrong"))?;
        Ok(())
    }

    /// Its name, and the file itself, which can be read after it was removed.
    pub(super) fn held(&self) -> Result<(String, File), StoreError> {
        let file = self.file.try_clone().map_err(StoreError::io("open", &self.data.join(&self.name)))?;
        Ok((self.name.clone(), file))
    }

    /// What the layer has of a row: `Some(None)` where it was removed.
    #[allow(clippy::option_option)] // Not in this layer, removed, or this.
    pub(super) fn get(&self, key: &[u8]) -> Result<Option<Option<Vec<u8>>>, StoreError> {
        let behind = self.blocks.partition_point(|block| block.first_key[..] <= *key);
        let Some(block) = behind.checked_sub(1) else { return Ok(None) };
        let bytes = self.block(block)?;
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (found, row, behind) = take_row(rest).ok_or_else(|| self.malformed())?;
            if found == key {
                return Ok(Some(row.map(<[u8]>::to_vec)));
            }
            rest = behind;
        }
        Ok(None)
    }

    /// The rows from `key` on, removed ones among them.
    pub(super) fn rows_from(&self, key: &[u8]) -> LayerRows<'_> {
        let behind = self.blocks.partition_point(|block| block.first_key[..] <= *key);
        let mut rows = LayerRows { layer: self, next_block: behind.saturating_sub(1), block: Cow::default(), at: 0 };
        rows.skip_to(key);
        rows
    }

    fn malformed(&self) -> StoreError {
        self.damaged("a block is malformed")
    }

    /// A block for a look-up.
    fn block(&self, number: usize) -> Result<Cow<'_, [u8]>, StoreError> {
        if let Some(block) = self.blocks[number].kept.get() {
            return Ok(Cow::Borrowed(block));
        }
        let bytes = self.block_bytes(number)?;
        if self.kept_bytes.fetch_add(bytes.len(), Ordering::Relaxed) + bytes.len() > KEPT_BYTES_MAX {
            return Ok(Cow::Owned(bytes));
        }
        Ok(Cow::Borrowed(self.blocks[number].kept.get_or_init(|| bytes.into())))
    }

    fn block_bytes(&self, number: usize) -> Result<Vec<u8>, StoreError> {
        let place = &self.blocks[number];
        let bytes = self.read(place.offset_bytes, place.length_bytes as usize)?;
        if xxh3_64(&bytes) != place.checksum {
            return Err(self.damaged("a block has a wrong checksum"));
        }
        Ok(bytes)
    }

    fn read(&self, offset_bytes: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        if offset_bytes.saturating_add(length as u64) > self.bytes {
            return Err(self.damaged("it is cut off"));
        }
        let mut bytes = vec![0; length];
        read_at(&self.file, &mut bytes, offset_bytes).map_err(StoreError::io("read", &self.data.join(&self.name)))?;
        Ok(bytes)
    }

    fn damaged(&self, what: impl Into<DamageCause>) -> StoreError {
        StoreError::damaged(&self.data, DamagedPart::PublishedRows, self.name.clone(), what)
    }
}

/// Rows of a layer in key order, each copied when it is asked for: who wants a few of a block pays for no others. Ends after an error.
pub(super) struct LayerRows<'a> {
    layer: &'a RowLayer,
    next_block: usize,
    /// The block that is being read, and how far it was.
    block: Cow<'a, [u8]>,
    at: usize,
}

impl LayerRows<'_> {
    /// Passes over what comes before `key` in the first block.
    fn skip_to(&mut self, key: &[u8]) {
        // What is wrong with the block is told when it is read again.
        if self.next_block < self.layer.blocks.len()
            && let Ok(block) = self.layer.block(self.next_block)
        {
            (self.block, self.at) = (block, 0);
            self.next_block += 1;
            while let Some((found, _, behind)) = take_row(&self.block[self.at..])
                && found < key
            {
                self.at = self.block.len() - behind.len();
            }
        }
    }

    fn row(&mut self) -> Result<LayerRow, StoreError> {
        let Some((key, row, behind)) = take_row(&self.block[self.at..]) else {
            (self.next_block, self.at) = (usize::MAX, self.block.len());
            return Err(self.layer.malformed());
        };
        self.at = self.block.len() - behind.len();
        Ok((key.to_vec(), row.map(<[u8]>::to_vec)))
    }
}

impl Iterator for LayerRows<'_> {
    type Item = Result<LayerRow, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.at == self.block.len() {
            if self.next_block >= self.layer.blocks.len() {
                return None;
            }
            match self.layer.block_bytes(self.next_block) {
                Ok(block) => (self.block, self.at) = (Cow::Owned(block), 0),
                Err(error) => {
                    self.next_block = usize::MAX;
                    return Some(Err(error));
                }
            }
            self.next_block += 1;
        }
        Some(self.row())
    }
}

/// Writes the layer of commit `sequence` above those of the commits `former` to the file `path`, durably. `rows` are in key order.
pub(super) fn write_layer(
    path: &Path,
    sequence: u64,
    former: &[u64],
    rows: impl Iterator<Item = Result<LayerRow, StoreError>>,
) -> Result<(), StoreError> {
    let io = || StoreError::io("write", path);
    let file = File::create(path).map_err(io())?;
    let mut out =
        LayerWriter { out: BufWriter::new(file), at: 0, block: Vec::new(), first_key: vec![], places: vec![] };
    out.write(&HEADER).map_err(io())?;
    for row in rows {
        out.row(&row?).map_err(io())?;
    }
    let file = out.finish(sequence, former).map_err(io())?;
    file.sync_data().map_err(StoreError::io("sync", path))
}

struct LayerWriter {
    out: BufWriter<File>,
    at: u64,
    block: Vec<u8>,
    first_key: Vec<u8>,
    places: Vec<BlockPlace>,
}

impl LayerWriter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn row(&mut self, (key, row): &LayerRow) -> std::io::Result<()> {
        debug_assert!(key.len() <= 255, "keys are short");
        if self.block.is_empty() {
            self.first_key.clone_from(key);
        }
        self.block.push(key.len() as u8);
        self.block.extend_from_slice(key);
        let length = row.as_ref().map_or(REMOVED, |row| row.len() as u32);
        self.block.extend_from_slice(&length.to_le_bytes());
        self.block.extend_from_slice(row.as_deref().unwrap_or_default());
        if self.block.len() >= BLOCK_BYTES { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> std::io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let block = std::mem::take(&mut self.block);
        self.places.push(BlockPlace {
            first_key: std::mem::take(&mut self.first_key),
            offset_bytes: self.at,
            length_bytes: block.len() as u32,
            checksum: xxh3_64(&block),
            kept: OnceLock::new(),
        });
        self.write(&block)
    }

    fn finish(mut self, sequence: u64, former: &[u64]) -> std::io::Result<File> {
        self.end_block()?;
        let mut tail: Vec<u8> = former.iter().flat_map(|sequence| sequence.to_le_bytes()).collect();
        for place in &self.places {
            tail.push(place.first_key.len() as u8);
            tail.extend_from_slice(&place.first_key);
            tail.extend_from_slice(&place.offset_bytes.to_le_bytes());
            tail.extend_from_slice(&place.length_bytes.to_le_bytes());
            tail.extend_from_slice(&place.checksum.to_le_bytes());
        }
        let mut footer = sequence.to_le_bytes().to_vec();
        footer.extend_from_slice(&(former.len() as u32).to_le_bytes());
        footer.extend_from_slice(&(self.places.len() as u32).to_le_bytes());
        footer.extend_from_slice(&(tail.len() as u64).to_le_bytes());
        footer.extend_from_slice(&checksum(&tail, &footer).to_le_bytes());
        self.write(&tail)?;
        self.write(&footer)?;
        self.out.into_inner().map_err(std::io::IntoInnerError::into_error)
    }
}

fn checksum(tail: &[u8], footer: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(tail);
    hasher.update(footer);
    hasher.digest()
}

/// The little-endian number in at most 8 bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn parse_tail(tail: &[u8], former: usize, blocks: usize) -> Option<(Vec<u64>, Vec<BlockPlace>)> {
    let (sequences, mut rest) = tail.split_at_checked(former.checked_mul(8)?)?;
    let former = sequences.chunks_exact(8).map(number).collect();
    let mut places = Vec::new();
    while !rest.is_empty() {
        let (first_key, behind) = take_key(rest)?;
        let (place, behind) = behind.split_at_checked(20)?;
        places.push(BlockPlace {
            first_key: first_key.to_vec(),
            offset_bytes: number(&place[..8]),
            length_bytes: number(&place[8..12]) as u32,
            checksum: number(&place[12..]),
            kept: OnceLock::new(),
        });
        rest = behind;
    }
    (places.len() == blocks).then_some((former, places))
}

/// The first row: its key, its value unless it was removed, and what follows.
#[allow(clippy::type_complexity)] // It is taken apart at once.
fn take_row(bytes: &[u8]) -> Option<(&[u8], Option<&[u8]>, &[u8])> {
    let (key, behind) = take_key(bytes)?;
    let (length, behind) = behind.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length);
    let (row, behind) = behind.split_at_checked(if length == REMOVED { 0 } else { length as usize })?;
    Some((key, (length != REMOVED).then_some(row), behind))
}

fn take_key(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&length, rest) = bytes.split_first()?;
    rest.split_at_checked(length.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<LayerRow> {
        let row = |number: u32| {
            let value = (!number.is_multiple_of(7)).then(|| vec![number as u8; (number % 90) as usize]);
            ([&b"p"[..], &number.to_be_bytes()].concat(), value)
        };
        (0..2000).map(|number| row(number * 3)).collect()
    }

    fn written(data: &Path) -> RowLayer {
        write_layer(&rows_path(data, 9), 9, &[3, 7], rows().into_iter().map(Ok)).unwrap();
        RowLayer::open(data, 9).unwrap().unwrap()
    }

    #[test]
    fn rows_are_found_one_by_one_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let layer = written(folder.path());
        assert!(layer.blocks.len() > 5, "{}", layer.blocks.len());
        assert_eq!((layer.sequence, &layer.former[..]), (9, &[3, 7][..]));
        for (key, row) in rows() {
            assert_eq!(layer.get(&key).unwrap(), Some(row));
            let absent = [&key[..], &[0]].concat();
            assert_eq!(layer.get(&absent).unwrap(), None);
        }
        for from in [&b""[..], b"p", b"p\0\0\x03\x01", b"p\0\0\x10\x02", b"q"] {
            let expected: Vec<LayerRow> = rows().into_iter().filter(|(key, _)| **key >= *from).collect();
            assert_eq!(layer.rows_from(from).map(Result::unwrap).collect::<Vec<_>>(), expected);
        }
        assert!(RowLayer::open(folder.path(), 8).unwrap().is_none());
    }

    #[test]
    fn blocks_are_read_once_as_long_as_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        for has_room in [true, false] {
            let layer = written(folder.path());
            layer.kept_bytes.store(if has_room { 0 } else { KEPT_BYTES_MAX }, Ordering::Relaxed);
            let (key, row) = rows().swap_remove(9);
            assert_eq!(layer.get(&key).unwrap(), Some(row.clone()));
            std::fs::write(rows_path(folder.path(), 9), "").unwrap();
            assert_eq!(layer.get(&key).ok(), has_room.then_some(Some(row)));
            assert!(layer.get(&rows().pop().unwrap().0).is_err());
        }
    }

    #[test]
    fn a_layer_may_be_empty() {
        let folder = tempfile::tempdir().unwrap();
        write_layer(&rows_path(folder.path(), 0), 0, &[], std::iter::empty()).unwrap();
        let layer = RowLayer::open(folder.path(), 0).unwrap().unwrap();
        assert_eq!((layer.get(b"m").unwrap(), layer.rows_from(b"").count()), (None, 0));
    }

    #[test]
    fn every_flipped_or_missing_byte_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        drop(written(folder.path()));
        let path = rows_path(folder.path(), 9);
        let sound = std::fs::read(&path).unwrap();
        let read = || RowLayer::open(folder.path(), 9)?.unwrap().rows_from(b"").collect::<Result<Vec<_>, _>>();
        for at in (0..sound.len()).step_by(397).chain(sound.len() - 60..sound.len()) {
            let mut bytes = sound.clone();
            bytes[at] ^= 0x10;
            std::fs::write(&path, &bytes).unwrap();
            let error = read().expect_err("the byte is read");
            assert!(error.to_string().contains("rows-9.bin"), "byte {at}: {error}");
        }
        for length in [0, 20, sound.len() / 2, sound.len() - 1] {
            std::fs::write(&path, &sound[..length]).unwrap();
            assert!(matches!(read(), Err(StoreError::Damaged { .. })), "{length}");
        }
    }
}
