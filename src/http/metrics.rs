//! Counts of requests, in the text form of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use actix_web::http::Method;

/// Upper bounds of the buckets of durations, in seconds.
const BOUNDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5];

/// What is said of a path that is not there.
const NO_ROUTE: &str = "none";

/// How often each route was answered, how, and how long that took.
#[derive(Debug, Default)]
pub(super) struct Metrics(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// By route, method and status: few, since routes are those of the program.
    answers: BTreeMap<(String, &'static str, u16), u64>,
    durations: BTreeMap<String, Durations>,
}

#[derive(Debug, Default, Clone)]
struct Durations {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// Counts an answer.
    pub(super) fn count(&self, method: &Method, route: Option<&str>, status: u16, duration: Duration) {
        let route = route.unwrap_or(NO_ROUTE);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.answers.entry((route.to_owned(), name_of(method), status)).or_default() += 1;
        let durations = counts.durations.entry(route.to_owned()).or_default();
        let seconds = duration.as_secs_f64();
        for (bucket, _) in durations.buckets.iter_mut().zip(BOUNDS).filter(|(_, bound)| seconds <= *bound) {
            *bucket += 1;
        }
        durations.count += 1;
        durations.seconds += seconds;
    }

    /// All counts as text.
    pub(super) fn write(&self, out: &mut String) {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        head(out, "lopper_http_requests_total", "counter", "Answers by route, method and status.");
        for ((route, method, status), count) in &counts.answers {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
            let _ = writeln!(out, "lopper_http_requests_total{{{labels}}} {count}");
        }
        let name = "lopper_http_request_duration_seconds";
        head(out, name, "histogram", "Time until an answer begins, by route.");
        for (route, durations) in &counts.durations {
            for (bound, count) in BOUNDS.iter().zip(durations.buckets) {
                let _ = writeln!(out, "{name}_bucket{{route=\"{route}\",le=\"{bound}\"}} {count}");
            }
            let Durations { count, seconds, .. } = durations;
            let _ = writeln!(out, "{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}");
            let _ = writeln!(out, "{name}_sum{{route=\"{route}\"}} {seconds}");
            let _ = writeln!(out, "{name}_count{{route=\"{route}\"}} {count}");
        }
    }
}

/// A figure that only grows, by one label.
pub(super) fn counter(out: &mut String, name: &str, help: &str, label: &str, values: &[(&str, u64)]) {
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

fn head(out: &mut String, name: &str, kind: &str, help: &str) {
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
        let mut text = String::new();
        metrics.write(&mut text);
        for line in [
            "lopper_http_requests_total{route=\"/v1/search\",method=\"GET\",status=\"200\"} 2",
            "lopper_http_requests_total{route=\"none\",method=\"other\",status=\"404\"} 1",
            "lopper_http_request_duration_seconds_bucket{route=\"/v1/search\",le=\"0.001\"} 0",
            "lopper_http_request_duration_seconds_bucket{route=\"/v1/search\",le=\"0.0025\"} 1",
            "lopper_http_request_duration_seconds_bucket{route=\"/v1/search\",le=\"+Inf\"} 2",
            "lopper_http_request_duration_seconds_sum{route=\"/v1/search\"} 9.002",
        ] {
            assert!(text.lines().any(|found| found == line), "no {line} in\n{text}");
        }
    }
}
