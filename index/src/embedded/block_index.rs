//! An index directory: creating, opening, what was committed last.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use tantivy::directory::MmapDirectory;
use tantivy::directory::error::{LockError, OpenReadError};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, IndexReader, IndexSettings, ReloadPolicy, TantivyError};
use thiserror::Error;

use super::commits::{META_FILE, between_commits, check_format, too_fast, write_format};
use super::engine;
use super::read_only::ReadOnlyDirectory;
use super::schema::{Fields, TERM_TOKENIZER, schema};
use super::shared_directory::SharedDirectory;
use super::snapshot::{EmbeddedSnapshot, State};
use super::term_tokenizer::TermTokenizer;
use super::view::CommitView;
use super::writer::{BlockWriter, WriterOptions};
use crate::engine::{BlockEngine, BlockSnapshot, Capabilities, EngineError};
use crate::searcher::BlockSearcher;

/// Version of schema and analysis together; an index of another version must be migrated or built again.
pub const FORMAT_VERSION: u32 = 11;

/// Bytes of stored documents that are packed together. An answer unpacks some for each block that it shows.
const STORED_BYTES: usize = 4096;

/// The trouble with an index as a whole.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// There is no index.
    #[error("no block index in {}; ingest an archive first, or check the path", dir.display())]
    NotFound {
        /// Directory of the index.
        dir: PathBuf,
    },
    /// There is an index already.
    #[error("a block index exists in {} already; open it, or choose another directory", dir.display())]
    AlreadyExists {
        /// Directory of the index.
        dir: PathBuf,
    },
    /// Another writer has the index.
    #[error(
        "the block index in {} is being written by another process or writer; wait for it to end, or stop it and try again",
        dir.display()
    )]
    Locked {
        /// Directory of the index.
        dir: PathBuf,
        /// What the engine said.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Files are missing or hold what they should not.
    #[error("the block index in {} is damaged: `lopper rebuild --data {}` makes it anew from the stored trees", dir.display(), data_of(dir).display())]
    Damaged {
        /// Directory of the index.
        dir: PathBuf,
        /// What the engine said.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The index was made by another version of the program.
    #[error(
        "the block index in {} has format {found}, this program writes format {FORMAT_VERSION}: `lopper rebuild --data {}` makes it anew from the stored trees",
        dir.display(),
        data_of(dir).display()
    )]
    OtherFormat {
        /// Directory of the index.
        dir: PathBuf,
        /// What was found, in words.
        found: String,
    },
    /// The file system refused.
    #[error("cannot use the block index in {}", dir.display())]
    Io {
        /// Directory of the index.
        dir: PathBuf,
        /// What the system said.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl IndexError {
    /// Sorts an error of the engine by what the user can do about it.
    pub(crate) fn from_engine(dir: &Path, error: TantivyError) -> Self {
        let dir = dir.to_owned();
        match error {
            TantivyError::LockFailure(LockError::LockBusy, _) => Self::Locked { dir, source: error.into() },
            TantivyError::IncompatibleIndex(_)
            | TantivyError::OpenReadError(OpenReadError::IncompatibleIndex(_))
            | TantivyError::SchemaError(_) => Self::OtherFormat { dir, found: error.to_string() },
            TantivyError::DataCorruption(_)
            | TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(_))
            | TantivyError::InternalError(_)
            | TantivyError::DeserializeError(_) => Self::Damaged { dir, source: error.into() },
            TantivyError::IoError(ref cause)
            | TantivyError::OpenReadError(OpenReadError::IoError { io_error: ref cause, .. })
                if matches!(cause.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof) =>
            {
                Self::Damaged { dir, source: error.into() }
            }
            _ => Self::Io { dir, source: error.into() },
        }
    }

    pub(super) fn io(dir: &Path, error: io::Error) -> Self {
        Self::Io { dir: dir.to_owned(), source: error.into() }
    }
}

/// The data folder that an index is in.
fn data_of(dir: &Path) -> &Path {
    dir.parent().unwrap_or(dir)
}

/// An open index. Clones of its searcher and one writer may live at a time.
#[derive(Clone)]
pub struct BlockIndex {
    pub(crate) dir: PathBuf,
    pub(crate) index: Index,
    pub(crate) fields: Fields,
    pub(crate) reader: IndexReader,
    /// By generation of tantivy's searcher: of the newest one asked for.
    newest: Arc<Newest>,
    /// Of an index that was opened for reading: the commit that it stays at, by its payload.
    pinned: Option<Pinned>,
}

/// What a commit carries.
type Pinned = Arc<Option<String>>;

