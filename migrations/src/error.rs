//! What can go wrong with a data folder before its content is looked at.

use std::path::PathBuf;

use crate::StepError;

/// Why a data folder could not be checked, made, locked or upgraded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MigrationError {
    /// The path names something that is not a folder.
    #[error("{} is not a folder: choose another place for the data with --data", data.display())]
    NotAFolder {
        /// The path given for the data folder.
        data: PathBuf,
    },
    /// The marker file does not begin with a version number.
    #[error("{} does not begin with a data version: the folder was not written by lopper or is damaged; choose another one with --data", marker.display())]
    Marker {
        /// The marker file.
        marker: PathBuf,
    },
    /// The folder is not empty and holds no marker file, so nothing is written into it.
    #[error("{} holds other files and is not a lopper data folder: name with --data the one that `lopper ingest` wrote, or an empty or new one", data.display())]
    Foreign {
        /// The folder.
        data: PathBuf,
    },
    /// The folder's version is unknown to this program.
    #[error("{} has data version {found}, this lopper knows up to {current}: use a newer lopper", data.display())]
    Newer {
        /// The folder.
        data: PathBuf,
        /// Its version.
        found: u32,
        /// This program's version.
        current: u32,
    },
    /// No chain of steps leads from the folder's version to the current one.
    #[error("{} has data version {found}, which this lopper can no longer upgrade: ingest the archives into a new folder", data.display())]
    NoWay {
        /// The folder.
        data: PathBuf,
        /// Its version.
        found: u32,
    },
    /// A step failed; the folder stays at the version before it.
    #[error("upgrading {} to data version {to} ({name}) failed", data.display())]
    Step {
        /// The folder.
        data: PathBuf,
        /// The version that the step leads to.
        to: u32,
        /// The step's name.
        name: &'static str,
        /// Cause.
        #[source]
        source: StepError,
    },
    /// Another process has the folder open.
    #[error(
        "{} is in use by another lopper: wait until it has finished or stop it (`lopper serve` keeps its folder as long as it runs)",
        data.display()
    )]
    InUse {
        /// The folder.
        data: PathBuf,
    },
    /// The folder may not be written in, and so cannot be locked.
    #[error("cannot write in {}: run this as the user who owns the folder, or on a copy of it", data.display())]
    NotWritable {
        /// The folder.
        data: PathBuf,
        /// Cause.
        #[source]
        source: std::io::Error,
    },
    /// A file of the folder cannot be read or written.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried: `read`, `write`, `make`, `lock`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Cause.
        #[source]
        source: std::io::Error,
    },
}
