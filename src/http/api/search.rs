//! `GET` and `POST /v1/search`.

use actix_web::{HttpRequest, HttpResponse, web};
use lopper_collection::search::SearchRequest;

use super::ingest::receive_json;
use crate::http::error::ApiError;
use crate::http::parameters::{search_request, search_request_of_json};
use crate::http::replay::with_replays;
use crate::http::state::{State, reading};

/// Answers with a [`SearchResponse`](lopper_collection::search::SearchResponse).
pub(in crate::http) async fn search(request: HttpRequest, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    answer(search_request(request.query_string())?, state).await
}

/// The same with the parameters in a JSON object, for queries that are too long for an address.
pub(in crate::http) async fn search_by_body(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let body = receive_json(&request, payload, &state).await?;
    answer(search_request_of_json(&body)?, state).await
}

async fn answer(wanted: SearchRequest, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    let response = reading(state, move |state, budget| {
        Ok(with_replays(&state.options().replay_url, state.engine().search_within(&wanted, budget)?))
    });
    Ok(HttpResponse::Ok().json(response.await?))
}
