//! `GET /pages/{id}`.

use actix_web::{HttpResponse, web};
use lopper_archive::page::PageId;
use maud::Markup;

use super::answer::answer;
use crate::http::error::ApiError;
use crate::http::parameters::{page_id, page_not_found};
use crate::http::render;
use crate::http::state::{State, reading};

/// A page's blocks, kept and dropped, in page order.
pub(in crate::http) async fn page(id: web::Path<String>, state: web::Data<State>) -> HttpResponse {
    let rendered = match page_id(&id) {
        Ok(id) => reading(state, move |state, _| view(state, id)).await,
        Err(error) => Err(error),
    };
    answer("", rendered)
}

fn view(state: &State, id: PageId) -> Result<Markup, ApiError> {
    let page = state.collection().store().page(id)?.ok_or_else(|| page_not_found(id))?;
    let tree = state.collection().tree(id)?.ok_or_else(|| page_not_found(id))?;
    Ok(render::page(&page, &tree))
}
