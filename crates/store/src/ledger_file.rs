//! The append-only file of what became of each record, `ledger.bin`.
//!
//! ```text
//! file   = "LOPPERLE" version:u32 0:u32 chunk*
//! chunk  = length:u32 entries:u32 checksum:u64 archive:u128 previous:u64 states:u32 flags:u32 body
//! body   = zstd(postcard(entries))        length: of the body; checksum: xxh3_64 of all but length, entries and itself
//! ```
//!
//! A chunk holds the records of one archive in one commit; `previous` is the offset of the archive's chunk before it, or 0, and the
//! archive's row names the last. `states` has a bit for each state that occurs, so that the failures among a million records are found by
//! the heads of some hundred chunks. A chunk with flag 1 corrects records of chunks before it (revisits whose original came later).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::append_file::{AppendFile, FileFormat, HEADER_BYTES, unpacked};
use super::files::LEDGER_NAME;
use super::rows::{decode, encode};
use super::states::{EntryRow, RecordEntry, StateKind};
use super::{DamageCause, StoreError};

pub(super) const FORMAT: FileFormat = FileFormat { name: LEDGER_NAME, magic: *b"LOPPERLE", version: 1 };
const CHUNK_HEADER_BYTES: usize = 48;
const COMPRESSION_LEVEL: i32 = 3;
const CORRECTS: u32 = 1;

/// Bytes of a chunk's entries. A batch ends long before.
const ENTRIES_BYTES_MAX: usize = 1 << 30;

/// The head of a chunk.
#[derive(Debug, Clone, Copy)]
struct ChunkHead {
    body_bytes: u32,
    checksum: u64,
    archive: u128,
    previous: u64,
    states: u32,
    flags: u32,
}

impl ChunkHead {
    fn parse(bytes: &[u8]) -> Self {
        let number = |at: usize, len: usize| {
            bytes[at..at + len].iter().rev().fold(0u128, |number, &byte| number << 8 | u128::from(byte))
        };
        Self {
            body_bytes: number(0, 4) as u32,
            checksum: number(8, 8) as u64,
            archive: number(16, 16),
            previous: number(32, 8) as u64,
            states: number(40, 4) as u32,
            flags: number(44, 4) as u32,
        }
    }

    fn corrects(&self) -> bool {
        self.flags & CORRECTS != 0
    }
}

/// The open file.
#[derive(Debug)]
pub(super) struct LedgerFile(pub(super) AppendFile);

/// The records of one commit that belong to one archive.
#[derive(Debug)]
pub(super) struct Chunk<'a> {
    pub(super) archive: u128,
    pub(super) previous: u64,
    pub(super) corrects: bool,
    pub(super) entries: &'a [RecordEntry],
}

impl Chunk<'_> {
    fn bytes(&self) -> std::io::Result<Vec<u8>> {
        let rows: Vec<EntryRow> = self.entries.iter().map(EntryRow::from).collect();
        let entries = encode(&rows);
        let body = zstd::bulk::compress(&entries, COMPRESSION_LEVEL)?;
        let states = self.entries.iter().fold(0, |states, entry| states | entry.state.kind().bit());
        let mut bytes = Vec::with_capacity(CHUNK_HEADER_BYTES + body.len());
        bytes.extend_from_slice(&(body.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(entries.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&[0; 8]);
        bytes.extend_from_slice(&self.archive.to_le_bytes());
        bytes.extend_from_slice(&self.previous.to_le_bytes());
        bytes.extend_from_slice(&states.to_le_bytes());
        bytes.extend_from_slice(&u32::from(self.corrects).to_le_bytes());
        bytes.extend_from_slice(&body);
        let checksum = checksum(&bytes);
        bytes[8..16].copy_from_slice(&checksum.to_le_bytes());
        Ok(bytes)
    }
}

fn checksum(chunk: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&chunk[..8]);
    hasher.update(&chunk[16..]);
    hasher.digest()
}

impl LedgerFile {
    pub(super) fn open(data: &Path, valid_bytes: u64, writable: bool) -> Result<Self, StoreError> {
        Ok(Self(AppendFile::open(data, FORMAT, valid_bytes, writable)?))
    }

