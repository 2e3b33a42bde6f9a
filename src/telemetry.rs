//! Logs go to standard error, so that standard output is the answer alone.

use std::io::IsTerminal;

use lopper_faults::guard::is_guarded;
use tracing_subscriber::EnvFilter;

/// Starts logging at `LOPPER_LOG` (`error`, `warn`, `info`, `debug`, or a filter), by default warnings. Called once. Panics that become an error,
/// which tells of them, are not told by themselves.
pub fn start() {
    let filter = EnvFilter::try_from_env("LOPPER_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second start, in tests, keeps the first.
    let _ = subscriber.with_ansi(std::io::stderr().is_terminal()).try_init();
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if is_guarded() {
            tracing::debug!("{panic}");
        } else {
            told(panic);
        }
    }));
}
