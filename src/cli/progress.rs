//! An ingest's progress: a bar on a terminal, plain lines otherwise, or JSON for programs.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lopper_collection::ingest::{IngestReport, Observer, Progress};
use lopper_store::Sequence;
use serde_json::{Value, json};

use super::args::ProgressForm;
use super::output::{bytes, grouped};

/// Time between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Time between JSON lines.
const JSON_INTERVAL: Duration = Duration::from_secs(1);

/// Time between changes of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(100);

/// Shows progress on standard error.
pub(super) struct ProgressDisplay {
    form: Form,
    started: Instant,
    shown: Instant,
}

enum Form {
    Bar(ProgressBar),
    Lines,
    Json,
    Nothing,
}

impl Form {
    fn interval(&self) -> Duration {
        match self {
            Self::Bar(_) => BAR_INTERVAL,
            Self::Lines => LINE_INTERVAL,
            Self::Json => JSON_INTERVAL,
            Self::Nothing => Duration::MAX,
        }
    }
}

impl ProgressDisplay {
    pub(super) fn new(form: ProgressForm) -> Self {
        let form = match form {
            ProgressForm::Json => Form::Json,
            ProgressForm::None => Form::Nothing,
            ProgressForm::Auto if stderr().is_terminal() => {
                let template = "{elapsed_precise} {wide_bar} {bytes}/{total_bytes} {msg}";
                let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
                Form::Bar(ProgressBar::new(0).with_style(style))
            }
            ProgressForm::Auto => Form::Lines,
        };
        let now = Instant::now();
        Self { form, started: now, shown: now }
    }

    /// Takes the bar away; as JSON, ends with the report.
    pub(super) fn finish(&self, report: Option<&IngestReport>) {
        match (&self.form, report) {
            (Form::Bar(bar), _) => bar.finish_and_clear(),
            (Form::Json, Some(report)) => eprintln!("{}", json!({ "event": "report", "report": report })),
            _ => {}
        }
    }

    fn pages_per_second(&self, progress: &Progress) -> f64 {
        progress.pages as f64 / self.started.elapsed().as_secs_f64().max(1e-3)
    }

    /// Seconds to the end, if the rest is read as fast as what was read.
    fn seconds_left(&self, progress: &Progress) -> Option<u64> {
        let left = progress.bytes_total.checked_sub(progress.bytes_read)?;
        let rate = progress.bytes_read as f64 / self.started.elapsed().as_secs_f64().max(1e-3);
        (rate > 0.0).then(|| (left as f64 / rate).ceil() as u64)
    }

    fn json(&self, progress: &Progress) -> Value {
        json!({
            "event": "progress",
            "elapsed_s": self.started.elapsed().as_secs_f64(),
            "bytes_read": progress.bytes_read,
            "bytes_total": progress.bytes_total,
            "records": progress.records,
            "pages": progress.pages,
            "failed": progress.failed,
            "pages_per_s": self.pages_per_second(progress),
            "left_s": self.seconds_left(progress),
        })
    }

    fn figures(&self, progress: &Progress) -> String {
        let left = self.seconds_left(progress).map_or_else(|| "?".to_owned(), |seconds| format!("{seconds} s"));
        let (pages, failed) = (grouped(progress.pages), grouped(progress.failed));
        let rate = self.pages_per_second(progress);
        format!("{pages} pages, {rate:.0}/s, {failed} failed, {left} left")
    }
}

impl Observer for ProgressDisplay {
    fn committed(&mut self, sequence: Sequence, records: u64) {
        if matches!(self.form, Form::Json) {
            eprintln!("{}", json!({ "event": "commit", "sequence": sequence.0, "records": records }));
        }
    }

    fn progress(&mut self, progress: &Progress) {
        if self.shown.elapsed() < self.form.interval() {
            return;
        }
        self.shown = Instant::now();
        match &self.form {
            Form::Bar(bar) => {
                bar.set_length(progress.bytes_total);
                bar.set_position(progress.bytes_read);
                bar.set_message(self.figures(progress));
            }
            Form::Json => eprintln!("{}", self.json(progress)),
            Form::Lines => eprintln!(
                "{:>4} s  {} of {} read, {} records, {}",
                self.started.elapsed().as_secs(),
                bytes(progress.bytes_read),
                bytes(progress.bytes_total),
                grouped(progress.records),
                self.figures(progress)
            ),
            Form::Nothing => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_lines_have_the_figures() {
        let display = ProgressDisplay::new(ProgressForm::Json);
        let progress = Progress { bytes_read: 50, bytes_total: 100, records: 7, pages: 5, failed: 1 };
        let line = display.json(&progress);
        assert_eq!((&line["bytes_read"], &line["records"], &line["failed"]), (&50.into(), &7.into(), &1.into()));
        assert!(line["left_s"].is_u64() && line["pages_per_s"].is_f64(), "{line}");
        assert!(display.json(&Progress::default())["left_s"].is_null());
    }
}
