//! What a request says of its body.

use actix_web::http::header::CONTENT_ENCODING;
use actix_web::{HttpMessage, HttpRequest};

use super::error::{ApiError, ErrorCode};

/// The media type without its parameters, in lower case; empty where there is none.
pub(super) fn media_type(request: &HttpRequest) -> String {
    request.content_type().trim().to_ascii_lowercase()
}

/// Refuses bodies that are compressed: they would have to be undone within the same limits.
pub(super) fn refuse_compressed(request: &HttpRequest) -> Result<(), ApiError> {
    let coding = request.headers().get(CONTENT_ENCODING).map(|coding| coding.as_bytes().trim_ascii());
    if coding.is_none_or(|coding| coding.is_empty() || coding.eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    Err(ApiError::new(ErrorCode::UnsupportedMediaType, "send the body without Content-Encoding"))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn media_types_have_no_case_and_codings_are_refused() {
        let request = |name: &str, value: &str| TestRequest::default().insert_header((name, value)).to_http_request();
        assert_eq!(media_type(&request("Content-Type", "Text/HTML; charset=UTF-8")), "text/html");
        assert_eq!(media_type(&TestRequest::default().to_http_request()), "");
        assert!(refuse_compressed(&request("Content-Encoding", "gzip")).is_err());
        assert!(refuse_compressed(&request("Content-Encoding", "Identity")).is_ok());
        assert!(refuse_compressed(&TestRequest::default().to_http_request()).is_ok());
    }
}
