//! Deleting pages: which there are, and what goes with them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lopper_archive::page::{PageId, SkipReason};
use lopper_content::text::url::{canonical_url, forms_of};

use super::batch::Change;
use super::captures::CaptureRow;
use super::digest::url_hash;
use super::ledger::{ArchiveEntry, RecordSums};
use super::states::{RecordEntry, RecordState};
use super::takedowns::has_prefix;
use super::{PageBatch, Store, StoreError, TakedownScope, TakenPage, keys};

/// What [`PageBatch::remove`] found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    /// Pages that go.
    pub pages: u64,
    /// Their main blocks.
    pub blocks: u64,
    /// Captures that go with them: records that stood for one of the pages.
    pub captures: u64,
}

impl Store {
    /// The pages that a scope names, each by its id. O(pages) but for URLs and single pages.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn pages_in(&self, scope: &TakedownScope) -> Result<BTreeSet<PageId>, StoreError> {
        match scope {
            TakedownScope::Pages(pages) => {
                let mut found = BTreeSet::new();
                for id in pages.iter().filter_map(|page| page.id.parse().ok()) {
                    if self.contains(id)? {
                        found.insert(id);
                    }
                }
                Ok(found)
            }
            TakedownScope::Url(url) => {
                let mut found = BTreeSet::new();
                let forms = forms_of(url);
                for form in &forms {
                    for row in self.captures_at(form) {
                        let row = row?;
                        // A revisit of this URL may stand for a page of another one, which stays.
                        let own = self.page(row.page())?.and_then(|page| canonical_url(&page.url));
                        if own.as_ref() == Some(form) {
                            found.insert(row.page());
                        }
                    }
                }
                Ok(found)
            }
            TakedownScope::Prefix(prefix) => self.pages_where(|row| has_prefix(row.canonical_url(), prefix)),
            TakedownScope::Host(host) => self.pages_where(|row| row.host == *host),
            TakedownScope::Archive { id, .. } => {
                let id = u128::from_str_radix(id, 16).ok();
                self.pages_where(|row| Some(row.links.archive_id) == id)
            }
        }
    }

    /// The scope of these pages. Those that are not there are kept out all the same.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn scope_of_pages(&self, pages: impl IntoIterator<Item = PageId>) -> Result<TakedownScope, StoreError> {
        let taken = |id: PageId| -> Result<TakenPage, StoreError> {
            let row = self.page_row(id)?;
            let url = row.as_ref().map(|row| row.canonical_url().to_owned()).unwrap_or_default();
            let digest = row.and_then(|row| row.digest()).map(|digest| digest.to_string());
            Ok(TakenPage { id: id.to_string(), url, digest })
        };
        Ok(TakedownScope::Pages(pages.into_iter().map(taken).collect::<Result<_, _>>()?))
    }

    /// The pages that were last read from one of these archives, each with the archive. O(pages).
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn pages_of_archives(&self, archives: &HashSet<u128>) -> Result<BTreeMap<PageId, u128>, StoreError> {
        let rows = self.page_rows().map(|row| row.map(|(id, row)| (id, row.links.archive_id)));
        rows.filter(|row| row.as_ref().map_or(true, |(_, archive)| archives.contains(archive))).collect()
    }

    /// The archive that a page was last read from; `None` without such a page.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn archive_of_page(&self, page: PageId) -> Result<Option<ArchiveEntry>, StoreError> {
        self.page_row(page)?.map_or(Ok(None), |row| self.archive(row.links.archive_id))
    }

    fn pages_where(&self, holds: impl Fn(&super::page::PageRow) -> bool) -> Result<BTreeSet<PageId>, StoreError> {
        let rows = self.page_rows().filter(|row| row.as_ref().map_or(true, |(_, row)| holds(row)));
        rows.map(|row| row.map(|(id, _)| id)).collect()
    }
}

impl PageBatch {
    /// Removes those of `pages` that are there, with every capture that stands for one of them, and notes their records in the ledger as
    /// [deleted](SkipReason::Deleted). Captures of other pages go too where `scope` names the archive or the address that they are of; of an
    /// address the ledger does not tell the records. O(captures of the collection).
    ///
    /// To be committed alone.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn remove(
        &mut self,
        store: &Store,
        pages: &BTreeSet<PageId>,
        scope: Option<&TakedownScope>,
    ) -> Result<Removed, StoreError> {
        let mut removed = Removed::default();
        let archive = match scope {
            Some(TakedownScope::Archive { id, .. }) => u128::from_str_radix(id, 16).ok(),
            _ => None,
        };
        let addresses: HashSet<u128> = match scope {
            Some(TakedownScope::Url(url)) => forms_of(url).iter().map(|form| url_hash(form)).collect(),
            _ => HashSet::new(),
        };
        let mut archives = BTreeSet::from_iter(archive);
        for &id in pages {
            let Some(row) = store.page_row(id)? else { continue };
            removed.pages += 1;
            removed.blocks += u64::from(row.main_blocks);
            archives.insert(row.links.archive_id);
            self.changes.push(Change::Remove { page: id });
        }
        for row in store.database.scan(keys::CAPTURES) {
            let (key, value) = row?;
            let row: CaptureRow = store.decoded(&value, "a capture's row")?;
            let is_of_address = keys::url_hash_of_capture(&key).is_some_and(|hash| addresses.contains(&hash));
            if pages.contains(&row.page()) || archive == Some(row.archive_id) || is_of_address {
                removed.captures += 1;
                archives.insert(row.archive_id);
                self.changes.push(Change::ForgetCapture { key });
            }
        }
        for row in store.database.scan(keys::DECLARED) {
            let (key, value) = row?;
            if pages.contains(&store.page_id(&value)?) {
                self.changes.push(Change::Forget { key });
            }
        }
        for id in archives {
            if let Some(entry) = store.archive(id)? {
                self.correct(store, &entry, pages, archive == Some(id))?;
            }
        }
        Ok(removed)
    }

    /// Notes the records of an archive that name one of `pages`, or `all` that name any, as deleted.
    fn correct(
        &mut self,
        store: &Store,
        entry: &ArchiveEntry,
        pages: &BTreeSet<PageId>,
        all: bool,
    ) -> Result<(), StoreError> {
        let mut gone = RecordSums::default();
        let mut corrections = Vec::new();
        let mut counted = HashSet::new();
        for record in store.records(entry, None) {
            let record = record?;
            let Some(page) = record.state.page().filter(|page| all || pages.contains(page)) else { continue };
            gone.count(&record.state);
            if matches!(record.state, RecordState::Indexed { .. } | RecordState::Replaced { .. })
                && counted.insert(page)
            {
                gone.blocks += store.page_row(page)?.map_or(0, |row| u64::from(row.main_blocks));
            }
            let state = RecordState::Skipped { reason: SkipReason::Deleted };
            corrections.push(RecordEntry::new(record.ordinal, record.offset_bytes, None, state));
        }
        if !corrections.is_empty() {
            let delta = self.archives.entry(entry.key.id).or_default();
            delta.corrections.extend(corrections);
            delta.deleted.add(&gone);
        }
        Ok(())
    }
}
