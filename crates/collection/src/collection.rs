//! The face: open, ingest, search.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lopper_content::pipeline::ExtractParams;

use crate::ingest::{IngestError, IngestOptions, IngestReport, Silent, ingest};
use crate::search::{SearchEngine, SearchError, SearchRequest, SearchResponse};
use crate::{CollectionError, DataFolder};

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

    /// The store and the index behind it.
    pub fn folder(&self) -> &DataFolder {
        &self.folder
    }
}
