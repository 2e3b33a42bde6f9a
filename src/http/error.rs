//! Errors as clients see them: the one place where they get their code, status and words.

use std::error::Error;
use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, HeaderValue, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use lopper_collection::ingest::IngestError;
use lopper_collection::search::SearchError;
use lopper_collection::{CollectionError, DeleteError};
use lopper_store::StoreError;
use serde::Serialize;

/// What went wrong, for programs. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorCode {
    /// 400: a query parameter is missing, unknown, given twice or out of range.
    BadParameter,
    /// 400: the query cannot be understood; `position_bytes` tells where.
    BadQuery,
    /// 400: the page's id is not 32 hexadecimal digits.
    BadPageId,
    /// 400: the body is not the JSON that is wanted, or broke off.
    BadBody,
    /// 401: a key is needed.
    KeyRequired,
    /// 403: the key does not allow this.
    ScopeMissing,
    /// 403: the request calls the server by a name that is not its own.
    HostNotAllowed,
    /// 403: the server's operator allowed no folder of archives.
    PathNotAllowed,
    /// 403: a page of another site wants to change something.
    OriginNotAllowed,
    /// 404: no such path.
    NotFound,
    /// 404: no such page.
    PageNotFound,
    /// 404: the page's HTML is neither in the data folder nor in its archive.
    BodyNotFound,
    /// 404: no block of that name.
    BlockNotFound,
    /// 404: no takedown of that number.
    TakedownNotFound,
    /// 404: no archive of that path, or several.
    ArchiveNotFound,
    /// 404: no collection of that name.
    CollectionNotFound,
    /// 404: no job of that number.
    JobNotFound,
    /// 405: the path is there, the method is not.
    MethodNotAllowed,
    /// 408: the body did not arrive in time.
    BodyTooSlow,
    /// 409: the data folder is open for reading only.
    ReadOnly,
    /// 409: a takedown keeps the page out.
    TakenDown,
    /// 409: there is a collection of that name.
    CollectionExists,
    /// 409: the collection is the server's own or one of its settings, and is not removed.
    CollectionKept,
    /// 409: the job has ended.
    JobEnded,
    /// 413: the body or the page is too large.
    TooLarge,
    /// 415: the body is neither JSON nor HTML, or compressed.
    UnsupportedMediaType,
    /// 422: the body holds no page.
    NoPage,
    /// 429: the caller asks for more than it may; `Retry-After` tells when to ask again.
    TooManyRequests,
    /// 500: a fault on the server's side, told in its log.
    Internal,
    /// 503: too much is being taken in; try again.
    Busy,
    /// 503: a whole answer was wanted, and the search's time or work was spent before its end.
    CutShort,
    /// 503: a commit failed, for instance for a full disk; the server tries every few seconds to write again.
    WriterStopped,
}

