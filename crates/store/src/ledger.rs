//! What became of each record of each archive: sums an archive, and the states that they count.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lopper_archive::page::SkipReason;
use serde::de::IntoDeserializer;
use serde::de::value::Error as NameError;
use serde::{Deserialize, Deserializer, Serialize};

use super::paths::{from_bytes, to_bytes};
use super::states::{RecordEntry, RecordState, StateKind};
use super::{DamagedPart, ResolvedRevisits, Store, StoreError, keys};

/// An archive in the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct ArchiveKey {
    /// Its identity: the same for a renamed copy.
    pub id: u128,
    /// The file as it was named to the ingest.
    pub path: PathBuf,
    /// Hash of its content.
    pub fingerprint: u128,
    /// The address of the site whose folder it was read from as one of its files.
    #[serde(skip)]
    pub site: Option<String>,
}

impl ArchiveKey {
    /// An archive whose pages do not depend on its place: its content is its identity.
    pub fn by_content(path: &Path, fingerprint: u128) -> Self {
        Self { id: fingerprint, path: path.to_owned(), fingerprint, site: None }
    }

    /// An archive whose pages have their place for a URL (HTML files): the place is its identity, and other content at the same place is
    /// the same archive, changed.
    pub fn by_place(path: &Path, fingerprint: u128) -> Self {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let id = xxhash_rust::xxh3::xxh3_128(&[b"place\0", &to_bytes(&absolute)[..]].concat());
        Self { id, path: path.to_owned(), fingerprint, site: None }
    }

    /// Whether the place is its identity.
    pub fn is_by_place(&self) -> bool {
        self.id == Self::by_place(&self.path, self.fingerprint).id
    }
}

/// A record's place in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordPlace<'a> {
    /// The archive.
    pub archive: &'a ArchiveKey,
    /// Number of the record in it, from 0; unreadable places are counted too.
    pub ordinal: u64,
    /// Offset of the record in it, in bytes.
    pub offset_bytes: u64,
}

/// Sums over records. Each record is in exactly one of `indexed`, `replaced`, `duplicates`, `revisits`, `skipped` and `failed`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordSums {
    /// Records whose page was new in the store.
    pub indexed: u64,
    /// Records whose page took the place of one with the same identity.
    pub replaced: u64,
    /// Records that hold what a page of the same URL holds already: a capture more of that page.
    pub duplicates: u64,
    /// Revisit records whose original is in the store: a capture more of that page.
    pub revisits: u64,
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
        self.pages() + self.revisits + self.skipped.values().sum::<u64>() + self.failed
    }

    /// Records that hold a page.
    pub fn pages(&self) -> u64 {
        self.indexed + self.replaced + self.duplicates
    }

    /// Records in a state.
    pub fn in_state(&self, kind: StateKind) -> u64 {
        match kind {
            StateKind::Indexed => self.indexed,
            StateKind::Replaced => self.replaced,
            StateKind::Duplicate => self.duplicates,
            StateKind::Revisit => self.revisits,
            StateKind::Skipped => self.skipped.values().sum(),
            StateKind::Failed => self.failed,
        }
    }

    /// Counts a record.
    pub fn count(&mut self, state: &RecordState) {
        match state {
            RecordState::Skipped { reason } => *self.skipped.entry(*reason).or_default() += 1,
            RecordState::Indexed { .. } => self.indexed += 1,
            RecordState::Replaced { .. } => self.replaced += 1,
            RecordState::Duplicate { .. } => self.duplicates += 1,
            RecordState::Revisit { .. } => self.revisits += 1,
            RecordState::Failed { .. } => self.failed += 1,
        }
    }

    /// Adds those of `other`.
    pub fn add(&mut self, other: &Self) {
        self.indexed += other.indexed;
        self.replaced += other.replaced;
        self.duplicates += other.duplicates;
        self.revisits += other.revisits;
        self.blocks += other.blocks;
        self.failed += other.failed;
        for (&reason, count) in &other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
    }

    /// Moves revisits from those without an original to what they are now.
    pub fn resolve(&mut self, resolved: ResolvedRevisits) {
        let unresolved = self.skipped.entry(SkipReason::RevisitUnresolved).or_default();
        let revisits = resolved.revisits.min(*unresolved);
        let known = resolved.known.min(*unresolved - revisits);
        *unresolved -= revisits + known;
        self.revisits += revisits;
        *self.skipped.entry(SkipReason::KnownCapture).or_default() += known;
        self.skipped.retain(|_, count| *count > 0);
    }

    /// Moves the records that `deleted` counts, by what they were, to those whose page was deleted.
    pub fn delete(&mut self, deleted: &Self) {
        let records = deleted.pages() + deleted.revisits;
        if records == 0 {
            return;
        }
        self.indexed = self.indexed.saturating_sub(deleted.indexed);
        self.replaced = self.replaced.saturating_sub(deleted.replaced);
        self.duplicates = self.duplicates.saturating_sub(deleted.duplicates);
        self.revisits = self.revisits.saturating_sub(deleted.revisits);
        self.blocks = self.blocks.saturating_sub(deleted.blocks);
        *self.skipped.entry(SkipReason::Deleted).or_default() += records;
    }
}

