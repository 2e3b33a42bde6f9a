//! HTML answers.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;

use crate::http::error::ApiError;
use crate::http::render::{self, Html};

/// A page, or the page that tells why there is none.
pub(super) fn answer(query: &str, rendered: Result<Html, ApiError>) -> HttpResponse {
    match rendered {
        Ok(html) => respond(StatusCode::OK, html),
        Err(error) => respond(error.status(), render::failure(query, error.status().as_u16(), &error.message)),
    }
}

fn respond(status: StatusCode, html: Html) -> HttpResponse {
    HttpResponse::build(status).content_type("text/html; charset=utf-8").body(html.into_string())
}
