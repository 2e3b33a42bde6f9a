//! What the program tells of its work. Logs go to standard error, so that standard output is the answer alone; spans of requests and their
//! stages are counted for `/metrics`, and sent to a collector of OpenTelemetry where the program is built for that.

pub(crate) mod histogram;
pub(crate) mod stages;
#[cfg(feature = "opentelemetry")]
mod traces;

use std::io::IsTerminal;

use lopper_faults::guard::is_guarded;
use tracing::Span;
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

use stages::{StageTimes, is_stage};

/// The target of the spans of requests.
pub(crate) const REQUESTS: &str = "lopper::request";

/// Says an error for each client that speaks no HTTP; what such a client gets is status 400.
const OF_BAD_CLIENTS: &str = "actix_http::h1::dispatcher=off";

/// What is logged if nothing else is asked for.
const LEVEL_DEFAULT: &str = "warn";

/// Which form lines have: `text`, the default, or `json`, an object a line.
const FORMAT_VARIABLE: &str = "LOPPER_LOG_FORMAT";

/// What was started. Dropped at the program's end, it sends the last traces.
#[must_use]
pub struct Telemetry {
    #[cfg(feature = "opentelemetry")]
    _traces: Option<traces::Traces>,
}

/// Starts logging at `LOPPER_LOG` (`error`, `warn`, `info`, `debug`, or a filter), by default warnings. Called once. Panics that become an error,
/// which tells of them, are not told by themselves.
pub fn start() -> Telemetry {
    let filter = without_bad_clients(filter());
    let logs = fmt::layer().with_writer(std::io::stderr);
    let logs = if wants_json() {
        logs.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed()
    } else {
        logs.with_ansi(std::io::stderr().is_terminal()).boxed()
    };
    let subscriber =
        tracing_subscriber::registry().with(logs.with_filter(filter)).with(StageTimes.with_filter(filter_fn(is_stage)));
    #[cfg(feature = "opentelemetry")]
    let traces = traces::Traces::start();
    #[cfg(feature = "opentelemetry")]
    let subscriber = subscriber.with(traces.as_ref().map(traces::Traces::layer));
    // A second start, in tests, keeps the first.
    let _ = subscriber.try_init();
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if is_guarded() {
            tracing::debug!("{panic}");
        } else {
            told(panic);
        }
    }));
    Telemetry {
        #[cfg(feature = "opentelemetry")]
        _traces: traces,
    }
}

/// What `LOPPER_LOG` asks for; what it cannot mean is told, and warnings are logged.
fn filter() -> EnvFilter {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    let Some(asked) = std::env::var("LOPPER_LOG").ok().filter(|asked| !asked.trim().is_empty()) else {
        return EnvFilter::new(LEVEL_DEFAULT);
    };
    let is_word = asked.chars().all(|c| c.is_ascii_alphanumeric());
    let is_level = LEVELS.iter().any(|level| level.eq_ignore_ascii_case(&asked));
    match EnvFilter::try_new(&asked) {
        Ok(filter) if is_level || !is_word => filter,
        _ => {
            eprintln!("lopper: LOPPER_LOG={asked} is none of {}: warnings are logged", LEVELS.join(", "));
            EnvFilter::new(LEVEL_DEFAULT)
        }
    }
}

/// Makes a request's span part of the trace that its headers name, where traces are sent. `header` gives a header's value by its name.
pub(crate) fn follow<'a>(span: &Span, header: &'a dyn Fn(&str) -> Option<&'a str>) {
    #[cfg(feature = "opentelemetry")]
    traces::follow(span, header);
    #[cfg(not(feature = "opentelemetry"))]
    let _ = (span, header);
}

/// Names a request's span anew, where traces are sent: its route is known when there is an answer.
pub(crate) fn rename(span: &Span, name: std::fmt::Arguments<'_>) {
    #[cfg(feature = "opentelemetry")]
    traces::rename(span, name);
    #[cfg(not(feature = "opentelemetry"))]
    let _ = (span, name);
}

fn wants_json() -> bool {
    let wanted = std::env::var(FORMAT_VARIABLE).unwrap_or_default();
    if !["", "text", "json"].contains(&wanted.as_str()) {
        eprintln!("lopper: note: {FORMAT_VARIABLE} is neither `text` nor `json`; logs are text");
    }
    wanted == "json"
}

/// Bad requests are faults of others, told from `debug` on.
fn without_bad_clients(filter: EnvFilter) -> EnvFilter {
    if filter.max_level_hint() >= Some(LevelFilter::DEBUG) {
        return filter;
    }
    filter.add_directive(OF_BAD_CLIENTS.parse().expect("the directive is a constant"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_clients_are_told_from_debug_on() {
        for (level, is_silent) in [("warn", true), ("info", true), ("debug", false), ("lopper=trace", false)] {
            let filter = without_bad_clients(EnvFilter::new(level)).to_string();
            assert_eq!(filter.contains("dispatcher=off"), is_silent, "{filter}");
        }
    }
}
