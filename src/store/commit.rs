//! Committing a batch.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::batch::ArchiveDelta;
use super::database::RowBatch;
use super::files::remove_other_statistics;
use super::ledger::{ArchiveRow, RecordSums};
use super::open::{Current, write_sequence};
use super::page::PageRow;
use super::rows::encode;
use super::{ArchiveEntry, ArchiveKey, OpenMode, PageBatch, PagePut, Sequence, Store, StoreError, keys};
use crate::page::{PageId, Provenance};

impl Store {
    /// Commits `batch`: when this returns, all of it is on disk; after a crash, all of it or nothing is there.
    ///
    /// # Errors
    ///
    /// [`StoreError::ReadOnly`]; [`StoreError::Poisoned`] after a former commit failed; [`StoreError::Io`] and
    /// [`StoreError::Damaged`], after which this store takes no more commits until it is opened again.
    pub fn commit(&self, batch: PageBatch) -> Result<Sequence, StoreError> {
        let data = || self.data.clone();
        if self.mode == OpenMode::Read {
            return Err(StoreError::ReadOnly { data: data() });
        }
        let mut writer = self.writer();
        if writer.poisoned {
            return Err(StoreError::Poisoned { data: data() });
        }
        writer.poisoned = true;
        let sequence = Commit::new(self).run(batch)?;
        writer.poisoned = false;
        Ok(sequence)
    }
}

/// A commit under way: the state to come, and the rows that a later put of the same batch must see.
struct Commit<'a> {
    store: &'a Store,
    next: Current,
    statistics_changed: bool,
    pages: HashMap<PageId, PageRow>,
    /// Keys of `pages`, in the order they were put.
    order: Vec<PageId>,
    hosts: HashMap<String, u64>,
    captures: HashSet<Vec<u8>>,
    rows: RowBatch,
}

impl<'a> Commit<'a> {
    fn new(store: &'a Store) -> Self {
        Self {
            store,
            next: store.current(),
            statistics_changed: false,
            pages: HashMap::new(),
            order: Vec::new(),
            hosts: HashMap::new(),
            captures: HashSet::new(),
            rows: RowBatch::default(),
        }
    }

    fn run(mut self, batch: PageBatch) -> Result<Sequence, StoreError> {
        let mut sums: HashMap<ArchiveKey, RecordSums> = HashMap::new();
        for (archive, put) in batch.puts {
            let sums = sums.entry(archive).or_default();
            sums.blocks += u64::from(put.page.main_blocks);
            match self.put(put)? {
                Put::New => sums.indexed += 1,
                Put::Replaced => sums.replaced += 1,
            }
        }
        if !self.order.is_empty() {
            self.store.blobs.sync()?;
        }
        self.write_statistics()?;
        for (archive, delta) in batch.archives {
            let pages = sums.remove(&archive).unwrap_or_default();
            self.archive(archive, &delta, &pages)?;
        }
        self.finish()
    }

    /// Appends the page's tree and notes its rows.
    fn put(&mut self, put: PagePut) -> Result<Put, StoreError> {
        let PagePut { page, blob } = put;
        let id = page.id;
        let provenance = page.provenance.clone();
        let old = self.row(id)?;
        if let Some(old) = &old {
            self.replace(id, old, &provenance)?;
        } else {
            self.next.meta.counters.captures += 1;
            self.order.push(id);
        }
        let trees_bytes = &mut self.next.meta.trees_bytes;
        let pointer = self.store.blobs.append(*trees_bytes, &blob)?;
        *trees_bytes += pointer.record_bytes();
        Arc::make_mut(&mut self.next.statistics).add_page_hashes(&blob.terms);
        self.statistics_changed = true;
        let row = PageRow::new(page, pointer);
        self.next.meta.counters.add(&row);
        self.count_host(&row.host, true)?;
        self.pages.insert(id, row);
        Ok(old.map_or(Put::New, |_| Put::Replaced))
    }

    /// Takes `old`, the former row of page `id`, out of all sums.
    fn replace(&mut self, id: PageId, old: &PageRow, provenance: &Provenance) -> Result<(), StoreError> {
        let terms = self.store.blobs.terms(&old.tree)?;
        Arc::make_mut(&mut self.next.statistics).remove_page_hashes(&terms);
        self.next.meta.garbage_bytes += old.tree.record_bytes();
        self.next.meta.counters.remove(old);
        self.count_host(&old.host, false)?;
        self.count_capture(id, old, provenance)?;
        if !self.pages.contains_key(&id) {
            self.order.push(id);
        }
        Ok(())
    }

