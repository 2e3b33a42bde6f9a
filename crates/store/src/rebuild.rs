//! Making a store anew beside the present one, and putting it in its place.
//!
//! The new store, statistics, trees and index are made in the folder `rebuild` of the data folder; bodies and ledger are not touched, and the
//! new rows point into them. When all is there, the file `READY` is written. From then on the next opening moves the new parts over the old
//! ones, one by one, and goes on with that after a crash. So a crash leaves the old data or the new.
//!
//! The file `PLAN` says what is made, and of which commit of the old store. A rebuild of the same plan goes on with what one that was cut off
//! has committed; the next writer removes what was made of an earlier commit.

use std::fs;
use std::path::{Path, PathBuf};

use lopper_archive::page::{Page, PageId};
use lopper_faults::failpoint;
use lopper_migrations::{DataLock, initialise};

use super::append_file::HEADER_BYTES;
use super::bodies::BodyFile;
use super::files::{PLAN_NAME, READY_NAME, REBUILD_NAME, published_sequences, rebuilt_names, rows_path, write_whole};
use super::page::{BodyRow, PageOrigin, PageRow};
use super::published::{PublishedRows, newest};
use super::takedowns::Takedowns;
use super::{OpenMode, PageBatch, PagePut, Sequence, Store, StoreError, StoredPage, keys};

/// The store beside which another one is made: its folder, and what counts of its files.
#[derive(Debug, Clone)]
pub(super) struct Beside {
    pub(super) data: PathBuf,
    pub(super) bodies_bytes: u64,
    pub(super) ledger_bytes: u64,
}

/// Rows that are copied in one commit.
const COPIED_ROWS_MAX: usize = 20_000;

/// What a page of the old store was read from.
#[derive(Debug, Clone)]
pub struct StoredSource {
    pub(super) origin: PageOrigin,
    kept_at: Option<u64>,
}

impl StoredSource {
    /// Of a page whose body, where there is one, comes with it.
    pub(super) fn of_row(row: &PageRow) -> Self {
        Self { origin: row.origin(), kept_at: None }
    }

    /// Of a page whose body was kept at `offset_bytes`, by what its head says.
    fn of_kept(page: &Page, offset_bytes: u64) -> Self {
        let origin = PageOrigin::of_provenance(&page.provenance, page.captured_at);
        Self { origin, kept_at: Some(offset_bytes) }
    }
}

impl Store {
    /// Makes a store beside this one, to be filled from it and [put in its place](Self::replace_old). It is empty, unless a rebuild with the
    /// same words in `plan` was cut off and nothing was written here since: then it has the pages which that one committed.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`], [`StoreError::Damaged`].
    pub fn begin_rebuild(&self, plan: &str) -> Result<Self, StoreError> {
        let meta = self.meta();
        let (bodies_bytes, ledger_bytes) = (meta.bodies_bytes, meta.ledger_bytes);
        let beside = Beside { data: self.data.clone(), bodies_bytes, ledger_bytes };
        let plan = format!("{}\n{plan}\n", meta.sequence.0);
        if plan_of(&self.data).is_some_and(|begun| begun == plan) {
            match open_existing(&beside) {
                Err(StoreError::Damaged { what, .. }) => {
                    tracing::warn!(data = %self.data.display(), what, "a rebuild that was cut off is damaged; it begins anew");
                }
                opened => return opened,
            }
        }
        let new = open_beside(&beside)?;
        write_whole(&new.data.join(PLAN_NAME), plan.as_bytes())?;
        Ok(new)
    }

    /// Where page `id` was read from, and its tree, statistics and place as they are.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] also for a damaged tree, [`StoreError::Io`].
    pub fn stored_put(&self, id: PageId) -> Result<Option<PagePut>, StoreError> {
        let Some(row) = self.page_row(id)? else { return Ok(None) };
        let (blob, body) = (self.blobs.blob(&row.links.tree)?, row.links.body);
        let put = PagePut::of_blob(row.into_page(id), blob);
        Ok(Some(if let BodyRow::Kept(offset_bytes) = body { put.kept_at(offset_bytes) } else { put }))
    }

