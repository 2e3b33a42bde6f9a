//! Who may ask for what, where there are keys.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, HeaderValue, WWW_AUTHENTICATE};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, ResponseError, web};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use time::OffsetDateTime;

use super::collections::{DEFAULT, split};
use super::error::{ApiError, ErrorCode};
use super::limits::GivenKey;
use super::parameters::shortened;
use super::state::State;
use crate::keys::{FILE_NAME, Key, Keys, KeysError, Scope};

/// How a key can be given: browsers ask for it as a password, programs send it as it is.
const CHALLENGE: HeaderValue =
    HeaderValue::from_static("Basic realm=\"Lopper: any name, the key as password\", Bearer");

/// When the file was written, and its bytes.
type Version = Option<(SystemTime, u64)>;

/// The keys of the data folder as they are now.
pub(super) struct KeyRing {
    data: PathBuf,
    /// Whether a key is asked for even where there is none.
    is_closed: bool,
    known: Mutex<(Version, Arc<Keys>)>,
}

impl KeyRing {
    pub(super) fn new(data: PathBuf, is_closed: bool) -> Result<Self, KeysError> {
        let ring = Self { data, is_closed, known: Mutex::default() };
        ring.keys()?;
        Ok(ring)
    }

    /// The keys, read anew when their file has changed.
    pub(super) fn keys(&self) -> Result<Arc<Keys>, KeysError> {
        let file = fs::metadata(self.data.join(FILE_NAME)).ok();
        let version = file.and_then(|file| Some((file.modified().ok()?, file.len())));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.0 != version {
            *known = (version, Arc::new(Keys::read(&self.data)?));
        }
        Ok(Arc::clone(&known.1))
    }
}

/// Answers those who may ask.
pub(super) async fn check(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    match let_in(&request) {
        Ok(key) => {
            if let Some(key) = key {
                request.extensions_mut().insert(GivenKey { id: key.id, allowance: key.allowance });
                request.extensions_mut().insert(Bound(key.collections));
            }
            Ok(next.call(request).await?.map_into_boxed_body())
        }
        Err(error) => {
            let mut response = error.error_response();
            if error.code == ErrorCode::KeyRequired {
                response.headers_mut().insert(WWW_AUTHENTICATE, CHALLENGE);
            }
            Ok(request.into_response(response))
        }
    }
}

/// The collections that a request's key is for; all where it needs none.
#[derive(Debug, Clone, Default)]
pub(super) struct Bound(Option<Vec<String>>);

impl Bound {
    /// That of a request that was let in.
    pub(super) fn of(request: &HttpRequest) -> Self {
        request.extensions().get::<Self>().cloned().unwrap_or_default()
    }

    pub(super) fn allows(&self, collection: &str) -> bool {
        self.0.as_ref().is_none_or(|own| own.iter().any(|own| own == collection))
    }

    /// Whether it is for all there are and will be.
    pub(super) fn is_free(&self) -> bool {
        self.0.is_none()
    }
}

/// The key by which a request is let in; none where none is needed.
fn let_in(request: &ServiceRequest) -> Result<Option<Key>, ApiError> {
    // As the routes are matched: with its escapes undone.
    let (collection, path) = asked(request.match_info().as_str());
    // What all may ask is said of the service; to ask it of a further collection opens that.
    let is_further = collection.as_deref().is_some_and(|name| name != DEFAULT);
    let Some(needed) = needed(request.method(), &path).or_else(|| is_further.then_some(Scope::Read)) else {
        return Ok(None);
    };
    let Some(state) = request.app_data::<web::Data<State>>() else { return Ok(None) };
    let ring = state.key_ring();
    let keys = ring.keys().map_err(|error| ApiError::internal(&error))?;
    if keys.keys.is_empty() && !ring.is_closed {
        return Ok(None);
    }
    let now = OffsetDateTime::now_utc().unix_timestamp();
    let given = given(request);
    let Some(key) = given.as_deref().and_then(|given| keys.known(given, now)) else {
        let message = match given {
            None => "send a key: `Authorization: Bearer lopper_…`",
            Some(_) => {
                "the key is not known here, or has ended: whoever runs the server gives keys (`lopper keys add`)"
            }
        };
        return Err(ApiError::new(ErrorCode::KeyRequired, message));
    };
    if !key.allows(needed) {
        return Err(ApiError::new(ErrorCode::ScopeMissing, format!("this key does not allow `{needed}`")));
    }
    if let Some(other) = collection.filter(|name| !key.is_for(name)) {
        let message = format!("this key is not for the collection `{}`", shortened(&other));
        return Err(ApiError::new(ErrorCode::ScopeMissing, message));
    }
    Ok(Some(key.clone()))
}

/// The collection that a path is of, and the path within that. What says nothing of a collection, or picks those that the key is for, is of
/// none.
fn asked(path: &str) -> (Option<String>, String) {
    match split(path) {
        Some((name, path)) => (Some(name.to_owned()), path),
        None if path == "/v1/openapi.json" || path == "/v1/collections" || path.starts_with("/v1/collections/") => {
            (None, path.to_owned())
        }
        None if is_of_all_pages(path) => (None, path.to_owned()),
        None => (Some(DEFAULT.to_owned()), path.to_owned()),
    }
}

/// Styles, scripts and descriptions, which the pages of every collection refer to.
fn is_of_all_pages(path: &str) -> bool {
    let name = path.trim_start_matches('/');
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    !name.contains('/') && (name == "docs" || matches!(ending, Some("css" | "js")))
}

/// What a request needs; `None` for what all may ask.
pub(super) fn needed(method: &Method, path: &str) -> Option<Scope> {
    let reads = matches!(*method, Method::GET | Method::HEAD);
    match path {
        "/healthz" | "/readyz" if reads => None,
        "/v1/takedowns" => Some(Scope::Admin),
        _ if reads => Some(Scope::Read),
        "/v1/search" | "/v1/export" | "/v1/extract" | "/v1/mcp" | "/v1/pages/batch" | "/try"
            if method == Method::POST =>
        {
            Some(Scope::Read)
        }
        "/v1/pages" | "/v1/archives" | "/ingest" if method == Method::POST => Some(Scope::Ingest),
        _ if method == Method::POST && path.starts_with("/v1/jobs/") => Some(Scope::Ingest),
        _ => Some(Scope::Admin),
    }
}

/// The key of a request: by itself, or as a password.
fn given(request: &ServiceRequest) -> Option<String> {
    let header = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    let (kind, value) = header.split_once(' ')?;
    if kind.eq_ignore_ascii_case("bearer") {
        return Some(value.trim().to_owned());
    }
    let decoded = STANDARD.decode(value.trim()).ok().filter(|_| kind.eq_ignore_ascii_case("basic"))?;
    String::from_utf8(decoded).ok()?.split_once(':').map(|(_, password)| password.to_owned())
}