    /// Counts a further capture of page `id`, unless the record was seen before. Only pages that several records gave
    /// have capture rows, one a record.
    fn count_capture(&mut self, id: PageId, old: &PageRow, provenance: &Provenance) -> Result<(), StoreError> {
        let key = keys::capture(id, provenance);
        let seen = old.is_from(provenance) || self.captures.contains(&key) || self.store.database.contains(&key)?;
        if !seen {
            self.captures.insert(keys::capture(id, &old.provenance()));
            self.captures.insert(key);
            self.next.meta.counters.captures += 1;
        }
        Ok(())
    }

    fn row(&self, id: PageId) -> Result<Option<PageRow>, StoreError> {
        match self.pages.get(&id) {
            Some(row) => Ok(Some(row.clone())),
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
        if self.statistics_changed {
            let generation = self.next.meta.statistics_generation + 1;
            self.next.statistics.write(&self.store.data, generation)?;
            self.next.meta.statistics_generation = generation;
        }
        Ok(())
    }

    /// Notes the rows of an archive; `pages` are the sums of its pages in this batch.
    fn archive(&mut self, key: ArchiveKey, delta: &ArchiveDelta, pages: &RecordSums) -> Result<(), StoreError> {
        let id = key.id();
        let former = self.store.archive(&key)?;
        if delta.restart && former.is_some() {
            for row in self.store.failure_rows(id) {
                self.rows.remove(&row?.0);
            }
        }
        let mut entry = (former.filter(|_| !delta.restart)).unwrap_or(ArchiveEntry::new(key));
        entry.sums.add(&delta.sums);
        entry.sums.add(pages);
        if let Some((position_bytes, finished)) = delta.checkpoint {
            entry.position_bytes = position_bytes;
            entry.finished = finished;
        }
        for failure in &delta.failures {
            let key = keys::failure(id, failure.offset_bytes);
            self.rows.insert(&key, &encode(&failure.row()));
        }
        let row = encode(&ArchiveRow::from(&entry));
        self.rows.insert(&keys::archive(id), &row);
        Ok(())
    }

    /// Writes all rows at once: the commit proper.
    fn finish(mut self) -> Result<Sequence, StoreError> {
        for (&id, row) in &self.pages {
            self.rows.insert(&keys::page(id), &encode(row));
        }
        for (host, &count) in &self.hosts {
            match count {
                0 => self.rows.remove(&keys::host(host)),
                _ => (self.rows).insert(&keys::host(host), &count.to_le_bytes()),
            }
        }
        for key in &self.captures {
            self.rows.insert(key, &[]);
        }
        self.last_batch();
        self.update_digest()?;
        let meta = &mut self.next.meta;
        meta.sequence.0 += 1;
        let sequence = meta.sequence;
        self.rows.insert(keys::META, &encode(meta));
        self.store.database.apply(self.rows)?;
        write_sequence(&self.store.data, sequence)?;
        remove_other_statistics(&self.store.data, meta.statistics_generation);
        self.store.publish(self.next);
        Ok(sequence)
    }

    /// Takes all changes over into the digest; only the meta row is not noted yet.
    fn update_digest(&mut self) -> Result<(), StoreError> {
        for (key, value) in self.rows.changes() {
            let digest = &mut self.next.meta.rows_digest;
            if let Some(old) = self.store.database.get(key)? {
                digest.remove(key, &old);
            }
            if let Some(value) = value {
                digest.add(key, value);
            }
        }
        Ok(())
    }

    fn last_batch(&mut self) {
        let chunks = self.order.chunks(keys::LAST_BATCH_CHUNK);
        let former = self.next.meta.last_batch_chunks;
        self.next.meta.last_batch_chunks = chunks.len() as u32;
        for (number, ids) in (0..).zip(chunks) {
            let ids: Vec<u8> = ids.iter().flat_map(|id| id.0.to_be_bytes()).collect();
            self.rows.insert(&keys::last_batch(number), &ids);
        }
        for number in self.next.meta.last_batch_chunks..former {
            self.rows.remove(&keys::last_batch(number));
        }
    }
}

/// What became of a page that was put.
enum Put {
    New,
    Replaced,
}
