//! `POST /v1/pages` with many pages: a line of JSON for each, and a line of answer for each, in their order.
//!
//! Pages are taken in as they arrive, some at a time, so that a commit is shared by many. The answers wait for a client that sends all before
//! it reads: only when very many wait is no more read.

use std::convert::Infallible;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::http::header::ContentEncoding;
use actix_web::rt::{self, time::timeout};
use actix_web::web::{Bytes, BytesMut};
use actix_web::{HttpResponse, web};
use futures_util::{StreamExt, stream};
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinHandle;

use super::ingest::Ingested;
use crate::http::bodies::Room;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::parameters::bad;
use crate::http::state::{State, take_in};
use crate::http::submission::Submission;

/// Pages of a request that are worked on at the same time.
const PAGES_MAX: usize = 64;

/// Their lines, in KiB.
const KIB_MAX: usize = 32 << 10;

/// Answers that wait for the client, some hundred bytes each.
const ANSWERS_MAX: usize = 200_000;

/// What becomes of a line.
#[derive(Serialize)]
struct Answer {
    /// Number of the line, from 1; empty lines are counted and not answered.
    line: u64,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case", untagged)]
enum Outcome {
    Page(Ingested),
    /// With the status that a post of this page alone would have got.
    Error {
        status: u16,
        error: ApiError,
    },
}

impl Answer {
    fn bytes(line: u64, result: Result<Ingested, ApiError>) -> Bytes {
        let outcome = result.map_or_else(|error| Outcome::Error { status: error.code.status(), error }, Outcome::Page);
        let mut bytes = serde_json::to_vec(&Self { line, outcome }).unwrap_or_default();
        bytes.push(b'\n');
        bytes.into()
    }
}

/// Whether a body is a line for each page.
pub(super) fn is_ndjson(content_type: &str) -> bool {
    matches!(content_type, "application/x-ndjson" | "application/ndjson" | "application/jsonl")
}

/// Takes the pages in; the answers are sent while more are read.
pub(super) fn lines(query: &str, payload: web::Payload, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    if !query.is_empty() {
        return Err(bad("a post of NDJSON takes no parameters: they are fields of each line"));
    }
    let (works, waiting) = mpsc::channel(PAGES_MAX);
    let (answers, answered) = mpsc::channel::<Bytes>(ANSWERS_MAX);
    let room = Arc::new(Semaphore::new(KIB_MAX));
    let rest = Rest { bytes: BytesMut::new(), room: Room::new(&state), is_too_long: false, waited: Duration::ZERO };
    rt::spawn(Reader { state, works, room, line: 0, rest }.read(payload));
    rt::spawn(answer_in_order(waiting, answers));
    let body = stream::unfold(answered, |mut answered| async move {
        answered.recv().await.map(|bytes| (Ok::<_, Infallible>(bytes), answered))
    });
    // Not compressed: an answer is sent as soon as there is one.
    let mut response = HttpResponse::Ok();
    response.insert_header(ContentEncoding::Identity);
    Ok(response.content_type("application/x-ndjson").streaming(Box::pin(body)))
}

/// A page that is worked on, with the number of its line.
type Work = (u64, JoinHandle<Result<Ingested, ApiError>>);

async fn answer_in_order(mut waiting: mpsc::Receiver<Work>, answers: mpsc::Sender<Bytes>) {
    while let Some((line, work)) = waiting.recv().await {
        let result = work.await.unwrap_or_else(|panicked| Err(ApiError::internal(&panicked)));
        if answers.send(Answer::bytes(line, result)).await.is_err() {
            // The client has gone; what waits in the queue of the writer is committed all the same.
            return;
        }
    }
}

struct Reader {
    state: web::Data<State>,
    works: mpsc::Sender<Work>,
    /// Lines of this request that are worked on, in KiB.
    room: Arc<Semaphore>,
    /// Number of the last line.
    line: u64,
    rest: Rest,
}

/// What was read of the next line.
struct Rest {
    bytes: BytesMut,
    room: Room,
    /// Whether it is longer than a page may be, and was thrown away.
    is_too_long: bool,
    /// How long it was waited for.
    waited: Duration,
}

impl Rest {
    fn is_empty(&self) -> bool {
        self.bytes.is_empty() && !self.is_too_long
    }
}

/// Why no more is read.
enum End {
    /// Nobody wants the answers any more.
    Gone,
    /// What the client is told at the end.
    Broken(ApiError),
}

impl End {
    fn broken(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::Broken(ApiError::new(code, message))
    }
}

impl Reader {
    async fn read(mut self, payload: web::Payload) {
        if let Err(End::Broken(error)) = self.read_lines(payload).await {
            self.line += 1;
            let _ = self.refuse(error).await;
        }
    }

