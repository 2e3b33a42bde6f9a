//! Why a data folder cannot be used.

use std::path::PathBuf;

use lopper_archive::page::PageId;
use lopper_content::pipeline::StoredTreeError;
use lopper_faults::disk;
use lopper_index::engine::EngineError;
use lopper_index::{IndexError, SearchError, WriterError};
use lopper_store::StoreError;

/// Why a data folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollectionError {
    /// The store's side.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index's side, on opening.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The index's side, on writing.
    #[error(transparent)]
    Writer(#[from] WriterError),
    /// The index's side, on reading.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// It was made with other parameters.
    #[error("the data folder {} was made with other extraction parameters; use those, or another folder, or make its trees and index anew with `lopper rebuild --from bodies`", data.display())]
    OtherParameters {
        /// The folder.
        data: PathBuf,
    },
    /// The index's commit says nothing that this version understands.
    #[error("the last commit of the index in {} cannot be read; use the version that wrote it, or make the index anew with `lopper rebuild --data {}`", data.display(), data.display())]
    Checkpoint {
        /// The folder.
        data: PathBuf,
        /// Cause.
        #[source]
        source: serde_json::Error,
    },
    /// A stored tree cannot be read.
    #[error("page {page} of {}: {source}", data.display())]
    Tree {
        /// The folder.
        data: PathBuf,
        /// The page.
        page: PageId,
        /// Cause.
        #[source]
        source: StoredTreeError,
    },
    /// There are pages and no index.
    #[error("the index in {} is gone: `lopper rebuild --data {}` makes it anew from the stored trees", data.display(), data.display())]
    IndexLost {
        /// The folder.
        data: PathBuf,
    },
    /// The page was deleted, and is kept out.
    #[error("a takedown keeps {url} out: `lopper takedowns` lists them, and lifts one")]
    TakenDown {
        /// The page.
        url: String,
    },
    /// An engine elsewhere cannot be read.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Nothing was put there, or not all of it yet.
    #[error("the engine has no whole collection yet: `lopper push` puts one there")]
    NotPushed,
    /// The engine has the collection in another index format, in which words are cut and stemmed in another way.
    #[error(
        "the generation was pushed by a program of another index format: push into a new one (`generation` in `[index]`)"
    )]
    PushedOtherwise,
    /// The folder's index cannot be removed to be made anew.
    #[error("cannot clear the index folder {}", path.display())]
    Clear {
        /// The index's folder.
        path: PathBuf,
        /// Cause.
        #[source]
        source: std::io::Error,
    },
}

impl CollectionError {
    /// Whether it comes of a full disk.
    pub fn is_disk_full(&self) -> bool {
        disk::is_full(self)
    }
}
