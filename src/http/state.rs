//! What all requests share.

use std::path::PathBuf;
use std::sync::Arc;

use actix_web::web;
use lopper_collection::ingest::{IngestError, IngestOptions, IngestReport, Observer, PagePreparer, ingest_files};
use lopper_collection::search::{SearchEngine, SearchError};
use lopper_collection::{DataFolder, DeleteError, DeleteReport, STAGES, Selection, count_deletion, delete};
use lopper_index::{BlockSearcher, Budget, QueryLimits};
use lopper_store::{StateKind, StoredPage};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracing::{Instrument, Span, debug_span};

use super::ServeOptions;
use super::access::KeyRing;
use super::background::Background;
use super::bodies;
use super::callers::Callers;
use super::error::{ApiError, ErrorCode};
use super::gate::Gate;
use super::jobs::Jobs;
use super::metrics::Metrics;
use super::posts::{Posts, Served, refusal};
use super::resources::KnownResources;
use super::submission::Submission;
use crate::priority::give_way;

/// Pages that were received whole and wait for their turn; more are refused.
const POSTS_WAITING_MAX: usize = 256;

/// The collection and its search engine.
pub(super) struct State {
    served: Arc<Served>,
    options: ServeOptions,
    shared: Shared,
    preparer: PagePreparer,
    posts: Posts,
    /// Archives that are or were taken in.
    jobs: Jobs,
    /// Pictures and style sheets of the pages that are looked at.
    resources: KnownResources,
}

/// What all collections of a server share.
#[derive(Clone)]
struct Shared {
    /// The memory for bodies that are received, in KiB.
    bodies: Arc<Semaphore>,
    /// Places for archives that arrive.
    archives: Arc<Semaphore>,
    /// Where pages pass that were received whole.
    uploads: Arc<Gate>,
    /// Where those who read a collection pass.
    searches: Arc<Gate>,
    /// Where pages pass that are analysed.
    analyses: Arc<Gate>,
    /// The threads that analyse them.
    background: Arc<Background>,
    keys: Arc<KeyRing>,
    /// What callers have asked for.
    callers: Arc<Callers>,
    metrics: Arc<Metrics>,
}

impl State {
    pub(super) fn new(collection: Arc<DataFolder>, options: ServeOptions, keys: KeyRing) -> Result<Self, SearchError> {
        // Half of the cores are left to searches.
        let analyses = options.threads.div_ceil(2);
        let shared = Shared {
            bodies: bodies::memory(&options),
            archives: Arc::new(Semaphore::new(options.archives_arriving_max)),
            uploads: Arc::new(Gate::new(options.uploads_max, POSTS_WAITING_MAX, "pages")),
            searches: Arc::new(Gate::new(options.searches_max, options.searches_waiting_max, "searches")),
            analyses: Arc::new(Gate::new(analyses, usize::MAX, "pages")),
            background: Arc::new(Background::start(analyses)),
            keys: Arc::new(keys),
            callers: Arc::default(),
            metrics: Arc::default(),
        };
        Ok(Self::of(SearchEngine::new(collection)?, options, shared))
    }

    /// Another collection of the same server.
    pub(super) fn beside(&self, engine: SearchEngine) -> Self {
        Self::of(engine, self.options.clone(), self.shared.clone())
    }

    fn of(engine: SearchEngine, options: ServeOptions, shared: Shared) -> Self {
        let served = Arc::new(Served::new(engine));
        Self {
            preparer: PagePreparer::default(),
            posts: Posts::start(Arc::clone(&served)),
            served,
            options,
            shared,
            jobs: Jobs::default(),
            resources: KnownResources::default(),
        }
    }

    pub(super) fn engine(&self) -> Arc<SearchEngine> {
        self.served.engine()
    }

    pub(super) fn collection(&self) -> Arc<DataFolder> {
        self.engine().folder()
    }

    /// A searcher over the same commit as the engine.
    pub(super) fn searcher(&self) -> BlockSearcher {
        self.collection().searcher()
    }

    pub(super) fn options(&self) -> &ServeOptions {
        &self.options
    }

    /// Why nothing can be written for now; `None` where all is well.
    pub(super) fn writer_stopped(&self) -> Option<String> {
        self.served.stopped()
    }

    /// The archives that are or were taken in.
    pub(super) fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// Pictures and style sheets of the pages that are looked at.
    pub(super) fn resources(&self) -> &KnownResources {
        &self.resources
    }

