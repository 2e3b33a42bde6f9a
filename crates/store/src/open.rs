//! Opening a data folder.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use lopper_content::statistics::StatisticsSnapshot;
use lopper_migrations::{DATA_VERSION, DataLock, MigrationError, State, check, initialise};

use super::append_file::{FileFormat, HEADER_BYTES};
use super::blobs::BlobFile;
use super::bodies::BodyFile;
use super::database::{CACHE_BYTES, Database, RowBatch};
use super::files::{
    database_path, is_of_store, published_sequences, remove_others, sequence_path, trees_path, write_whole,
};
use super::ledger_file::LedgerFile;
use super::meta::Meta;
use super::page_file::PageFile;
use super::published::PublishedRows;
use super::rebuild::{Beside, finish_rebuild, remove_outdated};
use super::repair::FORMATS;
use super::retention::Retention;
use super::row_source::RowSource;
use super::rows::{decode, encode};
use super::statistics::{needed_epochs, read_statistics};
use super::takedowns::Takedowns;
use super::{DamagedPart, Sequence, StoreError, keys};

/// Pages up to which [`Store::open`] verifies all rows; fewer in debug builds, whose tests go beyond it.
const VERIFY_PAGES_MAX: u64 = if cfg!(debug_assertions) { 1_000 } else { 20_000 };

/// What is said of a database that was put in the place of one with rows, or lost them.
pub(super) const LOST_ROWS: &str = "its database has lost its rows";

/// What a store is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenMode {
    /// Writing; an absent or empty folder is made a data folder.
    Write,
    /// Reading the last commit, beside others that read or write; the folder must be a data folder already.
    Read,
    /// Reading as the one process that has the folder, from the database itself: for checks of it.
    ReadAlone,
}

/// The open store. It is shared by reference between threads; commits wait for each other.
#[derive(Debug)]
pub struct Store {
    pub(super) data: PathBuf,
    pub(super) mode: OpenMode,
    pub(super) writer: Mutex<Writer>,
    pub(super) current: RwLock<Current>,
    pub(super) takedowns: RwLock<Arc<Takedowns>>,
    // Dropped in this order: the lock goes last.
    pub(super) blobs: BlobFile,
    pub(super) pages: PageFile,
    pub(super) bodies: BodyFile,
    pub(super) ledger: LedgerFile,
    pub(super) database: RowSource,
    /// Readers beside others have none.
    pub(super) _lock: Option<DataLock>,
}

/// The right to commit.
#[derive(Debug)]
pub(super) struct Writer {
    /// Set while a commit is under way: it stays set when the commit fails or panics.
    pub(super) poisoned: bool,
    /// The files that readers may be opening.
    pub(super) retention: Retention,
}

/// What the last commit left, as readers see it.
#[derive(Debug, Clone)]
pub(super) struct Current {
    pub(super) meta: Meta,
    pub(super) statistics: StatisticsSnapshot,
    /// What readers have of it; `None` in a store that was opened for reading.
    pub(super) published: Option<PublishedRows>,
}

impl Store {
    /// Bytes of rows that a store keeps in memory unless told otherwise.
    pub const CACHE_BYTES_DEFAULT: u64 = CACHE_BYTES;

    /// For what changes data and makes none: an absent or empty folder is an error.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoData`], [`StoreError::OlderData`], [`StoreError::NewerData`], [`StoreError::Folder`].
    pub fn must_exist(data: &Path) -> Result<(), StoreError> {
        admit(data, OpenMode::Read)
    }

    /// Opens the data folder `data`. Whatever a commit that was cut off left behind is removed when opened for writing.
    /// Up to 20,000 pages, which takes some milliseconds, the database's rows are [verified](Self::verify).
    ///
    /// # Errors
    ///
    /// [`StoreError::DataInUse`] (not for readers beside others), [`StoreError::NoData`] (reading only), [`StoreError::OlderData`],
    /// [`StoreError::NewerData`], [`StoreError::Folder`] for a folder that is not ours,
    /// [`StoreError::Damaged`] when what is on disk is not what was written, [`StoreError::Io`].
    ///
    /// A database that only its snapshot keeps from opening is opened without that. Damaged statistics are counted again when opened for
    /// writing; a reader does without.
    pub fn open(data: &Path, mode: OpenMode) -> Result<Self, StoreError> {
        Self::open_within(data, mode, Self::CACHE_BYTES_DEFAULT)
    }

