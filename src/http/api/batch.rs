//! `POST /v1/pages/batch`: several pages at once.

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_collection::search::PageView;
use serde::{Deserialize, Serialize};

use super::ingest::receive_json;
use super::page::view;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::parameters::page_id;
use crate::http::state::{State, reading};

/// Pages of one request.
const PAGES_MAX: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    ids: Vec<String>,
}

#[derive(Serialize)]
struct Entries {
    pages: Vec<Entry>,
}

/// A page, or why it is not there.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry {
    Page(Box<PageView>),
    Missing { page_id: String, error: ApiError },
}

/// Answers with the pages in the order that they were asked for.
pub(in crate::http) async fn batch(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let body = receive_json(&request, payload, &state).await?;
    let wanted: Wanted = serde_json::from_slice(&body)
        .map_err(|error| ApiError::new(ErrorCode::BadBody, format!("the body is not {{\"ids\": […]}}: {error}")))?;
    if wanted.ids.len() > PAGES_MAX {
        return Err(ApiError::new(ErrorCode::TooLarge, format!("a request may ask for {PAGES_MAX} pages at most")));
    }
    let entries = reading(state, move |state, _| {
        let entry = |text: String| match page_id(&text).and_then(|id| view(state, id)) {
            Ok(page) => Ok(Entry::Page(Box::new(page))),
            Err(error) if error.code == ErrorCode::Internal => Err(error),
            Err(error) => Ok(Entry::Missing { page_id: text, error }),
        };
        wanted.ids.into_iter().map(entry).collect::<Result<Vec<_>, _>>()
    });
    Ok(HttpResponse::Ok().json(Entries { pages: entries.await? }))
}
