//! Logs go to standard error, so that standard output is the answer alone.

use std::io::IsTerminal;

use lopper_faults::guard::is_guarded;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// Says an error for each client that speaks no HTTP; what such a client gets is status 400.
const OF_BAD_CLIENTS: &str = "actix_http::h1::dispatcher=off";

/// Which form lines have: `text`, the default, or `json`, an object a line.
const FORMAT_VARIABLE: &str = "LOPPER_LOG_FORMAT";

/// Starts logging at `LOPPER_LOG` (`error`, `warn`, `info`, `debug`, or a filter), by default warnings. Called once. Panics that become an error,
/// which tells of them, are not told by themselves.
pub fn start() {
    let filter = without_bad_clients(EnvFilter::try_from_env("LOPPER_LOG").unwrap_or_else(|_| EnvFilter::new("warn")));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second start, in tests, keeps the first.
    let _ = if wants_json() {
        subscriber.json().flatten_event(true).with_span_list(false).try_init()
    } else {
        subscriber.with_ansi(std::io::stderr().is_terminal()).try_init()
    };
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if is_guarded() {
            tracing::debug!("{panic}");
        } else {
            told(panic);
        }
    }));
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
