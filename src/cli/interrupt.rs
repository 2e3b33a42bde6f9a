//! Ctrl-C, and requests to terminate.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use lopper_collection::ingest::Interrupt;

/// The exit code of a program that Ctrl-C stopped, as shells have it.
pub(super) const INTERRUPTED: u8 = 130;

/// Time in which all requests are one: GNU `timeout` sends its own to the program and to its group.
const AT_ONCE: Duration = Duration::from_millis(250);

/// The first request asks the run to stop; one that comes later ends the program at once.
pub(super) fn on_ctrl_c() -> Result<Interrupt> {
    let interrupt = Interrupt::default();
    let asked = interrupt.clone();
    let mut first = None;
    let handler = move || match meaning(&mut first, Instant::now()) {
        Meaning::Stop => {
            asked.ask();
            eprintln!("lopper: committing what was read; once more to end at once");
        }
        Meaning::Same => {}
        Meaning::End => std::process::exit(i32::from(INTERRUPTED)),
    };
    ctrlc::set_handler(handler).context("cannot take over Ctrl-C")?;
    Ok(interrupt)
}

#[derive(Debug, PartialEq, Eq)]
enum Meaning {
    /// Commit what was read, and end.
    Stop,
    /// It is the first one again.
    Same,
    /// End at once.
    End,
}

fn meaning(first: &mut Option<Instant>, now: Instant) -> Meaning {
    match first {
        None => {
            *first = Some(now);
            Meaning::Stop
        }
        Some(first) if now.saturating_duration_since(*first) < AT_ONCE => Meaning::Same,
        Some(_) => Meaning::End,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_come_at_once_are_one() {
        let (mut first, begun) = (None, Instant::now());
        let after = |ms| begun + Duration::from_millis(ms);
        let meanings = [0, 1, 80, 400, 500].map(|ms| meaning(&mut first, after(ms)));
        assert_eq!(meanings, [Meaning::Stop, Meaning::Same, Meaning::Same, Meaning::End, Meaning::End]);
    }
}
