//! A data folder as a whole: store and index, agreeing.

use std::path::Path;
use std::sync::Mutex;

use lopper_archive::page::PageId;
use lopper_content::pipeline::{ExtractParams, StoredTree};
use lopper_index::{BlockIndex, BlockWriter, WriterError, WriterOptions};
use lopper_store::{CatchUp, OpenMode, Sequence, Store, StoreError, StoredPage};

use crate::CollectionError;
use crate::checkpoint::{Checkpoint, agreed_params, agreeing, known_params, read_checkpoint};
use crate::documents::PageDocuments;
use crate::elsewhere::Elsewhere;
use crate::index_folder::{index_path, open_index, open_index_to_read, recreate};
use crate::turns::Turns;

/// The open data folder: the store and its index.
pub struct DataFolder {
    store: Store,
    index: BlockIndex,
    writer: Option<Mutex<BlockWriter>>,
    params: ExtractParams,
    memory: Memory,
    turns: Turns,
    /// Where its pages and blocks are, if that is not here.
    pub(crate) elsewhere: Option<Elsewhere>,
}

/// What an open folder may keep in memory, besides its statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Of the store's rows. Default 64 MiB.
    pub cache_bytes: u64,
    /// Of blocks that are not yet written; at least 15 MB. Default 64 MB.
    pub writer_bytes: usize,
}

impl Default for Memory {
    fn default() -> Self {
        let writer_bytes = WriterOptions::default().memory_budget_bytes;
        Self { cache_bytes: Store::CACHE_BYTES_DEFAULT, writer_bytes }
    }
}

impl DataFolder {
    /// Opens the folder for writing; makes it when it is absent or empty. An index that is behind its store, because an ingest
    /// was cut off between the two commits, is brought up to date; one of an earlier format is made anew from the stored trees.
    ///
    /// The folder keeps the parameters that it was made with. `params` must be these, or the default ones, which stand for whatever the folder
    /// has; what is [no part of their digest](ExtractParams::digest) is taken from `params`.
    ///
    /// # Errors
    ///
    /// [`CollectionError`], also when another process has the folder open.
    pub fn open_to_write(data: &Path, params: ExtractParams) -> Result<Self, CollectionError> {
        Self::open_to_write_within(data, params, Memory::default())
    }

    /// The same within other bounds of memory.
    ///
    /// # Errors
    ///
    /// As [`open_to_write`](Self::open_to_write).
    pub fn open_to_write_within(data: &Path, params: ExtractParams, memory: Memory) -> Result<Self, CollectionError> {
        Self::with_store_within(Store::open_within(data, OpenMode::Write, memory.cache_bytes)?, params, memory)
    }

    /// The folder of a store that is open for writing, as [`open_to_write`](Self::open_to_write) gives it.
    pub(crate) fn with_store(store: Store, params: ExtractParams) -> Result<Self, CollectionError> {
        Self::with_store_within(store, params, Memory::default())
    }

    fn with_store_within(store: Store, params: ExtractParams, memory: Memory) -> Result<Self, CollectionError> {
        let path = index_path(store.data());
        let index = open_index(&path)?;
        let checkpoint = read_checkpoint(store.data(), &index)?;
        let params = agreed_params(store.data(), checkpoint.as_ref(), params)?;
        let behind = store.catch_up(checkpoint.map_or(Sequence(0), |checkpoint| checkpoint.sequence))?;
        let index = if behind == CatchUp::Everything { recreate(index, &path)? } else { index };
        let writer =
            index.writer(WriterOptions { memory_budget_bytes: memory.writer_bytes, ..WriterOptions::default() })?;
        let collection = Self::of(store, index, Some(writer), params, memory);
        collection.catch_up(behind)?;
        Ok(collection)
    }

    /// A collection of parts that agree, or will after what is written next.
    pub(crate) fn of_parts(store: Store, index: BlockIndex, params: ExtractParams) -> Result<Self, CollectionError> {
        let writer = index.writer(WriterOptions::default())?;
        Ok(Self::of(store, index, Some(writer), params, Memory::default()))
    }

    /// Closes the folder when the index's merges, which run in the background, are done: else they are begun anew by whoever opens it next,
    /// and a folder that is written to often and shortly keeps all its segments.
    ///
    /// # Errors
    ///
    /// [`CollectionError`] where a merge failed; what was committed stays.
    pub fn close(self) -> Result<(), CollectionError> {
        self.into_store().map(drop)
    }

