//! The face: open, ingest, search, delete.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lopper_content::pipeline::ExtractParams;
use lopper_store::Takedown;

use crate::ingest::{IngestError, IngestOptions, IngestReport, Silent, ingest};
use crate::search::{SearchEngine, SearchError, SearchRequest, SearchResponse};
use crate::{CollectionError, DataFolder, DeleteError, DeleteReport, Selection, count_deletion, delete};

/// A collection of pages in a folder, open for reading and writing. Share one among threads.
pub struct Collection {
    folder: Arc<DataFolder>,
    engine: SearchEngine,
}

/// Why a collection does not do what it was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] CollectionError),
    /// Archives cannot be ingested.
    #[error(transparent)]
    Ingest(#[from] IngestError),
    /// Nothing is deleted.
    #[error(transparent)]
    Delete(#[from] DeleteError),
    /// A search gives no answer.
    #[error(transparent)]
    Search(#[from] SearchError),
}

impl Collection {
    /// Opens the folder, which is made where there is none, with the parameters it was made with.
    ///
    /// # Errors
    ///
    /// [`Error::Folder`], also when another process has the folder open.
    pub fn open(data: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(data, ExtractParams::default())
    }

    /// The same with these parameters, for a new folder.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and for a folder of other parameters.
    pub fn open_with(data: impl AsRef<Path>, params: ExtractParams) -> Result<Self, Error> {
        let folder = Arc::new(DataFolder::open_to_write(data.as_ref(), params)?);
        let engine = SearchEngine::new(Arc::clone(&folder))?;
        Ok(Self { folder, engine })
    }

    /// Ingests archives, HTML files, or folders of them. What was ingested before is passed over. A broken record is counted in the
    /// report and costs nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Ingest`] for paths that do not exist, or when the folder cannot be written.
    pub fn ingest(&self, paths: &[PathBuf], options: &IngestOptions) -> Result<IngestReport, Error> {
        let report = ingest(&self.folder, paths, options, &mut Silent)?;
        self.engine.reload()?;
        Ok(report)
    }

    /// Searches what is committed: pages, best first, each with its best blocks.
    ///
    /// # Errors
    ///
    /// [`Error::Search`] for queries that cannot be understood, and when the index cannot be read.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchResponse, Error> {
        Ok(self.engine.search(request)?)
    }

    /// Deletes what is selected, and keeps it out until the takedown in the report is [lifted](Self::lift_takedown). It is in no answer to
    /// a search that begins later. `note` says why, for the list of takedowns.
    ///
    /// # Errors
    ///
    /// [`Error::Delete`].
    pub fn delete(&self, selection: &Selection, note: Option<String>) -> Result<DeleteReport, Error> {
        Ok(delete(&self.engine, selection, note)?)
    }

    /// Counts what [`delete`](Self::delete) would delete. Nothing changes.
    ///
    /// # Errors
    ///
    /// [`Error::Delete`].
    pub fn count_deletion(&self, selection: &Selection) -> Result<DeleteReport, Error> {
        Ok(count_deletion(&self.engine, selection)?)
    }

    /// What was deleted and is kept out, in the order of the deletions.
    pub fn takedowns(&self) -> Vec<Takedown> {
        self.folder.store().takedowns()
    }

    /// Lifts the takedown of that number: what it kept out comes back with the next ingest that reads it. `false` when there is none.
    ///
    /// # Errors
    ///
    /// [`Error::Folder`].
    pub fn lift_takedown(&self, number: u64) -> Result<bool, Error> {
        Ok(self.folder.store().lift_takedown(number).map_err(CollectionError::from)?)
    }

    /// The store and the index behind it.
    pub fn folder(&self) -> &DataFolder {
        &self.folder
    }
}
