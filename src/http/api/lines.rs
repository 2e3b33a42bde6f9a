//! `POST /v1/pages` with many pages: a line of JSON for each, and a line of answer for each, in their order.
//!
//! Pages are taken in as they arrive, some at a time, so that a commit is shared by many. The answers wait for a client that sends all before
//! it reads: only when very many wait is no more read.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::ContentEncoding;
use actix_web::rt::{self, time::timeout};
use actix_web::web::{Bytes, BytesMut};
use actix_web::{HttpResponse, web};
use futures_util::{StreamExt, stream};
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinHandle;

use super::ingest::Ingested;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::parameters::bad;
use crate::http::state::{State, Upload, take_in};
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
pub(super) fn lines(
    query: &str,
    payload: web::Payload,
    state: web::Data<State>,
    upload: Upload,
) -> Result<HttpResponse, ApiError> {
    if !query.is_empty() {
        return Err(bad("a post of NDJSON takes no parameters: they are fields of each line"));
    }
    let (works, waiting) = mpsc::channel(PAGES_MAX);
    let (answers, answered) = mpsc::channel::<Bytes>(ANSWERS_MAX);
    let room = Arc::new(Semaphore::new(KIB_MAX));
    rt::spawn(async move {
        let _upload = upload;
        Reader { state, works, room, line: 0, rest: BytesMut::new(), is_too_long: false }.read(payload).await;
    });
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
    room: Arc<Semaphore>,
    /// Number of the last line.
    line: u64,
    /// What was read of the next one.
    rest: BytesMut,
    /// Whether that is longer than a page may be, and was thrown away.
    is_too_long: bool,
}

/// Nobody wants the answers any more.
struct Gone;

impl Reader {
    async fn read(mut self, mut payload: web::Payload) {
        let duration_max = self.state.options().upload_duration_max;
        loop {
            let done = match timeout(duration_max, payload.next()).await {
                Ok(Some(Ok(bytes))) => self.take(&bytes).await.map(|()| false),
                Ok(None) => self.last_line().await.map(|()| true),
                Ok(Some(Err(error))) => self.broken(ErrorCode::BadBody, format!("the body broke off: {error}")).await,
                Err(_) => self.broken(ErrorCode::BodyTooSlow, slow(duration_max)).await,
            };
            if !matches!(done, Ok(false)) {
                return;
            }
        }
    }

    async fn take(&mut self, mut bytes: &[u8]) -> Result<(), Gone> {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.append(&bytes[..end]);
            self.end_line().await?;
            bytes = &bytes[end + 1..];
        }
        self.append(bytes);
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) {
        if self.rest.len() + bytes.len() > self.state.options().upload_bytes_max {
            self.is_too_long = true;
            self.rest.clear();
        }
        if !self.is_too_long {
            self.rest.extend_from_slice(bytes);
        }
    }

    async fn last_line(&mut self) -> Result<(), Gone> {
        if self.rest.is_empty() && !self.is_too_long { Ok(()) } else { self.end_line().await }
    }

    async fn end_line(&mut self) -> Result<(), Gone> {
        self.line += 1;
        let line = self.rest.split().freeze();
        if std::mem::take(&mut self.is_too_long) {
            let message = format!("the line is longer than {} bytes", self.state.options().upload_bytes_max);
            return self.refuse(ApiError::new(ErrorCode::TooLarge, message)).await;
        }
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let kib = (line.len() / 1024 + 1).min(KIB_MAX) as u32;
        let room = Arc::clone(&self.room).acquire_many_owned(kib).await.map_err(|_| Gone)?;
        let work = rt::spawn(work(self.state.clone(), line, room));
        self.works.send((self.line, work)).await.map_err(|_| Gone)
    }

    async fn refuse(&mut self, error: ApiError) -> Result<(), Gone> {
        let work = rt::spawn(async move { Err(error) });
        self.works.send((self.line, work)).await.map_err(|_| Gone)
    }

    /// Tells of the end before the end; no more is read.
    async fn broken(&mut self, code: ErrorCode, message: String) -> Result<bool, Gone> {
        self.line += 1;
        self.refuse(ApiError::new(code, message)).await.map(|()| true)
    }
}

async fn work(state: web::Data<State>, line: Bytes, _room: OwnedSemaphorePermit) -> Result<Ingested, ApiError> {
    let submission = Submission::of_line(&line)?;
    drop(line);
    Ok(take_in(&state, submission).await?.into())
}

fn slow(duration_max: Duration) -> String {
    format!("nothing arrived for {} seconds", duration_max.as_secs())
}
