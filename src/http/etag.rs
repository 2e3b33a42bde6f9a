//! Answers that a client may have already.

use actix_web::http::header::{CACHE_CONTROL, ETAG, HeaderValue, IF_NONE_MATCH};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use super::error::ApiError;

/// The value as JSON, or 304 where the request names its tag.
pub(super) fn json(request: &HttpRequest, value: &impl Serialize) -> Result<HttpResponse, ApiError> {
    let body = serde_json::to_string(value).map_err(|error| ApiError::internal(&error))?;
    Ok(answer(request, "application/json", body))
}

/// The body, or 304 where the request names its tag. The tag is weak: a body is the same whether it is compressed or not.
pub(super) fn answer(request: &HttpRequest, content_type: &str, body: String) -> HttpResponse {
    let tag = format!("W/\"{:032x}\"", xxh3_128(body.as_bytes()));
    let is_known = request.headers().get_all(IF_NONE_MATCH).any(|known| names(known, &tag));
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    // It may be kept, and is asked for anew each time: pages can be deleted.
    response.insert_header((ETAG, tag)).insert_header((CACHE_CONTROL, "private, no-cache"));
    if is_known { response.finish() } else { response.content_type(content_type).body(body) }
}

fn names(known: &HeaderValue, tag: &str) -> bool {
    let Ok(known) = known.to_str() else { return false };
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    known.trim() == "*" || known.split(',').any(|known| opaque(known) == opaque(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_weakly() {
        let known = |known: &'static str| names(&HeaderValue::from_static(known), "W/\"ab\"");
        assert!(known("W/\"ab\"") && known("\"cd\", \"ab\"") && known("*"));
        assert!(!known("\"cd\"") && !known("ab") && !known(""));
    }
}