    /// The same with a cache of rows of that many bytes, where it is opened for writing.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_within(data: &Path, mode: OpenMode, cache_bytes: u64) -> Result<Self, StoreError> {
        admit(data, mode)?;
        if mode == OpenMode::Read {
            return Self::open_published(data, None);
        }
        Self::open_alone_within(data, mode, cache_bytes)
    }

    /// Opens the database of a folder that nobody else has.
    pub(super) fn open_alone(data: &Path, mode: OpenMode) -> Result<Self, StoreError> {
        Self::open_alone_within(data, mode, Self::CACHE_BYTES_DEFAULT)
    }

    fn open_alone_within(data: &Path, mode: OpenMode, cache_bytes: u64) -> Result<Self, StoreError> {
        let lock = DataLock::acquire(data)?;
        finish_rebuild(data, mode)?;
        match Self::open_cached(data, mode, lock, None, cache_bytes) {
            Err(error @ StoreError::Damaged { .. }) => Self::open_mended(data, mode, error),
            opened => opened?.verified(),
        }
    }

    /// With few pages, checks their rows.
    pub(super) fn verified(self) -> Result<Self, StoreError> {
        if self.stats().distinct_pages <= VERIFY_PAGES_MAX {
            self.pages().try_for_each(|page| page.map(drop))?;
        }
        Ok(self)
    }

    /// Opens a folder whose lock is held. A store that is made beside another one has that one's bodies and ledger.
    pub(super) fn open_locked(
        data: &Path,
        mode: OpenMode,
        lock: DataLock,
        beside: Option<&Beside>,
    ) -> Result<Self, StoreError> {
        Self::open_cached(data, mode, lock, beside, Self::CACHE_BYTES_DEFAULT)
    }

    fn open_cached(
        data: &Path,
        mode: OpenMode,
        lock: DataLock,
        beside: Option<&Beside>,
        cache_bytes: u64,
    ) -> Result<Self, StoreError> {
        let database = Database::open_within(data, &database_path(data), cache_bytes)?;
        let meta = read_meta(data, &database, beside)?;
        check_sequence(data, meta.sequence)?;
        let writable = mode == OpenMode::Write;
        let blobs = BlobFile::open(data, meta.trees_bytes, writable)?;
        let pages = PageFile::open(data, meta.pages_bytes, writable)?;
        let (files, owned) = beside.map_or((data, writable), |beside| (beside.data.as_path(), false));
        let bodies = BodyFile::open(files, meta.bodies_bytes, owned)?;
        let ledger = LedgerFile::open(files, meta.ledger_bytes, owned)?;
        let statistics = read_statistics(data, meta.epoch)?;
        let mut retention = Retention::default();
        let mut published = None;
        if writable {
            let rows = PublishedRows::recover(data, &database, meta.sequence.0)?;
            write_sequence(data, meta.sequence)?;
            remove_outdated(data, meta.sequence)?;
            keep_needed(data, &rows, &meta, &statistics, &mut retention);
            published = Some(rows);
        }
        let store = Self {
            data: data.to_owned(),
            mode,
            writer: Mutex::new(Writer { poisoned: false, retention }),
            current: RwLock::new(Current { meta, statistics, published }),
            takedowns: RwLock::new(Arc::new(Takedowns::read(files)?)),
            blobs,
            pages,
            bodies,
            ledger,
            database: RowSource::Database(database),
            _lock: Some(lock),
        };
        if store.stats().distinct_pages <= VERIFY_PAGES_MAX {
            store.verify_rows()?;
        }
        Ok(store)
    }

    /// Whether a file or folder of that name in a data folder holds pages, what was read of them, or what they were counted as.
    pub fn has_file(name: &str) -> bool {
        is_of_store(name)
    }

    /// The data folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    pub(super) fn current(&self) -> Current {
        self.of_current(Current::clone)
    }

    pub(super) fn meta(&self) -> Meta {
        self.of_current(|current| current.meta.clone())
    }

    /// What is asked for of the last commit, without a copy of the rest.
    pub(super) fn of_current<T>(&self, get: impl FnOnce(&Current) -> T) -> T {
        get(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn publish(&self, new: Current) {
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        *current = new;
    }

    /// Lets only a store that was opened for writing pass.
    pub(super) fn must_write(&self) -> Result<(), StoreError> {
        match self.mode {
            OpenMode::Write => Ok(()),
            OpenMode::Read | OpenMode::ReadAlone => Err(StoreError::ReadOnly { data: self.data.clone() }),
        }
    }

    pub(super) fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes the files of former commits but the last one's, which an index that is one commit behind goes with.
fn keep_needed(
    data: &Path,
    rows: &PublishedRows,
    meta: &Meta,
    statistics: &StatisticsSnapshot,
    retention: &mut Retention,
) {
    let former = PublishedRows::open(data, rows.sequence().wrapping_sub(1)).ok().flatten();
    if let Some(former) = former {
        let row = former.get(keys::META).ok().flatten();
        let epoch = row.and_then(|row| decode::<Meta>(&row).ok()).map(|meta| meta.epoch);
        retention.note(former.files(), needed_epochs(data, &StatisticsSnapshot::default(), epoch));
    }
    let (rows, epochs) = retention.note(rows.files(), needed_epochs(data, statistics, meta.next_batch_epoch));
    remove_others(data, &rows, &epochs);
}

/// Lets only a data folder of the current version pass, making one where that is allowed.
pub(super) fn admit(data: &Path, mode: OpenMode) -> Result<(), StoreError> {
    let data_owned = || data.to_owned();
    match check(data)? {
        State::Current => Ok(()),
        State::Fresh if mode == OpenMode::Write => Ok(initialise(data)?),
        State::Fresh => Err(StoreError::NoData { data: data_owned() }),
        State::Older { found } => Err(StoreError::OlderData { data: data_owned(), found, current: DATA_VERSION }),
        State::Newer { found } => Err(StoreError::NewerData { data: data_owned(), found, current: DATA_VERSION }),
        State::Foreign => Err(MigrationError::Foreign { data: data_owned() }.into()),
    }
}

/// What a meta row of that part says, which is called `what` where it is damaged.
pub(super) fn checked_meta(data: &Path, row: &[u8], part: DamagedPart, what: &str) -> Result<Meta, StoreError> {
    let meta: Meta = decode(row).map_err(|error| StoreError::damaged(data, part, what, error))?;
    let lengths = [meta.trees_bytes, meta.pages_bytes, meta.bodies_bytes, meta.ledger_bytes];
    let is_sound = lengths.into_iter().all(|bytes| bytes >= HEADER_BYTES);
    is_sound.then_some(meta).ok_or_else(|| StoreError::inconsistent(data, part, what))
}

/// The meta row. It is written before anything else is, so that a database that lost its rows is not taken for a new one.
pub(super) fn read_meta(data: &Path, database: &Database, beside: Option<&Beside>) -> Result<Meta, StoreError> {
    if let Some(row) = database.get(keys::META)? {
        return checked_meta(data, &row, DamagedPart::Database, "its meta row");
    }
    if holds_commits(data) {
        return Err(StoreError::inconsistent(data, DamagedPart::Database, LOST_ROWS));
    }
    let mut meta = Meta::empty();
    if let Some(beside) = beside {
        (meta.bodies_bytes, meta.ledger_bytes) = (beside.bodies_bytes, beside.ledger_bytes);
    }
    let mut batch = RowBatch::default();
    batch.insert(keys::META, &encode(&meta));
    database.apply(&batch)?;
    Ok(meta)
}

/// Whether something was committed here: then a database without rows is not a new one, and no file may be cut to what a new one counts.
pub(super) fn holds_commits(data: &Path) -> bool {
    let is_more_than_a_header =
        |format: &FileFormat| std::fs::metadata(data.join(format.name)).is_ok_and(|file| file.len() > HEADER_BYTES);
    trees_path(data).exists()
        || FORMATS.iter().any(is_more_than_a_header)
        || published_sequences(data).last().is_some_and(|sequence| *sequence > 0)
        || matches!(written_sequence(data), Ok(Some(Sequence(1..))))
}

/// Writes the number of a commit outside of the database, durably, once the commit is done.
pub(super) fn write_sequence(data: &Path, sequence: Sequence) -> Result<(), StoreError> {
    write_whole(&sequence_path(data), format!("{sequence}\n").as_bytes())
}

/// Checks that the database has not lost commits.
///
/// sled takes damage in its log for the end of the log: it opens without an error, as it was at some earlier commit. A
/// crash can make the file one commit older than the database, never newer.
pub(super) fn check_sequence(data: &Path, found: Sequence) -> Result<(), StoreError> {
    match written_sequence(data)? {
        Some(written) if written > found => {
            let what = format!("its database is at commit {found} of {written}");
            Err(StoreError::inconsistent(data, DamagedPart::Database, what))
        }
        _ => Ok(()),
    }
}

/// The number that the sequence file holds; `None` where there is none.
pub(super) fn written_sequence(data: &Path) -> Result<Option<Sequence>, StoreError> {
    let path = sequence_path(data);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        // Bytes that are no text are no number.
        Err(error) if error.kind() == ErrorKind::InvalidData => String::new(),
        Err(error) => return Err(StoreError::io("read", &path)(error)),
    };
    let damaged = |error| StoreError::damaged(data, DamagedPart::Sequence, "its sequence file", error);
    let number = text.trim().parse().map_err(damaged)?;
    Ok(Some(Sequence(number)))
}
