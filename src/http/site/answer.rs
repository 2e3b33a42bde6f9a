//! HTML answers.

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, HttpResponse, web};

use crate::http::access::Bound;
use crate::http::collections::{Collections, selected};
use crate::http::error::ApiError;
use crate::http::render::{self, Content, Frame, framed};
use crate::markup::finished;

/// A page, or the page that tells why there is none.
pub(in crate::http) fn answer(request: &HttpRequest, query: &str, rendered: Result<Content, ApiError>) -> HttpResponse {
    answer_with(request, query, rendered, &[])
}

/// The page that tells what went wrong.
pub(in crate::http) fn failure(request: &HttpRequest, error: ApiError) -> HttpResponse {
    answer(request, "", Err(error))
}

/// The same as [`answer`], with headers for the page.
pub(super) fn answer_with(
    request: &HttpRequest,
    query: &str,
    rendered: Result<Content, ApiError>,
    headers: &[(HeaderName, &'static str)],
) -> HttpResponse {
    let (status, content, headers) = match rendered {
        Ok(content) => (StatusCode::OK, content, headers),
        Err(error) => (error.status(), render::failure(query, &error), &[][..]),
    };
    let mut response = HttpResponse::build(status);
    for (name, value) in headers {
        response.insert_header((name.clone(), *value));
    }
    response.content_type("text/html; charset=utf-8").body(finished(framed(&frame(request), &content)))
}

/// The collection that the page is of, and the others that its reader may see.
fn frame(request: &HttpRequest) -> Frame {
    let bound = Bound::of(request);
    let listed = request.app_data::<web::Data<Collections>>().map(|collections| collections.names());
    let collections = listed.into_iter().flatten().filter(|name| bound.allows(name)).collect();
    Frame { collection: selected(request), collections }
}
