//! Committing a batch.

use std::collections::{BTreeSet, HashMap, HashSet};

use lopper_archive::page::PageId;
use lopper_content::statistics::StatisticsChange;
use lopper_faults::failpoint;

use super::batch::{Change, Run};
use super::captures::{CaptureKind, CaptureRow};
use super::database::RowBatch;
use super::files::remove_others;
use super::open::Current;
use super::page::PageRow;
use super::retention::Retention;
use super::rows::{decode, encode};
use super::statistics::{needed_epochs, write_statistics};
use super::{ContentDigest, PageBatch, Sequence, Store, StoreError, keys};

impl Store {
    /// Commits `batch`: when this returns, all of it is on disk; after a crash, all of it or nothing is there.
    ///
    /// # Errors
    ///
    /// [`StoreError::ReadOnly`]; [`StoreError::Poisoned`] after a former commit failed; [`StoreError::Io`] and
    /// [`StoreError::Damaged`], after which this store takes no more commits until it is opened again.
    pub fn commit(&self, batch: PageBatch) -> Result<Sequence, StoreError> {
        self.must_write()?;
        let mut writer = self.writer();
        if writer.poisoned {
            return Err(StoreError::Poisoned { data: self.data.clone() });
        }
        writer.poisoned = true;
        let sequence = Commit::new(self).run(batch)?;
        writer.poisoned = false;
        self.remove_old_files(&mut writer.retention);
        Ok(sequence)
    }

    /// Removes the files that neither the last commits nor readers who are just opening one of them need.
    fn remove_old_files(&self, retention: &mut Retention) {
        let Current { meta, statistics, published } = self.current();
        let rows = published.map(|rows| rows.files()).unwrap_or_default();
        let epochs = needed_epochs(&self.data, &statistics, meta.next_batch_epoch);
        let (rows, epochs) = retention.note(rows, epochs);
        remove_others(&self.data, &rows, &epochs);
    }
}

/// A commit under way: the state to come, and the rows that a later change of the same batch must see.
pub(super) struct Commit<'a> {
    pub(super) store: &'a Store,
    pub(super) next: Current,
    pub(super) change: StatisticsChange,
    pub(super) pages: HashMap<PageId, PageRow>,
    /// Keys of `pages`, in the order they were put.
    pub(super) order: Vec<PageId>,
    /// Pages that are deleted.
    pub(super) removed: BTreeSet<PageId>,
    /// Of contents that many pages have, those in the store that are not deleted.
    pub(super) sharers: HashMap<ContentDigest, HashSet<PageId>>,
    pub(super) hosts: HashMap<String, u64>,
    pub(super) rows: RowBatch,
}

impl<'a> Commit<'a> {
    fn new(store: &'a Store) -> Self {
        Self {
            store,
            next: store.current(),
            change: StatisticsChange::default(),
            pages: HashMap::new(),
            order: Vec::new(),
            removed: BTreeSet::new(),
            sharers: HashMap::new(),
            hosts: HashMap::new(),
            rows: RowBatch::default(),
        }
    }

    fn run(mut self, batch: PageBatch) -> Result<Sequence, StoreError> {
        match batch.run {
            Run::AsItWas => {}
            Run::GoesOn(epoch) => self.next.meta.next_batch_epoch = Some(epoch),
            Run::Ends => self.next.meta.next_batch_epoch = None,
        }
        self.next.meta.batch_epoch = batch.epoch.unwrap_or(self.next.meta.batch_epoch);
        for (&id, _) in batch.archives.iter().filter(|(_, delta)| delta.restart) {
            self.forget_pending(id)?;
        }
        for change in batch.changes {
            self.change(change)?;
        }
        for (id, delta) in batch.archives {
            self.archive(id, delta)?;
        }
        self.append_pages()?;
        failpoint::pass("store.appended");
        self.sync_files()?;
        failpoint::pass("store.synced");
        self.write_statistics()?;
        failpoint::pass("store.statistics");
        self.finish()
    }

    /// Makes durable what was appended.
    fn sync_files(&self) -> Result<(), StoreError> {
        let (next, now) = (&self.next.meta, self.store.meta());
        if next.trees_bytes > now.trees_bytes {
            self.store.blobs.sync()?;
        }
        if next.pages_bytes > now.pages_bytes {
            self.store.pages.sync()?;
        }
        if next.bodies_bytes > now.bodies_bytes {
            self.store.bodies.sync()?;
        }
        if next.ledger_bytes > now.ledger_bytes {
            self.store.ledger.sync()?;
        }
        Ok(())
    }

