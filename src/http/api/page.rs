//! `GET /v1/pages/{id}`.

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_archive::page::PageId;
use lopper_collection::search::{AsOf, PageView};

use crate::http::error::{ApiError, ErrorCode};
use crate::http::etag;
use crate::http::parameters::{Parameters, bad, page_id, page_not_found, shortened};
use crate::http::replay::replay_url;
use crate::http::state::{State, reading};

/// Answers with the page and its main blocks.
pub(in crate::http) async fn page(
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let id = page_id(&id)?;
    let as_of = Parameters::parse(request.query_string(), &["as_of"])?.time("as_of")?;
    let page = reading(state, move |state, _| {
        let Some(at) = as_of else { return view(state, id) };
        let page = state.collection().page(id)?.ok_or_else(|| page_not_found(id))?;
        stood(state, &page.url, Some(at))
    });
    etag::json(&request, &page.await?)
}

/// Answers with the page of a URL as its newest capture has it, or the newest that is not later than a time.
pub(in crate::http) async fn page_of_url(
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let parameters = Parameters::parse(request.query_string(), &["url", "as_of"])?;
    let as_of = parameters.time("as_of")?;
    let Some(url) = parameters.get("url").map(str::to_owned) else { return Err(bad("the parameter `url` is missing")) };
    let page = reading(state, move |state, _| stood(state, &url, as_of));
    etag::json(&request, &page.await?)
}

/// The page as it stood: what came later is not told, where a time was asked for.
fn stood(state: &State, url: &str, as_of: Option<AsOf>) -> Result<PageView, ApiError> {
    let mut page = view(state, stood_then(state, url, as_of)?)?;
    if as_of.is_some() {
        (page.last_captured_at, page.newer_capture) = (None, None);
    }
    Ok(page)
}

/// The page that the newest capture of a URL gave that is not later. Without a time, captures without one count as the oldest.
fn stood_then(state: &State, url: &str, as_of: Option<AsOf>) -> Result<PageId, ApiError> {
    let collection = state.collection();
    let dated = collection.capture_as_of(url, as_of.map_or(i64::MAX, |at| at.0))?.map(|(_, page)| page);
    let page = match (dated, as_of) {
        (None, None) => collection.captures(url)?.first().map(|capture| capture.page),
        (dated, _) => dated,
    };
    page.ok_or_else(|| {
        let when = as_of.map(|at| format!(" that is not later than {at}")).unwrap_or_default();
        ApiError::new(ErrorCode::PageNotFound, format!("there is no capture of {}{when}", shortened(url)))
    })
}

pub(super) fn view(state: &State, id: PageId) -> Result<PageView, ApiError> {
    let mut page = state.engine().page_view(id)?.ok_or_else(|| page_not_found(id))?;
    page.replay_url = replay_url(&state.options().replay_url, &page.url, page.captured_at.as_deref());
    Ok(page)
}
