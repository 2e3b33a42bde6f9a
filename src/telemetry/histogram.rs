//! How long something took, in the text form of Prometheus.

use std::fmt::Write;
use std::time::Duration;

/// Upper bounds of the buckets, in seconds.
const BOUNDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5];

/// Durations by size.
#[derive(Debug, Default, Clone)]
pub(crate) struct Histogram {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

impl Histogram {
    /// Counts one.
    pub(crate) fn count(&mut self, duration: Duration) {
        let seconds = duration.as_secs_f64();
        for (bucket, _) in self.buckets.iter_mut().zip(BOUNDS).filter(|(_, bound)| seconds <= *bound) {
            *bucket += 1;
        }
        self.count += 1;
        self.seconds += seconds;
    }

    /// Its lines, with a label that tells it from others of that name.
    pub(crate) fn write(&self, out: &mut String, name: &str, label: &str, value: &str) {
        for (bound, count) in BOUNDS.iter().zip(self.buckets) {
            let _ = writeln!(out, "{name}_bucket{{{label}=\"{value}\",le=\"{bound}\"}} {count}");
        }
        let Self { count, seconds, .. } = self;
        let _ = writeln!(out, "{name}_bucket{{{label}=\"{value}\",le=\"+Inf\"}} {count}");
        let _ = writeln!(out, "{name}_sum{{{label}=\"{value}\"}} {seconds}");
        let _ = writeln!(out, "{name}_count{{{label}=\"{value}\"}} {count}");
    }
}
