//! A page as a client sends it.

use std::path::PathBuf;

use actix_web::web;
use lopper_archive::page::{Page, PageOutcome, SkipReason, decode};
use lopper_archive::{ArchiveRecord, Payload, RecordKind};
use lopper_collection::{POSTED, parse_rfc_3339};
use lopper_content::limits::Limits;
use serde::Deserialize;
use url::Url;

use crate::http::error::{ApiError, ErrorCode};
use crate::http::parameters::{Parameters, bad, shortened};

/// Bytes of a URL.
const URL_BYTES_MAX: usize = 4096;

/// A page to take in.
#[derive(Debug)]
pub(super) struct Submission {
    url: String,
    captured_at: Option<i64>,
    content_type: String,
    html: Vec<u8>,
}

/// The body of a post of JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonPage {
    url: String,
    html: String,
    captured_at: Option<String>,
}

impl Submission {
    /// Reads a body: JSON, or HTML with the rest in the query string.
    pub(super) fn read(content_type: &str, query: &str, body: web::Bytes) -> Result<Self, ApiError> {
        match essence(content_type).as_str() {
            "application/json" => Self::from_json(query, &body),
            "text/html" | "application/xhtml+xml" => Self::from_html(content_type, query, body),
            other => {
                let message = format!(
                    "the body is `{}`: send application/json, application/x-ndjson or text/html",
                    shortened(other)
                );
                Err(ApiError::new(ErrorCode::UnsupportedMediaType, message))
            }
        }
    }

    /// Reads a line of NDJSON.
    pub(super) fn of_line(line: &[u8]) -> Result<Self, ApiError> {
        Self::from_json("", line)
    }

    fn from_json(query: &str, body: &[u8]) -> Result<Self, ApiError> {
        if !query.is_empty() {
            return Err(bad("a post of JSON takes no parameters: they are fields of the body"));
        }
        let page: JsonPage = serde_json::from_slice(body)
            .map_err(|error| ApiError::new(ErrorCode::BadBody, format!("the body is not the JSON wanted: {error}")))?;
        let content_type = "text/html; charset=utf-8".to_owned();
        Self::checked(page.url, page.captured_at.as_deref(), content_type, page.html.into_bytes())
    }

    fn from_html(content_type: &str, query: &str, body: web::Bytes) -> Result<Self, ApiError> {
        let parameters = Parameters::parse(query, &["url", "captured_at"])?;
        let Some(url) = parameters.get("url") else {
            return Err(bad("the parameter `url` is missing: post HTML to /v1/pages?url=URL"));
        };
        Self::checked(url.to_owned(), parameters.get("captured_at"), content_type.to_owned(), body.into())
    }

    fn checked(url: String, captured_at: Option<&str>, content_type: String, html: Vec<u8>) -> Result<Self, ApiError> {
        let is_web = Url::parse(&url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if !is_web || url.len() > URL_BYTES_MAX {
            let message = format!("`{}` is no http or https URL of at most {URL_BYTES_MAX} bytes", shortened(&url));
            return Err(bad(message));
        }
        let captured_at = match captured_at {
            None => None,
            Some(text) => Some(parse_rfc_3339(text).ok_or_else(|| {
                let text = shortened(text);
                bad(format!("captured_at is `{text}`; it must be an RFC 3339 time like 2026-01-31T12:00:00Z"))
            })?),
        };
        Ok(Self { url, captured_at, content_type, html })
    }

    /// Decodes the page, as one from an archive.
    pub(super) fn into_page(self, limits: &Limits) -> Result<Box<Page>, ApiError> {
        let payload = Payload::Bare { content_type: Some(self.content_type), body: self.html };
        let record = ArchiveRecord {
            captured_at: self.captured_at,
            ..ArchiveRecord::new(RecordKind::Resource, self.url, PathBuf::from(POSTED), 0, payload)
        };
        match decode(record, limits) {
            Ok(PageOutcome::Page(page)) => Ok(page),
            Ok(PageOutcome::Skipped(reason)) => Err(no_page(reason)),
            Err(error) => Err(ApiError::new(ErrorCode::TooLarge, error.to_string())),
        }
    }
}

fn essence(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn no_page(reason: SkipReason) -> ApiError {
    ApiError::new(ErrorCode::NoPage, format!("there is no page to index: {}", reason.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content_type: &str, query: &str, body: &'static str) -> Result<Submission, ApiError> {
        Submission::read(content_type, query, web::Bytes::from_static(body.as_bytes()))
    }

    #[test]
    fn json_and_html_give_the_same() {
        let time = "2008-04-30T20:48:25Z";
        let json = r#"{"url": "http://e.org/", "html": "<p>Mills", "captured_at": "2008-04-30T20:48:25Z"}"#;
        let json = read("application/json; charset=utf-8", "", json).unwrap();
        let html = read("text/html", &format!("url=http://e.org/&captured_at={time}"), "<p>Mills").unwrap();
        assert_eq!((&json.url, json.captured_at, &json.html), (&html.url, html.captured_at, &html.html));
        let page = html.into_page(&Limits::default()).unwrap();
        assert_eq!((&*page.html, page.captured_at), ("<p>Mills", Some(1_209_588_505)));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let code = |result: Result<Submission, ApiError>| result.unwrap_err().code;
        assert_eq!(code(read("text/plain", "", "")), ErrorCode::UnsupportedMediaType);
        assert_eq!(code(read("text/html", "", "<p>")), ErrorCode::BadParameter);
        assert_eq!(code(read("text/html", "url=javascript:alert(1)", "<p>")), ErrorCode::BadParameter);
        assert_eq!(code(read("text/html", "url=http://e.org/&captured_at=today", "<p>")), ErrorCode::BadParameter);
        let error = read("application/json", "", "{\"url\": 1}").unwrap_err();
        assert_eq!(error.code, ErrorCode::BadBody);
        assert!(error.message.contains("line 1 column"), "{}", error.message);
    }

    #[test]
    fn an_empty_body_is_no_page() {
        let empty = read("text/html", "url=http://e.org/", "").unwrap();
        assert_eq!(empty.into_page(&Limits::default()).unwrap_err().code, ErrorCode::NoPage);
    }
}