impl ErrorCode {
    /// All of them.
    pub const ALL: [Self; 32] = [
        Self::BadParameter,
        Self::BadQuery,
        Self::BadPageId,
        Self::BadBody,
        Self::KeyRequired,
        Self::ScopeMissing,
        Self::HostNotAllowed,
        Self::PathNotAllowed,
        Self::OriginNotAllowed,
        Self::NotFound,
        Self::PageNotFound,
        Self::BodyNotFound,
        Self::BlockNotFound,
        Self::TakedownNotFound,
        Self::ArchiveNotFound,
        Self::CollectionNotFound,
        Self::JobNotFound,
        Self::MethodNotAllowed,
        Self::BodyTooSlow,
        Self::ReadOnly,
        Self::TakenDown,
        Self::CollectionExists,
        Self::CollectionKept,
        Self::JobEnded,
        Self::TooLarge,
        Self::UnsupportedMediaType,
        Self::NoPage,
        Self::TooManyRequests,
        Self::Internal,
        Self::Busy,
        Self::CutShort,
        Self::WriterStopped,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::BadParameter => "bad_parameter",
            Self::BadQuery => "bad_query",
            Self::BadPageId => "bad_page_id",
            Self::BadBody => "bad_body",
            Self::KeyRequired => "key_required",
            Self::ScopeMissing => "scope_missing",
            Self::HostNotAllowed => "host_not_allowed",
            Self::PathNotAllowed => "path_not_allowed",
            Self::OriginNotAllowed => "origin_not_allowed",
            Self::NotFound => "not_found",
            Self::PageNotFound => "page_not_found",
            Self::BodyNotFound => "body_not_found",
            Self::BlockNotFound => "block_not_found",
            Self::TakedownNotFound => "takedown_not_found",
            Self::ArchiveNotFound => "archive_not_found",
            Self::CollectionNotFound => "collection_not_found",
            Self::JobNotFound => "job_not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::BodyTooSlow => "body_too_slow",
            Self::ReadOnly => "read_only",
            Self::TakenDown => "taken_down",
            Self::CollectionExists => "collection_exists",
            Self::CollectionKept => "collection_kept",
            Self::JobEnded => "job_ended",
            Self::TooLarge => "too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::NoPage => "no_page",
            Self::TooManyRequests => "too_many_requests",
            Self::Internal => "internal",
            Self::Busy => "busy",
            Self::CutShort => "cut_short",
            Self::WriterStopped => "writer_stopped",
        }
    }

    /// The HTTP status.
    pub fn status(self) -> u16 {
        match self {
            Self::BadParameter | Self::BadQuery | Self::BadPageId | Self::BadBody => 400,
            Self::KeyRequired => 401,
            Self::ScopeMissing | Self::PathNotAllowed | Self::HostNotAllowed | Self::OriginNotAllowed => 403,
            Self::NotFound
            | Self::PageNotFound
            | Self::BlockNotFound
            | Self::BodyNotFound
            | Self::TakedownNotFound
            | Self::ArchiveNotFound
            | Self::CollectionNotFound
            | Self::JobNotFound => 404,
            Self::MethodNotAllowed => 405,
            Self::BodyTooSlow => 408,
            Self::ReadOnly | Self::TakenDown | Self::CollectionExists | Self::CollectionKept | Self::JobEnded => 409,
            Self::TooLarge => 413,
            Self::UnsupportedMediaType => 415,
            Self::NoPage => 422,
            Self::TooManyRequests => 429,
            Self::Internal => 500,
            Self::Busy | Self::CutShort | Self::WriterStopped => 503,
        }
    }
}

/// An error as it is told within an answer. By itself it is a problem document (RFC 9457).
#[derive(Debug, Clone, Serialize)]
pub(super) struct ApiError {
    pub(super) code: ErrorCode,
    pub(super) message: String,
    /// Where in the query the trouble begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    position_bytes: Option<usize>,
    /// What the trouble with the query is, without its place.
    #[serde(skip)]
    trouble: Option<String>,
    /// Methods that are there where the asked one is not.
    #[serde(skip)]
    allow: Option<&'static str>,
    /// Seconds after which it can be asked again.
    #[serde(skip)]
    retry_after: Option<u64>,
}

impl ApiError {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let retry_after = matches!(code, ErrorCode::Busy | ErrorCode::WriterStopped).then_some(1);
        Self { code, message: message.into(), position_bytes: None, trouble: None, allow: None, retry_after }
    }

    pub(super) fn method(allow: &'static str) -> Self {
        let message = format!("this path answers {allow} only");
        Self { allow: Some(allow), ..Self::new(ErrorCode::MethodNotAllowed, message) }
    }

    /// The same, and when to ask again.
    pub(super) fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// That this server writes nothing.
    pub(super) fn read_only() -> Self {
        let message = "this server only reads: start it with its data folder open for writing, or use `lopper ingest`";
        Self::new(ErrorCode::ReadOnly, message)
    }

    /// A fault of ours or of the disk. The cause goes to the log: it may name what a client need not know.
    pub(super) fn internal(error: &(dyn Error + 'static)) -> Self {
        tracing::error!(cause = chain(error), "a request failed");
        Self::new(ErrorCode::Internal, "the request failed; the server's log says why")
    }

    /// The trouble with a query, and where it begins in it, in bytes.
    pub(super) fn trouble(&self) -> Option<(&str, usize)> {
        self.trouble.as_deref().zip(self.position_bytes)
    }

    pub(super) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// Media type of a [`Problem`].
const PROBLEM_TYPE: &str = "application/problem+json";

/// A problem document. Its type is that of its status; `code` tells more.
#[derive(Serialize)]
struct Problem<'a> {
    r#type: &'static str,
    title: &'a str,
    status: u16,
    detail: &'a str,
    code: ErrorCode,
    #[serde(skip_serializing_if = "Option::is_none")]
    position_bytes: Option<usize>,
}

