//! `GET /v1/pages/{id}/tree`.

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_archive::page::PageId;

use super::tree_view::TreeView;
use crate::http::error::ApiError;
use crate::http::etag;
use crate::http::parameters::{page_id, page_not_found};
use crate::http::state::{State, reading};

/// Answers with the page's judged tree.
pub(in crate::http) async fn tree(
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let id = page_id(&id)?;
    etag::json(&request, &reading(state, move |state, _| view(state, id)).await?)
}

fn view(state: &State, id: PageId) -> Result<TreeView, ApiError> {
    let tree = state.collection().tree(id)?.ok_or_else(|| page_not_found(id))?;
    Ok(TreeView::new(id, &tree))
}
