//! `GET /v1/jobs`, and one of them: how far it is, as it goes on, what became of its records; and its end before the end.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use actix_web::http::header::{CACHE_CONTROL, ContentEncoding};
use actix_web::rt::time::sleep;
use actix_web::web::Bytes;
use actix_web::{HttpResponse, web};
use futures_util::stream;
use serde_json::json;

use crate::http::error::ApiError;
use crate::http::jobs::{Following, Job, JobState};
use crate::http::state::State;

/// Time between two looks at a job that is followed.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// Time after which a client that follows hears something, so that neither side takes the connection for dead.
const SILENCE_MAX: Duration = Duration::from_secs(15);

/// The jobs since the server was started.
pub(in crate::http) async fn list_jobs(state: web::Data<State>) -> HttpResponse {
    HttpResponse::Ok().json(json!({ "jobs": state.jobs().list() }))
}

/// One of them.
pub(in crate::http) async fn job(number: web::Path<String>, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(state.jobs().named(&number)?))
}

/// Tells it to stop.
pub(in crate::http) async fn cancel_job(
    number: web::Path<String>,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Accepted().json(state.jobs().cancel(&number)?))
}

/// Sends the job whenever it changes, until it has ended (server-sent events).
pub(in crate::http) async fn job_events(
    number: web::Path<String>,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let number = state.jobs().named(&number)?.number;
    let follower = Follower {
        _following: state.jobs().follow()?,
        state,
        number,
        told: String::new(),
        at: Instant::now(),
        has_ended: false,
    };
    let events = stream::unfold(follower, |mut follower| async move {
        let event = follower.next().await?;
        Some((Ok::<_, Infallible>(Bytes::from(event)), follower))
    });
    // Compressed, events would wait for one another.
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(ContentEncoding::Identity)
        .insert_header((CACHE_CONTROL, "no-cache"))
        // Proxies that know this (nginx) pass each event on at once.
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(events))
}

/// A client that follows a job.
struct Follower {
    state: web::Data<State>,
    number: u64,
    /// What was sent last, and when.
    told: String,
    at: Instant,
    has_ended: bool,
    _following: Following,
}

impl Follower {
    /// The next event, `None` behind the last one.
    async fn next(&mut self) -> Option<String> {
        while !self.has_ended {
            let job = self.state.jobs().get(self.number)?;
            self.has_ended = job.state != JobState::Running;
            if let Some(event) = self.event(&job) {
                return Some(event);
            }
            sleep(LOOK_INTERVAL).await;
        }
        None
    }

    fn event(&mut self, job: &Job) -> Option<String> {
        let data = serde_json::to_string(job).ok()?;
        if data == self.told {
            let is_silent = self.at.elapsed() >= SILENCE_MAX;
            return is_silent.then(|| {
                self.at = Instant::now();
                ":\n\n".to_owned()
            });
        }
        (self.told, self.at) = (data, Instant::now());
        let name = if self.has_ended { "end" } else { "progress" };
        Some(format!("event: {name}\ndata: {}\n\n", self.told))
    }
}