    async fn read_lines(&mut self, mut payload: web::Payload) -> Result<(), End> {
        while let Some(bytes) = self.next_bytes(&mut payload).await? {
            self.take(&bytes).await?;
        }
        if self.rest.is_empty() { Ok(()) } else { self.end_line().await }
    }

    /// What arrives next. A line may take as long to arrive as a page that is posted alone.
    async fn next_bytes(&mut self, payload: &mut web::Payload) -> Result<Option<Bytes>, End> {
        let duration_max = self.state.options().upload_duration_max;
        let begun = Instant::now();
        let arrived = timeout(duration_max.saturating_sub(self.rest.waited), payload.next()).await;
        match arrived {
            Ok(next) => {
                if !self.rest.is_empty() {
                    self.rest.waited += begun.elapsed();
                }
                let broke_off = |error| End::broken(ErrorCode::BadBody, format!("the body broke off: {error}"));
                next.transpose().map_err(broke_off)
            }
            Err(_) => Err(End::broken(ErrorCode::BodyTooSlow, slow(duration_max, self.rest.is_empty()))),
        }
    }

    async fn take(&mut self, mut bytes: &[u8]) -> Result<(), End> {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.append(&bytes[..end]).await?;
            self.end_line().await?;
            bytes = &bytes[end + 1..];
        }
        self.append(bytes).await
    }

    async fn append(&mut self, bytes: &[u8]) -> Result<(), End> {
        let options = self.state.options();
        let length = self.rest.bytes.len() + bytes.len();
        if length > options.upload_bytes_max {
            self.rest.is_too_long = true;
            self.rest.bytes = BytesMut::new();
            drop(self.rest.room.split());
        }
        if !self.rest.is_too_long {
            self.rest.room.hold(length, options.upload_duration_max).await.map_err(End::Broken)?;
            self.rest.bytes.extend_from_slice(bytes);
        }
        Ok(())
    }

    async fn end_line(&mut self) -> Result<(), End> {
        self.line += 1;
        self.rest.waited = Duration::ZERO;
        let (line, held) = (self.rest.bytes.split().freeze(), self.rest.room.split());
        if mem::take(&mut self.rest.is_too_long) {
            let message = format!("the line is longer than {} bytes", self.state.options().upload_bytes_max);
            return self.refuse(ApiError::new(ErrorCode::TooLarge, message)).await;
        }
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let kib = (line.len() / 1024 + 1).min(KIB_MAX) as u32;
        let room = Arc::clone(&self.room).acquire_many_owned(kib).await.map_err(|_| End::Gone)?;
        let work = rt::spawn(work(self.state.clone(), line, (held, room)));
        self.works.send((self.line, work)).await.map_err(|_| End::Gone)
    }

    async fn refuse(&mut self, error: ApiError) -> Result<(), End> {
        let work = rt::spawn(async move { Err(error) });
        self.works.send((self.line, work)).await.map_err(|_| End::Gone)
    }
}

async fn work(state: web::Data<State>, line: Bytes, _held: (Room, OwnedSemaphorePermit)) -> Result<Ingested, ApiError> {
    let submission = Submission::of_line(&line)?;
    drop(line);
    Ok(take_in(&state, submission).await?.into())
}

fn slow(duration_max: Duration, is_between_lines: bool) -> String {
    let what = if is_between_lines { "nothing arrived for" } else { "the line took more than" };
    format!("{what} {} seconds", duration_max.as_secs())
}
