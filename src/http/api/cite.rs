//! `GET /v1/cite/{block_id}`: a block as others can be pointed to it, checked against the page's own HTML.

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_collection::search::Citation;

use crate::http::error::{ApiError, ErrorCode};
use crate::http::etag;
use crate::http::parameters::shortened;
use crate::http::replay::replay_url;
use crate::http::state::{State, reading};

/// Answers with the citation of a block.
pub(in crate::http) async fn cite(
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let citation = reading(state, move |state, _| citation(state, &id)).await?;
    etag::json(&request, &citation)
}

fn citation(state: &State, block_id: &str) -> Result<Citation, ApiError> {
    let missing = || ApiError::new(ErrorCode::BlockNotFound, format!("there is no block `{}`", shortened(block_id)));
    let mut citation = state.engine().cite(block_id, &state.options().limits)?.ok_or_else(missing)?;
    citation.replay_url = replay_url(&state.options().replay_url, &citation.url, citation.captured_at.as_deref());
    Ok(citation)
}
