//! What became of each record of each archive.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::de::IntoDeserializer;
use serde::de::value::Error as NameError;
use serde::{Deserialize, Serialize};

use super::keys::archive_id;
use super::page::shorten;
use super::paths::{from_bytes, to_bytes};
use crate::page::SkipReason;

/// Bytes of a failure's message that are kept.
const MESSAGE_BYTES_MAX: usize = 1 << 10;

/// An archive file in the ledger: the same path with other content is another archive.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct ArchiveKey {
    /// The file as it was named to the ingest.
    pub path: PathBuf,
    /// Hash of its content, as the ingest computes it.
    pub fingerprint: u128,
}

impl ArchiveKey {
    pub(super) fn id(&self) -> u128 {
        archive_id(&self.path, self.fingerprint)
    }
}

/// Sums over records. Each record is in exactly one of `indexed`, `replaced`, `skipped` and `failed`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RecordSums {
    /// Records whose page was new in the store.
    pub indexed: u64,
    /// Records whose page took the place of one with the same identity.
    pub replaced: u64,
    /// Main blocks of the indexed and replaced records' pages.
    pub blocks: u64,
    /// Records that give no page although nothing is broken, by reason; no reason with zero.
    pub skipped: BTreeMap<SkipReason, u64>,
    /// Records that could not be read or decoded.
    pub failed: u64,
}

impl RecordSums {
    /// Records read.
    pub fn records(&self) -> u64 {
        self.pages() + self.skipped.values().sum::<u64>() + self.failed
    }

    /// Records that gave a page.
    pub fn pages(&self) -> u64 {
        self.indexed + self.replaced
    }

    /// Adds those of `other`.
    pub fn add(&mut self, other: &Self) {
        self.indexed += other.indexed;
        self.replaced += other.replaced;
        self.blocks += other.blocks;
        self.failed += other.failed;
        for (&reason, count) in &other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
    }
}

/// An archive file's entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArchiveEntry {
    /// Which one.
    pub key: ArchiveKey,
    /// Where reading goes on: all records that begin before this offset are in the sums.
    pub position_bytes: u64,
    /// Whether it was read to its end.
    pub finished: bool,
    /// Sums over the records read so far.
    pub sums: RecordSums,
}

impl ArchiveEntry {
    pub(super) fn new(key: ArchiveKey) -> Self {
        Self { key, position_bytes: 0, finished: false, sums: RecordSums::default() }
    }
}

/// A record that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedRecord {
    /// Offset of the record in its archive, in bytes.
    pub offset_bytes: u64,
    /// Stable name of the reason.
    pub code: String,
    /// The error's message.
    pub message: String,
}

impl FailedRecord {
    pub(super) fn new(offset_bytes: u64, code: String, mut message: String) -> Self {
        shorten(&mut message, MESSAGE_BYTES_MAX);
        Self { offset_bytes, code, message }
    }

    pub(super) fn row(&self) -> FailureRow {
        FailureRow { code: self.code.clone(), message: self.message.clone() }
    }
}

/// [`FailedRecord`] as it is on disk; the offset is in the key.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FailureRow {
    code: String,
    message: String,
}

impl FailureRow {
    pub(super) fn into_record(self, offset_bytes: u64) -> FailedRecord {
        FailedRecord { offset_bytes, code: self.code, message: self.message }
    }
}

/// [`ArchiveEntry`] as it is on disk. Reasons are kept by name, so that their order in the enum is free.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ArchiveRow {
    path: Vec<u8>,
    fingerprint: u128,
    position_bytes: u64,
    finished: bool,
    indexed: u64,
    replaced: u64,
    blocks: u64,
    failed: u64,
    skipped: Vec<(String, u64)>,
}

impl From<&ArchiveEntry> for ArchiveRow {
    fn from(entry: &ArchiveEntry) -> Self {
        let skipped = entry.sums.skipped.iter();
        Self {
            path: to_bytes(&entry.key.path),
            fingerprint: entry.key.fingerprint,
            position_bytes: entry.position_bytes,
            finished: entry.finished,
            indexed: entry.sums.indexed,
            replaced: entry.sums.replaced,
            blocks: entry.sums.blocks,
            failed: entry.sums.failed,
            skipped: (skipped.map(|(&reason, &count)| (reason_name(reason), count))).collect(),
        }
    }
}

impl ArchiveRow {
    /// The entry, or what is wrong with the row.
    pub(super) fn into_entry(self) -> Result<ArchiveEntry, String> {
        let skipped = (self.skipped.iter())
            .map(|(name, count)| Ok((reason_named(name)?, *count)))
            .collect::<Result<_, String>>()?;
        Ok(ArchiveEntry {
            key: ArchiveKey { path: from_bytes(self.path), fingerprint: self.fingerprint },
            position_bytes: self.position_bytes,
            finished: self.finished,
            sums: RecordSums {
                indexed: self.indexed,
                replaced: self.replaced,
                blocks: self.blocks,
                skipped,
                failed: self.failed,
            },
        })
    }
}

fn reason_name(reason: SkipReason) -> String {
    match serde_json::to_value(reason) {
        Ok(serde_json::Value::String(name)) => name,
        _ => unreachable!("a reason is a variant without data"),
    }
}

fn reason_named(name: &str) -> Result<SkipReason, String> {
    let name = IntoDeserializer::<NameError>::into_deserializer(name);
    SkipReason::deserialize(name).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::rows::{decode, encode};
    use super::*;

    #[test]
    fn entries_come_back_from_their_rows() {
        let mut entry = ArchiveEntry::new(ArchiveKey { path: "a/b.warc.gz".into(), fingerprint: 7 });
        entry.finished = true;
        entry.sums = RecordSums {
            indexed: 1,
            replaced: 2,
            blocks: 30,
            skipped: BTreeMap::from([(SkipReason::Revisit, 4), (SkipReason::MediaType, 5)]),
            failed: 6,
        };
        let row: ArchiveRow = decode(&encode(&ArchiveRow::from(&entry))).unwrap();
        assert_eq!(row.into_entry(), Ok(entry));
    }

    #[test]
    fn an_unknown_reason_is_an_error() {
        assert_eq!(reason_name(SkipReason::RecordKind), "record_kind");
        assert!(reason_named("bad_weather").is_err());
    }

    #[test]
    fn sums_add_up() {
        let mut sums = RecordSums {
            indexed: 1,
            replaced: 1,
            skipped: BTreeMap::from([(SkipReason::Status, 2)]),
            failed: 1,
            blocks: 9,
        };
        sums.add(&sums.clone());
        assert_eq!((sums.records(), sums.pages(), sums.blocks), (10, 4, 18));
    }
}
