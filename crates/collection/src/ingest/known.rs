//! Archives that the ledger knows by another name, and archives that have grown since they were read.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use lopper_archive::{ArchiveError, ArchiveReader, ArchiveRecord, ResumePoint};
use lopper_content::limits::Limits;
use lopper_store::{ArchiveEntry, ArchiveKey, PageBatch, Store, StoreError};

use super::fingerprint::{fingerprint, fingerprint_of_first};
use crate::POSTED;

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

/// Whether it is a file that gave its pages their addresses, and that is not there any more.
pub(super) fn is_missing_file(key: &ArchiveKey) -> bool {
    key.is_by_place() && is_gone(&key.path)
}

/// Whether there is no file at `path`. What cannot be looked at is not gone.
pub(super) fn is_gone(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(metadata) => !metadata.is_file(),
        Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    }
}

/// Where the file really is: pages refer to it from wherever the program runs later. A file that is not there is named as it was.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    // Windows has no short form of a real path that programs take everywhere.
    let real = if cfg!(windows) { std::path::absolute(path) } else { fs::canonicalize(path) };
    real.unwrap_or_else(|_| path.to_owned())
}

/// Whether an archive that its content tells is not where it was. Pages that were posted were in no file.
fn is_lost(entry: &ArchiveEntry) -> bool {
    let key = &entry.key;
    let was_somewhere = !key.path.as_os_str().is_empty() && key.path != Path::new(POSTED);
    was_somewhere && key.fingerprint != 0 && !key.is_by_place() && !key.path.exists()
}

/// Finds archives that are no longer where they were, by their content, in the folders of all archives, and notes where they are now. Gives
/// how many were found. HTML files are not followed: their place is their pages' address. O(files of these folders) where some are missing,
/// else O(archives).
pub(super) fn follow_moved(store: &Store) -> Result<usize, StoreError> {
    let entries = store.archives().collect::<Result<Vec<_>, _>>()?;
    let mut missing: HashMap<u128, &ArchiveEntry> = HashMap::new();
    for entry in entries.iter().filter(|entry| is_lost(entry)) {
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

#[cfg(test)]
mod tests {
    use lopper_archive::page::{Page, PageId, Provenance};
    use lopper_content::pipeline::ExtractParams;

    use super::*;
    use crate::DataFolder;
    use crate::ingest::{IngestOptions, Silent, ingest, ingest_page};
    use crate::testing::posted;

    #[test]
    fn only_what_is_known_to_be_no_file_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::write(at.join("a.html"), "").unwrap();
        fs::create_dir(at.join("b.html")).unwrap();
        for (name, expected) in [("a.html", false), ("b.html", true), ("c.html", true), ("a.html/c.html", true)] {
            assert_eq!(is_gone(&at.join(name)), expected, "{name}");
        }
        // Whatever is behind it: a link that leads to itself, and a name that no file can have.
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("loop", at.join("loop")).unwrap();
            assert!(!is_gone(&at.join("loop/a.html")), "it cannot be looked at");
        }
        assert!(!is_gone(&at.join("n".repeat(5000))), "it cannot be looked at");
    }

    #[test]
    fn posted_pages_are_looked_for_in_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let collection = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
        let page = Page {
            id: PageId::of("http://e.example/", None),
            captured_at: None,
            provenance: Provenance { archive: POSTED.into(), offset_bytes: 0, record_id: None },
            ..posted("http://e.example/", "<p>Old mills grind slowly.")
        };
        ingest_page(&collection, &page, &Limits::default()).unwrap();
        let archive = folder.path().join("a.ndjson");
        fs::write(&archive, "{\"url\": \"http://e.example/a\", \"html\": \"<p>Mills\"}\n").unwrap();
        ingest(&collection, std::slice::from_ref(&archive), &IngestOptions::default(), &mut Silent).unwrap();
        let lost = || collection.store().archives().map(Result::unwrap).filter(is_lost).count();
        assert_eq!((collection.store().archives().count(), lost()), (2, 0));
        fs::remove_file(archive).unwrap();
        assert_eq!(lost(), 1);
    }
}
