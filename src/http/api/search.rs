//! `GET /v1/search`.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::http::error::ApiError;
use crate::http::parameters::search_request;
use crate::http::state::{State, reading};

/// Answers with a [`SearchResponse`](lopper_collection::search::SearchResponse).
pub(in crate::http) async fn search(request: HttpRequest, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    let wanted = search_request(request.query_string())?;
    let response = reading(state, move |state, budget| Ok(state.engine().search_within(&wanted, budget)?)).await?;
    Ok(HttpResponse::Ok().json(response))
}
