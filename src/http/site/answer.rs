//! HTML answers.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use maud::Markup;

use crate::http::error::ApiError;
use crate::http::render;
use crate::markup::finished;

/// A page, or the page that tells why there is none.
pub(super) fn answer(query: &str, rendered: Result<Markup, ApiError>) -> HttpResponse {
    match rendered {
        Ok(page) => respond(StatusCode::OK, page),
        Err(error) => respond(error.status(), render::failure(query, error.status().as_u16(), &error.message)),
    }
}

fn respond(status: StatusCode, page: Markup) -> HttpResponse {
    HttpResponse::build(status).content_type("text/html; charset=utf-8").body(finished(page))
}
