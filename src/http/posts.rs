//! Posted pages on their way to disk.
//!
//! Pages are analysed by the threads that take requests, and wait in a queue for one thread that writes. It commits all that wait together: a
//! commit of many pages takes hardly longer than that of one. A page is acknowledged when its commit is done, so it is on disk then. When a
//! commit fails, for a full disk above all, the writing thread lets go of the folder, which is searched on as readers see it, and opens it
//! again as soon as that works.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use lopper_collection::ingest::{PreparedPage, commit_pages};
use lopper_collection::search::SearchEngine;
use lopper_collection::{CollectionError, DataFolder};
use lopper_store::{StoreError, StoredPage};
use tokio::sync::oneshot;

use super::error::{ApiError, ErrorCode, chain};
use crate::priority::give_way;

/// Pages of a commit.
const PAGES_MAX: usize = 512;

/// Memory of the pages of a commit.
const BYTES_MAX: usize = 64 << 20;

/// Time between two trials to write again.
const BETWEEN_TRIALS: Duration = Duration::from_secs(2);

/// The collection as requests see it.
pub(super) struct Served {
    engine: RwLock<Arc<SearchEngine>>,
    /// Why nothing can be written for now.
    stopped: Mutex<Option<String>>,
}

impl Served {
    pub(super) fn new(engine: SearchEngine) -> Self {
        Self { engine: RwLock::new(Arc::new(engine)), stopped: Mutex::new(None) }
    }

    pub(super) fn engine(&self) -> Arc<SearchEngine> {
        Arc::clone(&self.engine.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn serve(&self, engine: SearchEngine) {
        *self.engine.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(engine);
    }

    /// Why nothing can be written for now; `None` where all is well.
    pub(super) fn stopped(&self) -> Option<String> {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_stopped(&self, why: Option<String>) {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) = why;
    }
}

/// What the thread that writes is to do.
enum Task {
    Commit(Box<Posted>),
    /// Another writer in this process failed.
    Recover(String),
}

/// A page that waits for its commit.
struct Posted {
    page: PreparedPage,
    reply: Reply,
}

type Reply = oneshot::Sender<Result<StoredPage, ApiError>>;

/// The way to the thread that writes.
pub(super) struct Posts {
    sender: Mutex<Sender<Task>>,
}

impl Posts {
    /// Starts the thread. It ends with the last handle.
    pub(super) fn start(served: Arc<Served>) -> Self {
        let (sender, receiver) = channel();
        thread::spawn(move || {
            give_way();
            PostWriter { served, receiver }.run();
        });
        Self { sender: Mutex::new(sender) }
    }

    /// Waits until the page is on disk and can be found.
    pub(super) async fn commit(&self, page: PreparedPage) -> Result<StoredPage, ApiError> {
        let (reply, answer) = oneshot::channel();
        let is_sent = self.send(Task::Commit(Box::new(Posted { page, reply })));
        let answer = if is_sent { answer.await.ok() } else { None };
        answer.unwrap_or_else(|| Err(ApiError::new(ErrorCode::Internal, "the thread that writes has ended")))
    }
}

impl Posts {
    fn send(&self, task: Task) -> bool {
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).send(task).is_ok()
    }

    /// Notes that writing by someone else in this process failed, where it did; other errors leave all as it was.
    pub(super) fn failed(&self, error: &CollectionError) {
        if is_of_writing(error) {
            tracing::error!(cause = chain(error), "a commit failed");
            self.send(Task::Recover(why_stopped(error)));
        }
    }
}

struct PostWriter {
    served: Arc<Served>,
    receiver: Receiver<Task>,
}

impl PostWriter {
    fn run(self) {
        while let Ok(task) = self.receiver.recv() {
            match task {
                Task::Recover(why) => self.recover(why),
                Task::Commit(first) => {
                    let (group, failed) = self.with_waiting(*first);
                    let committed = self.commit(group);
                    if let Some(why) = committed.err().or(failed) {
                        self.recover(why);
                    }
                }
            }
        }
    }

    /// The page and those that wait behind it; and why someone else's writing failed, where that is told behind them.
    fn with_waiting(&self, first: Posted) -> (Vec<Posted>, Option<String>) {
        let mut bytes = first.page.size_bytes();
        let mut group = vec![first];
        while group.len() < PAGES_MAX && bytes < BYTES_MAX {
            match self.receiver.try_recv() {
                Ok(Task::Commit(next)) => {
                    bytes += next.page.size_bytes();
                    group.push(*next);
                }
                Ok(Task::Recover(why)) => return (group, Some(why)),
                Err(_) => break,
            }
        }
        (group, None)
    }

