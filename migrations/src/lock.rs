//! One process a data folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::MigrationError;
use crate::folder::io;

/// How often a lock that another has is tried for.
const TRIES: u32 = 10;

/// The time between two tries.
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// The exclusive lock on a data folder, held until dropped. The operating system releases it when the process dies, so
/// a lock file left behind by a crash does not hinder the next run.
#[derive(Debug)]
pub struct DataLock {
    _file: File,
}

impl DataLock {
    /// Takes the lock of the initialised folder `data`. Where another has it, waits for half a second: who is just ending, or is just
    /// starting another program that was given its files for a moment, holds nobody up.
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
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) => sleep(BETWEEN_TRIES),
                Err(TryLockError::Error(error)) => return Err(io("lock", &path)(error)),
            }
        }
        Err(MigrationError::InUse { data: data.to_owned() })
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