    /// Where page `id` was read from.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn source(&self, id: PageId) -> Result<Option<StoredSource>, StoreError> {
        let row = self.page_row(id)?;
        Ok(row.map(|row| {
            let kept_at = if let BodyRow::Kept(offset_bytes) = row.links.body { Some(offset_bytes) } else { None };
            StoredSource { origin: row.origin(), kept_at }
        }))
    }

    /// The archive file that a page was read from; for a page from a file within a file, the outer one.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn archive_path(&self, page: &StoredPage) -> Result<PathBuf, StoreError> {
        let row = self.page_row(page.id)?;
        let archive = row.map(|row| self.archive(row.links.archive_id)).transpose()?.flatten();
        Ok(archive.map_or_else(|| page.provenance.archive.clone(), |entry| entry.key.path))
    }

    /// The kept bodies of pages whose rows are damaged. O(kept bodies).
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn bodies_of_damaged(&self) -> Result<impl Iterator<Item = (Page, StoredSource)> + '_, StoreError> {
        let (offsets, _) = self.bodies.scan()?;
        Ok(offsets.into_iter().filter_map(|offset_bytes| {
            let page = self.bodies.page(offset_bytes).ok()?;
            let source = StoredSource::of_kept(&page, offset_bytes);
            self.page_row(page.id).is_err().then_some((page, source))
        }))
    }

    /// Adds a page of another store to `batch`, with its place there. Gives the page whose tree it shares.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn copy_page(
        &self,
        batch: &mut PageBatch,
        put: PagePut,
        source: &StoredSource,
    ) -> Result<Option<PageId>, StoreError> {
        let put = match source.kept_at {
            Some(offset_bytes) => put.kept_at(offset_bytes),
            None => put,
        };
        batch.copy_page(self, put, source.origin.clone())
    }

    /// Copies captures, payload digests and open revisits into the store `new`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn copy_captures_to(&self, new: &Self) -> Result<(), StoreError> {
        self.copy_rows_to(new, &[keys::CAPTURES, keys::DECLARED, keys::PENDING])
    }

    /// Copies the rows of the ledger into the store `new`, which has the same file of records.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn copy_archives_to(&self, new: &Self) -> Result<(), StoreError> {
        self.copy_rows_to(new, &[keys::ARCHIVES, keys::RESUME])
    }

    fn copy_rows_to(&self, new: &Self, prefixes: &[&[u8]]) -> Result<(), StoreError> {
        for prefix in prefixes {
            let mut batch = PageBatch::new();
            for (number, row) in self.database.scan(prefix).enumerate() {
                let (key, value) = row?;
                batch.copy_row(key, value);
                if number % COPIED_ROWS_MAX == COPIED_ROWS_MAX - 1 {
                    new.commit(std::mem::take(&mut batch))?;
                }
            }
            if !batch.is_empty() {
                new.commit(batch)?;
            }
        }
        Ok(())
    }

    /// Puts this store, made by [`begin_rebuild`](Self::begin_rebuild) or [`KeptBodies::begin_rebuild`] and complete with its index, in the place
    /// of the one beside which it was made. That one is closed already, and nobody may have opened it meanwhile.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`], [`StoreError::DataInUse`].
    pub fn replace_old(self) -> Result<(), StoreError> {
        let rebuilt = self.data.clone();
        drop(self);
        let data = rebuilt.parent().unwrap_or(Path::new(".")).to_owned();
        write_whole(&rebuilt.join(READY_NAME), b"ready\n")?;
        failpoint::pass("rebuild.ready");
        let _lock = DataLock::acquire(&data)?;
        finish_rebuild(&data, OpenMode::Write)
    }
}

/// What the rebuild makes that was cut off in `data`.
fn plan_of(data: &Path) -> Option<String> {
    fs::read_to_string(data.join(REBUILD_NAME).join(PLAN_NAME)).ok()
}

/// Removes a rebuild that was cut off, when its plan names another commit than `sequence` or none: it can never be gone on with.
pub(super) fn remove_outdated(data: &Path, sequence: Sequence) -> Result<(), StoreError> {
    let Some(plan) = plan_of(data) else { return Ok(()) };
    let begun = plan.lines().next().and_then(|line| line.parse().ok());
    if begun == Some(sequence.0) { Ok(()) } else { remove(&data.join(REBUILD_NAME)) }
}

