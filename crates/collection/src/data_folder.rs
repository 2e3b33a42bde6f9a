//! A data folder as a whole: store and index, agreeing.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use lopper_archive::page::PageId;
use lopper_content::pipeline::{ExtractParams, StoredTree, StoredTreeError};
use lopper_faults::disk;
use lopper_index::engine::EngineError;
use lopper_index::{BlockIndex, BlockWriter, IndexError, SearchError, WriterError, WriterOptions};
use lopper_store::{CatchUp, OpenMode, Sequence, Store, StoreError, StoredPage};
use serde::{Deserialize, Serialize};

use crate::documents::PageDocuments;
use crate::elsewhere::Elsewhere;
use crate::index_folder::{index_path, open_index, open_index_to_read, recreate};
use crate::turns::Turns;

/// Time between two looks of a reader for an index and a store that agree.
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

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

/// Why a data folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollectionError {
    /// The store's side.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index's side, on opening.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The index's side, on writing.
    #[error(transparent)]
    Writer(#[from] WriterError),
    /// The index's side, on reading.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// It was made with other parameters.
    #[error("the data folder {} was made with other extraction parameters; use those, or another folder, or make its trees and index anew with `lopper rebuild --from bodies`", data.display())]
    OtherParameters {
        /// The folder.
        data: PathBuf,
    },
    /// The index's commit says nothing that this version understands.
    #[error("the last commit of the index in {} cannot be read; use the version that wrote it, or make the index anew with `lopper rebuild --data {}`", data.display(), data.display())]
    Checkpoint {
        /// The folder.
        data: PathBuf,
        /// Cause.
        #[source]
        source: serde_json::Error,
    },
    /// A stored tree cannot be read.
    #[error("page {page} of {}: {source}", data.display())]
    Tree {
        /// The folder.
        data: PathBuf,
        /// The page.
        page: PageId,
        /// Cause.
        #[source]
        source: StoredTreeError,
    },
    /// There are pages and no index.
    #[error("the index in {} is gone: `lopper rebuild --data {}` makes it anew from the stored trees", data.display(), data.display())]
    IndexLost {
        /// The folder.
        data: PathBuf,
    },
    /// The page was deleted, and is kept out.
    #[error("a takedown keeps {url} out: `lopper takedowns` lists them, and lifts one")]
    TakenDown {
        /// The page.
        url: String,
    },
    /// An engine elsewhere cannot be read.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Nothing was put there, or not all of it yet.
    #[error("the engine has no whole collection yet: `lopper push` puts one there")]
    NotPushed,
    /// The engine has the collection in another index format, in which words are cut and stemmed in another way.
    #[error(
        "the generation was pushed by a program of another index format: push into a new one (`generation` in `[index]`)"
    )]
    PushedOtherwise,
    /// The folder's index cannot be removed to be made anew.
    #[error("cannot clear the index folder {}", path.display())]
    Clear {
        /// The index's folder.
        path: PathBuf,
        /// Cause.
        #[source]
        source: std::io::Error,
    },
}

impl CollectionError {
    /// Whether it comes of a full disk.
    pub fn is_disk_full(&self) -> bool {
        disk::is_full(self)
    }
}

/// What an index commit carries: the store's sequence that it agrees with, and the parameters that made its blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    pub(crate) sequence: Sequence,
    /// Digest of the parameters.
    params: String,
    /// The parameters themselves; commits of data version 3 have none.
    #[serde(default)]
    extract: Option<ExtractParams>,
}

impl Checkpoint {
    /// The parameters that made the blocks. Of a commit with no more than a digest they are known when they are the default ones.
    fn params(&self) -> Option<ExtractParams> {
        let default = ExtractParams::default();
        self.extract.or_else(|| (self.params == default.digest()).then_some(default))
    }

    /// Whether blocks made with `params` are like those of the index.
    fn has(&self, params: &ExtractParams) -> bool {
        self.extract.map_or_else(|| self.params.clone(), |own| own.digest()) == params.digest()
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
        let writer = Some(Mutex::new(writer));
        let collection = Self { store, index, writer, params, memory, turns: Turns::default(), elsewhere: None };
        collection.catch_up(behind)?;
        Ok(collection)
    }

    /// A collection of parts that agree, or will after what is written next.
    pub(crate) fn of_parts(store: Store, index: BlockIndex, params: ExtractParams) -> Result<Self, CollectionError> {
        let writer = index.writer(WriterOptions::default())?;
        let (writer, memory) = (Some(Mutex::new(writer)), Memory::default());
        Ok(Self { store, index, writer, params, memory, turns: Turns::default(), elsewhere: None })
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
        let mut seen = None;
        loop {
            // What is wrong with the store comes first: its cure is the index's too.
            let index = open_index_to_read(data).or_else(|error| {
                Store::open(data, OpenMode::Read).map_or_else(|store| Err(store.into()), |_| Err(error))
            })?;
            let checkpoint = read_checkpoint(data, &index)?;
            let sequence = checkpoint.as_ref().map_or(Sequence(0), |checkpoint| checkpoint.sequence);
            let store = Store::open_at(data, sequence)?;
            // Another commit may have come between the two; where nothing moves any more, they are as a crash left them.
            let now = (sequence, store.sequence());
            if store.sequence() == sequence || seen == Some(now) {
                let params =
                    checkpoint.map_or_else(|| Some(ExtractParams::default()), |checkpoint| checkpoint.params());
                let params = known_params(data, params);
                let memory = Memory::default();
                return Ok(Self {
                    store,
                    index,
                    writer: None,
                    params,
                    memory,
                    turns: Turns::default(),
                    elsewhere: None,
                });
            }
            seen = Some(now);
            std::thread::sleep(BETWEEN_TRIES);
        }
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
        let checkpoint = Checkpoint { sequence, params: self.params.digest(), extract: Some(self.params) };
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

fn known_params(data: &Path, params: Option<ExtractParams>) -> ExtractParams {
    params.unwrap_or_else(|| {
        tracing::warn!(data = %data.display(), "the folder does not say its parameters; the next ingest with them notes them");
        ExtractParams::default()
    })
}

/// What the index's last commit carries; `None` before the first one.
pub(crate) fn read_checkpoint(data: &Path, index: &BlockIndex) -> Result<Option<Checkpoint>, CollectionError> {
    checkpoint_of(data, index.committed_payload()?.as_deref())
}

/// The same of a payload.
pub(crate) fn checkpoint_of(data: &Path, payload: Option<&str>) -> Result<Option<Checkpoint>, CollectionError> {
    let payload = payload.filter(|payload| !payload.is_empty());
    let checkpoint = payload.map(serde_json::from_str).transpose();
    checkpoint.map_err(|source| CollectionError::Checkpoint { data: data.to_owned(), source })
}

/// The parameters to go on with: those of the folder, which `params` must be too, or the default ones.
pub(crate) fn agreed_params(
    data: &Path,
    checkpoint: Option<&Checkpoint>,
    params: ExtractParams,
) -> Result<ExtractParams, CollectionError> {
    let Some(checkpoint) = checkpoint.filter(|checkpoint| !checkpoint.has(&params)) else { return Ok(params) };
    match checkpoint.params() {
        Some(own) if params.digest() == ExtractParams::default().digest() => {
            tracing::info!(data = %data.display(), "the folder goes on with the parameters that it was made with");
            Ok(ExtractParams { site_memory: params.site_memory, ..own })
        }
        _ => Err(CollectionError::OtherParameters { data: data.to_owned() }),
    }
}
