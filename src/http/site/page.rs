//! `GET /page/{id}` and what belongs to it.

use actix_web::http::header::{CONTENT_SECURITY_POLICY, LOCATION};
use actix_web::{HttpRequest, HttpResponse, web};
use lopper_archive::page::{Page, PageId};
use lopper_content::pipeline::StoredTree;
use lopper_store::StoredPage;
use maud::Markup;

use super::answer::answer;
use super::picture::PageResources;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::parameters::{page_id, page_not_found, value_of};
use crate::http::render::{self, Content, PageAround};
use crate::http::state::{State, reading};
use crate::markup::finished;
use crate::view::{FRAME_POLICY, Shown, Viewed, frame_document, methods};

/// A page with what was kept of it, and why.
pub(in crate::http) async fn page(
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<State>,
) -> HttpResponse {
    let shown = shown(&request);
    let query = value_of(request.query_string(), "q").unwrap_or_default();
    let rendered = match page_id(&id) {
        Ok(id) => {
            let query = query.clone();
            reading(state, move |state, _| view(state, id, &shown, &query)).await
        }
        Err(error) => Err(error),
    };
    answer(&request, &query, rendered)
}

/// The page itself, for the frame.
pub(in crate::http) async fn frame(
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<State>,
) -> HttpResponse {
    let shown = shown(&request);
    let document = match page_id(&id) {
        Ok(id) => reading(state, move |state, _| document(state, id, &shown)).await,
        Err(error) => Err(error),
    };
    match document {
        Ok(document) => HttpResponse::Ok()
            .insert_header((CONTENT_SECURITY_POLICY, FRAME_POLICY))
            .content_type("text/html; charset=utf-8")
            .body(finished(document)),
        Err(error) => answer(&request, "", Err(error)),
    }
}

/// What the published methods keep of the page, a digit a run.
pub(in crate::http) async fn page_methods(
    id: web::Path<String>,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let id = page_id(&id)?;
    let kept = reading(state, move |state, _| Found::new(state, id)?.with(state, |viewed| Ok(methods(viewed)))).await?;
    Ok(HttpResponse::Ok().json(kept))
}

/// `GET /pages/{id}`: where the page was before it could be seen.
pub(in crate::http) async fn former_page(id: web::Path<String>) -> Result<HttpResponse, ApiError> {
    let id = page_id(&id)?;
    Ok(HttpResponse::MovedPermanently().insert_header((LOCATION, format!("/page/{id}"))).finish())
}

fn shown(request: &HttpRequest) -> Shown {
    Shown::read(|name| value_of(request.query_string(), name))
}

/// All that is known of a page.
struct Found {
    page: StoredPage,
    tree: StoredTree,
    body: Option<Page>,
}

impl Found {
    fn new(state: &State, id: PageId) -> Result<Self, ApiError> {
        let collection = state.collection();
        let page = collection.page(id)?.ok_or_else(|| page_not_found(id))?;
        let tree = collection.tree(id)?.ok_or_else(|| page_not_found(id))?;
        let body = collection.body(&page, &state.options().limits)?;
        Ok(Self { page, tree, body })
    }

    fn with<T>(&self, state: &State, work: impl FnOnce(&Viewed<'_>) -> Result<T, ApiError>) -> Result<T, ApiError> {
        let (params, limits) = (state.collection().params(), state.options().limits);
        work(&Viewed::new(&self.tree, self.body.as_ref(), &params, &limits))
    }
}

fn view(state: &State, id: PageId, shown: &Shown, query: &str) -> Result<Content, ApiError> {
    let found = Found::new(state, id)?;
    let captures = state.collection().captures(&found.page.url)?;
    let around = PageAround { page: &found.page, captures: &captures, query, has_body: found.body.is_some() };
    found.with(state, |viewed| Ok(render::page(&around, viewed, shown)))
}

fn document(state: &State, id: PageId, shown: &Shown) -> Result<Markup, ApiError> {
    let missing = || ApiError::new(ErrorCode::PageNotFound, format!("the HTML of page {id} is not at hand"));
    let found = Found::new(state, id)?;
    let belongings = PageResources::of(state, &found.page);
    found.with(state, |viewed| frame_document(viewed, shown, Some(&belongings)).ok_or_else(missing))
}
