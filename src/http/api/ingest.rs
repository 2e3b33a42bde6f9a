//! `POST /v1/pages`.

use actix_web::http::header::LOCATION;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use lopper_store::StoredPage;
use serde::Serialize;

use super::lines::{is_ndjson, lines};
use crate::http::bodies::receive;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::media::{media_type, refuse_compressed};
use crate::http::state::{State, take_in};
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
    refuse_compressed(&request)?;
    if is_ndjson(&media_type(&request)) {
        return lines(request.query_string(), payload, state);
    }
    let (body, _room) = receive(&request, payload, &state, state.options().upload_bytes_max).await?;
    let _place = state.uploads_place().await?;
    let submission = Submission::read(request.content_type(), request.query_string(), body)?;
    let ingested = Ingested::from(take_in(&state, submission).await?);
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
    let received = receive(request, payload, state, REQUEST_BYTES_MAX).await;
    received.map(|(body, _room)| body).map_err(|error| match error.code {
        ErrorCode::TooLarge => {
            ApiError::new(error.code, format!("the request is larger than {REQUEST_BYTES_MAX} bytes"))
        }
        _ => error,
    })
}
