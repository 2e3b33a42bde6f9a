//! Reading what was committed.

use lopper_archive::page::{Page, PageId};
use lopper_content::statistics::StatisticsSnapshot;
use serde::de::DeserializeOwned;

use super::counting::Counting;
use super::open::Current;
use super::page::{BodyRow, PageRow};
use super::page_file::PagePlace;
use super::row_source::Rows;
use super::rows::decode;
use super::statistics::read_statistics;
use super::{DamagedPart, Sequence, Store, StoreError, StoreStatistics, StoredPage, keys};

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
        self.of_current(|current| current.meta.sequence)
    }

    /// The store in numbers.
    pub fn stats(&self) -> StoreStatistics {
        self.of_current(|current| StoreStatistics::from(&current.meta))
    }

    /// The collection's statistics as of the last commit. Later commits do not change what was handed out.
    pub fn snapshot(&self) -> StatisticsSnapshot {
        self.of_current(|current| current.statistics.clone())
    }

    /// The statistics that the pages' trees give: those of the last commit, unless something is damaged. O(pages).
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn counted_statistics(&self) -> Result<StatisticsSnapshot, StoreError> {
        let mut counting = Counting::default();
        for row in self.page_rows() {
            let (_, row) = row?;
            counting.add(&self.blobs.keys(&row.links.tree)?);
        }
        Ok(counting.statistics())
    }

    /// Whether the last run was cut off, or has not ended yet.
    pub fn is_within_run(&self) -> bool {
        self.next_batch_epoch().is_some()
    }

    /// The epoch by which the run's next batch is weighed, where the last run was cut off, or has not ended yet.
    pub fn next_batch_epoch(&self) -> Option<u64> {
        self.of_current(|current| current.meta.next_batch_epoch)
    }

    /// The epoch by which the last batch's pages were weighed.
    pub fn batch_epoch(&self) -> u64 {
        self.of_current(|current| current.meta.batch_epoch)
    }

    /// The statistics that the next run begins to weigh by: those of the last commit; but when the last run was cut off, those by which its next
    /// batch would have been weighed.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn first_snapshot(&self) -> Result<StatisticsSnapshot, StoreError> {
        let Current { meta, statistics, .. } = self.current();
        match meta.next_batch_epoch {
            Some(epoch) if epoch != statistics.epoch() => read_statistics(&self.data, epoch),
            _ => Ok(statistics),
        }
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
        row.map(|row| self.blobs.tree(&row.links.tree)).transpose()
    }

    /// The start of the tree of page `id`, at least as many bytes as were said when it was put; all of it where none were.
    ///
    /// # Errors
    ///
    /// As [`tree_bytes`](Self::tree_bytes).
    pub fn tree_start(&self, id: PageId) -> Result<Option<Vec<u8>>, StoreError> {
        let row = self.page_row(id)?;
        row.map(|row| self.blobs.tree_start(&row.links.tree)).transpose()
    }

    /// All pages, in the order of their ids. Pages committed meanwhile may or may not be among them. A page whose row in `pages.bin` is damaged
    /// gives an error, and the others follow; after an error of the database it ends.
    pub fn pages(&self) -> impl Iterator<Item = Result<StoredPage, StoreError>> + '_ {
        self.page_rows().map(|row| row.map(|(id, row)| row.into_page(id)))
    }

    /// The ids of all pages, ascending; rows are not read. Pages committed meanwhile may or may not be among them.
    pub fn page_ids(&self) -> impl Iterator<Item = Result<PageId, StoreError>> + '_ {
        self.database.scan(keys::PAGES).map(|row| self.id_of_key(&row?.0))
    }

    fn id_of_key(&self, key: &[u8]) -> Result<PageId, StoreError> {
        let id = key.get(1..).and_then(|id| id.try_into().ok());
        id.map(u128::from_be_bytes).map(PageId).ok_or_else(|| self.strange("a page's key"))
    }

    pub(super) fn page_rows(&self) -> impl Iterator<Item = Result<(PageId, PageRow), StoreError>> + '_ {
        self.database.scan(keys::PAGES).map(|row| {
            let (key, place) = row?;
            let id = self.id_of_key(&key)?;
            Ok((id, self.page_row_at(id, &place)?))
        })
    }

    fn page_row_at(&self, id: PageId, place: &[u8]) -> Result<PageRow, StoreError> {
        let place: PagePlace = self.decoded(place, "a page's place")?;
        self.decoded(&self.pages.row(id, &place)?, "a page's row")
    }

    /// Ids of the pages of the last commit, in the order they were put, then of those that it deleted; each once.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub(super) fn last_batch_pages(&self) -> Result<Vec<PageId>, StoreError> {
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
    /// [`StoreError::Damaged`], [`StoreError::Io`].
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

    /// The page with its HTML, where that is kept in the data folder; else `None`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn body(&self, id: PageId) -> Result<Option<Page>, StoreError> {
        match self.page_row(id)?.map(|row| row.links.body) {
            Some(BodyRow::Kept(offset_bytes)) => self.bodies.page(offset_bytes).map(Some),
            _ => Ok(None),
        }
    }

    pub(super) fn page_id(&self, row: &[u8]) -> Result<PageId, StoreError> {
        let id = row.try_into().map_err(|_| self.strange("a row with a page's id"))?;
        Ok(PageId(u128::from_be_bytes(id)))
    }

    /// Revisits without original: of all archives, or of one.
    pub(super) fn pending_rows(&self, archive: Option<u128>) -> Rows<'_> {
        let archive = archive.map(u128::to_be_bytes);
        let prefix = [keys::PENDING, archive.as_ref().map_or(&[][..], |id| &id[..])].concat();
        self.database.scan(&prefix)
    }

    pub(super) fn page_row(&self, id: PageId) -> Result<Option<PageRow>, StoreError> {
        let place = self.database.get(&keys::page(id))?;
        place.map(|place| self.page_row_at(id, &place)).transpose()
    }

    pub(super) fn host_pages(&self, host: &str) -> Result<u64, StoreError> {
        match self.database.get(&keys::host(host))? {
            Some(row) => match row.try_into() {
                Ok(count) => Ok(u64::from_le_bytes(count)),
                Err(_) => Err(self.strange("a host's row")),
            },
            None => Ok(0),
        }
    }

    pub(super) fn decoded<T: DeserializeOwned>(&self, row: &[u8], what: &str) -> Result<T, StoreError> {
        decode(row).map_err(|error| StoreError::damaged(&self.data, DamagedPart::Database, what, error))
    }

    pub(super) fn strange(&self, what: &str) -> StoreError {
        StoreError::inconsistent(&self.data, DamagedPart::Database, what)
    }
}
