//! Spans to a collector of OpenTelemetry, by OTLP over HTTP.
//!
//! Where they go is told by the variables that OpenTelemetry has for that, `OTEL_EXPORTER_OTLP_ENDPOINT` above all; without it nothing is
//! sent. A thread of its own sends them in batches: nobody waits for a collector.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use lopper_collection::STAGES;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{TraceContextExt, TracerProvider};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Metadata, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;
use ureq::Agent;

use super::REQUESTS;

/// Where to send: for all that is sent, and for traces alone.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

/// Who sends, where that is not the program's name.
const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";

/// Time that a collector has for a batch.
const BATCH_DURATION_MAX: Duration = Duration::from_secs(10);

/// Bytes of a collector's answer that are read.
const ANSWER_BYTES_MAX: u64 = 1 << 20;

/// Sends spans until it is dropped, which sends the last ones.
pub(super) struct Traces(SdkTracerProvider);

impl Traces {
    /// Traces where an endpoint is named, else `None`; also where it is no address, which is told.
    pub(super) fn start() -> Option<Self> {
        let is_set = |name: &&str| std::env::var(name).is_ok_and(|value| !value.is_empty());
        ENDPOINTS.iter().find(|name| is_set(name))?;
        let exporter = match SpanExporter::builder().with_http().with_http_client(Client::new()).build() {
            Ok(exporter) => exporter,
            Err(error) => {
                eprintln!("lopper: note: no traces are sent: {error}");
                return None;
            }
        };
        let resource = Resource::builder();
        let resource = if is_set(&SERVICE_NAME) { resource } else { resource.with_service_name("lopper") };
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build());
        Some(Self(provider.build()))
    }

    /// What gives it the spans of requests and their stages.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let layer = tracing_opentelemetry::layer().with_tracer(self.0.tracer("lopper"));
        layer.with_location(false).with_threads(false).with_filter(filter_fn(is_sent))
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown() {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

fn is_sent(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && [REQUESTS, STAGES].contains(&metadata.target())
}

/// Makes a request's span part of the trace that its headers name (`traceparent`, W3C Trace Context), if they name one.
pub(super) fn follow<'a>(span: &Span, header: &'a dyn Fn(&str) -> Option<&'a str>) {
    let context = TraceContextPropagator::new().extract(&Headers(header));
    // A span that is not sent follows nothing.
    let _ = span.set_parent(context);
}

/// Names a span anew.
pub(super) fn rename(span: &Span, name: fmt::Arguments<'_>) {
    span.context().span().update_name(name.to_string());
}

struct Headers<'a>(&'a dyn Fn(&str) -> Option<&'a str>);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0(key)
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent", "tracestate"]
    }
}

/// Sends batches from the thread that makes them.
struct Client(Agent);

impl Client {
    fn new() -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(BATCH_DURATION_MAX))
            .user_agent(concat!("lopper/", env!("CARGO_PKG_VERSION")))
            .build();
        Self(config.into())
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (head, body) = request.into_parts();
        let answer = self.0.run(Request::from_parts(head, &body[..]))?;
        let (head, mut body) = answer.into_parts();
        let body = body.with_config().limit(ANSWER_BYTES_MAX).read_to_vec()?;
        Ok(Response::from_parts(head, body.into()))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Client")
    }
}

impl HttpClient for Client {
    fn send_bytes<'a, 'b>(
        &'a self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(std::future::ready(self.send(request)))
    }
}
