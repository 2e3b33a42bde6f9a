//! Copying a store without what deleted and replaced pages left in its files.
//!
//! The copy is made as a rebuild is ([`rebuild`](super::rebuild)), in the folder `rebuild` with files of its own for everything, bodies and
//! ledger too, and takes the place of the old one in the same way: a crash leaves the old data or the new.

use lopper_archive::page::PageId;
use lopper_migrations::DataLock;

use super::files::REBUILD_NAME;
use super::page::BodyRow;
use super::page_file::PagePlace;
use super::put::BodyPut;
use super::rebuild::clear_folder;
use super::{
    ArchiveEntry, ArchiveKey, Checkpoint, OpenMode, PageBatch, PagePut, RecordEntry, Store, StoreError, StoredSource,
    keys,
};

/// Records that are copied in one commit.
const COPIED_RECORDS_MAX: usize = 100_000;

impl Store {
    /// Whether deleted or replaced pages have left anything in the files. O(pages).
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn has_garbage(&self) -> Result<bool, StoreError> {
        let mut live_bytes = super::append_file::HEADER_BYTES;
        for row in self.database.scan(keys::PAGES) {
            let place: PagePlace = self.decoded(&row?.1, "a page's place")?;
            live_bytes += place.end_bytes() - place.offset_bytes;
        }
        let meta = self.meta();
        Ok(live_bytes < meta.pages_bytes || meta.garbage_bytes > 0)
    }

    /// Makes an empty store beside this one, with files of its own for everything, to be filled from it and
    /// [put in its place](Self::replace_old).
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`], [`StoreError::Damaged`].
    pub fn begin_compaction(&self) -> Result<Self, StoreError> {
        let copy = self.data.join(REBUILD_NAME);
        clear_folder(&copy)?;
        let lock = DataLock::acquire(&copy)?;
        Self::open_locked(&copy, OpenMode::Write, lock, None)
    }

    /// Page `id` with its tree and, where it is kept, its HTML, and where it was read from.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] also for a damaged tree or body, [`StoreError::Io`].
    pub fn whole_put(&self, id: PageId) -> Result<Option<(PagePut, StoredSource)>, StoreError> {
        let Some(row) = self.page_row(id)? else { return Ok(None) };
        let source = StoredSource::of_row(&row);
        let blob = self.blobs.blob(&row.links.tree)?;
        let kept = match row.links.body {
            BodyRow::Kept(offset_bytes) => Some(self.bodies.kept(offset_bytes)?),
            _ => None,
        };
        let mut put = PagePut::of_blob(row.into_page(id), blob);
        if let Some(kept) = kept {
            put.body = BodyPut::Keep(kept);
        }
        Ok(Some((put, source)))
    }

    /// Copies the ledger into the store `new`, with its corrections in their places.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn copy_ledger_to(&self, new: &Self) -> Result<(), StoreError> {
        let mut copy = LedgerCopy { new, batch: PageBatch::new(), records: 0 };
        for entry in self.archives() {
            self.copy_archive_to(&mut copy, &entry?)?;
        }
        copy.commit()
    }

    fn copy_archive_to(&self, copy: &mut LedgerCopy<'_>, entry: &ArchiveEntry) -> Result<(), StoreError> {
        copy.batch.restart(&entry.key);
        let mut records = self.records(entry, None).peekable();
        while records.peek().is_some() {
            let room = COPIED_RECORDS_MAX - copy.records;
            let some: Vec<RecordEntry> = records.by_ref().take(room).collect::<Result<_, _>>()?;
            copy.add(&entry.key, some)?;
        }
        copy.batch.copy_sums(&entry.key, &entry.sums);
        let resume_point = self.resume_point(entry.key.id)?;
        let (position_bytes, finished) = (entry.position_bytes, entry.finished);
        copy.batch.checkpoint(&entry.key, Checkpoint { position_bytes, finished, resume_point });
        // An archive counts as a record, so that commits stay small where archives are files of a page.
        copy.add(&entry.key, Vec::new())
    }
}

/// What of a ledger is copied with the next commit.
struct LedgerCopy<'a> {
    new: &'a Store,
    batch: PageBatch,
    records: usize,
}

impl LedgerCopy<'_> {
    fn add(&mut self, archive: &ArchiveKey, records: Vec<RecordEntry>) -> Result<(), StoreError> {
        self.records += records.len().max(1);
        self.batch.copy_records(archive, records);
        if self.records < COPIED_RECORDS_MAX { Ok(()) } else { self.commit() }
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.records = 0;
        if self.batch.is_empty() {
            return Ok(());
        }
        self.new.commit(std::mem::take(&mut self.batch)).map(drop)
    }
}