    /// Requests that wait for their turn to read the collection.
    pub(super) fn searches_waiting(&self) -> usize {
        self.shared.searches.waiting()
    }

    /// What a search may take, from now on.
    pub(super) fn search_budget(&self) -> Budget {
        let duration_max = Some(self.options.query_duration_max);
        Budget::new(QueryLimits { duration_max, ..QueryLimits::default() })
    }

    /// A place among those who read the collection, once there is one.
    pub(super) async fn searches_place(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        self.shared.searches.enter().await
    }

    /// The memory for bodies that are received, in KiB.
    pub(super) fn bodies(&self) -> &Arc<Semaphore> {
        &self.shared.bodies
    }

    /// A place for an archive that arrives, where there is one.
    pub(super) fn archive_place(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        Arc::clone(&self.shared.archives).try_acquire_owned().map_err(|_| {
            let message = format!("{} archives are arriving already; try again", self.options.archives_arriving_max);
            ApiError::new(ErrorCode::Busy, message)
        })
    }

    /// A place among the pages that were received whole, once there is one.
    pub(super) async fn uploads_place(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        self.shared.uploads.enter().await
    }

    #[cfg(test)]
    pub(super) fn searches(&self) -> &Gate {
        &self.shared.searches
    }

    /// Who may ask.
    pub(super) fn key_ring(&self) -> &KeyRing {
        &self.shared.keys
    }

    /// What callers have asked for.
    pub(super) fn callers(&self) -> &Arc<Callers> {
        &self.shared.callers
    }

    /// Counts of what was answered and taken in.
    pub(super) fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    /// Takes files in, on a thread that is for this alone, and gives way to searches from now on; posts and deletions take turns with it. When
    /// writing fails, the server knows.
    pub(super) fn ingest(
        &self,
        files: &[PathBuf],
        options: &IngestOptions,
        observer: &mut dyn Observer,
    ) -> Result<IngestReport, IngestError> {
        give_way();
        ingest_files(&self.collection(), files, options, observer).inspect_err(|error| {
            if let IngestError::Collection(error) = error {
                self.posts.failed(error);
            }
        })
    }

    /// Deletes what is selected, or counts it.
    pub(super) fn delete(
        &self,
        selection: &Selection,
        dry_run: bool,
        note: Option<String>,
    ) -> Result<DeleteReport, ApiError> {
        let engine = self.engine();
        if dry_run {
            return Ok(count_deletion(&engine, selection)?);
        }
        if let Some(why) = self.writer_stopped() {
            return Err(ApiError::new(ErrorCode::WriterStopped, why));
        }
        delete(&engine, selection, note).map_err(|error| match error {
            DeleteError::Folder(error) => {
                self.posts.failed(&error);
                refusal(&error)
            }
            error => error.into(),
        })
    }
}

/// Takes a page in: when there is an answer, it is on disk and can be found.
pub(super) async fn take_in(state: &web::Data<State>, submission: Submission) -> Result<StoredPage, ApiError> {
    if let Some(why) = state.writer_stopped() {
        return Err(ApiError::new(ErrorCode::WriterStopped, why));
    }
    let place = state.shared.analyses.enter().await?;
    let own = state.clone();
    let request = Span::current();
    let prepared = state.shared.background.run(move || {
        let _place = place;
        let _within = request.enter();
        let page = submission.into_page(&own.options.limits)?;
        Ok(own.preparer.prepare(&own.collection(), &page, &own.options.limits)?)
    });
    let panicked = || Err(ApiError::new(ErrorCode::Internal, "the page's analysis ended without an answer"));
    let prepared = prepared.await.unwrap_or_else(panicked)?;
    let page = state.posts.commit(prepared).await?;
    state.metrics().count_records(StateKind::Indexed, 1);
    Ok(page)
}

/// Runs what reads the collection when it is its turn, within the time that a search has. The future is dropped when the client closes
/// its connection, and the work ends with it.
pub(super) async fn reading<T: Send + 'static>(
    state: web::Data<State>,
    work: impl FnOnce(&State, &Budget) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let waiting = debug_span!(target: STAGES, "wait");
    let place = state.shared.searches.enter().instrument(waiting).await?;
    let budget = state.search_budget();
    let _client = Client(budget.clone());
    let reading = debug_span!(target: STAGES, "read");
    blocking(move || {
        let _place = place;
        reading.in_scope(|| work(&state, &budget))
    })
    .await
}

/// Whoever waits for an answer: dropped before there is one, the work is for nobody.
pub(super) struct Client(pub(super) Budget);

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
