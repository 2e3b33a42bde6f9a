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
    let left = scope.left(store, seen)?;
    if left.is_empty() {
        return Ok(());
    }
    let (kept, mut gone) = scope.part(store, &left, seen, report)?;
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
    /// The files that count as left.
    fn left(&self, store: &Store, seen: &SeenFiles) -> Result<Vec<ArchiveKey>, StoreError> {
        let is_left = |entry: &ArchiveEntry| !seen.archives.contains(&entry.key.id) && self.is_left(entry);
        let left = store.archives().filter(|entry| entry.as_ref().map_or(true, is_left));
        left.map(|entry| Ok(entry?.key)).collect()
    }

    /// Of the pages of `left` the files of those that stay, and those that go unless another record holds them.
    fn part(
        &self,
        store: &Store,
        left: &[ArchiveKey],
        seen: &SeenFiles,
        report: &mut IngestReport,
    ) -> Result<(HashSet<u128>, BTreeSet<PageId>), StoreError> {
        let pages = store.pages_of_archives(&left.iter().map(|key| key.id).collect())?;
        let given = given(store, &pages, seen)?;
        let is_unsure = |key: &&ArchiveKey| !report.unreadable.is_empty() && self.is_elsewhere(key);
        let unsure: HashSet<u128> = left.iter().filter(is_unsure).map(|key| key.id).collect();
        let (mut kept, mut gone, mut kept_unsure) = (HashSet::new(), BTreeSet::new(), 0);
        for (page, archive) in pages {
            if self.folders.is_empty() || given.contains(&page) {
                kept.insert(archive);
            } else if unsure.contains(&archive) {
                kept.insert(archive);
                kept_unsure += 1;
            } else {
                gone.insert(page);
            }
        }
        if kept_unsure > 0 {
            report.message(format!(
                "not everything could be read, so pages stay that were read from other folders and have no file here: {kept_unsure}"
            ));
        }
        Ok((kept, gone))
    }

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
fn given(store: &Store, pages: &BTreeMap<PageId, u128>, seen: &SeenFiles) -> Result<HashSet<PageId>, StoreError> {
    let mut given: HashSet<PageId> = pages.keys().filter(|page| seen.pages.contains(page)).copied().collect();
    for &id in &seen.archives {
        let several = store.archive(id)?.filter(|entry| entry.sums.records() > 1 && given.len() < pages.len());
        for record in several.iter().flat_map(|entry| store.records(entry, None)) {
            given.extend(record?.state.page().filter(|page| pages.contains_key(page)));
        }
    }
    Ok(given)
}
