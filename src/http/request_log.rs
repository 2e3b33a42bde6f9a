//! A name for every request, a line in the log for every answer, and their counts.

use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, web};
use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::error::ErrorCode;
use super::state::State;
use crate::telemetry::{REQUESTS, follow, rename};

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
    let span = span_of(&request, &id);
    let mut answer = next.call(request).instrument(span.clone()).await?;
    // Of the path within a collection.
    let pattern = answer.request().match_pattern();
    let (status, duration) = (answer.status().as_u16(), begun.elapsed());
    if let Ok(value) = HeaderValue::from_str(&id) {
        answer.headers_mut().insert(HEADER, value);
    }
    let duration_ms = duration.as_secs_f64() * 1000.0;
    tracing::info!(target: "lopper::access", request_id = id, method = %method, path, status, duration_ms, "answered");
    let code = answer.response().extensions().get::<ErrorCode>().copied();
    if let Some(state) = state {
        state.metrics().count(&method, pattern.as_deref(), status, duration);
        if let Some(code) = code {
            state.metrics().count_error(code);
        }
    }
    complete(&span, &method, pattern.as_deref(), status, code);
    Ok(answer)
}

/// A request's span, by OpenTelemetry's names for servers of HTTP.
fn span_of(request: &ServiceRequest, id: &str) -> Span {
    let method = request.method();
    let span = tracing::debug_span!(
        target: REQUESTS, "request", otel.name = method.as_str(), otel.kind = "server", otel.status_code = Empty,
        http.request.method = method.as_str(), url.path = request.path(), http.route = Empty,
        http.response.status_code = Empty, error.type = Empty, request_id = id,
    );
    follow(&span, &|name| request.headers().get(name)?.to_str().ok());
    span
}

/// Notes in a request's span what it was answered.
fn complete(span: &Span, method: &Method, route: Option<&str>, status: u16, code: Option<ErrorCode>) {
    if let Some(route) = route {
        rename(span, format_args!("{method} {route}"));
        span.record("http.route", route);
    }
    span.record("http.response.status_code", i64::from(status));
    if let Some(code) = code {
        span.record("error.type", code.name());
    }
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
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
