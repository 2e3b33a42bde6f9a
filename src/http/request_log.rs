//! A name for every request, a line in the log for every answer, and their counts.

use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, web};

use super::state::State;

/// The header with the name of a request.
const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Characters of a name that a client gives.
const ID_CHARS_MAX: usize = 64;

/// Names the request, in the answer and in the log. The log has paths without their queries: what people search for is theirs.
pub(super) async fn log<B: MessageBody>(request: ServiceRequest, next: Next<B>) -> Result<ServiceResponse<B>, Error> {
    let begun = Instant::now();
    let id = given_id(&request).unwrap_or_else(new_id);
    let method = request.method().clone();
    let path = request.path().to_owned();
    let state = request.app_data::<web::Data<State>>().cloned();
    let mut answer = next.call(request).await?;
    // Of the path within a collection.
    let pattern = answer.request().match_pattern();
    let (status, duration) = (answer.status().as_u16(), begun.elapsed());
    if let Ok(value) = HeaderValue::from_str(&id) {
        answer.headers_mut().insert(HEADER, value);
    }
    let duration_ms = duration.as_secs_f64() * 1000.0;
    tracing::info!(target: "lopper::access", request_id = id, method = %method, path, status, duration_ms, "answered");
    if let Some(state) = state {
        state.metrics().count(&method, pattern.as_deref(), status, duration);
    }
    Ok(answer)
}

/// The name that a client or a proxy gave, if it is a plain one.
fn given_id(request: &ServiceRequest) -> Option<String> {
    let id = request.headers().get(HEADER)?.to_str().ok()?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    ((1..=ID_CHARS_MAX).contains(&id.len()) && id.chars().all(is_plain)).then(|| id.to_owned())
}

/// A name that no other request of this run has, nor likely one of another run.
fn new_id() -> String {
    static RUN: OnceLock<u64> = OnceLock::new();
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let run = RUN.get_or_init(|| RandomState::new().hash_one("run"));
    let mut id = String::with_capacity(24);
    let _ = write!(id, "{run:016x}-{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    id
}