    /// Ends the index's writer and gives the store back.
    pub(crate) fn into_store(self) -> Result<Store, CollectionError> {
        if let Some(writer) = self.writer {
            writer.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).wait_for_merges()?;
        }
        Ok(self.store)
    }

    /// Opens the folder for reading; it must exist. Others may read and write it meanwhile, and it may be one that cannot be written: what is
    /// opened is the last commit of the index, with the rows and statistics of the same commit, whatever follows.
    ///
    /// # Errors
    ///
    /// [`CollectionError`]; not because of others that use the folder.
    pub fn open_to_read(data: &Path) -> Result<Self, CollectionError> {
        Store::must_exist(data)?;
        let (index, checkpoint, store) = agreeing(data, || {
            // What is wrong with the store comes first: its cure is the index's too.
            let index = open_index_to_read(data).or_else(|error| {
                Store::open(data, OpenMode::Read).map_or_else(|store| Err(store.into()), |_| Err(error))
            })?;
            let checkpoint = read_checkpoint(data, &index)?;
            Ok((index, checkpoint))
        })?;
        let params = checkpoint.map_or_else(|| Some(ExtractParams::default()), |checkpoint| checkpoint.params());
        let params = known_params(data, params);
        Ok(Self::of(store, index, None, params, Memory::default()))
    }

    fn of(store: Store, index: BlockIndex, writer: Option<BlockWriter>, params: ExtractParams, memory: Memory) -> Self {
        let (writer, turns) = (writer.map(Mutex::new), Turns::default());
        Self { store, index, writer, params, memory, turns, elsewhere: None }
    }

    /// Commits of the store that cannot be searched here: an ingest was cut off before the index had them, or is at it now.
    pub fn commits_ahead(&self) -> u64 {
        let newest = Store::published_sequence(self.store.data()).unwrap_or_default().max(self.store.sequence());
        let own = read_checkpoint(self.store.data(), &self.index).ok().flatten();
        newest.0.saturating_sub(own.map_or(0, |checkpoint| checkpoint.sequence.0))
    }

    /// What it may keep in memory.
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The index.
    pub fn index(&self) -> &BlockIndex {
        &self.index
    }

    /// Who may add to the next commit.
    pub(crate) fn turns(&self) -> &Turns {
        &self.turns
    }

    /// Whether the folder is open for writing.
    pub fn is_writable(&self) -> bool {
        self.writer.is_some()
    }

    /// The parameters that pages are analysed with.
    pub fn params(&self) -> ExtractParams {
        self.elsewhere.as_ref().map_or(self.params, Elsewhere::params)
    }

    pub(crate) fn decoded(&self, page: PageId, bytes: &[u8]) -> Result<StoredTree, CollectionError> {
        let data = self.store.data().to_owned();
        StoredTree::decode(bytes).map_err(|source| CollectionError::Tree { data, page, source })
    }

    /// Commits what the index's writer has, with the store's sequence that it agrees with then.
    pub(crate) fn commit_index(&self, sequence: Sequence) -> Result<(), CollectionError> {
        let checkpoint = Checkpoint::new(sequence, self.params);
        let payload = serde_json::to_string(&checkpoint).expect("a checkpoint is plain data");
        self.with_writer(|writer| writer.commit(&payload).map(drop))
    }

    /// Runs `write` with the index's writer: pages go in and out by an [`OpenCommit`](crate::open_commit::OpenCommit), but where the index is
    /// mended. Without one, in a folder opened for reading, the error is the store's.
    pub(crate) fn with_writer<T>(
        &self,
        write: impl FnOnce(&mut BlockWriter) -> Result<T, WriterError>,
    ) -> Result<T, CollectionError> {
        let Some(writer) = &self.writer else {
            return Err(StoreError::ReadOnly { data: self.store.data().to_owned() }.into());
        };
        let mut writer = writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(write(&mut writer)?)
    }

    fn catch_up(&self, behind: CatchUp) -> Result<(), CollectionError> {
        match behind {
            CatchUp::Nothing => return Ok(()),
            CatchUp::Pages(pages) => pages.into_iter().try_for_each(|page| self.index_again(page))?,
            CatchUp::Everything => self.store.page_ids().try_for_each(|page| self.index_again(page?))?,
        }
        self.commit_index(self.store.sequence())
    }

    fn page_and_tree(&self, id: PageId) -> Result<Option<(StoredPage, StoredTree)>, CollectionError> {
        Ok(self.store.page(id)?.zip(self.tree(id)?))
    }

    /// Puts a page's documents in the place of what the index has of it; nothing, where the store has deleted the page.
    pub(crate) fn index_again(&self, id: PageId) -> Result<(), CollectionError> {
        let found = match self.page_and_tree(id) {
            // The other pages are found all the same, and `lopper verify` tells of it.
            Err(error @ (CollectionError::Tree { .. } | CollectionError::Store(StoreError::Damaged { .. }))) => {
                tracing::warn!(page.id = %id, %error, "a page is left out of the index: it is damaged");
                None
            }
            found => found?,
        };
        let Some((page, tree)) = found else {
            return self.with_writer(|writer| writer.delete_page(&id.to_string()));
        };
        let documents = PageDocuments::of(&page, &tree, &self.params);
        self.with_writer(|writer| {
            writer.delete_page(&id.to_string())?;
            writer.add_page(&documents.page, &documents.blocks)
        })
    }
}
