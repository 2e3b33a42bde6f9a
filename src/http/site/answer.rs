//! HTML answers.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderName;
use maud::Markup;

use crate::http::error::ApiError;
use crate::http::render;
use crate::markup::finished;

/// A page, or the page that tells why there is none.
pub(in crate::http) fn answer(query: &str, rendered: Result<Markup, ApiError>) -> HttpResponse {
    answer_with(query, rendered, &[])
}

/// The page that tells what went wrong.
pub(in crate::http) fn failure(error: ApiError) -> HttpResponse {
    answer("", Err(error))
}

/// The same as [`answer`], with headers for the page.
pub(super) fn answer_with(
    query: &str,
    rendered: Result<Markup, ApiError>,
    headers: &[(HeaderName, &'static str)],
) -> HttpResponse {
    let (status, page, headers) = match rendered {
        Ok(page) => (StatusCode::OK, page, headers),
        Err(error) => (error.status(), render::failure(query, error.status().as_u16(), &error.message), &[][..]),
    };
    let mut response = HttpResponse::build(status);
    for (name, value) in headers {
        response.insert_header((name.clone(), *value));
    }
    response.content_type("text/html; charset=utf-8").body(finished(page))
}