    fn change(&mut self, change: Change) -> Result<(), StoreError> {
        match change {
            Change::Put { put, origin, shares } => self.put(*put, &origin, shares)?,
            Change::Capture { url_hash, origin_hash, row } => {
                let key = [&keys::captures(url_hash)[..], &origin_hash.to_be_bytes()].concat();
                self.capture(&key, &row)?;
            }
            Change::Move { page, origin, provenance } => self.move_page(page, &origin, provenance)?,
            Change::Declared { digest_hash, page } => {
                self.rows.insert(&keys::declared(digest_hash), &page.0.to_be_bytes());
            }
            Change::Pending { archive, ordinal, row } => {
                self.rows.insert(&keys::pending(archive, ordinal), &encode(&row));
            }
            Change::Resolved { archive, ordinal } => self.rows.remove(&keys::pending(archive, ordinal)),
            Change::Remove { page } => self.remove(page)?,
            Change::ForgetCapture { key } => self.forget_capture(&key)?,
            Change::Forget { key } => self.rows.remove(&key),
            Change::Copy { key, value } => match decode(&value) {
                Ok(row) if key.starts_with(keys::CAPTURES) => self.capture(&key, &row)?,
                _ => self.rows.insert(&key, &value),
            },
        }
        Ok(())
    }

    /// Notes a capture; one that is there already is not counted again.
    pub(super) fn capture(&mut self, key: &[u8], row: &CaptureRow) -> Result<(), StoreError> {
        self.forget_capture(key)?;
        let counters = &mut self.next.meta.counters;
        match row.kind {
            CaptureKind::Revisit => counters.revisits += 1,
            kind => {
                counters.captures += 1;
                counters.duplicates += u64::from(kind == CaptureKind::Duplicate);
            }
        }
        self.rows.insert(key, &encode(row));
        Ok(())
    }

    pub(super) fn forget_capture(&mut self, key: &[u8]) -> Result<(), StoreError> {
        let former = self.current(key)?;
        let Some(former) = former else { return Ok(()) };
        let row: CaptureRow = self.store.decoded(&former, "a capture's row")?;
        let counters = &mut self.next.meta.counters;
        match row.kind {
            CaptureKind::Revisit => counters.revisits -= 1,
            kind => {
                counters.captures -= 1;
                counters.duplicates -= u64::from(kind == CaptureKind::Duplicate);
            }
        }
        self.rows.remove(key);
        Ok(())
    }

    /// A row as it is after the changes noted so far.
    pub(super) fn current(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        match self.rows.get(key) {
            Some(noted) => Ok(noted.map(<[u8]>::to_vec)),
            None => self.store.database.get(key),
        }
    }

    pub(super) fn row(&self, id: PageId) -> Result<Option<PageRow>, StoreError> {
        match self.pages.get(&id) {
            Some(row) => Ok(Some(row.clone())),
            None if self.removed.contains(&id) => Ok(None),
            None => self.store.page_row(id),
        }
    }

    /// Counts a page of `host` in or out.
    pub(super) fn count_host(&mut self, host: &str, more: bool) -> Result<(), StoreError> {
        if host.is_empty() {
            return Ok(());
        }
        let before = match self.hosts.get(host) {
            Some(&count) => count,
            None => self.store.host_pages(host)?,
        };
        let hosts = &mut self.next.meta.counters.hosts;
        let after = if more {
            *hosts += u64::from(before == 0);
            before + 1
        } else {
            *hosts -= u64::from(before == 1);
            before.saturating_sub(1)
        };
        self.hosts.insert(host.to_owned(), after);
        Ok(())
    }

    fn write_statistics(&mut self) -> Result<(), StoreError> {
        if self.change.is_empty() {
            return Ok(());
        }
        self.next.statistics = self.next.statistics.with(std::mem::take(&mut self.change));
        self.next.meta.epoch = self.next.statistics.epoch();
        write_statistics(&self.store.data, &self.next.statistics)
    }

    /// Appends the pages' rows and notes their places.
    fn append_pages(&mut self) -> Result<(), StoreError> {
        let rows: Vec<_> = self.order.iter().filter_map(|id| Some((*id, encode(self.pages.get(id)?)))).collect();
        let places = self.store.pages.append(self.next.meta.pages_bytes, &rows)?;
        for ((id, _), place) in rows.iter().zip(&places) {
            self.rows.insert(&keys::page(*id), &encode(place));
        }
        if let Some(last) = places.last() {
            self.next.meta.pages_bytes = last.end_bytes();
        }
        Ok(())
    }
}
