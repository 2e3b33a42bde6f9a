//! `POST /v1/mcp`: the tools of language models by the protocol's streamable HTTP transport, each message by itself.
//!
//! Which headers, versions and messages there are is the library's business; here a request goes in as what it expects, and its answer
//! comes out. There are no sessions: nothing is kept between two messages, so any of several servers may get the next one.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use futures_util::stream;
use http::{HeaderMap, Request, Response};
use http_body::Body;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use lopper_collection::search::{SearchEngine, SearchError};
use lopper_index::Budget;
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use tokio::sync::OwnedSemaphorePermit;

use super::ingest::receive_json;
use crate::http::error::{ApiError, ErrorCode};
use crate::http::state::{Client, State};
use crate::mcp::{Collections, Speaker, Tools, fault};

/// Answers one message of a client.
pub(in crate::http) async fn mcp(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
) -> Result<HttpResponse, ApiError> {
    let body = receive_json(&request, payload, &state).await?;
    match fault(&body) {
        Some(fault) if fault.is_no_message => return Err(ApiError::new(ErrorCode::BadBody, fault.message)),
        Some(fault) => return Ok(HttpResponse::Ok().content_type("application/json").body(fault.answer)),
        None => {}
    }
    let place = state.searches_place().await?;
    let budget = state.search_budget();
    let _client = Client(budget.clone());
    let answer = service(Served { state, budget, _place: place }).handle(library_request(&request, body)).await;
    let is_json = answer.headers().get(http::header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if answer.status().is_success() || is_json { Ok(own_response(answer)) } else { Err(own_error(answer).await) }
}

/// What the library says is wrong with the request's headers.
async fn own_error(answer: Response<BoxBody<web::Bytes, Infallible>>) -> ApiError {
    let status = answer.status().as_u16();
    let Ok(body) = answer.into_body().collect().await;
    let message = String::from_utf8_lossy(&body.to_bytes()).trim().to_owned();
    let code = match status {
        415 => ErrorCode::UnsupportedMediaType,
        500.. => ErrorCode::Internal,
        _ => ErrorCode::BadParameter,
    };
    ApiError::new(code, message)
}

/// The tools over the collection that the request is for.
fn service(served: Served) -> StreamableHttpService<Speaker, NeverSessionManager> {
    let limits = served.state.options().limits;
    let tools = Arc::new(Tools::new(Arc::new(served), limits));
    let speaker = Speaker::new(tools);
    // The service looks at hosts and origins itself, before anything else.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts();
    StreamableHttpService::new(move || Ok::<_, io::Error>(speaker.clone()), Arc::default(), config)
}

/// The collection of a server as it is now, for one request. It has its place among the searches until its work has ended, also when the
/// client has gone.
struct Served {
    state: web::Data<State>,
    budget: Budget,
    _place: OwnedSemaphorePermit,
}

impl Collections for Served {
    fn engine(&self) -> Result<Arc<SearchEngine>, SearchError> {
        Ok(self.state.engine())
    }

    fn budget(&self) -> Budget {
        self.budget.clone()
    }
}

fn library_request(request: &HttpRequest, body: web::Bytes) -> Request<Full<web::Bytes>> {
    let mut message = Request::new(Full::new(body));
    *message.method_mut() = http::Method::POST;
    // Answers are JSON whatever a client asks for.
    message
        .headers_mut()
        .insert(http::header::ACCEPT, http::HeaderValue::from_static("application/json, text/event-stream"));
    for (name, value) in request.headers() {
        let name = http::HeaderName::from_bytes(name.as_str().as_bytes());
        if let (Ok(name), Ok(value)) = (name, http::HeaderValue::from_bytes(value.as_bytes()))
            && name != http::header::ACCEPT
        {
            message.headers_mut().append(name, value);
        }
    }
    message
}

fn own_response(answer: Response<BoxBody<web::Bytes, Infallible>>) -> HttpResponse {
    let (head, body) = answer.into_parts();
    let status = StatusCode::from_u16(head.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::build(status);
    copy_headers(&head.headers, &mut response);
    if body.is_end_stream() {
        return response.finish();
    }
    let parts = stream::unfold(body.into_data_stream(), |mut parts| async {
        use futures_util::StreamExt;
        Some((parts.next().await?, parts))
    });
    response.streaming(parts)
}

fn copy_headers(headers: &HeaderMap, response: &mut actix_web::HttpResponseBuilder) {
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_str().as_bytes());
        // The length is told by who sends the body.
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value.as_bytes()))
            && name != actix_web::http::header::CONTENT_LENGTH
        {
            response.append_header((name, value));
        }
    }
}