/// Makes the folder anew, as a data folder without data.
pub(super) fn clear_folder(rebuilt: &Path) -> Result<(), StoreError> {
    remove(rebuilt)?;
    Ok(initialise(rebuilt)?)
}

fn open_beside(beside: &Beside) -> Result<Store, StoreError> {
    clear_folder(&beside.data.join(REBUILD_NAME))?;
    open_existing(beside)
}

fn open_existing(beside: &Beside) -> Result<Store, StoreError> {
    let rebuilt = beside.data.join(REBUILD_NAME);
    let lock = DataLock::acquire(&rebuilt)?;
    Store::open_locked(&rebuilt, OpenMode::Write, lock, Some(beside))
}

/// Moves a rebuilt store, if there is one that is complete, to its place; else removes what there is of it, when opened for writing, unless it
/// has a plan to go on by.
pub(super) fn finish_rebuild(data: &Path, mode: OpenMode) -> Result<(), StoreError> {
    let rebuilt = data.join(REBUILD_NAME);
    if rebuilt.join(READY_NAME).exists() {
        for name in rebuilt_names(&rebuilt)? {
            remove(&data.join(&name))?;
            failpoint::pass("rebuild.removed");
            fs::rename(rebuilt.join(&name), data.join(&name)).map_err(StoreError::io("move", &rebuilt.join(&name)))?;
            failpoint::pass("rebuild.moved");
        }
        remove_old_rows(data);
        lopper_faults::disk::sync_folder(data).map_err(StoreError::io("sync", data))?;
    } else if mode != OpenMode::Write || plan_of(data).is_some() {
        return Ok(());
    }
    remove(&rebuilt)
}

/// Removes the rows that the store in whose place this one was put had published.
fn remove_old_rows(data: &Path) {
    let rows = newest(data).and_then(|sequence| PublishedRows::open(data, sequence).ok().flatten());
    let Some(rows) = rows.map(|rows| rows.files()) else { return };
    for old in published_sequences(data).difference(&rows) {
        if let Err(error) = remove(&rows_path(data, *old)) {
            tracing::warn!(%error, "rows of a former store cannot be removed");
        }
    }
}

/// Removes a file or folder, if it is there.
fn remove(path: &Path) -> Result<(), StoreError> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(StoreError::io("remove", path)(error)),
        _ => Ok(()),
    }
}

/// The kept bodies of a data folder whose database is lost.
#[derive(Debug)]
pub struct KeptBodies {
    data: PathBuf,
    file: BodyFile,
    offsets: Vec<u64>,
    end: u64,
    takedowns: Takedowns,
    _lock: DataLock,
}

impl KeptBodies {
    /// Opens the file of bodies in `data`, up to the first record that is not whole.
    ///
    /// # Errors
    ///
    /// [`StoreError::DataInUse`], [`StoreError::Io`], [`StoreError::Damaged`] for a file that is none of bodies.
    pub fn open(data: &Path) -> Result<Self, StoreError> {
        let lock = DataLock::acquire(data)?;
        let file = BodyFile::open(data, HEADER_BYTES, false)?;
        let (offsets, end) = file.scan()?;
        Ok(Self { data: data.to_owned(), file, offsets, end, takedowns: Takedowns::read(data)?, _lock: lock })
    }

    /// The pages, in the order in which they were kept; of a page that was kept twice the later one counts. Those that a takedown keeps out
    /// are left out.
    pub fn pages(&self) -> impl Iterator<Item = Result<(Page, StoredSource), StoreError>> + '_ {
        self.offsets.iter().filter_map(|&offset_bytes| {
            let page = match self.file.page(offset_bytes) {
                Ok(page) => page,
                Err(error) => return Some(Err(error)),
            };
            let source = StoredSource::of_kept(&page, offset_bytes);
            (!self.takedowns.hold_kept(&page)).then_some(Ok((page, source)))
        })
    }

    /// Makes an empty store beside what is left, which has these bodies and an empty ledger.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`], [`StoreError::Damaged`].
    pub fn begin_rebuild(&self) -> Result<Store, StoreError> {
        open_beside(&Beside { data: self.data.clone(), bodies_bytes: self.end, ledger_bytes: HEADER_BYTES })
    }
}
