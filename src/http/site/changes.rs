//! `GET /page/{id}/changes?with=`.

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_archive::page::PageId;
use lopper_content::pipeline::StoredTree;
use lopper_store::StoredPage;

use super::answer::answer;
use crate::http::error::ApiError;
use crate::http::parameters::{page_id, page_not_found, value_of};
use crate::http::render::{self, Content};
use crate::http::state::{State, reading};
use crate::view;

/// What changed between two captures, from the earlier one to the later one.
pub(in crate::http) async fn changes(
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<State>,
) -> HttpResponse {
    let other = value_of(request.query_string(), "with").unwrap_or_default();
    let ids = page_id(&id).and_then(|id| Ok((id, page_id(&other)?)));
    let rendered = match ids {
        Ok((one, other)) => reading(state, move |state, _| changed(state, one, other)).await,
        Err(error) => Err(error),
    };
    answer(&request, "", rendered)
}

fn changed(state: &State, one: PageId, other: PageId) -> Result<Content, ApiError> {
    let mut captures = [found(state, one)?, found(state, other)?];
    captures.sort_by_key(|(page, _)| page.captured_at);
    let [(earlier, old), (later, new)] = &captures;
    Ok(render::changes(earlier, later, &view::changes(old, new)))
}

fn found(state: &State, id: PageId) -> Result<(StoredPage, StoredTree), ApiError> {
    let page = state.collection().page(id)?.ok_or_else(|| page_not_found(id))?;
    let tree = state.collection().tree(id)?.ok_or_else(|| page_not_found(id))?;
    Ok((page, tree))
}
