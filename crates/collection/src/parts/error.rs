//! Why a part is not made, or not read.

use std::io;
use std::path::{Path, PathBuf};

use lopper_archive::ArchiveError;

/// A part that cannot be made or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// The archive cannot be opened.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A file cannot be read or written.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Cause.
        #[source]
        source: io::Error,
    },
    /// What is elsewhere cannot be fetched, or taken there.
    #[error("cannot use {archive}: {reason}")]
    Fetch {
        /// Its address.
        archive: String,
        /// A stable name of the reason.
        code: &'static str,
        /// The reason in words.
        reason: String,
    },
    /// It is no part, or not whole.
    #[error("{}, line {line}: {reason}; remove the part and make it anew", path.display())]
    Damaged {
        /// The part.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// It was made by another version.
    #[error("{} was made by lopper {found}, this is {}; make it anew", path.display(), env!("CARGO_PKG_VERSION"))]
    OtherVersion {
        /// The part.
        path: PathBuf,
        /// The version that made it.
        found: String,
    },
    /// Its pages were judged with other parameters than the collection's.
    #[error("{} was made with other extraction parameters than the data folder; make it anew with these", path.display())]
    OtherParameters {
        /// The part.
        path: PathBuf,
    },
    /// A file of counts is none.
    #[error("{} is no file of counts, or a damaged one; make it anew", path.display())]
    Counts {
        /// The file.
        path: PathBuf,
    },
}

impl PartError {
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    /// A stable name of the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Archive(error) => error.code().as_str(),
            Self::Io { .. } if lopper_faults::disk::is_full(self) => "disk_full",
            Self::Io { .. } => "io",
            Self::Fetch { code, .. } => code,
            Self::Damaged { .. } => "part_damaged",
            Self::OtherVersion { .. } => "part_other_version",
            Self::OtherParameters { .. } => "part_other_parameters",
            Self::Counts { .. } => "counts_damaged",
        }
    }
}
