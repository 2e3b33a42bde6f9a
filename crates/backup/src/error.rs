//! What can go wrong with a backup.

use std::io;
use std::path::{Path, PathBuf};

use lopper_collection::CollectionError;

/// Why a backup could not be made, read or restored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// The data folder's side.
    #[error(transparent)]
    Data(#[from] CollectionError),
    /// The folder holds no backups.
    #[error("{} holds no backups of lopper: `lopper backup create` makes them in a new or empty folder", folder.display())]
    NoBackup {
        /// The folder.
        folder: PathBuf,
    },
    /// The backups are of another version of the program.
    #[error("the backups in {} have format {found}, this lopper knows 1: use the version that made them", folder.display())]
    OtherFormat {
        /// The folder.
        folder: PathBuf,
        /// What was found.
        found: String,
    },
    /// Another one is writing.
    #[error("another lopper is writing to these backups: wait until it has finished")]
    InUse,
    /// The backups are of another collection.
    #[error("the backups there are of another collection, the newest is {id}: give each collection a place of its own")]
    OtherCollection {
        /// The newest snapshot.
        id: String,
    },
    /// The lock went to another one.
    #[error("this one was not heard of for too long, so that others may write to these backups: start again")]
    LockLost,
    /// There is no such snapshot.
    #[error("there is no backup {id}: `lopper backup list` lists them")]
    NoSnapshot {
        /// What was asked for.
        id: String,
    },
    /// There is no snapshot at all.
    #[error("there is no backup yet: `lopper backup create` makes one")]
    Empty,
    /// What is there is not what was written.
    #[error(
        "the backup is damaged: {what}; `lopper backup verify` tells all that is: remove those files, and `lopper backup create` writes them anew as far as the data has them"
    )]
    Damaged {
        /// Which part, in words.
        what: String,
    },
    /// The snapshot is of a folder of another version.
    #[error(
        "backup {id} is of data version {found}, this lopper needs {wanted}: restore it with lopper {lopper}, then run `lopper migrate`"
    )]
    OtherDataVersion {
        /// The snapshot.
        id: String,
        /// Its folder's version.
        found: u32,
        /// This program's.
        wanted: u32,
        /// The program that made it.
        lopper: String,
    },
    /// A backup is restored into an empty folder only.
    #[error("{} is not empty: choose a new or empty folder with --data", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// The restored files are not a sound folder.
    #[error("what was restored to {} is not sound: {what}", folder.display())]
    Unsound {
        /// The folder.
        folder: PathBuf,
        /// The first thing that is wrong with it.
        what: String,
    },
    /// The destination refused.
    #[error("cannot {action} {name} of the backups")]
    Destination {
        /// What was tried.
        action: &'static str,
        /// The piece.
        name: String,
        /// Cause.
        #[source]
        source: io::Error,
    },
    /// A file of this machine cannot be read or written.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Cause.
        #[source]
        source: io::Error,
    },
}

impl BackupError {
    pub(crate) fn destination(action: &'static str, name: &str) -> impl FnOnce(io::Error) -> Self + use<> {
        let name = name.to_owned();
        move |source| Self::Destination { action, name, source }
    }

    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// Of [`lock`](crate::Destination::lock).
    pub(crate) fn of_lock(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::WouldBlock {
            Self::InUse
        } else {
            Self::destination("lock", "the place")(error)
        }
    }

    /// Of [`check`](crate::destination::Held::check).
    pub(crate) fn of_check(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::WouldBlock { Self::LockLost } else { Self::of_lock(error) }
    }
}
