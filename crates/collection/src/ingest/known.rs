//! Archives that the ledger knows by another name, and archives that have grown since they were read.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use lopper_archive::{ArchiveError, ArchiveReader, ArchiveRecord, ResumePoint};
use lopper_content::limits::Limits;
use lopper_store::{ArchiveEntry, ArchiveKey, PageBatch, Store, StoreError};

use super::fingerprint::{fingerprint, fingerprint_of_first};

/// Files that are looked at in search of archives that were moved.
const CANDIDATES_MAX: usize = 10_000;

/// What the ledger had of archives when the run began.
pub(super) struct KnownArchives {
    /// Archives by their content, where that is no longer what gave them their identity: those that have grown.
    by_content: HashMap<u128, u128>,
    by_path: HashMap<PathBuf, ArchiveEntry>,
}

/// An archive that was read to what was its end.
pub(super) struct Grown {
    /// Its identity in the ledger.
    pub(super) id: u128,
    /// Behind its first new record.
    pub(super) reader: Box<dyn ArchiveReader + Send>,
    /// The first new record.
    pub(super) first: Result<ArchiveRecord, ArchiveError>,
    /// Its number.
    pub(super) ordinal: u64,
}

impl KnownArchives {
    /// What cannot be read of the ledger is not known; the writer finds it damaged.
    pub(super) fn of(store: &Store) -> Self {
        let (mut by_content, mut by_path) = (HashMap::new(), HashMap::new());
        for entry in store.archives().filter_map(Result::ok) {
            if entry.key.id != entry.key.fingerprint {
                by_content.insert(entry.key.fingerprint, entry.key.id);
            }
            by_path.insert(entry.key.path.clone(), entry);
        }
        Self { by_content, by_path }
    }

    /// The identity of an archive with that content.
    pub(super) fn id_of(&self, content: u128) -> u128 {
        self.by_content.get(&content).copied().unwrap_or(content)
    }

    /// The archive at `path`, if what was read of it is unchanged and something follows. Its last record is read again: where that was cut off
    /// then, or is another one now, the archive is to be read from its beginning.
    pub(super) fn grown(&self, path: &Path, store: &Store, limits: &Limits) -> Option<Grown> {
        let entry = self.by_path.get(path).filter(|entry| entry.finished && entry.position_bytes > 0)?;
        let end = entry.position_bytes;
        if fs::metadata(path).ok()?.len() <= end || fingerprint_of_first(path, end).ok()? != entry.key.fingerprint {
            return None;
        }
        let last = store.records(entry, None).last()?.ok()?;
        let point = ResumePoint { offset_bytes: last.offset_bytes, ordinal: last.ordinal };
        let mut reader = lopper_archive::open_at(path, point, limits).ok()?;
        let is_whole = reader.next_record()?.ok()?.remark.is_none();
        let first = reader.next_record()?;
        let begins = first.as_ref().map_or_else(ArchiveError::offset_bytes, |record| record.offset_bytes);
        let is_next = is_whole && begins == end && last.ordinal + 1 == entry.sums.records();
        is_next.then_some(Grown { id: entry.key.id, reader, first, ordinal: last.ordinal + 1 })
    }
}

/// Whether an archive's place is in its pages' URLs, as its first record tells: then that is its identity, and else its content.
pub(crate) fn is_by_place(first: Option<&Result<ArchiveRecord, ArchiveError>>) -> bool {
    matches!(first, Some(Ok(record)) if record.url.starts_with("file:"))
}

/// Where the file really is: pages refer to it from wherever the program runs later. A file that is not there is named as it was.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    // Windows has no short form of a real path that programs take everywhere.
    let real = if cfg!(windows) { std::path::absolute(path) } else { fs::canonicalize(path) };
    real.unwrap_or_else(|_| path.to_owned())
}

/// Finds archives that are no longer where they were, by their content, in the folders of all archives, and notes where they are now. Gives
/// how many were found. HTML files are not followed: their place is their pages' address. O(files of these folders) where some are missing,
/// else O(archives).
pub(super) fn follow_moved(store: &Store) -> Result<usize, StoreError> {
    let entries = store.archives().collect::<Result<Vec<_>, _>>()?;
    let is_by_content = |entry: &&ArchiveEntry| {
        let key = &entry.key;
        key.fingerprint != 0 && !key.path.as_os_str().is_empty() && !key.is_by_place()
    };
    let mut missing: HashMap<u128, &ArchiveEntry> = HashMap::new();
    for entry in entries.iter().filter(is_by_content).filter(|entry| !entry.key.path.exists()) {
        missing.insert(entry.key.fingerprint, entry);
    }
    let mut batch = PageBatch::new();
    let mut found = 0;
    if missing.is_empty() {
        return Ok(found);
    }
    let known: BTreeSet<&Path> = entries.iter().map(|entry| entry.key.path.as_path()).collect();
    for file in candidates(&known) {
        let Ok(content) = fingerprint(&file) else { continue };
        if let Some(entry) = missing.remove(&content) {
            tracing::info!(from = %entry.key.path.display(), to = %file.display(), "an archive was moved");
            batch.place(&ArchiveKey { path: file, ..entry.key.clone() });
            found += 1;
        }
        if missing.is_empty() {
            break;
        }
    }
    if found > 0 {
        store.commit(batch)?;
    }
    Ok(found)
}

/// The files beside the archives that are none of them.
fn candidates(known: &BTreeSet<&Path>) -> impl Iterator<Item = PathBuf> {
    let folders: BTreeSet<&Path> = known.iter().filter_map(|path| path.parent()).collect();
    let entries = folders.into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let files = entries.filter_map(|entry| Some(entry.ok()?.path())).take(CANDIDATES_MAX);
    files.filter(|file| file.is_file() && !known.contains(file.as_path())).collect::<Vec<_>>().into_iter()
}