/// An error with its causes.
pub(super) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut chain = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        chain = format!("{chain}: {error}");
        source = error.source();
    }
    chain
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.status()
    }

    fn error_response(&self) -> HttpResponse {
        let status = self.status();
        let problem = Problem {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or_default(),
            status: status.as_u16(),
            detail: &self.message,
            code: self.code,
            position_bytes: self.position_bytes,
        };
        let body = serde_json::to_string(&problem).unwrap_or_default();
        let mut response = HttpResponse::build(status).content_type(PROBLEM_TYPE).body(body);
        if let Some(allow) = self.allow {
            response.headers_mut().insert(ALLOW, HeaderValue::from_static(allow));
        }
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        // For its count.
        response.extensions_mut().insert(self.code);
        response
    }
}

impl From<CollectionError> for ApiError {
    fn from(error: CollectionError) -> Self {
        match error {
            CollectionError::Store(error) => error.into(),
            CollectionError::TakenDown { .. } => Self::new(ErrorCode::TakenDown, error.to_string()),
            other => Self::internal(&other),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::ReadOnly { .. } => Self::read_only(),
            StoreError::TreeTooLarge { .. } | StoreError::Refused { .. } => {
                Self::new(ErrorCode::TooLarge, error.to_string())
            }
            StoreError::Poisoned { .. } => {
                let message = "a former commit failed, so no more pages are taken in for now";
                Self::new(ErrorCode::WriterStopped, message)
            }
            other => Self::internal(&other),
        }
    }
}

impl From<DeleteError> for ApiError {
    fn from(error: DeleteError) -> Self {
        match error {
            DeleteError::Selection(message) => Self::new(ErrorCode::BadParameter, message),
            DeleteError::NoArchive { .. } | DeleteError::SeveralArchives { .. } => {
                Self::new(ErrorCode::ArchiveNotFound, error.to_string())
            }
            DeleteError::Search(error) => error.into(),
            DeleteError::Folder(error) => error.into(),
            other => Self::internal(&other),
        }
    }
}

impl From<IngestError> for ApiError {
    fn from(error: IngestError) -> Self {
        match error {
            IngestError::Collection(error) => error.into(),
            IngestError::Paths(_) => Self::new(ErrorCode::NoPage, "the archive cannot be read"),
            other => Self::internal(&other),
        }
    }
}

impl From<SearchError> for ApiError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::OutOfRange { .. }
            | SearchError::NoShare { .. }
            | SearchError::OtherCursor
            | SearchError::FacetsAsOf
            | SearchError::NoCoverage => Self::new(ErrorCode::BadParameter, error.to_string()),
            SearchError::UnknownBlock { .. } => Self::new(ErrorCode::BlockNotFound, error.to_string()),
            SearchError::Query(ref query) => Self {
                position_bytes: Some(query.position_bytes),
                trouble: Some(query.kind.to_string()),
                ..Self::new(ErrorCode::BadQuery, error.to_string())
            },
            SearchError::NotToTheLetter { .. } => Self::new(ErrorCode::BadQuery, error.to_string()),
            SearchError::CutShort => Self::new(ErrorCode::CutShort, error.to_string()),
            SearchError::Index(error) => error.into(),
            SearchError::Collection(error) => error.into(),
            other => Self::internal(&other),
        }
    }
}

impl From<lopper_index::SearchError> for ApiError {
    fn from(error: lopper_index::SearchError) -> Self {
        if let lopper_index::SearchError::OutOfTime(late) = error {
            return Self::new(ErrorCode::CutShort, late.to_string());
        }
        Self::internal(&error)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn codes_are_told_by_their_names() {
        for code in ErrorCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.name());
        }
    }

    #[test]
    fn a_read_only_folder_is_a_conflict_with_advice() {
        let error = ApiError::from(StoreError::ReadOnly { data: PathBuf::from("/secret/place") });
        assert_eq!(error.code, ErrorCode::ReadOnly);
        assert_eq!(error.status(), StatusCode::CONFLICT);
        assert!(error.message.contains("lopper ingest") && !error.message.contains("secret"));
    }

    #[test]
    fn faults_do_not_tell_their_cause() {
        let error = ApiError::internal(&std::io::Error::other("/secret/place"));
        assert!(!error.message.contains("secret"));
        assert_eq!(error.code.status(), 500);
    }
}
