//! What all requests share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::web;
use lopper_archive::page::Page;
use lopper_collection::ingest::ingest_page;
use lopper_collection::search::{SearchEngine, SearchError};
use lopper_collection::{DataFolder, DeleteReport, Selection, count_deletion, delete};
use lopper_index::BlockSearcher;

use super::ServeOptions;
use super::error::{ApiError, ErrorCode};

/// The collection and its search engine.
pub(super) struct State {
    engine: SearchEngine,
    collection: Arc<DataFolder>,
    options: ServeOptions,
    uploads: AtomicUsize,
    /// Pages are taken in one after the other: a commit of the store and the one of the index that follows belong together.
    ingesting: Mutex<()>,
}

impl State {
    pub(super) fn new(collection: Arc<DataFolder>, options: ServeOptions) -> Result<Self, SearchError> {
        let engine = SearchEngine::new(collection.clone())?;
        Ok(Self { engine, collection, options, uploads: AtomicUsize::new(0), ingesting: Mutex::new(()) })
    }

    pub(super) fn engine(&self) -> &SearchEngine {
        &self.engine
    }

    pub(super) fn collection(&self) -> &DataFolder {
        &self.collection
    }

    /// A searcher over the same commit as the engine.
    pub(super) fn searcher(&self) -> BlockSearcher {
        self.collection.index().searcher()
    }

    pub(super) fn options(&self) -> &ServeOptions {
        &self.options
    }

    /// Takes a page in and makes it searchable.
    pub(super) fn ingest(&self, page: &Page) -> Result<(), ApiError> {
        let _one = self.ingesting.lock().unwrap_or_else(PoisonError::into_inner);
        ingest_page(&self.collection, page, &self.options.limits)?;
        Ok(self.engine.reload()?)
    }

    /// Deletes what is selected, or counts it.
    pub(super) fn delete(
        &self,
        selection: &Selection,
        dry_run: bool,
        note: Option<String>,
    ) -> Result<DeleteReport, ApiError> {
        if dry_run {
            return Ok(count_deletion(&self.engine, selection)?);
        }
        let _one = self.ingesting.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(delete(&self.engine, selection, note)?)
    }
}

/// The right to receive a body; given back on drop.
pub(super) struct Upload(web::Data<State>);

impl Upload {
    /// Refuses when too many bodies are being received, which bounds the memory that they take.
    pub(super) fn begin(state: &web::Data<State>) -> Result<Self, ApiError> {
        let max = state.options.uploads_max;
        let upload = Self(state.clone());
        if state.uploads.fetch_add(1, Ordering::AcqRel) < max {
            return Ok(upload);
        }
        let message = format!("{max} pages are being received already; try again in a moment");
        Err(ApiError::new(ErrorCode::Busy, message))
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        self.0.uploads.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Runs what may take long on a thread where it keeps no other request waiting.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    web::block(work).await.unwrap_or_else(|panicked| Err(ApiError::internal(&panicked)))
}
