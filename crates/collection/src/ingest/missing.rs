//! Pages of HTML files that are gone.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use lopper_archive::page::PageId;
use lopper_store::{ArchiveEntry, ArchiveKey, StoreError};

use super::IngestOptions;
use super::known::real_path;
use super::seen_files::SeenFiles;
use super::site::Site;
use crate::open_commit::OpenCommit;
use crate::{CollectionError, DataFolder};

/// The fingerprint of no file: whatever comes to a place with it is read.
const FORGOTTEN: u128 = 0;

/// Settles what a run that came to its end has not come to, and gives the number of pages that it removes. Without a takedown: a file that
/// comes back is read as a new one. Archives are left alone, as their pages do not depend on their place.
///
/// - Of a site: files of the same site, wherever they were read, that the run has not come to. Their pages go where that is asked for, unless
///   one of the run's files stands for them. Files that have no page any more, as those of the run took them over, are read again when they
///   are met again.
/// - Of folders: files that were read from them without a site and are not there any more.
///
/// O(pages) where there are such files, else O(archives).
pub(super) fn settle(
    collection: &DataFolder,
    options: &IngestOptions,
    seen: &SeenFiles,
) -> Result<u64, CollectionError> {
    let folders: Vec<PathBuf> = options.remove_missing.iter().map(|folder| real_path(folder)).collect();
    let (is_removing, site) = (!folders.is_empty(), options.site.as_ref().and_then(Site::folder_url));
    let mut open = OpenCommit::begin(collection);
    let store = collection.store();
    let is_left = |entry: &ArchiveEntry| {
        let key = &entry.key;
        let is_of_site = key.site.is_some() && key.site == site && !seen.archives.contains(&key.id);
        let has_pages = entry.sums.pages() > 0 && key.fingerprint != FORGOTTEN && key.is_by_place();
        has_pages && (is_of_site || (key.site.is_none() && is_missing(&key.path, &folders)))
    };
    let left = store.archives().filter(|entry| entry.as_ref().map_or(true, is_left));
    let left = left.map(|entry| Ok(entry?.key)).collect::<Result<Vec<_>, StoreError>>()?;
    if left.is_empty() {
        return Ok(0);
    }
    let pages = store.pages_of_archives(&left.iter().map(|key| key.id).collect())?;
    let given = given(collection, &pages.keys().copied().collect(), seen)?;
    let (kept, gone): (Vec<_>, Vec<_>) = pages.into_iter().partition(|(page, _)| !is_removing || given.contains(page));
    let gone: BTreeSet<PageId> = gone.into_iter().map(|(page, _)| page).collect();
    let removed = if gone.is_empty() { 0 } else { open.remove(&gone, None)?.pages };
    let kept: HashSet<u128> = kept.into_iter().map(|(_, archive)| archive).collect();
    for key in left.into_iter().filter(|key| !kept.contains(&key.id)) {
        open.batch.place(&ArchiveKey { fingerprint: FORGOTTEN, ..key });
    }
    if !open.batch.is_empty() {
        open.commit()?;
    }
    Ok(removed)
}

/// Those of `pages` that files of the run stand for, though they were last read from others. O(records of the run's files with several).
fn given(
    collection: &DataFolder,
    pages: &BTreeSet<PageId>,
    seen: &SeenFiles,
) -> Result<HashSet<PageId>, CollectionError> {
    let mut given: HashSet<PageId> = pages.iter().filter(|page| seen.pages.contains(page)).copied().collect();
    let store = collection.store();
    for &id in &seen.archives {
        let several = store.archive(id)?.filter(|entry| entry.sums.records() > 1 && given.len() < pages.len());
        for record in several.iter().flat_map(|entry| store.records(entry, None)) {
            given.extend(record?.state.page().filter(|page| pages.contains(page)));
        }
    }
    Ok(given)
}

/// Whether it was in one of the folders once, and is not there now. What cannot be looked at is not missing.
fn is_missing(path: &Path, folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| path.starts_with(folder)) && matches!(path.try_exists(), Ok(false))
}
