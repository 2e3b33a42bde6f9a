//! Opening what is damaged, as far as it can be read.

use std::fs;
use std::path::{Path, PathBuf};

use lopper_content::statistics::StatisticsSnapshot;
use lopper_migrations::DataLock;

use super::append_file::AppendFile;
use super::database::Database;
use super::files::{database_path, files_of};
use super::open::{admit, check_sequence, read_meta, write_sequence};
use super::repair::mend_headers;
use super::statistics::{read_statistics, write_statistics};
use super::{DamagedPart, OpenMode, Store, StoreError, blobs, bodies, ledger_file, page_file};

impl Store {
    /// Tries once more with what can be had without loss: new statistics, or the database without its snapshots.
    pub(super) fn open_mended(data: &Path, mode: OpenMode, error: StoreError) -> Result<Self, StoreError> {
        if !error.is_damage_of(DamagedPart::Statistics) || mode != OpenMode::Write {
            return Self::open_without_snapshots(data, mode, error);
        }
        tracing::warn!(data = %data.display(), "the statistics are damaged; they are counted again from the trees");
        let repaired = Self::repair_files(data, false)?;
        if repaired.beyond.is_some() {
            return Err(error);
        }
        let lock = DataLock::acquire(data)?;
        Self::open_locked(data, mode, lock, None)?.verified()
    }

    /// Tries once more without sled's snapshots, from which it reads all from its log; `error` is what the first trial ended in. All rows are
    /// verified: a database that lost some is none.
    pub(super) fn open_without_snapshots(data: &Path, mode: OpenMode, error: StoreError) -> Result<Self, StoreError> {
        without_snapshots(data, error, || {
            let lock = DataLock::acquire(data)?;
            let store = Self::open_locked(data, mode, lock, None)?;
            store.verify().map(|()| store)
        })
    }

    /// Opens a damaged folder that is to be made anew, as far as its database can be read. What is missing of trees, bodies and ledger is filled
    /// with zeros, so that each record that was lost has a wrong checksum, and statistics that cannot be read are empty from now on.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] when the database itself is; else as [`open`](Self::open).
    pub fn open_damaged(data: &Path) -> Result<Self, StoreError> {
        admit(data, OpenMode::Write)?;
        let lock = DataLock::acquire(data)?;
        patch_files(data)?;
        Self::open_locked(data, OpenMode::Write, lock, None)
    }
}

/// Makes files that the database counts on at least present.
fn patch_files(data: &Path) -> Result<(), StoreError> {
    mend_headers(data)?;
    let database = Database::open(data, &database_path(data))?;
    let meta = read_meta(data, &database, None)?;
    // A database that lost commits is none: their pages may be among the kept bodies.
    if check_sequence(data, meta.sequence).is_err_and(|error| error.is_damage_of(DamagedPart::Sequence)) {
        write_sequence(data, meta.sequence)?;
    }
    AppendFile::pad(data, blobs::FORMAT, meta.trees_bytes)?;
    AppendFile::pad(data, page_file::FORMAT, meta.pages_bytes)?;
    AppendFile::pad(data, bodies::FORMAT, meta.bodies_bytes)?;
    AppendFile::pad(data, ledger_file::FORMAT, meta.ledger_bytes)?;
    if read_statistics(data, meta.epoch).is_err() {
        write_statistics(data, &StatisticsSnapshot::from_layers(meta.epoch, 0, Vec::new()))?;
    }
    Ok(())
}

/// Opens what could not be opened, without sled's snapshots; where that is no better, they are put back, and the error is `error`.
pub(super) fn without_snapshots<T>(
    data: &Path,
    error: StoreError,
    open: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let Ok(aside) = put_snapshots_aside(data) else { return Err(error) };
    if aside.is_empty() {
        return Err(error);
    }
    let Ok(opened) = open() else {
        for (path, aside) in &aside {
            drop(fs::rename(aside, path));
        }
        return Err(error);
    };
    tracing::warn!(data = %data.display(), "the database's snapshot was damaged; all rows came back from its log");
    for (_, aside) in &aside {
        drop(fs::remove_file(aside));
    }
    Ok(opened)
}

/// Renames sled's snapshots so that it does not find them; gives the old and new paths.
fn put_snapshots_aside(data: &Path) -> std::io::Result<Vec<(PathBuf, PathBuf)>> {
    let mut aside = Vec::new();
    for path in files_of(&database_path(data))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("snap.") {
            let new = data.join(format!("{name}.aside"));
            fs::rename(&path, &new)?;
            aside.push((path, new));
        }
    }
    Ok(aside)
}