    /// Appends `chunk` at `offset_bytes`, the end of the file, and gives the new end. Durable only after [`sync`](Self::sync).
    pub(super) fn append(&self, offset_bytes: u64, chunk: &Chunk<'_>) -> Result<u64, StoreError> {
        let bytes = chunk.bytes().map_err(|error| self.0.damaged(offset_bytes, error))?;
        self.0.write(offset_bytes, &bytes)?;
        Ok(offset_bytes + bytes.len() as u64)
    }

    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.0.sync()
    }

    fn head(&self, offset_bytes: u64) -> Result<ChunkHead, StoreError> {
        Ok(ChunkHead::parse(&self.0.read(offset_bytes, CHUNK_HEADER_BYTES)?))
    }

    fn entries(&self, archive: u128, offset_bytes: u64) -> Result<Vec<RecordEntry>, StoreError> {
        let head = self.head(offset_bytes)?;
        let chunk = self.0.read(offset_bytes, CHUNK_HEADER_BYTES + head.body_bytes as usize)?;
        if head.checksum != checksum(&chunk) || head.archive != archive {
            return Err(self.0.damaged(offset_bytes, "wrong checksum"));
        }
        parse_entries(&chunk).map_err(|error| self.0.damaged(offset_bytes, error))
    }

    /// The chunks of `archive` from its `last` one back, oldest first, with the corrections among them.
    fn chunks(&self, archive: u128, last: u64) -> Result<Chunks, StoreError> {
        let mut chunks = Chunks::default();
        let mut offset_bytes = last;
        while offset_bytes != 0 {
            let head = self.head(offset_bytes)?;
            if head.previous >= offset_bytes || head.archive != archive {
                return Err(self.0.damaged(offset_bytes, "a chunk of another archive"));
            }
            if head.corrects() {
                for entry in self.entries(archive, offset_bytes)? {
                    chunks.corrections.entry(entry.ordinal).or_insert(entry);
                }
            } else {
                chunks.places.push((offset_bytes, head.states));
            }
            offset_bytes = head.previous;
        }
        chunks.places.reverse();
        Ok(chunks)
    }

    /// The records of `archive`, whose newest chunk is at `last`, in reading order; with `wanted` only those in that state. Ends
    /// after an error.
    pub(super) fn records(
        &self,
        archive: u128,
        last: u64,
        wanted: Option<StateKind>,
    ) -> impl Iterator<Item = Result<RecordEntry, StoreError>> + '_ {
        let (chunks, error) = match self.chunks(archive, last) {
            Ok(chunks) => (chunks, None),
            Err(error) => (Chunks::default(), Some(error)),
        };
        let Chunks { places, corrections } = chunks;
        // A corrected record is of any state: where there are corrections, every chunk is looked into.
        let mask = if corrections.is_empty() { wanted.map_or(u32::MAX, StateKind::bit) } else { u32::MAX };
        let places = places.into_iter().filter(move |(_, states)| mask == u32::MAX || states & mask != 0);
        let entries = places.flat_map(move |(offset_bytes, _)| match self.entries(archive, offset_bytes) {
            Ok(entries) => entries.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        });
        let corrected =
            entries.map(move |entry| entry.map(|entry| corrections.get(&entry.ordinal).cloned().unwrap_or(entry)));
        let is_wanted = move |entry: &RecordEntry| wanted.is_none_or(|wanted| entry.state.kind() == wanted);
        let all = error.into_iter().map(Err).chain(corrected);
        all.filter(move |entry| entry.as_ref().map_or(true, is_wanted))
    }
}

impl LedgerFile {
    /// The records of `archive` that can be read, by their ordinals, whatever of its chunks is damaged. O(records of the file).
    pub(super) fn readable(&self, archive: u128, last: u64) -> BTreeMap<u64, RecordEntry> {
        let mut records = BTreeMap::new();
        let mut corrections = BTreeMap::new();
        let mut offset_bytes = last;
        while offset_bytes != 0 {
            if let Ok(entries) = self.entries(archive, offset_bytes) {
                let corrects = self.head(offset_bytes).is_ok_and(|head| head.corrects());
                let into = if corrects { &mut corrections } else { &mut records };
                for entry in entries {
                    into.entry(entry.ordinal).or_insert(entry);
                }
            }
            offset_bytes = self.before(archive, offset_bytes);
        }
        for (ordinal, entry) in corrections {
            records.entry(ordinal).and_modify(|record| *record = entry.clone());
        }
        records
    }

    /// The chunk of `archive` before the one at `offset_bytes`: the one that its head names, or, where that cannot be, the nearest one; 0 where
    /// there is none.
    fn before(&self, archive: u128, offset_bytes: u64) -> u64 {
        let is_chunk = |at: u64| at < offset_bytes && self.entries(archive, at).is_ok();
        match self.head(offset_bytes).map(|head| head.previous) {
            Ok(previous) if previous == 0 || is_chunk(previous) => previous,
            // A chunk that is damaged itself is passed by, to the one that its own head names.
            Ok(previous) if self.is_head(archive, previous, offset_bytes) => previous,
            _ => self.nearest(archive, offset_bytes),
        }
    }

    /// Whether the head of a chunk of `archive` is at `at`, before `end`.
    fn is_head(&self, archive: u128, at: u64, end: u64) -> bool {
        (HEADER_BYTES..end).contains(&at) && self.head(at).is_ok_and(|head| head.archive == archive)
    }

