//! Committing a batch.

use std::collections::{BTreeSet, HashMap, HashSet};

use lopper_archive::page::PageId;
use lopper_content::statistics::StatisticsChange;
use lopper_faults::failpoint;

use super::batch::{ArchiveDelta, Change, Run};
use super::blobs::BlobPointer;
use super::captures::{CaptureKind, CaptureRow};
use super::database::RowBatch;
use super::digest::url_hash;
use super::files::remove_others;
use super::ledger::ArchiveRow;
use super::ledger_file::Chunk;
use super::open::Current;
use super::page::{BodyRow, PageLinks, PageOrigin, PageRow};
use super::published::Retention;
use super::put::BodyPut;
use super::resume::ResumeRow;
use super::rows::{decode, encode};
use super::states::RecordEntry;
use super::statistics::{needed_epochs, write_statistics};
use super::{ArchiveEntry, ContentDigest, PageBatch, PagePut, Sequence, Store, StoreError, keys};

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

/// Pages of one content from which on they are remembered: a host may have thousands of the same, and all be deleted.
const MANY_SHARERS: usize = 16;

/// A commit under way: the state to come, and the rows that a later change of the same batch must see.
pub(super) struct Commit<'a> {
    pub(super) store: &'a Store,
    pub(super) next: Current,
    change: StatisticsChange,
    pub(super) pages: HashMap<PageId, PageRow>,
    /// Keys of `pages`, in the order they were put.
    pub(super) order: Vec<PageId>,
    /// Pages that are deleted.
    pub(super) removed: BTreeSet<PageId>,
    /// Of contents that many pages have, those in the store that are not deleted.
    sharers: HashMap<ContentDigest, HashSet<PageId>>,
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

    /// Removes the revisits without original that an earlier reading of the archive left.
    fn forget_pending(&mut self, archive: u128) -> Result<(), StoreError> {
        for row in self.store.pending_rows(Some(archive)) {
            self.rows.remove(&row?.0);
        }
        Ok(())
    }

    /// Appends the page's tree, unless it shares one, and its body, and notes its rows.
    fn put(&mut self, put: PagePut, origin: &PageOrigin, shares: Option<PageId>) -> Result<(), StoreError> {
        let PagePut { page, blob, body, .. } = put;
        let id = page.id;
        let shared = shares.map(|other| self.row(other)).transpose()?.flatten().map(|row| row.links);
        if let Some(old) = self.row(id)? {
            self.replace(id, &old, origin)?;
        }
        if !self.pages.contains_key(&id) {
            self.order.push(id);
        }
        let (tree, keys) = match &shared {
            Some(links) => (links.tree, self.store.blobs.keys(&links.tree)?),
            None => (self.append_tree(&blob)?, blob.keys),
        };
        let body = self.append_body(body, shared.map(|links| links.body))?;
        self.change.add(&keys);
        let links = PageLinks { archive_id: origin.archive_id, ordinal: origin.ordinal, tree, body };
        let row = PageRow::new(page, links);
        self.next.meta.counters.add(&row);
        self.count_host(&row.host, true)?;
        self.link(id, &row, origin)?;
        self.pages.insert(id, row);
        Ok(())
    }

    fn append_tree(&mut self, blob: &super::blobs::Blob) -> Result<BlobPointer, StoreError> {
        let trees_bytes = &mut self.next.meta.trees_bytes;
        let pointer = self.store.blobs.append(*trees_bytes, blob)?;
        *trees_bytes += pointer.record_bytes();
        Ok(pointer)
    }

    fn append_body(&mut self, body: BodyPut, shared: Option<BodyRow>) -> Result<BodyRow, StoreError> {
        let kept = match body {
            BodyPut::Nowhere => return Ok(BodyRow::None),
            BodyPut::InArchive => return Ok(BodyRow::Archive),
            BodyPut::KeptAt(offset_bytes) => return Ok(BodyRow::Kept(offset_bytes)),
            BodyPut::Keep(kept) => kept,
        };
        let same = shared.and_then(|row| if let BodyRow::Kept(at) = row { Some(at) } else { None });
        let bodies_bytes = &mut self.next.meta.bodies_bytes;
        let offset_bytes = *bodies_bytes;
        *bodies_bytes = self.store.bodies.append(offset_bytes, &kept, same)?;
        Ok(BodyRow::Kept(offset_bytes))
    }

    /// Notes the rows that lead to page `id`: its capture and its content.
    fn link(&mut self, id: PageId, row: &PageRow, origin: &PageOrigin) -> Result<(), StoreError> {
        let url = url_hash(row.canonical_url());
        if let Some(digest) = row.digest() {
            self.rows.insert(&keys::content(digest, url), &id.0.to_be_bytes());
        }
        let capture = CaptureRow {
            captured_at: origin.captured_at,
            page: id.0.to_be_bytes(),
            kind: CaptureKind::Page,
            archive_id: origin.archive_id,
            offset_bytes: origin.offset_bytes,
        };
        self.capture(&keys::capture(url, origin), &capture)
    }

    /// Takes page `id` out; its captures go by changes of their own.
    fn remove(&mut self, id: PageId) -> Result<(), StoreError> {
        let Some(old) = self.row(id)? else { return Ok(()) };
        self.retire(id, &old)?;
        self.pages.remove(&id);
        self.order.retain(|put| *put != id);
        self.removed.insert(id);
        if let Some(sharers) = old.digest().and_then(|digest| self.sharers.get_mut(&digest)) {
            sharers.remove(&id);
        }
        self.rows.remove(&keys::page(id));
        Ok(())
    }

    /// Takes `old`, the former row of page `id`, out of all sums, to make room for that of `origin`.
    fn replace(&mut self, id: PageId, old: &PageRow, origin: &PageOrigin) -> Result<(), StoreError> {
        self.retire(id, old)?;
        if old.origin().is_same_record(origin) {
            self.forget_capture(&keys::capture(url_hash(old.canonical_url()), &old.origin()))?;
        }
        Ok(())
    }

    /// Takes `old`, the former row of page `id`, out of all sums but those of the captures.
    fn retire(&mut self, id: PageId, old: &PageRow) -> Result<(), StoreError> {
        self.change.remove(&self.store.blobs.keys(&old.links.tree)?);
        let url = url_hash(old.canonical_url());
        if let Some(key) = old.digest().map(|digest| keys::content(digest, url))
            && self.current(&key)?.as_deref() == Some(&id.0.to_be_bytes())
        {
            self.rows.remove(&key);
        }
        if !self.is_shared(id, old)? {
            self.next.meta.garbage_bytes += old.links.tree.record_bytes();
        }
        self.next.meta.counters.remove(old);
        self.count_host(&old.host, false)
    }

    /// Whether a page besides `id` has the tree of `row`.
    fn is_shared(&mut self, id: PageId, row: &PageRow) -> Result<bool, StoreError> {
        let Some(digest) = row.digest() else { return Ok(false) };
        let in_batch =
            self.pages.iter().any(|(other, other_row)| *other != id && other_row.links.tree == row.links.tree);
        Ok(in_batch || self.has_other(id, digest)?)
    }

    /// Whether a page of the store besides `id` has a content, and is not deleted.
    fn has_other(&mut self, id: PageId, digest: ContentDigest) -> Result<bool, StoreError> {
        if let Some(sharers) = self.sharers.get(&digest) {
            return Ok(sharers.iter().take(2).any(|other| *other != id));
        }
        let mut sharers: HashSet<PageId> = self.store.pages_with_content(digest)?.into_iter().collect();
        sharers.retain(|page| !self.removed.contains(page));
        let has_other = sharers.iter().any(|other| *other != id);
        if sharers.len() >= MANY_SHARERS {
            self.sharers.insert(digest, sharers);
        }
        Ok(has_other)
    }

    /// Notes a capture; one that is there already is not counted again.
    fn capture(&mut self, key: &[u8], row: &CaptureRow) -> Result<(), StoreError> {
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

    fn forget_capture(&mut self, key: &[u8]) -> Result<(), StoreError> {
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
    fn current(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        match self.rows.get(key) {
            Some(noted) => Ok(noted.map(<[u8]>::to_vec)),
            None => self.store.database.get(key),
        }
    }

    fn row(&self, id: PageId) -> Result<Option<PageRow>, StoreError> {
        match self.pages.get(&id) {
            Some(row) => Ok(Some(row.clone())),
            None if self.removed.contains(&id) => Ok(None),
            None => self.store.page_row(id),
        }
    }

    /// Counts a page of `host` in or out.
    fn count_host(&mut self, host: &str, more: bool) -> Result<(), StoreError> {
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

    /// Appends an archive's records to the ledger and notes its row.
    fn archive(&mut self, id: u128, delta: ArchiveDelta) -> Result<(), StoreError> {
        let former = self.store.archive(id)?;
        let mut entry = match (delta.key, former) {
            (Some(key), None) => ArchiveEntry::new(key),
            (Some(key), Some(_)) if delta.restart => ArchiveEntry::new(key),
            (Some(key), Some(former)) => ArchiveEntry { key, ..former },
            (None, Some(former)) => former,
            (None, None) => return Err(self.store.strange("an archive's row is missing")),
        };
        self.append_chunk(&mut entry, &delta.entries, false)?;
        self.append_chunk(&mut entry, &delta.corrections, true)?;
        entry.sums.add(&delta.sums);
        let deleted = delta.deleted.records();
        entry.sums.resolve(delta.corrections.len() as u64 - deleted);
        entry.sums.delete(&delta.deleted);
        if delta.restart {
            self.rows.remove(&keys::resume(id));
        }
        if let Some(checkpoint) = delta.checkpoint {
            entry.position_bytes = checkpoint.position_bytes;
            entry.finished = checkpoint.finished;
            match checkpoint.resume_point.filter(|_| !checkpoint.finished) {
                Some(point) => self.rows.insert(&keys::resume(id), &encode(&ResumeRow::from(point))),
                None => self.rows.remove(&keys::resume(id)),
            }
        }
        self.rows.insert(&keys::archive(id), &encode(&ArchiveRow::from(&entry)));
        Ok(())
    }

    fn append_chunk(
        &mut self,
        entry: &mut ArchiveEntry,
        entries: &[RecordEntry],
        corrects: bool,
    ) -> Result<(), StoreError> {
        if entries.is_empty() {
            return Ok(());
        }
        let chunk = Chunk { archive: entry.key.id, previous: entry.last_chunk, corrects, entries };
        let ledger_bytes = &mut self.next.meta.ledger_bytes;
        entry.last_chunk = *ledger_bytes;
        *ledger_bytes = self.store.ledger.append(*ledger_bytes, &chunk)?;
        Ok(())
    }
}
