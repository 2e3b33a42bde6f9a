//! Reading what was committed.

use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::database::Rows;
use super::ledger::{ArchiveRow, FailureRow};
use super::page::PageRow;
use super::rows::decode;
use super::{
    ArchiveEntry, ArchiveKey, CollectionStatistics, FailedRecord, RecordSums, Sequence, Store, StoreError,
    StoreStatistics, StoredPage, keys,
};
use crate::page::PageId;

/// What an index must be given to agree with the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CatchUp {
    /// Nothing: it has the store's sequence.
    Nothing,
    /// These pages, each in place of what the index has of it: it lacks the last batch.
    Pages(Vec<PageId>),
    /// All pages, into an empty index: it lacks more than one batch, or is of another store.
    Everything,
}

impl Store {
    /// Number of the last commit.
    pub fn sequence(&self) -> Sequence {
        self.meta().sequence
    }

    /// The store in numbers.
    pub fn stats(&self) -> StoreStatistics {
        StoreStatistics::from(&self.meta())
    }

    /// The collection's term statistics as of the last commit. Later commits do not change what was handed out.
    pub fn snapshot(&self) -> Arc<CollectionStatistics> {
        self.current().statistics
    }

    /// The page `id`, or `None` when it is not in the store.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn page(&self, id: PageId) -> Result<Option<StoredPage>, StoreError> {
        Ok(self.page_row(id)?.map(|row| row.into_page(id)))
    }

    /// Whether the page `id` is in the store.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn contains(&self, id: PageId) -> Result<bool, StoreError> {
        self.database.contains(&keys::page(id))
    }

    /// The tree of page `id`, as it was put, or `None` when the page is not in the store.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] also when the tree's checksum is wrong, [`StoreError::Io`].
    pub fn tree_bytes(&self, id: PageId) -> Result<Option<Vec<u8>>, StoreError> {
        let row = self.page_row(id)?;
        row.map(|row| self.blobs.tree(&row.tree)).transpose()
    }

    /// All pages, in the order of their ids. Pages committed meanwhile may or may not be among them. Ends after an error.
    pub fn pages(&self) -> impl Iterator<Item = Result<StoredPage, StoreError>> + '_ {
        self.database.scan(keys::PAGES).map(|row| {
            let (key, value) = row?;
            let id = key.get(1..).and_then(|id| id.try_into().ok());
            let id = id.map(u128::from_be_bytes).map(PageId);
            let id = id.ok_or_else(|| self.strange("a page's key"))?;
            Ok(self.decoded::<PageRow>(&value, "a page's row")?.into_page(id))
        })
    }

    /// Ids of the pages of the last commit, in the order they were put, each once.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn last_batch_pages(&self) -> Result<Vec<PageId>, StoreError> {
        let mut ids = Vec::new();
        for row in self.database.scan(keys::LAST_BATCH) {
            let (_, value) = row?;
            let (row_ids, rest) = value.as_chunks();
            if !rest.is_empty() {
                return Err(self.strange("the row of the last batch"));
            }
            ids.extend(row_ids.iter().map(|id| PageId(u128::from_be_bytes(*id))));
        }
        Ok(ids)
    }

    /// What an index whose last commit carries `index` must be given.
    ///
    /// # Errors
    ///
    /// As [`last_batch_pages`](Self::last_batch_pages).
    pub fn catch_up(&self, index: Sequence) -> Result<CatchUp, StoreError> {
        let store = self.sequence();
        if index == store {
            Ok(CatchUp::Nothing)
        } else if index.0 + 1 == store.0 {
            Ok(CatchUp::Pages(self.last_batch_pages()?))
        } else {
            Ok(CatchUp::Everything)
        }
    }

    /// The ledger's entry of an archive, or `None` when none of its records were committed.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn archive(&self, key: &ArchiveKey) -> Result<Option<ArchiveEntry>, StoreError> {
        let row = self.database.get(&keys::archive(key.id()))?;
        row.map(|row| self.archive_entry(&row)).transpose()
    }

    /// All archives of the ledger, in no particular order. Ends after an error.
    pub fn archives(&self) -> impl Iterator<Item = Result<ArchiveEntry, StoreError>> + '_ {
        (self.database.scan(keys::ARCHIVES)).map(|row| self.archive_entry(&row?.1))
    }

    /// Sums over all archives.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn sums(&self) -> Result<RecordSums, StoreError> {
        let mut sums = RecordSums::default();
        for entry in self.archives() {
            sums.add(&entry?.sums);
        }
        Ok(sums)
    }

    /// The failed records of an archive, in the order of their offsets. Ends after an error.
    pub fn failed_records(&self, key: &ArchiveKey) -> impl Iterator<Item = Result<FailedRecord, StoreError>> + '_ {
        self.failure_rows(key.id()).map(|row| {
            let (key, value) = row?;
            let offset = (key.last_chunk()).ok_or_else(|| self.strange("a failure's key"))?;
            let row: FailureRow = self.decoded(&value, "a failure's row")?;
            Ok(row.into_record(u64::from_be_bytes(*offset)))
        })
    }

    pub(super) fn failure_rows(&self, archive: u128) -> Rows<'_> {
        self.database.scan(&keys::failures(archive))
    }

    pub(super) fn page_row(&self, id: PageId) -> Result<Option<PageRow>, StoreError> {
        let row = self.database.get(&keys::page(id))?;
        row.map(|row| self.decoded(&row, "a page's row")).transpose()
    }

    pub(super) fn host_pages(&self, host: &str) -> Result<u64, StoreError> {
        match self.database.get(&keys::host(host))? {
            Some(row) => match (*row).try_into() {
                Ok(count) => Ok(u64::from_le_bytes(count)),
                Err(_) => Err(self.strange("a host's row")),
            },
            None => Ok(0),
        }
    }

    fn archive_entry(&self, row: &[u8]) -> Result<ArchiveEntry, StoreError> {
        let what = "an archive's row";
        let row: ArchiveRow = self.decoded(row, what)?;
        (row.into_entry()).map_err(|error| StoreError::damaged(&self.data, what, error))
    }

    fn decoded<T: DeserializeOwned>(&self, row: &[u8], what: &str) -> Result<T, StoreError> {
        decode(row).map_err(|error| StoreError::damaged(&self.data, what, error))
    }

    pub(super) fn strange(&self, what: &str) -> StoreError {
        StoreError::inconsistent(&self.data, what)
    }
}
