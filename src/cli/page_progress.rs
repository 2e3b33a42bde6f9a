//! The progress of what goes over all pages: a bar on a terminal, a line every ten seconds otherwise.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::output::grouped;

/// Time between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Time between changes of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(100);

/// Shows progress on standard error.
pub(super) struct PageProgress {
    bar: Option<ProgressBar>,
    started: Instant,
    shown: Instant,
}

impl PageProgress {
    pub(super) fn new() -> Self {
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {msg}");
            ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let now = Instant::now();
        Self { bar, started: now, shown: now }
    }

    pub(super) fn show(&mut self, done: u64, all: u64) {
        let interval = if self.bar.is_some() { BAR_INTERVAL } else { LINE_INTERVAL };
        if self.shown.elapsed() < interval {
            return;
        }
        self.shown = Instant::now();
        let figures = figures(done, all, self.started.elapsed());
        match &self.bar {
            Some(bar) => {
                bar.set_length(all);
                bar.set_position(done);
                bar.set_message(figures);
            }
            None => eprintln!("{:>4} s  {figures}", self.started.elapsed().as_secs()),
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Pages, rate, and time to the end if the rest takes as long a page.
fn figures(done: u64, all: u64, elapsed: Duration) -> String {
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-3);
    let left =
        if rate > 0.0 { format!("{:.0} s", (all.saturating_sub(done) as f64 / rate).ceil()) } else { "?".to_owned() };
    format!("{} of {} pages, {rate:.0}/s, {left} left", grouped(done), grouped(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_tell_the_time_left() {
        assert_eq!(figures(1000, 4000, Duration::from_secs(10)), "1,000 of 4,000 pages, 100/s, 30 s left");
        assert_eq!(figures(0, 4000, Duration::from_secs(1)), "0 of 4,000 pages, 0/s, ? left");
    }
}
