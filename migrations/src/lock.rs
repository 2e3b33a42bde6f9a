//! One process a data folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use crate::MigrationError;
use crate::folder::io;

/// The exclusive lock on a data folder, held until dropped. The operating system releases it when the process dies, so
/// a lock file left behind by a crash does not hinder the next run.
#[derive(Debug)]
pub struct DataLock {
    _file: File,
}

impl DataLock {
    /// Takes the lock of the initialised folder `data`, without waiting.
    ///
    /// # Errors
    ///
    /// [`MigrationError::InUse`] when another process or another holder in this one has it, [`MigrationError::Io`].
    pub fn acquire(data: &Path) -> Result<Self, MigrationError> {
        let path = data.join("lock");
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(|source| match source.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                MigrationError::NotWritable { data: data.to_owned(), source }
            }
            _ => io("open", &path)(source),
        })?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(MigrationError::InUse { data: data.to_owned() }),
            Err(TryLockError::Error(error)) => Err(io("lock", &path)(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_is_exclusive_until_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let lock = DataLock::acquire(folder.path()).unwrap();
        let error = DataLock::acquire(folder.path()).unwrap_err();
        assert!(matches!(error, MigrationError::InUse { .. }));
        let path = folder.path().display().to_string();
        assert!(error.to_string().contains(&path), "{error}");
        drop(lock);
        DataLock::acquire(folder.path()).unwrap();
    }
}
