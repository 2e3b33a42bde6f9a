//! What stops a writer.

use std::error::Error;
use std::path::PathBuf;

use thiserror::Error;

/// What stops a writer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriterError {
    /// A page was not taken.
    #[error("cannot add page {page_id} to the index in {}; is the disk full?", dir.display())]
    Add {
        /// Directory of the index.
        dir: PathBuf,
        /// The page.
        page_id: String,
        /// What the engine said.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A commit failed; what was added since the last one is not in the index.
    #[error("cannot commit to the index in {}; is the disk full?", dir.display())]
    Commit {
        /// Directory of the index.
        dir: PathBuf,
        /// What the engine said.
        source: Box<dyn Error + Send + Sync>,
    },
    /// What was added since the last commit cannot be taken back.
    #[error("cannot take back what was added to the index in {}", dir.display())]
    Rollback {
        /// Directory of the index.
        dir: PathBuf,
        /// What the engine said.
        source: Box<dyn Error + Send + Sync>,
    },
    /// An earlier failure left the writer in an unknown state.
    #[error("the writer of the index in {} failed before; open the index again and resume from its last commit", dir.display())]
    Poisoned {
        /// Directory of the index.
        dir: PathBuf,
    },
}
