//! Writing the database again from the rows that were published for readers, which are all rows of a commit.

use std::fs;
use std::path::Path;

use lopper_faults::disk::sync_folder;

use super::database::{Database, RowBatch};
use super::files::{database_path, published_sequences};
use super::meta::Meta;
use super::published::PublishedRows;
use super::rows::decode;
use super::verify::RowsDigest;
use super::{StoreError, keys};

/// Rows that are written at once.
const ROWS_AT_ONCE: usize = 20_000;

/// Where the new database is made.
const UNFINISHED_NAME: &str = "store.tmp";

/// The newest commit whose published rows are whole.
pub(super) struct WholeRows {
    rows: PublishedRows,
    pub(super) meta: Meta,
    /// How many there are.
    pub(super) count: u64,
}

impl WholeRows {
    /// `None` where no commit's rows are whole: they are lost, damaged, or none were published.
    pub(super) fn newest(data: &Path) -> Option<Self> {
        published_sequences(data).into_iter().rev().find_map(|sequence| Self::read(data, sequence).ok().flatten())
    }

    fn read(data: &Path, sequence: u64) -> Result<Option<Self>, StoreError> {
        let Some(rows) = PublishedRows::open(data, sequence)? else { return Ok(None) };
        let (mut digest, mut meta, mut count) = (RowsDigest::default(), None, 0);
        for row in rows.scan(&[]) {
            let (key, value) = row?;
            count += 1;
            if key == keys::META {
                meta = decode::<Meta>(&value).ok();
            } else {
                digest.add(&key, &value);
            }
        }
        let meta = meta.filter(|meta| meta.rows_digest == digest && meta.sequence.0 == sequence);
        Ok(meta.map(|meta| Self { rows, meta, count }))
    }

    /// Puts a database of these rows in the place of the one that is damaged. A crash leaves one that is damaged still, or the new one.
    pub(super) fn restore(&self, data: &Path) -> Result<(), StoreError> {
        let unfinished = data.join(UNFINISHED_NAME);
        remove(&unfinished)?;
        self.write(data, &unfinished)?;
        let path = database_path(data);
        remove(&path)?;
        fs::rename(&unfinished, &path).map_err(StoreError::io("move", &unfinished))?;
        sync_folder(data).map_err(StoreError::io("sync", data))
    }

    fn write(&self, data: &Path, path: &Path) -> Result<(), StoreError> {
        let database = Database::open(data, path)?;
        let mut batch = RowBatch::default();
        for (number, row) in (1..).zip(self.rows.scan(&[])) {
            let (key, value) = row?;
            batch.insert(&key, &value);
            if number % ROWS_AT_ONCE == 0 {
                database.apply(&std::mem::take(&mut batch))?;
            }
        }
        database.apply(&batch)
    }
}

fn remove(folder: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(StoreError::io("remove", folder)(error)),
        _ => Ok(()),
    }
}
