//! `GET /v1/openapi.json`.

use actix_web::{HttpRequest, HttpResponse};

use crate::http::error::ApiError;
use crate::http::{etag, openapi};

/// The description of the interface.
pub(in crate::http) async fn openapi(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    etag::json(&request, &openapi::document())
}
