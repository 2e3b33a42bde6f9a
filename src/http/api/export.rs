//! `GET` and `POST /v1/export`: an answer as a file.

use std::io;

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use futures_util::{Stream, stream};
use lopper_collection::search::SearchRequest;
use time::OffsetDateTime;

use super::ingest::receive_json;
use crate::export::{Export, ExportFormat};
use crate::http::error::ApiError;
use crate::http::parameters::{export_request, export_request_of_json};
use crate::http::replay::with_replays;
use crate::http::state::{State, reading};

/// Sends what a search finds, part by part as the client takes it. Each part waits for its turn as a search does.
pub(in crate::http) async fn export(request: HttpRequest, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    let (format, wanted) = export_request(request.query_string())?;
    answer(format, wanted, state).await
}

/// The same with the parameters in a JSON object.
pub(in crate::http) async fn export_by_body(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let body = receive_json(&request, payload, &state).await?;
    let (format, wanted) = export_request_of_json(&body)?;
    answer(format, wanted, state).await
}

async fn answer(
    format: ExportFormat,
    wanted: SearchRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let export = Export::new(format, wanted, state.options().limits, OffsetDateTime::now_utc());
    // What is wrong with the query is told before the answer begins.
    let (first, export) = part(state.clone(), export).await?;
    let parts = in_parts(first, export, move |export| part(state.clone(), export));
    let name = format!("attachment; filename=\"lopper-export.{}\"", format.ending());
    let headers = [(CONTENT_TYPE, format.media_type().to_owned()), (CONTENT_DISPOSITION, name)];
    let mut response = HttpResponse::Ok();
    for header in headers {
        response.insert_header(header);
    }
    Ok(response.streaming(parts))
}

/// A file from its first part and what makes the next ones. Where one fails the answer breaks off: a file that is not whole shall not look
/// like one.
pub(super) fn in_parts<T, F: Future<Output = Result<(Option<Bytes>, T), ApiError>>>(
    first: Option<Bytes>,
    rest: T,
    part: impl Fn(T) -> F,
) -> impl Stream<Item = io::Result<Bytes>> {
    stream::unfold((first, Some(rest), part), |(ready, rest, part)| async move {
        if let Some(bytes) = ready {
            return Some((Ok(bytes), (None, rest, part)));
        }
        match part(rest?).await {
            Ok((Some(bytes), rest)) => Some((Ok(bytes), (None, Some(rest), part))),
            Ok((None, _)) => None,
            Err(error) => Some((Err(broken_off(&error)), (None, None, part))),
        }
    })
}

async fn part(state: web::Data<State>, mut export: Export) -> Result<(Option<Bytes>, Export), ApiError> {
    reading(state, move |state, budget| {
        let replay = &state.options().replay_url;
        let part = export.part(&state.engine(), budget, |response| with_replays(replay, response))?;
        Ok((part.map(Bytes::from), export))
    })
    .await
}

fn broken_off(error: &ApiError) -> io::Error {
    tracing::warn!(cause = %error, "an export broke off");
    io::Error::other(error.to_string())
}
