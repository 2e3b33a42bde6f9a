//! Refuses who asks for more than a caller may ([`Allowance`]).

use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::HeaderName;
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage, ResponseError, web};

use super::callers::{Caller, Over, Place};
use super::error::{ApiError, ErrorCode};
use super::state::State;
use crate::allowance::Allowance;

/// What a proxy says of who asked it.
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The key that a request came with, as far as it matters here.
#[derive(Debug, Clone)]
pub(super) struct GivenKey {
    pub(super) id: String,
    pub(super) allowance: Allowance,
}

/// Answers who has not asked for too much. An answer is at work until its last byte is sent.
pub(super) async fn check(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    match admitted(&request) {
        Ok(None) => Ok(next.call(request).await?.map_into_boxed_body()),
        Ok(Some(place)) => {
            let answer = next.call(request).await?.map_into_boxed_body();
            Ok(answer.map_body(|_, body| Sent { body, place }.boxed()))
        }
        Err(error) => Ok(request.into_response(error.error_response())),
    }
}

fn admitted(request: &ServiceRequest) -> Result<Option<Place>, ApiError> {
    let Some(state) = request.app_data::<web::Data<State>>() else { return Ok(None) };
    let options = state.options();
    let key = request.extensions().get::<GivenKey>().cloned();
    let allowed = key.as_ref().map(|key| key.allowance).unwrap_or_default().or(options.per_caller);
    // Who watches the service is always answered.
    if allowed.is_unlimited() || matches!(request.path(), "/healthz" | "/readyz") {
        return Ok(None);
    }
    let caller = key.map(|key| Caller::Key(key.id)).or_else(|| Some(Caller::at(address(request, &options.proxies)?)));
    let Some(caller) = caller else { return Ok(None) };
    state.callers().admit(caller, allowed, Instant::now()).map(Some).map_err(|over| refusal(over, allowed))
}

fn refusal(over: Over, allowed: Allowance) -> ApiError {
    let (message, seconds) = match over {
        Over::Rate(wait) => ("that is too many requests in this time", wait.as_secs_f64().ceil() as u64),
        Over::AtWork => ("too many of your requests are being answered already", 1),
    };
    let message = format!("{message}: you have {allowed}");
    ApiError::new(ErrorCode::TooManyRequests, message).retry_after(seconds.max(1))
}

/// Who asked: whoever is connected, or, where that is a proxy that the operator named, who that says asked it. What stands before that in
/// the header is anybody's word.
fn address(request: &ServiceRequest, proxies: &[IpAddr]) -> Option<IpAddr> {
    let connected = request.peer_addr()?.ip().to_canonical();
    let said = request.headers().get_all(FORWARDED).filter_map(|value| value.to_str().ok());
    let said: Vec<&str> = said.flat_map(|value| value.split(',')).collect();
    Some(asker(connected, &said, proxies))
}

/// An address of the header, with or without a port.
fn forwarded(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bracketed = text.strip_prefix('[').and_then(|text| text.split_once(']')).map_or(text, |(address, _)| address);
    let address = bracketed.parse::<IpAddr>().ok();
    address.or_else(|| text.parse::<std::net::SocketAddr>().ok().map(|place| place.ip())).map(|ip| ip.to_canonical())
}

/// The last one in the row that is no proxy of ours; what is no address ends it.
fn asker(connected: IpAddr, said: &[&str], proxies: &[IpAddr]) -> IpAddr {
    let row = said.iter().rev().map_while(|said| forwarded(said));
    std::iter::once(connected).chain(row).find(|address| !proxies.contains(address)).unwrap_or(connected)
}

/// A body whose request is at work until it is sent, or its client has gone.
struct Sent {
    body: BoxBody,
    place: Place,
}

impl MessageBody for Sent {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(cx)
    }

    fn try_into_bytes(self) -> Result<Bytes, Self> {
        let Self { body, place } = self;
        body.try_into_bytes().map_err(|body| Self { body, place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_proxies_are_believed() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let proxies = [ip("127.0.0.1"), ip("10.0.0.1")];
        for (connected, header, expected) in [
            ("192.0.2.7", "", "192.0.2.7"),
            ("192.0.2.7", "198.51.100.1", "192.0.2.7"),
            ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
            ("127.0.0.1", "203.0.113.9, 198.51.100.1", "198.51.100.1"),
            ("127.0.0.1", "198.51.100.1, 10.0.0.1", "198.51.100.1"),
            ("127.0.0.1", "[2001:db8::1]:8080", "2001:db8::1"),
            ("127.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
            ("127.0.0.1", "", "127.0.0.1"),
            ("127.0.0.1", "unknown", "127.0.0.1"),
            // Whoever writes nonsense in front is told by what the proxy adds all the same.
            ("127.0.0.1", "nonsense, 198.51.100.1", "198.51.100.1"),
        ] {
            let said: Vec<&str> = header.split(',').collect();
            assert_eq!(asker(ip(connected), &said, &proxies), ip(expected), "{connected} {header}");
        }
        assert_eq!(asker(ip("127.0.0.1"), &["198.51.100.1"], &[]), ip("127.0.0.1"));
    }
}
