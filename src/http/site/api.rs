//! `GET /docs`.

use actix_web::{HttpRequest, HttpResponse};

use super::answer::answer;
use crate::http::render;

/// The interface for people who write programs.
pub(in crate::http) async fn docs(request: HttpRequest) -> HttpResponse {
    answer(&request, "", Ok(render::api()))
}