impl std::fmt::Debug for BlockIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockIndex").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl BlockIndex {
    /// Creates an empty index in `dir`, which is made when missing.
    ///
    /// # Errors
    /// [`IndexError::AlreadyExists`] when there is one, [`IndexError::Io`] when it cannot be written.
    pub fn create(dir: impl AsRef<Path>) -> Result<Self, IndexError> {
        let dir = dir.as_ref();
        if dir.join(META_FILE).exists() {
            return Err(IndexError::AlreadyExists { dir: dir.to_owned() });
        }
        fs::create_dir_all(dir).map_err(|error| IndexError::io(dir, error))?;
        // The format goes first: a crash in between leaves no index rather than one without a format.
        write_format(dir).map_err(|error| IndexError::io(dir, error))?;
        let settings = IndexSettings { docstore_blocksize: STORED_BYTES, ..IndexSettings::default() };
        let builder = Index::builder().schema(schema().0).settings(settings);
        let create = |mapped| builder.open_or_create(SharedDirectory::new(mapped, dir));
        let index = MmapDirectory::open(dir).map_err(Into::into).and_then(create);
        let index = index.map_err(|error| IndexError::from_engine(dir, error))?;
        Self::from_engine(dir, index)
    }

    /// Opens the index in `dir` for reading, and for writing by [`BlockIndex::writer`].
    ///
    /// # Errors
    /// [`IndexError::NotFound`], [`IndexError::OtherFormat`] or [`IndexError::Damaged`]; the directory is left as it was.
    pub fn open(dir: impl AsRef<Path>) -> Result<Self, IndexError> {
        let dir = dir.as_ref();
        if !dir.join(META_FILE).exists() {
            return Err(IndexError::NotFound { dir: dir.to_owned() });
        }
        check_format(dir)?;
        Self::open_in(dir, |mapped| Index::open(SharedDirectory::new(mapped, dir)))
    }

    /// Opens the index in `dir` for reading alone, at its last commit, and stays there. It takes no lock and writes nothing: others may
    /// read and write the index meanwhile, and the directory may be one that cannot be written.
    ///
    /// # Errors
    /// As of [`BlockIndex::open`].
    pub fn open_to_read(dir: impl AsRef<Path>) -> Result<Self, IndexError> {
        let dir = dir.as_ref();
        let opened = between_commits(dir, |_| {
            check_format(dir)?;
            let index = Self::open_in(dir, |mapped| Index::open(ReadOnlyDirectory(mapped)))?;
            let payload = index.committed_payload()?;
            Ok(Self { pinned: Some(Arc::new(payload)), ..index })
        })?;
        opened.ok_or_else(|| too_fast(dir))
    }

    /// An index without blocks, in memory, for readers of a folder in which none was committed yet.
    ///
    /// # Errors
    /// [`IndexError::Io`] when memory does.
    pub fn empty(dir: impl AsRef<Path>) -> Result<Self, IndexError> {
        let index = Index::create_in_ram(schema().0);
        Ok(Self { pinned: Some(Arc::new(None)), ..Self::from_engine(dir.as_ref(), index)? })
    }

    pub(super) fn open_in(
        dir: &Path,
        open: impl FnOnce(MmapDirectory) -> tantivy::Result<Index>,
    ) -> Result<Self, IndexError> {
        let mapped = MmapDirectory::open(dir).map_err(|error| IndexError::from_engine(dir, error.into()))?;
        let index = engine(|| open(mapped)).map_err(|error| IndexError::from_engine(dir, error))?;
        if index.schema() != schema().0 {
            let found = format!("{FORMAT_VERSION} with other fields");
            return Err(IndexError::OtherFormat { dir: dir.to_owned(), found });
        }
        Self::from_engine(dir, index)
    }

    /// Opens the index in `dir`, or creates it.
    ///
    /// # Errors
    /// Those of [`BlockIndex::open`] and [`BlockIndex::create`].
    pub fn open_or_create(dir: impl AsRef<Path>) -> Result<Self, IndexError> {
        match Self::open(dir.as_ref()) {
            Err(IndexError::NotFound { .. }) => Self::create(dir),
            result => result,
        }
    }

    fn from_engine(dir: &Path, index: Index) -> Result<Self, IndexError> {
        index.tokenizers().register(TERM_TOKENIZER, TextAnalyzer::from(TermTokenizer::default()));
        let reader = engine(|| index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into())
            .map_err(|error| IndexError::from_engine(dir, error))?;
        Ok(Self { dir: dir.to_owned(), index, fields: schema().1, reader, newest: Arc::default(), pinned: None })
    }

    /// Directory of the index.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The one writer.
    ///
    /// # Errors
    /// [`IndexError::Locked`] while another writer lives, in this process or another, and lives on for a second.
    pub fn writer(&self, options: WriterOptions) -> Result<BlockWriter, IndexError> {
        BlockWriter::new(self, options)
    }

    /// A searcher of what is committed now; it follows later commits by [`BlockSearcher::reload`].
    pub fn searcher(&self) -> BlockSearcher {
        BlockSearcher::new(Arc::new(self.clone()))
    }

    /// Bytes of the files of what is searchable.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] or [`IndexError::Io`] when a file cannot be read.
    pub fn bytes(&self) -> Result<u64, IndexError> {
        let usage = self.reader.searcher().space_usage().map_err(|error| IndexError::io(&self.dir, error))?;
        Ok(usage.total().get_bytes())
    }

    /// The payload of the last commit.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] or [`IndexError::Io`] when the commit cannot be read.
    pub fn committed_payload(&self) -> Result<Option<String>, IndexError> {
        if let Some(pinned) = &self.pinned {
            return Ok((**pinned).clone());
        }
        let meta = self.index.load_metas().map_err(|error| IndexError::from_engine(&self.dir, error))?;
        Ok(meta.payload)
    }

    /// Reads every file of the last commit and gives those whose checksum is wrong. O(index bytes).
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when a file is missing or too short to have a checksum, [`IndexError::Io`] when one cannot be
    /// read.
    pub fn damaged_files(&self) -> Result<Vec<PathBuf>, IndexError> {
        let checked = between_commits(&self.dir, |_| {
            let damaged = engine(|| self.index.validate_checksum());
            let damaged = damaged.map_err(|error| IndexError::from_engine(&self.dir, error))?;
            let mut damaged: Vec<PathBuf> = damaged.into_iter().collect();
            damaged.sort();
            Ok(damaged)
        })?;
        if let Some(damaged) = checked {
            return Ok(damaged);
        }
        tracing::warn!(index.dir = %self.dir.display(), "the index's files were not checked: commits follow each other too fast");
        Ok(Vec::new())
    }
}

