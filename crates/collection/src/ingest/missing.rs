//! Pages of HTML files that are gone.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use lopper_store::{ArchiveEntry, ArchiveKey, StoreError};

use super::known::real_path;
use crate::open_commit::OpenCommit;
use crate::{CollectionError, DataFolder};

/// The fingerprint of no file: whatever comes to a place with it is read.
const FORGOTTEN: u128 = 0;

/// Removes the pages of HTML files that were read from one of `folders` and are not there any more, and gives their number. Without a
/// takedown: a file that comes back is read as a new one. Archives are left alone, as their pages do not depend on their place.
/// O(pages) where any file is gone, else O(archives).
pub(super) fn remove_missing(collection: &DataFolder, folders: &[PathBuf]) -> Result<u64, CollectionError> {
    let folders: Vec<PathBuf> = folders.iter().map(|folder| real_path(folder)).collect();
    let mut open = OpenCommit::begin(collection);
    let store = collection.store();
    let is_wanted = |entry: &ArchiveEntry| entry.sums.pages() > 0 && is_missing(&entry.key, &folders);
    let gone = store.archives().filter(|entry| entry.as_ref().map_or(true, is_wanted));
    let gone = gone.map(|entry| Ok(entry?.key)).collect::<Result<Vec<_>, StoreError>>()?;
    if gone.is_empty() {
        return Ok(0);
    }
    let pages = store.pages_of_archives(&gone.iter().map(|key| key.id).collect::<HashSet<_>>())?;
    let removed = open.remove(&pages, None)?;
    for key in gone {
        open.batch.place(&ArchiveKey { fingerprint: FORGOTTEN, ..key });
    }
    open.commit()?;
    Ok(removed.pages)
}

/// Whether it is a file whose place gives its pages' addresses, in one of the folders once, and not there now. What cannot be looked at is
/// not missing.
fn is_missing(key: &ArchiveKey, folders: &[PathBuf]) -> bool {
    let is_below = |path: &Path| folders.iter().any(|folder| path.starts_with(folder));
    is_below(&key.path)
        && key.fingerprint != FORGOTTEN
        && key.is_by_place()
        && matches!(key.path.try_exists(), Ok(false))
}