/// An archive's entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArchiveEntry {
    /// Which one.
    pub key: ArchiveKey,
    /// Bytes read so far. Reading goes on with the record whose ordinal is the number of records in the sums.
    pub position_bytes: u64,
    /// Whether it was read to its end.
    pub finished: bool,
    /// Sums over the records read so far.
    pub sums: RecordSums,
    /// Offset of its newest chunk in the ledger's file; 0: none.
    #[serde(skip)]
    pub(super) last_chunk: u64,
}

impl ArchiveEntry {
    pub(super) fn new(key: ArchiveKey) -> Self {
        Self { key, position_bytes: 0, finished: false, sums: RecordSums::default(), last_chunk: 0 }
    }
}

/// [`ArchiveEntry`] as it is on disk; the id is in the key. Reasons are kept by name, so that their order in the enum is free.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ArchiveRow {
    path: Vec<u8>,
    fingerprint: u128,
    position_bytes: u64,
    finished: bool,
    indexed: u64,
    replaced: u64,
    duplicates: u64,
    revisits: u64,
    blocks: u64,
    failed: u64,
    skipped: Vec<(String, u64)>,
    last_chunk: u64,
    /// Empty for none. Rows that were written before there were sites end without it; programs of that time pass over it.
    #[serde(deserialize_with = "at_end")]
    site: String,
}

/// The row's last text, empty where the row has ended.
#[allow(clippy::unnecessary_wraps)] // As serde asks.
fn at_end<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(String::deserialize(deserializer).unwrap_or_default())
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
            duplicates: entry.sums.duplicates,
            revisits: entry.sums.revisits,
            blocks: entry.sums.blocks,
            failed: entry.sums.failed,
            skipped: (skipped.map(|(&reason, &count)| (reason_name(reason), count))).collect(),
            last_chunk: entry.last_chunk,
            site: entry.key.site.clone().unwrap_or_default(),
        }
    }
}

impl ArchiveRow {
    /// The entry, or what is wrong with the row.
    pub(super) fn into_entry(self, id: u128) -> Result<ArchiveEntry, String> {
        let skipped = (self.skipped.iter())
            .map(|(name, count)| Ok((reason_named(name)?, *count)))
            .collect::<Result<_, String>>()?;
        Ok(ArchiveEntry {
            key: ArchiveKey {
                id,
                path: from_bytes(self.path),
                fingerprint: self.fingerprint,
                site: Some(self.site).filter(|site| !site.is_empty()),
            },
            position_bytes: self.position_bytes,
            finished: self.finished,
            sums: RecordSums {
                indexed: self.indexed,
                replaced: self.replaced,
                duplicates: self.duplicates,
                revisits: self.revisits,
                blocks: self.blocks,
                skipped,
                failed: self.failed,
            },
            last_chunk: self.last_chunk,
        })
    }
}

pub(super) fn reason_name(reason: SkipReason) -> String {
    match serde_json::to_value(reason) {
        Ok(serde_json::Value::String(name)) => name,
        _ => unreachable!("a reason is a variant without data"),
    }
}

pub(super) fn reason_named(name: &str) -> Result<SkipReason, String> {
    let name = IntoDeserializer::<NameError>::into_deserializer(name);
    SkipReason::deserialize(name).map_err(|error| error.to_string())
}

