//! Who may ask through a browser.
//!
//! A page on the web can name its own host and let that name lead to this machine (DNS rebinding); the browser then takes this server for the
//! page's own and lets it read and post. So a request must name this server by an address, as `localhost`, or by a name that the operator
//! gave. And a page of another origin can post without reading the answer, as forms do; browsers say where such a request comes from.

use actix_web::Error;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HOST, HeaderName, ORIGIN};
use actix_web::middleware::Next;
use actix_web::{ResponseError, web};
use url::{Host, Url};

use super::error::{ApiError, ErrorCode};
use super::parameters::shortened;
use super::state::State;

/// Answers only what names this server as itself, and changes nothing for other sites.
pub(super) async fn check(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let known = request.app_data::<web::Data<State>>().map(|state| state.options().allowed_hosts.clone());
    match refusal(&request, &known.unwrap_or_default()) {
        Some(error) => Ok(request.into_response(error.error_response())),
        None => Ok(next.call(request).await?.map_into_boxed_body()),
    }
}

fn refusal(request: &ServiceRequest, allowed: &[String]) -> Option<ApiError> {
    let host =
        text(request, &HOST).or_else(|| request.uri().authority().map(|authority| authority.as_str().to_owned()));
    // Browsers always name the host; without one nobody was deceived.
    let host = host?;
    if !is_own(&host, allowed) {
        let message = format!(
            "this server does not go by the name `{}`; its operator can add that to `allowed_hosts` in [serve]",
            shortened(&host)
        );
        return Some(ApiError::new(ErrorCode::HostNotAllowed, message));
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let foreign = match text(request, &ORIGIN) {
        Some(origin) => !is_same(&origin, &host),
        None => text(request, &HeaderName::from_static("sec-fetch-site")).is_some_and(|site| site == "cross-site"),
    };
    let message = "pages of other sites cannot change anything here";
    (foreign && !reads).then(|| ApiError::new(ErrorCode::OriginNotAllowed, message))
}

/// A header as text; one that is no text is an empty one.
fn text(request: &ServiceRequest, name: &HeaderName) -> Option<String> {
    request.headers().get(name).map(|value| value.to_str().unwrap_or_default().to_owned())
}

/// Whether a `Host` header names this server: by an address, as `localhost`, or by a name of the list.
fn is_own(host: &str, allowed: &[String]) -> bool {
    let url = Url::parse(&format!("http://{host}/"));
    match url.as_ref().ok().and_then(Url::host) {
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost"
                || name.ends_with(".localhost")
                || allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(name))
        }
        None => false,
    }
}

/// Whether an `Origin` header is the server's own: the same host and port, by whatever scheme a proxy has.
fn is_same(origin: &str, host: &str) -> bool {
    let Ok(origin) = Url::parse(origin) else { return false };
    let own = Url::parse(&format!("{}://{host}/", origin.scheme()));
    own.is_ok_and(|own| {
        origin.host().is_some()
            && own.host() == origin.host()
            && own.port_or_known_default() == origin.port_or_known_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_localhost_and_listed_names_are_own() {
        let allowed = ["search.example.org".to_owned()];
        for host in [
            "127.0.0.1:7700",
            "[::1]:7700",
            "10.1.2.3",
            "localhost",
            "LOCALHOST:80",
            "a.localhost:7700",
            "Search.Example.org",
            "search.example.org.:443",
        ] {
            assert!(is_own(host, &allowed), "{host}");
        }
        for host in
            ["evil.example", "localhost.evil.example", "evil.example:7700", "x.search.example.org", "", "a b", "@"]
        {
            assert!(!is_own(host, &allowed), "{host}");
        }
    }

    #[test]
    fn an_origin_is_own_by_host_and_port() {
        assert!(is_same("http://localhost:7700", "localhost:7700"));
        assert!(is_same("https://search.example.org", "search.example.org"));
        for (origin, host) in [
            ("null", "localhost:7700"),
            ("http://localhost:1", "localhost:7700"),
            ("http://evil.example", "localhost:7700"),
            ("http://127.0.0.1:7700", "localhost:7700"),
            ("", "localhost"),
            ("file:///a", "localhost"),
        ] {
            assert!(!is_same(origin, host), "{origin} {host}");
        }
    }
}
