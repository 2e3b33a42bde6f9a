//! `POST /v1/pages`.

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderName, LOCATION};
use actix_web::rt::time::timeout;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use serde::Serialize;

use super::submission::Submission;
use crate::http::ServeOptions;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::parameters::page_not_found;
use crate::http::state::{State, Upload, blocking};

/// A page that was taken in.
#[derive(Serialize)]
struct Ingested {
    page_id: String,
    url: String,
    title: String,
    /// ISO 639-1 code.
    language: Option<String>,
    /// Main blocks in the index.
    blocks: u32,
}

/// Takes a page in, commits it and makes it searchable. A page with the same URL and capture time is replaced.
pub(in crate::http) async fn ingest(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let upload = Upload::begin(&state)?;
    let body = receive(&request, payload, state.options()).await?;
    let submission = Submission::read(request.content_type(), request.query_string(), body)?;
    let ingested = blocking(move || {
        let _upload = upload;
        take_in(&state, submission)
    });
    let ingested = ingested.await?;
    let location = format!("/v1/pages/{}", ingested.page_id);
    Ok(HttpResponse::Created().insert_header((LOCATION, location)).json(ingested))
}

fn take_in(state: &State, submission: Submission) -> Result<Ingested, ApiError> {
    let page = submission.into_page(&state.options().limits)?;
    state.ingest(&page)?;
    let stored = state.collection().store().page(page.id)?.ok_or_else(|| page_not_found(page.id))?;
    Ok(Ingested {
        page_id: stored.id.to_string(),
        url: stored.url,
        title: stored.title,
        language: stored.language,
        blocks: stored.main_blocks,
    })
}

/// Receives the body, within the limits of size and time.
async fn receive(request: &HttpRequest, payload: web::Payload, options: &ServeOptions) -> Result<web::Bytes, ApiError> {
    if header(request, &CONTENT_ENCODING).is_some_and(|coding| !coding.eq_ignore_ascii_case("identity")) {
        return Err(ApiError::new(ErrorCode::UnsupportedMediaType, "send the body without Content-Encoding"));
    }
    let max = options.upload_bytes_max;
    let declared = header(request, &CONTENT_LENGTH).and_then(|length| length.parse().ok());
    if declared.is_some_and(|length: u64| length > max as u64) {
        return Err(too_large(max));
    }
    let received = timeout(options.upload_duration_max, payload.to_bytes_limited(max));
    match received.await {
        Ok(Ok(Ok(body))) => Ok(body),
        Ok(Ok(Err(error))) => Err(ApiError::new(ErrorCode::BadBody, format!("the body broke off: {error}"))),
        Ok(Err(_)) => Err(too_large(max)),
        Err(_) => Err(ApiError::new(ErrorCode::BodyTooSlow, "the body did not arrive in time")),
    }
}

fn header<'a>(request: &'a HttpRequest, name: &HeaderName) -> Option<&'a str> {
    request.headers().get(name)?.to_str().ok().map(str::trim)
}

fn too_large(max: usize) -> ApiError {
    let message = format!("the body is larger than {max} bytes; use `lopper ingest` for large pages and archives");
    ApiError::new(ErrorCode::TooLarge, message)
}
