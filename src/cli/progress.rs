//! An ingest's progress: a bar on a terminal, plain lines otherwise.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::output::{bytes, grouped};
use crate::ingest::{Observer, Progress};

/// Time between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

pub(super) enum ProgressDisplay {
    Bar(ProgressBar),
    Lines { started: Instant, last: Instant },
}

impl ProgressDisplay {
    pub(super) fn on_stderr() -> Self {
        if stderr().is_terminal() {
            let template = "{elapsed_precise} {wide_bar} {bytes}/{total_bytes} {msg} eta {eta}";
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            Self::Bar(ProgressBar::new(0).with_style(style))
        } else {
            let now = Instant::now();
            Self::Lines { started: now, last: now }
        }
    }

    pub(super) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl Observer for ProgressDisplay {
    fn progress(&mut self, progress: &Progress) {
        match self {
            Self::Bar(bar) => {
                bar.set_length(progress.bytes_total);
                bar.set_position(progress.bytes_read);
                bar.set_message(format!("{} pages, {} failed", grouped(progress.pages), grouped(progress.failed)));
            }
            Self::Lines { started, last } if last.elapsed() >= LINE_INTERVAL => {
                *last = Instant::now();
                eprintln!(
                    "{:>4} s  {} of {} read, {} records, {} pages, {} failed",
                    started.elapsed().as_secs(),
                    bytes(progress.bytes_read),
                    bytes(progress.bytes_total),
                    grouped(progress.records),
                    grouped(progress.pages),
                    grouped(progress.failed)
                );
            }
            Self::Lines { .. } => {}
        }
    }
}
