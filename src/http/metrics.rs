//! Counts of requests, in the text form of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::http::Method;
use lopper_store::StateKind;

use super::error::ErrorCode;
use crate::telemetry::histogram::Histogram;
use crate::telemetry::stages;

/// What is said of a path that is not there.
const NO_ROUTE: &str = "none";

/// How often each route was answered, how, and how long that took.
#[derive(Debug, Default)]
pub(super) struct Metrics(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// By route, method and status: few, since routes are those of the program.
    answers: BTreeMap<(String, &'static str, u16), u64>,
    durations: BTreeMap<String, Histogram>,
    /// Errors of programs' requests by their code.
    errors: BTreeMap<&'static str, u64>,
    /// Records that were taken in by what became of them.
    records: BTreeMap<&'static str, u64>,
}

impl Metrics {
    /// Counts an answer.
    pub(super) fn count(&self, method: &Method, route: Option<&str>, status: u16, duration: Duration) {
        let route = route.unwrap_or(NO_ROUTE);
        let mut counts = self.counts();
        *counts.answers.entry((route.to_owned(), name_of(method), status)).or_default() += 1;
        counts.durations.entry(route.to_owned()).or_default().count(duration);
    }

    /// Counts what was answered in place of what was asked for.
    pub(super) fn count_error(&self, code: ErrorCode) {
        *self.counts().errors.entry(code.name()).or_default() += 1;
    }

    /// Counts records that were taken in.
    pub(super) fn count_records(&self, state: StateKind, records: u64) {
        *self.counts().records.entry(state.as_str()).or_default() += records;
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All counts as text.
    pub(super) fn write(&self, out: &mut String) {
        let counts = self.counts();
        head(out, "lopper_http_requests_total", "counter", "Answers by route, method and status.");
        for ((route, method, status), count) in &counts.answers {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
            let _ = writeln!(out, "lopper_http_requests_total{{{labels}}} {count}");
        }
        let name = "lopper_http_request_duration_seconds";
        head(out, name, "histogram", "Time until an answer begins, by route.");
        for (route, durations) in &counts.durations {
            durations.write(out, name, "route", route);
        }
        let help = "Errors that programs were answered, by code.";
        counter(out, "lopper_errors_total", help, "code", &counts.errors);
        let help = "Records that were taken in since the start, by what became of them.";
        counter(out, "lopper_ingest_records_total", help, "state", &counts.records);
        let name = "lopper_stage_duration_seconds";
        head(out, name, "histogram", "Time that a stage of a request or of a commit took.");
        stages::write(out, name);
    }
}

/// A figure that only grows, by one label.
pub(super) fn counter(out: &mut String, name: &str, help: &str, label: &str, values: &BTreeMap<&str, u64>) {
    head(out, name, "counter", help);
    for (of, value) in values {
        let _ = writeln!(out, "{name}{{{label}=\"{of}\"}} {value}");
    }
}

/// One figure that can go up and down.
pub(super) fn gauge(out: &mut String, name: &str, help: &str, value: u64) {
    head(out, name, "gauge", help);
    let _ = writeln!(out, "{name} {value}");
}

/// What a figure is.
pub(super) fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

/// The method's name; those that no route has are one.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up() {
        let metrics = Metrics::default();
        metrics.count(&Method::GET, Some("/v1/search"), 200, Duration::from_millis(2));
        metrics.count(&Method::GET, Some("/v1/search"), 200, Duration::from_secs(9));
        metrics.count(&Method::PUT, None, 404, Duration::ZERO);
        metrics.count_error(ErrorCode::NotFound);
        metrics.count_records(StateKind::Failed, 3);
        let mut text = String::new();
        metrics.write(&mut text);
        for line in [
            "lopper_http_requests_total{route=\"/v1/search\",method=\"GET\",status=\"200\"} 2",
            "lopper_http_requests_total{route=\"none\",method=\"other\",status=\"404\"} 1",
            "lopper_errors_total{code=\"not_found\"} 1",
            "lopper_ingest_records_total{state=\"failed\"} 3",
            "lopper_http_request_duration_seconds_bucket{route=\"/v1/search\",le=\"0.001\"} 0",
            "lopper_http_request_duration_seconds_bucket{route=\"/v1/search\",le=\"0.0025\"} 1",
            "lopper_http_request_duration_seconds_bucket{route=\"/v1/search\",le=\"+Inf\"} 2",
            "lopper_http_request_duration_seconds_sum{route=\"/v1/search\"} 9.002",
        ] {
            assert!(text.lines().any(|found| found == line), "no {line} in\n{text}");
        }
    }
}
