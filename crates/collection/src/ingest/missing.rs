//! Pages of HTML files that are gone.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;

use lopper_archive::page::{PageId, Provenance};
use lopper_store::{ArchiveEntry, ArchiveKey, RecordEntry, RecordPlace, StateKind, Store, StoreError};

use super::known::{is_gone, real_path};
use super::seen_files::SeenFiles;
use super::site::Site;
use super::{IngestOptions, IngestReport};
use crate::open_commit::OpenCommit;
use crate::{CollectionError, DataFolder};

/// The fingerprint of no file: whatever comes to a place with it is read.
const FORGOTTEN: u128 = 0;

/// Settles what a run that came to its end has not come to, and tells `report` the number of pages that it removes. Without a takedown: a file
/// that comes back is read as a new one. Archives are left alone, as their pages do not depend on their place, and so are files that are there
/// or cannot be looked at.
///
/// - Of a site: files of the same site that are gone from its folder, and all that were read from other folders, that the run has not come to.
///   Their pages go where that is asked for, unless one of the run's files stands for them; those of other folders only where the run could
///   read everything. Files that have no page any more, as those of the run took them over, are read again when they are met again.
/// - Of folders: files that were read from them without a site and are not there any more.
///
/// A page that an archive or another site holds as well stays, and is tied to the record there.
///
/// O(pages) where there are such files, else O(archives).
pub(super) fn settle(
    collection: &DataFolder,
    options: &IngestOptions,
    seen: &SeenFiles,
    report: &mut IngestReport,
) -> Result<(), CollectionError> {
    let folders: Vec<PathBuf> = options.remove_missing.iter().map(|folder| real_path(folder)).collect();
    let mut open = OpenCommit::begin(collection);
    let store = collection.store();
    let scope = Scope {
        site: options.site.as_ref().and_then(Site::folder_url),
        here: options.site.as_ref().map(Site::real_folder),
        folders: &folders,
    };
    let is_left = |entry: &ArchiveEntry| !seen.archives.contains(&entry.key.id) && scope.is_left(entry);
    let left = store.archives().filter(|entry| entry.as_ref().map_or(true, is_left));
    let left = left.map(|entry| Ok(entry?.key)).collect::<Result<Vec<_>, StoreError>>()?;
    if left.is_empty() {
        return Ok(());
    }
    let pages = store.pages_of_archives(&left.iter().map(|key| key.id).collect())?;
    let given = given(collection, &pages.keys().copied().collect(), seen)?;
    let (mut kept, mut gone): (Vec<_>, Vec<_>) =
        pages.into_iter().partition(|(page, _)| folders.is_empty() || given.contains(page));
    if !report.unreadable.is_empty() {
        let elsewhere: HashSet<u128> = left.iter().filter(|key| scope.is_elsewhere(key)).map(|key| key.id).collect();
        let (unsure, sure): (Vec<_>, Vec<_>) = gone.into_iter().partition(|(_, archive)| elsewhere.contains(archive));
        if !unsure.is_empty() {
            let pages = unsure.len();
            report.message(format!(
                "not everything could be read, so pages stay that were read from other folders and have no file here: {pages}"
            ));
        }
        kept.extend(unsure);
        gone = sure;
    }
    let mut gone: BTreeSet<PageId> = gone.into_iter().map(|(page, _)| page).collect();
    let held = if gone.is_empty() { BTreeMap::new() } else { scope.held(store, &gone)? };
    gone.retain(|page| !held.contains_key(page));
    if !gone.is_empty() {
        report.removed = open.remove(&gone, None)?.pages;
    }
    for (page, (archive, record)) in held {
        let RecordEntry { ordinal, offset_bytes, record_id, .. } = record;
        let provenance = Provenance { archive: archive.path.clone(), offset_bytes, record_id };
        let place = RecordPlace { archive: &archive, ordinal, offset_bytes };
        open.batch.move_page(store, &place, page, provenance)?;
    }
    let kept: HashSet<u128> = kept.into_iter().map(|(_, archive)| archive).collect();
    for key in left.into_iter().filter(|key| !kept.contains(&key.id) && key.fingerprint != FORGOTTEN) {
        open.batch.place(&ArchiveKey { fingerprint: FORGOTTEN, ..key });
    }
    if !open.batch.is_empty() {
        open.commit()?;
    }
    Ok(())
}

/// What a run settles.
struct Scope<'a> {
    /// The address of its site.
    site: Option<String>,
    /// The site's folder, or its only file.
    here: Option<PathBuf>,
    /// Folders from which pages are removed.
    folders: &'a [PathBuf],
}

impl Scope<'_> {
    /// Whether files that the run has not come to count as left. One that could not be read the last time may still have its pages.
    fn is_left(&self, entry: &ArchiveEntry) -> bool {
        let key = &entry.key;
        let may_have_pages = key.fingerprint != FORGOTTEN || entry.sums.failed > 0;
        if !may_have_pages || !key.is_by_place() {
            return false;
        }
        match key.site {
            Some(_) => key.site == self.site && (self.is_elsewhere(key) || is_gone(&key.path)),
            None => self.folders.iter().any(|folder| key.path.starts_with(folder)) && is_gone(&key.path),
        }
    }

    /// Whether a file was read from another folder than the site has now.
    fn is_elsewhere(&self, key: &ArchiveKey) -> bool {
        key.site.is_some() && self.here.as_ref().is_some_and(|here| !key.path.starts_with(here))
    }

    /// Those of `pages` that a record of an archive holds as well, or a file of another site that is there, each with one of these.
    /// O(records of archives with duplicates).
    fn held(
        &self,
        store: &Store,
        pages: &BTreeSet<PageId>,
    ) -> Result<BTreeMap<PageId, (ArchiveKey, RecordEntry)>, StoreError> {
        let mut held = BTreeMap::new();
        for entry in store.archives() {
            let entry = entry?;
            let key = &entry.key;
            let is_of_other_site = || key.site.is_some() && key.site != self.site && !is_gone(&key.path);
            let is_holder = !key.is_by_place() || (key.fingerprint != FORGOTTEN && is_of_other_site());
            if !is_holder || entry.sums.duplicates == 0 {
                continue;
            }
            for record in store.records(&entry, Some(StateKind::Duplicate)) {
                let record = record?;
                if let Some(page) = record.state.page().filter(|page| pages.contains(page)) {
                    held.entry(page).or_insert_with(|| (key.clone(), record));
                }
            }
        }
        Ok(held)
    }
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