    /// Commits pages and answers those who wait for that. The error is why nothing can be written any more.
    fn commit(&self, group: Vec<Posted>) -> Result<(), String> {
        let engine = self.served.engine();
        let (pages, replies): (Vec<_>, Vec<_>) = group.into_iter().map(|posted| (posted.page, posted.reply)).unzip();
        let committed = commit_pages(engine.collection(), pages);
        // Who went away needs no answer.
        let answer = |reply: Reply, answer| drop(reply.send(answer));
        match committed {
            Ok(pages) => {
                let reloaded = engine.reload();
                for (reply, page) in replies.into_iter().zip(pages) {
                    let page = page.map_err(ApiError::from);
                    answer(
                        reply,
                        page.and_then(|page| {
                            reloaded.as_ref().map(|()| page).map_err(|error| ApiError::internal(error))
                        }),
                    );
                }
                Ok(())
            }
            Err(error) => {
                for reply in replies {
                    answer(reply, Err(refusal(&error)));
                }
                if !is_of_writing(&error) {
                    return Ok(());
                }
                tracing::error!(cause = chain(&error), "a commit failed");
                Err(why_stopped(&error))
            }
        }
    }

    /// Lets go of the folder, and opens it again when that works.
    fn recover(&self, why: String) {
        self.served.set_stopped(Some(why));
        let (data, params, memory, weights) = {
            let engine = self.served.engine();
            let folder = engine.collection();
            (folder.store().data().to_owned(), folder.params(), folder.memory(), engine.weights().clone())
        };
        let engine_of =
            |folder: DataFolder| SearchEngine::new(Arc::new(folder)).map(|engine| engine.with_weights(weights.clone()));
        match DataFolder::open_to_read(&data).map(engine_of) {
            Ok(Ok(engine)) => self.served.serve(engine),
            Ok(Err(error)) => tracing::error!(cause = chain(&error), "the folder cannot be searched as readers see it"),
            Err(error) => tracing::error!(cause = chain(&error), "the folder cannot be opened as readers see it"),
        }
        loop {
            if !self.refuse_for(BETWEEN_TRIALS) {
                return;
            }
            let opened = DataFolder::open_to_write_within(&data, params, memory);
            match opened.map(engine_of) {
                Ok(Ok(engine)) => {
                    self.served.serve(engine);
                    self.served.set_stopped(None);
                    tracing::warn!("the data folder can be written again");
                    return;
                }
                Ok(Err(error)) => tracing::warn!(cause = chain(&error), "not yet writing again"),
                Err(error) => {
                    tracing::warn!(cause = chain(&error), "not yet writing again");
                    self.served.set_stopped(Some(why_stopped(&error)));
                }
            }
        }
    }

    /// Refuses what comes within `duration`; `false` when nothing can come any more.
    fn refuse_for(&self, duration: Duration) -> bool {
        let until = Instant::now() + duration;
        loop {
            match self.receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Task::Commit(posted)) => {
                    let why = self.served.stopped().unwrap_or_default();
                    drop(posted.reply.send(Err(ApiError::new(ErrorCode::WriterStopped, why))));
                }
                Ok(Task::Recover(_)) => {}
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
    }
}

/// Whether the error leaves a writer that must be opened again.
fn is_of_writing(error: &CollectionError) -> bool {
    !matches!(error, CollectionError::Store(StoreError::ReadOnly { .. }) | CollectionError::TakenDown { .. })
}

/// What a client is told whose write failed.
pub(super) fn refusal(error: &CollectionError) -> ApiError {
    match error {
        CollectionError::Store(StoreError::ReadOnly { .. }) => ApiError::read_only(),
        CollectionError::TakenDown { .. } => ApiError::new(ErrorCode::TakenDown, error.to_string()),
        error => ApiError::new(ErrorCode::WriterStopped, why_stopped(error)),
    }
}

fn why_stopped(error: &CollectionError) -> String {
    let cause = if error.is_disk_full() { "the disk is full" } else { "a commit failed, the server's log says why" };
    format!(
        "{cause}; nothing more is taken in until the data folder can be written again, which is tried every few seconds"
    )
}
