//! What can go wrong in the store.

use std::io;
use std::path::{Path, PathBuf};

use lopper_content::pipeline::AnalysisError;
use lopper_migrations::MigrationError;

/// Whatever lies under a [`StoreError::Damaged`].
pub type DamageCause = Box<dyn std::error::Error + Send + Sync>;

/// What of a data folder is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamagedPart {
    /// The database, or a row of it.
    Database,
    /// The rows that are published for readers.
    PublishedRows,
    /// The number of the last commit.
    Sequence,
    /// A layer of the statistics. All else can be read without them.
    Statistics,
    /// A file that is appended to, or a record in it.
    Records,
}

/// Why the store could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process, or another open [`Store`](super::Store) in this one, has the data folder.
    #[error(
        "{} is in use by another lopper: wait until it has finished or stop it (`lopper serve` keeps its folder as long as it runs)",
        data.display()
    )]
    DataInUse {
        /// The data folder.
        data: PathBuf,
    },
    /// Nothing was ingested into this folder yet.
    #[error("there is no data in {}: run `lopper ingest --data {} PATH` first", data.display(), data.display())]
    NoData {
        /// The data folder.
        data: PathBuf,
    },
    /// The folder is of an earlier version.
    #[error(
        "{} has data version {found}, this lopper needs {current}: run `lopper migrate --data {}`",
        data.display(), data.display()
    )]
    OlderData {
        /// The data folder.
        data: PathBuf,
        /// Its version.
        found: u32,
        /// This program's version.
        current: u32,
    },
    /// The folder is of a later version.
    #[error("{} has data version {found}, this lopper knows up to {current}: use a newer lopper", data.display())]
    NewerData {
        /// The data folder.
        data: PathBuf,
        /// Its version.
        found: u32,
        /// This program's version.
        current: u32,
    },
    /// The folder could not be checked, made or locked.
    #[error(transparent)]
    Folder(MigrationError),
    /// What is on disk is not what was written.
    #[error(
        "the data in {} is damaged ({what}): `lopper repair --data {}` says what can be brought back, and does it; else move the folder away \
         and ingest the archives again",
        data.display(), data.display()
    )]
    Damaged {
        /// The data folder.
        data: PathBuf,
        /// Which part.
        part: DamagedPart,
        /// Where in it, in words.
        what: String,
        /// Cause, where there is one.
        #[source]
        source: Option<DamageCause>,
    },
    /// A file of the data folder cannot be read or written.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried: `read`, `write`, `sync` …
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Cause.
        #[source]
        source: io::Error,
    },
    /// The list of takedowns cannot be read, so nothing may be taken in.
    #[error(
        "{} line {line} is no takedown ({reason}): mend or remove the line; without the list, what was deleted might come back",
        path.display()
    )]
    Takedowns {
        /// The list.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A former commit failed, so memory and disk may differ.
    #[error("a former commit to {} failed: open the folder again to go on from the last complete one", data.display())]
    Poisoned {
        /// The data folder.
        data: PathBuf,
    },
    /// The store was opened for reading.
    #[error("{} was opened for reading only", data.display())]
    ReadOnly {
        /// The data folder.
        data: PathBuf,
    },
    /// The page goes beyond the limits of an analysis.
    #[error("{url}: {source}")]
    Refused {
        /// Its URL.
        url: String,
        /// Cause.
        #[source]
        source: AnalysisError,
    },
    /// A page's tree is larger than the store takes.
    #[error("{url}: the page's tree has {bytes} bytes, more than {max}")]
    TreeTooLarge {
        /// The page's URL.
        url: String,
        /// Bytes of the tree.
        bytes: usize,
        /// The limit.
        max: usize,
    },
}

impl StoreError {
    /// Whether the data folder may be read alone.
    pub fn is_not_writable(&self) -> bool {
        matches!(self, Self::Folder(MigrationError::NotWritable { .. }))
    }

    /// Whether it is that part which is damaged.
    pub(super) fn is_damage_of(&self, wanted: DamagedPart) -> bool {
        matches!(self, Self::Damaged { part, .. } if *part == wanted)
    }

    /// What is wrong, without the advice that comes with damage.
    pub(super) fn fault(&self) -> String {
        if let Self::Damaged { what, .. } = self { what.clone() } else { self.to_string() }
    }

    /// Damage with a cause.
    pub(super) fn damaged(
        data: &Path,
        part: DamagedPart,
        what: impl Into<String>,
        source: impl Into<DamageCause>,
    ) -> Self {
        Self::Damaged { data: data.to_owned(), part, what: what.into(), source: Some(source.into()) }
    }

    /// Damage that shows in the data itself.
    pub(super) fn inconsistent(data: &Path, part: DamagedPart, what: impl Into<String>) -> Self {
        Self::Damaged { data: data.to_owned(), part, what: what.into(), source: None }
    }

    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}

impl From<MigrationError> for StoreError {
    fn from(error: MigrationError) -> Self {
        match error {
            MigrationError::InUse { data } => Self::DataInUse { data },
            MigrationError::Newer { data, found, current } => Self::NewerData { data, found, current },
            other => Self::Folder(other),
        }
    }
}
