//! The face: open, ingest, search, delete.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lopper_archive::page::{Page, PageId};
use lopper_content::limits::Limits;
use lopper_content::pipeline::ExtractParams;
use lopper_store::{StoredPage, Takedown};

use crate::ingest::{IngestError, IngestOptions, IngestReport, PagePreparer, Silent, commit_pages, ingest};
use crate::search::{Citation, PageView, SearchEngine, SearchError, SearchRequest, SearchResponse};
use crate::{CollectionError, DataFolder, DeleteError, DeleteReport, Selection, count_deletion, delete};

/// A collection of pages in a folder, open for reading and, as a rule, for writing. Share one among threads.
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

    /// Opens a folder that exists for searching alone, also while another process writes to it: what is committed now.
    ///
    /// # Errors
    ///
    /// [`Error::Folder`].
    pub fn open_to_read(data: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = Arc::new(DataFolder::open_to_read(data.as_ref())?);
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

    /// Takes pages in that are in memory, and commits them together; their HTML is kept. A page of the same URL and capture time is
    /// replaced. Gives each as it is stored, in their order; one that a takedown keeps out is an error of its own.
    ///
    /// # Errors
    ///
    /// [`Error::Folder`], also for a page that goes beyond `limits`; then none is taken in.
    pub fn add(&self, pages: &[Page], limits: &Limits) -> Result<Vec<Result<StoredPage, CollectionError>>, Error> {
        let preparer = PagePreparer::default();
        let prepared: Result<_, _> = pages.iter().map(|page| preparer.prepare(&self.folder, page, limits)).collect();
        let committed = commit_pages(&self.folder, prepared?)?;
        self.engine.reload()?;
        Ok(committed)
    }

    /// A page with its main blocks; `None` where there is none of that identity.
    ///
    /// # Errors
    ///
    /// [`Error::Search`].
    pub fn page(&self, id: PageId) -> Result<Option<PageView>, Error> {
        Ok(self.engine.page_view(id)?)
    }

    /// Where a block is from, and whether its text stands in the page's HTML; `None` where there is no such block.
    ///
    /// # Errors
    ///
    /// [`Error::Search`].
    pub fn cite(&self, block_id: &str, limits: &Limits) -> Result<Option<Citation>, Error> {
        Ok(self.engine.cite(block_id, limits)?)
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

    /// What answers searches.
    pub fn engine(&self) -> &SearchEngine {
        &self.engine
    }

    /// The store and the index behind it.
    pub fn folder(&self) -> &DataFolder {
        &self.folder
    }
}
