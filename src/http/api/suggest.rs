//! `GET /v1/suggest`.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::http::error::ApiError;
use crate::http::parameters::{Parameters, bad};
use crate::http::state::{State, reading};

/// Answers with [`Suggestions`](lopper_collection::search::Suggestions) for a query that is being typed.
pub(in crate::http) async fn suggest(request: HttpRequest, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    let parameters = Parameters::parse(request.query_string(), &["q"])?;
    let Some(query) = parameters.get("q").map(str::to_owned) else { return Err(bad("the parameter `q` is missing")) };
    let suggestions = reading(state, move |state, budget| Ok(state.engine().suggest(&query, budget)?)).await?;
    Ok(HttpResponse::Ok().json(suggestions))
}