/// What queries read, from the first one on.
#[derive(Default)]
struct Newest {
    state: RwLock<Option<Arc<State>>>,
    /// Held by who opens a commit, and by nobody who only searches.
    opening: Mutex<()>,
}

impl Newest {
    fn get(&self) -> Option<Arc<State>> {
        self.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, state: &Arc<State>) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(state));
    }

    fn only_one(&self) -> MutexGuard<'_, ()> {
        self.opening.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BlockIndex {
    /// The commit that the reader stands at. What `former`, an earlier one, has of the same segments is kept.
    fn opened(&self, former: Option<&State>) -> Result<Arc<State>, TantivyError> {
        let (searcher, fields) = (self.reader.searcher(), self.fields);
        let view = CommitView::open(&searcher, &fields, former.map(|state| &*state.view))?;
        Ok(Arc::new(State { searcher, fields, view: Arc::new(view) }))
    }
}

impl BlockEngine for BlockIndex {
    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn location(&self) -> &Path {
        &self.dir
    }

    fn snapshot(&self) -> Result<Arc<dyn BlockSnapshot>, EngineError> {
        if let Some(state) = self.newest.get() {
            return Ok(Arc::new(EmbeddedSnapshot(state)));
        }
        let _only_one = self.newest.only_one();
        let state = match self.newest.get() {
            Some(state) => state,
            None => engine(|| self.opened(None))?,
        };
        self.newest.set(&state);
        Ok(Arc::new(EmbeddedSnapshot(state)))
    }

    fn refresh(&self) -> Result<(), EngineError> {
        if self.pinned.is_some() {
            return Ok(());
        }
        let _only_one = self.newest.only_one();
        engine(|| self.reader.reload())?;
        // Queries go on with the former commit until the segments of this one are read.
        if let Some(former) = self.newest.get() {
            self.newest.set(&engine(|| self.opened(Some(&former)))?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{BlockDocument, PageDocument};

    #[test]
    fn queries_do_not_wait_for_a_commit_that_is_being_opened() {
        let folder = tempfile::tempdir().unwrap();
        let index = BlockIndex::create(folder.path()).unwrap();
        let mut writer = index.writer(WriterOptions::default()).unwrap();
        let blocks = |index: &BlockIndex| index.snapshot().unwrap().facts().blocks;
        assert_eq!(blocks(&index), 0);
        let page_id = format!("{:032x}", 1);
        let block = BlockDocument {
            block_id: format!("{page_id}.1"),
            page_id: page_id.clone(),
            body: "old mills".to_owned(),
            ..BlockDocument::default()
        };
        writer.add_page(&PageDocument { page_id, ..PageDocument::default() }, &[block]).unwrap();
        writer.commit("one").unwrap();
        {
            let _opening = index.newest.only_one();
            index.reader.reload().unwrap();
            assert_eq!(blocks(&index), 0, "the former commit answers meanwhile");
        }
        index.refresh().unwrap();
        assert_eq!(blocks(&index), 1);
    }
}