    /// The last readable chunk of `archive` before `end`, up to the first that is damaged.
    fn nearest(&self, archive: u128, end: u64) -> u64 {
        let (mut offset_bytes, mut nearest) = (HEADER_BYTES, 0);
        while offset_bytes < end {
            let Ok(head) = self.head(offset_bytes) else { break };
            if self.entries(head.archive, offset_bytes).is_err() {
                break;
            }
            nearest = if head.archive == archive { offset_bytes } else { nearest };
            offset_bytes += CHUNK_HEADER_BYTES as u64 + u64::from(head.body_bytes);
        }
        nearest
    }
}

#[derive(Debug, Default)]
struct Chunks {
    /// Offset and states, oldest first.
    places: Vec<(u64, u32)>,
    /// Newest correction by ordinal.
    corrections: HashMap<u64, RecordEntry>,
}

fn parse_entries(chunk: &[u8]) -> Result<Vec<RecordEntry>, DamageCause> {
    let length = ChunkHead::parse_entries_bytes(chunk);
    if length > ENTRIES_BYTES_MAX {
        return Err("a chunk larger than any".into());
    }
    let rows: Vec<EntryRow> = decode(&unpacked(&chunk[CHUNK_HEADER_BYTES..], length)?)?;
    Ok(rows.into_iter().map(EntryRow::into_entry).collect::<Result<_, String>>()?)
}

impl ChunkHead {
    /// Bytes of the entries, uncompressed.
    fn parse_entries_bytes(chunk: &[u8]) -> usize {
        chunk[4..8].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    }
}

#[cfg(test)]
mod tests {
    use super::super::states::RecordState;
    use super::*;
    use lopper_archive::FailureCode;
    use lopper_archive::page::{PageId, SkipReason};

    fn entry(ordinal: u64, state: RecordState) -> RecordEntry {
        RecordEntry::new(ordinal, ordinal * 100, None, state)
    }

    fn skipped(ordinal: u64) -> RecordEntry {
        entry(ordinal, RecordState::Skipped { reason: SkipReason::RevisitUnresolved })
    }

    fn listed(ledger: &LedgerFile, last: u64, wanted: Option<StateKind>) -> Vec<RecordEntry> {
        ledger.records(7, last, wanted).map(Result::unwrap).collect()
    }

    #[test]
    fn records_come_back_in_order_and_by_state() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = LedgerFile::open(folder.path(), HEADER_BYTES, true).unwrap();
        let first = [entry(0, RecordState::Indexed { page: PageId(1) }), skipped(1)];
        let second = [entry(2, RecordState::failed(FailureCode::RecordTooLarge, "x".repeat(5000)))];
        let chunk = |previous, entries| Chunk { archive: 7, previous, corrects: false, entries };
        let end = ledger.append(HEADER_BYTES, &chunk(0, &first)).unwrap();
        ledger.append(end, &chunk(HEADER_BYTES, &second)).unwrap();
        assert_eq!(listed(&ledger, end, None), [&first[..], &second[..]].concat());
        assert_eq!(listed(&ledger, end, Some(StateKind::Failed)), second);
        assert!(matches!(&second[0].state, RecordState::Failed { message, .. } if message.len() == 1024));
    }

    #[test]
    fn corrections_take_the_place_of_what_they_correct() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = LedgerFile::open(folder.path(), HEADER_BYTES, true).unwrap();
        let (first, right) = ([skipped(0), skipped(1)], [entry(1, RecordState::Revisit { page: PageId(3) })]);
        let chunk = Chunk { archive: 7, previous: 0, corrects: false, entries: &first };
        let end = ledger.append(HEADER_BYTES, &chunk).unwrap();
        let chunk = Chunk { archive: 7, previous: HEADER_BYTES, corrects: true, entries: &right };
        ledger.append(end, &chunk).unwrap();
        assert_eq!(listed(&ledger, end, None), [first[0].clone(), right[0].clone()]);
        assert_eq!(listed(&ledger, end, Some(StateKind::Revisit)), right);
        assert_eq!(listed(&ledger, end, Some(StateKind::Skipped)), [first[0].clone()]);
    }

    #[test]
    fn every_flipped_byte_of_a_chunk_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = LedgerFile::open(folder.path(), HEADER_BYTES, true).unwrap();
        let chunk = Chunk { archive: 7, previous: 0, corrects: false, entries: &[skipped(0)] };
        ledger.append(HEADER_BYTES, &chunk).unwrap();
        let path = folder.path().join(LEDGER_NAME);
        let sound = std::fs::read(&path).unwrap();
        for at in HEADER_BYTES as usize..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 0x10;
            std::fs::write(&path, bytes).unwrap();
            assert!(ledger.records(7, HEADER_BYTES, None).any(|entry| entry.is_err()), "byte {at}");
        }
    }
}
