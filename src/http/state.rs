//! What all requests share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::web;
use lopper_archive::page::Page;
use lopper_collection::ingest::ingest_page;
use lopper_collection::search::{SearchEngine, SearchError};
use lopper_collection::{DataFolder, DeleteReport, Selection, count_deletion, delete};
use lopper_index::{BlockSearcher, Budget, QueryLimits};

use super::ServeOptions;
use super::error::{ApiError, ErrorCode};
use super::gate::Gate;

/// The collection and its search engine.
pub(super) struct State {
    engine: SearchEngine,
    collection: Arc<DataFolder>,
    options: ServeOptions,
    uploads: AtomicUsize,
    /// Where those who read the collection pass.
    searches: Gate,
    /// Pages are taken in one after the other: a commit of the store and the one of the index that follows belong together.
    ingesting: Mutex<()>,
}

impl State {
    pub(super) fn new(collection: Arc<DataFolder>, options: ServeOptions) -> Result<Self, SearchError> {
        let engine = SearchEngine::new(collection.clone())?;
        let searches = Gate::new(options.searches_max, options.searches_waiting_max);
        Ok(Self { engine, collection, options, uploads: AtomicUsize::new(0), searches, ingesting: Mutex::new(()) })
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

/// Runs what reads the collection when it is its turn, within the time that a search has. When the client goes away, the work ends.
pub(super) async fn reading<T: Send + 'static>(
    state: web::Data<State>,
    work: impl FnOnce(&State, &Budget) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let place = state.searches.enter().await?;
    let limits = QueryLimits { duration_max: Some(state.options.query_duration_max), ..QueryLimits::default() };
    let budget = Budget::new(limits);
    let _client = Client(budget.clone());
    blocking(move || {
        let _place = place;
        work(&state, &budget)
    })
    .await
}

/// Whoever waits for an answer: dropped before there is one, the work is for nobody.
struct Client(Budget);

impl Drop for Client {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Runs what may take long on a thread where it keeps no other request waiting.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    web::block(work).await.unwrap_or_else(|panicked| Err(ApiError::internal(&panicked)))
}