impl Store {
    /// The ledger's entry of the archive with that id, or `None` when none of its records were committed.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn archive(&self, id: u128) -> Result<Option<ArchiveEntry>, StoreError> {
        let row = self.database.get(&keys::archive(id))?;
        row.map(|row| self.archive_entry(id, &row)).transpose()
    }

    /// All archives of the ledger, in no particular order. Ends after an error.
    pub fn archives(&self) -> impl Iterator<Item = Result<ArchiveEntry, StoreError>> + '_ {
        self.database.scan(keys::ARCHIVES).map(|row| {
            let (key, value) = row?;
            let id = key.last_chunk().ok_or_else(|| self.strange("an archive's key"))?;
            self.archive_entry(u128::from_be_bytes(*id), &value)
        })
    }

    /// Sums over all archives.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn sums(&self) -> Result<RecordSums, StoreError> {
        let mut sums = RecordSums::default();
        for entry in self.archives() {
            sums.add(&entry?.sums);
        }
        Ok(sums)
    }

    /// The records of an archive in reading order, with `wanted` only those in that state. Ends after an error.
    pub fn records(
        &self,
        archive: &ArchiveEntry,
        wanted: Option<StateKind>,
    ) -> impl Iterator<Item = Result<RecordEntry, StoreError>> + '_ {
        self.ledger.records(archive.key.id, archive.last_chunk, wanted)
    }

    fn archive_entry(&self, id: u128, row: &[u8]) -> Result<ArchiveEntry, StoreError> {
        let what = "an archive's row";
        let row: ArchiveRow = self.decoded(row, what)?;
        (row.into_entry(id)).map_err(|error| StoreError::damaged(&self.data, DamagedPart::Database, what, error))
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::{decode, encode};
    use super::*;

    fn sums() -> RecordSums {
        RecordSums {
            indexed: 1,
            replaced: 2,
            duplicates: 3,
            revisits: 4,
            blocks: 30,
            skipped: BTreeMap::from([(SkipReason::RevisitUnresolved, 4), (SkipReason::MediaType, 5)]),
            failed: 6,
        }
    }

    #[test]
    fn entries_come_back_from_their_rows() {
        let mut entry = ArchiveEntry::new(ArchiveKey::by_content("a/b.warc.gz".as_ref(), 7));
        (entry.finished, entry.last_chunk, entry.sums) = (true, 16, sums());
        for site in [None, Some("https://e.org/docs/".to_owned())] {
            entry.key.site = site;
            let row: ArchiveRow = decode(&encode(&ArchiveRow::from(&entry))).unwrap();
            assert_eq!(row.into_entry(7), Ok(entry.clone()));
        }
    }

    #[test]
    fn rows_of_before_there_were_sites_have_none() {
        let entry = ArchiveEntry::new(ArchiveKey::by_content("a.warc".as_ref(), 7));
        let bytes = encode(&ArchiveRow::from(&entry));
        let row: ArchiveRow = decode(&bytes[..bytes.len() - 1]).unwrap();
        assert_eq!(row.into_entry(7), Ok(entry));
        assert!(decode::<ArchiveRow>(&bytes[..bytes.len() - 2]).is_err());
    }

    #[test]
    fn an_unknown_reason_is_an_error() {
        assert_eq!(reason_name(SkipReason::RecordKind), "record_kind");
        assert!(reason_named("bad_weather").is_err());
    }

    #[test]
    fn sums_add_up() {
        let mut sums = sums();
        assert_eq!((sums.records(), sums.pages()), (25, 6));
        sums.add(&sums.clone());
        assert_eq!((sums.records(), sums.pages(), sums.blocks), (50, 12, 60));
    }

    #[test]
    fn resolving_moves_between_the_sums() {
        let mut sums = sums();
        sums.resolve(ResolvedRevisits { revisits: 4, known: 0 });
        assert_eq!((sums.revisits, sums.skipped.len(), sums.records()), (8, 1, 25));
        sums.resolve(ResolvedRevisits { revisits: 1, known: 0 });
        assert_eq!(sums.records(), 25, "never more than there are");
    }

    #[test]
    fn an_archive_is_told_by_content_or_by_place() {
        let by_place = |path: &str, content| ArchiveKey::by_place(path.as_ref(), content).id;
        assert_eq!(by_place("a.html", 1), by_place("a.html", 2));
        assert_ne!(by_place("a.html", 1), by_place("b.html", 1));
        assert_eq!(ArchiveKey::by_content("a".as_ref(), 1).id, ArchiveKey::by_content("b".as_ref(), 1).id);
    }
}
