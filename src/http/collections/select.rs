//! Which collection a request is for.

use std::rc::Rc;
use std::sync::Arc;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{Extensions, ServiceRequest, ServiceResponse, Url};
use actix_web::http::header::{HeaderValue, LOCATION};
use actix_web::http::uri::{PathAndQuery, Uri};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, ResponseError, web};

use super::{Collections, DEFAULT};
use crate::http::error::ApiError;
use crate::http::site::failure;
use crate::http::state::{State, blocking};

/// What addresses within a collection begin with: for programs, and for people.
const PREFIXES: [(&str, &str); 2] = [("/v1/c/", "/v1/"), ("/c/", "/")];

/// The name of the collection that a request was for, where its path has one.
struct Selected(String);

/// The collection that a request is for; `None` for that which the server begins with.
pub(in crate::http) fn selected(request: &HttpRequest) -> Option<String> {
    request.extensions().get::<Selected>().map(|selected| selected.0.clone())
}

/// A path's collection, and the path as it is within that: `/v1/c/news/search` and `/c/news/v1/search` are `/v1/search` of `news`.
pub(in crate::http) fn split(path: &str) -> Option<(&str, String)> {
    let (rest, own) = PREFIXES.iter().find_map(|(prefix, own)| Some((path.strip_prefix(prefix)?, own)))?;
    let (name, rest) = match rest.split_once('/') {
        // The search page is there with and without a slash at the end.
        None if *own == "/" => (rest, ""),
        split => split?,
    };
    let within = format!("{own}{rest}");
    // A collection has no collections.
    let is_own = !["/v1/c/", "/v1/collections", "/c/"].iter().any(|prefix| within.starts_with(prefix));
    is_own.then_some((name, within))
}

/// Has a request answered by the collection that its path names.
pub(in crate::http) async fn select(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let named = split(request.path()).map(|(name, path)| (name.to_owned(), path));
    let Some((name, path)) = named else { return Ok(next.call(request).await?.map_into_boxed_body()) };
    let is_for_programs = request.path().starts_with("/v1/");
    let state = match opened(&request, &name).await {
        Ok(state) => state,
        Err(error) if is_for_programs => return Ok(request.into_response(error.error_response())),
        Err(error) => {
            let page = failure(request.request(), error);
            return Ok(request.into_response(page));
        }
    };
    let mut container = Extensions::new();
    container.insert(state);
    request.add_data_container(Rc::new(container));
    if name != DEFAULT {
        request.extensions_mut().insert(Selected(name.clone()));
    }
    if let Some(uri) = with_path(request.uri(), &path) {
        request.match_info_mut().set(Url::new(uri.clone()));
        request.head_mut().uri = uri;
    }
    let mut response = next.call(request).await?;
    let location = response.headers().get(LOCATION).and_then(|location| location.to_str().ok());
    let own = location.and_then(|location| within(&name, location, is_for_programs));
    if let Some(own) = own.and_then(|own| HeaderValue::from_str(&own).ok()) {
        response.headers_mut().insert(LOCATION, own);
    }
    Ok(response.map_into_boxed_body())
}

/// An address of the first collection, as it is of another.
fn within(name: &str, location: &str, is_for_programs: bool) -> Option<String> {
    let (prefix, own) = PREFIXES[usize::from(!is_for_programs)];
    Some(format!("{prefix}{name}/{}", location.strip_prefix(own)?))
}

async fn opened(request: &ServiceRequest, name: &str) -> Result<web::Data<State>, ApiError> {
    let collections = request.app_data::<web::Data<Collections>>().cloned();
    let collections: Arc<Collections> =
        collections.map(web::Data::into_inner).ok_or_else(|| ApiError::internal(&std::fmt::Error))?;
    if let Some(state) = collections.open_already(name)? {
        return Ok(state);
    }
    let name = name.to_owned();
    blocking(move || collections.open(&name)).await
}

fn with_path(uri: &Uri, path: &str) -> Option<Uri> {
    let path_and_query = uri.query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(path_and_query.parse::<PathAndQuery>().ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_their_collection() {
        let within = |path: &str| split(path).map(|(name, path)| (name.to_owned(), path));
        assert_eq!(within("/v1/c/news/search"), Some(("news".to_owned(), "/v1/search".to_owned())));
        assert_eq!(within("/v1/c/news/pages/1/tree"), Some(("news".to_owned(), "/v1/pages/1/tree".to_owned())));
        assert_eq!(within("/c/news/page/1"), Some(("news".to_owned(), "/page/1".to_owned())));
        for path in ["/c/news", "/c/news/"] {
            assert_eq!(within(path), Some(("news".to_owned(), "/".to_owned())));
        }
        for path in
            ["/v1/search", "/v1/c/news", "/v1/c/a/c/b/search", "/v1/c/a/collections", "/c/a/c/b/", "/c/a/v1/c/b/x"]
        {
            assert_eq!(within(path), None, "{path}");
        }
        assert_eq!(super::within("news", "/?q=a", false).unwrap(), "/c/news/?q=a");
        assert_eq!(super::within("news", "/v1/pages/1", true).unwrap(), "/v1/c/news/pages/1");
        let uri: Uri = "/v1/c/news/search?q=a%20b".parse().unwrap();
        assert_eq!(with_path(&uri, "/v1/search").unwrap(), "/v1/search?q=a%20b");
    }
}
