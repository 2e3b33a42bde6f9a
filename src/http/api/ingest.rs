//! `POST /v1/pages`.

use actix_web::http::header::{CONTENT_LENGTH, HeaderName, LOCATION};
use actix_web::rt::time::timeout;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use lopper_store::StoredPage;
use serde::Serialize;

use super::lines::{is_ndjson, lines};
use crate::http::ServeOptions;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::media::{media_type, refuse_compressed};
use crate::http::state::{State, Upload, take_in};
use crate::http::submission::Submission;

/// A page that was taken in.
#[derive(Serialize)]
pub(super) struct Ingested {
    page_id: String,
    url: String,
    title: String,
    /// ISO 639-1 code.
    language: Option<String>,
    /// Main blocks in the index.
    blocks: u32,
}

impl From<StoredPage> for Ingested {
    fn from(page: StoredPage) -> Self {
        Self {
            page_id: page.id.to_string(),
            url: page.url,
            title: page.title,
            language: page.language,
            blocks: page.main_blocks,
        }
    }
}

/// Takes a page in, commits it and makes it searchable. A page with the same URL and capture time is replaced.
pub(in crate::http) async fn ingest(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    if !state.collection().is_writable() && state.writer_stopped().is_none() {
        return Err(ApiError::read_only());
    }
    let upload = Upload::begin(&state)?;
    refuse_compressed(&request)?;
    if is_ndjson(&media_type(&request)) {
        return lines(request.query_string(), payload, state, upload);
    }
    let body = receive(&request, payload, state.options()).await?;
    let submission = Submission::read(request.content_type(), request.query_string(), body)?;
    let ingested = Ingested::from(take_in(&state, submission).await?);
    drop(upload);
    let location = format!("/v1/pages/{}", ingested.page_id);
    Ok(HttpResponse::Created().insert_header((LOCATION, location)).json(ingested))
}

/// Bytes of a request in JSON that holds no page.
const REQUEST_BYTES_MAX: usize = 1 << 20;

/// Receives a body that must be JSON: a page of another site cannot send that without being asked.
pub(super) async fn receive_json(
    request: &HttpRequest,
    payload: web::Payload,
    state: &web::Data<State>,
) -> Result<web::Bytes, ApiError> {
    if media_type(request) != "application/json" {
        return Err(ApiError::new(ErrorCode::UnsupportedMediaType, "send the request as application/json"));
    }
    let _upload = Upload::begin(state)?;
    let options = ServeOptions { upload_bytes_max: REQUEST_BYTES_MAX, ..state.options().clone() };
    let received = receive(request, payload, &options).await;
    received.map_err(|error| match error.code {
        ErrorCode::TooLarge => {
            ApiError::new(error.code, format!("the request is larger than {REQUEST_BYTES_MAX} bytes"))
        }
        _ => error,
    })
}

/// Receives the body, within the limits of size and time.
pub(super) async fn receive(
    request: &HttpRequest,
    payload: web::Payload,
    options: &ServeOptions,
) -> Result<web::Bytes, ApiError> {
    refuse_compressed(request)?;
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
