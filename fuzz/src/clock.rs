//! Time that an input takes of a processor, so that none is slow because the machine is busy with other things.

use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Processor time of this thread where the system tells it (Linux), the time of day elsewhere. Only differences mean something.
pub(crate) fn worked() -> Duration {
    static STARTED: OnceLock<Instant> = OnceLock::new();
    let started = STARTED.get_or_init(Instant::now);
    processor_time().unwrap_or_else(|| started.elapsed())
}

/// The first number of `schedstat`: nanoseconds spent on a processor.
fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
