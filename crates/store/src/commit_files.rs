//! The files of a commit, held open: for copying them while the writer goes on.

use std::fs::{self, File};
use std::io::ErrorKind;

use super::files::{SEQUENCE_NAME, statistics_path, takedowns_path};
use super::row_source::RowSource;
use super::statistics::needed_epochs;
use super::{DamagedPart, Store, StoreError};

/// All that a store consists of at a commit, without its database, which [`Store::repair_files`] makes of the rows.
#[derive(Debug)]
pub struct CommitFiles {
    /// Files by their names in the data folder, with the bytes that count. They can be read after the writer has removed or replaced them.
    pub open: Vec<(String, File, u64)>,
    /// What the files hold that are replaced as a whole, by their names.
    pub written: Vec<(String, Vec<u8>)>,
}

impl Store {
    /// The files of the commit that this store is at, `None` where some are gone already: then open it again. It must have been opened
    /// for reading.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] where the rows are not published for readers, [`StoreError::Io`].
    pub fn commit_files(&self) -> Result<Option<CommitFiles>, StoreError> {
        let RowSource::Published(rows) = &self.database else {
            let what = "its rows are not published for readers";
            return Err(StoreError::inconsistent(&self.data, DamagedPart::PublishedRows, what));
        };
        let meta = self.meta();
        let mut open = Vec::new();
        for (file, bytes) in [
            (&self.blobs.0, meta.trees_bytes),
            (&self.pages.0, meta.pages_bytes),
            (&self.bodies.0, meta.bodies_bytes),
            (&self.ledger.0, meta.ledger_bytes),
        ] {
            let (name, file) = file.held()?;
            open.push((name, file, bytes));
        }
        let mut whole = rows.held()?;
        let Some(statistics) = self.statistics_files()? else { return Ok(None) };
        whole.extend(statistics);
        for (name, file) in whole {
            let bytes = file.metadata().map_err(StoreError::io("read", &self.data.join(&name)))?.len();
            open.push((name, file, bytes));
        }
        let mut written = vec![(SEQUENCE_NAME.to_owned(), format!("{}\n", meta.sequence).into_bytes())];
        // Read after the rows: all that a commit up to this one deleted is in the list.
        let takedowns = takedowns_path(&self.data);
        match fs::read(&takedowns) {
            Ok(bytes) => written.push(("takedowns.jsonl".to_owned(), bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(StoreError::io("read", &takedowns)(error)),
        }
        Ok(Some(CommitFiles { open, written }))
    }

    /// Those of the commit, and those by which a run that was cut off goes on, where they are there.
    fn statistics_files(&self) -> Result<Option<Vec<(String, File)>>, StoreError> {
        let current = self.current();
        let own = needed_epochs(&self.data, &current.statistics, None);
        let epochs = needed_epochs(&self.data, &current.statistics, current.meta.next_batch_epoch);
        let mut files = Vec::new();
        for epoch in epochs.into_iter().filter(|epoch| *epoch > 0) {
            let path = statistics_path(&self.data, epoch);
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match File::open(&path) {
                Ok(file) => files.push((name, file)),
                Err(error) if error.kind() == ErrorKind::NotFound && own.contains(&epoch) => return Ok(None),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(StoreError::io("open", &path)(error)),
            }
        }
        Ok(Some(files))
    }
}
