//! NDJSON: a JSON object a line, with a page's `url` and `html`.

use std::path::PathBuf;

use lopper_content::limits::Limits;
use memchr::memchr;
use serde::Deserialize;

use super::json_text::from_json;
use super::open::{NestedPlace, Source};
use super::record::{ArchiveError, ArchiveReader, ArchiveRecord, Payload, RecordKind, Remark, ResumePoint};
use super::resume::ResumePoints;
use super::stream::Stream;
use super::warc_date;

/// A line's size to that of its page: JSON escapes some characters.
const ESCAPES_MAX: usize = 2;

/// A page on a line. Other fields are passed over.
#[derive(Debug, Deserialize)]
struct Line {
    url: String,
    html: String,
    /// When it was captured, as `WARC-Date` has it.
    #[serde(default, alias = "date", alias = "timestamp", alias = "ts")]
    captured_at: Option<serde_json::Value>,
}

/// Reads the lines of a file.
pub(super) struct NdjsonReader {
    stream: Stream<Source>,
    archive: PathBuf,
    limits: Limits,
    points: ResumePoints,
}

impl NdjsonReader {
    pub(super) fn new(stream: Stream<Source>, place: NestedPlace) -> Self {
        Self { stream, archive: place.archive, limits: place.limits, points: ResumePoints::default() }
    }

    /// The next line, line end included; `None` in its place if it is too long.
    fn line(&mut self) -> Option<Vec<u8>> {
        let max = self.limits.payload_bytes_max.saturating_mul(ESCAPES_MAX);
        let mut line = Some(Vec::new());
        while self.stream.fill_to(1) {
            let window = self.stream.window();
            let end = memchr(b'\n', window);
            let len = end.map_or(window.len(), |end| end + 1);
            line = line.filter(|line: &Vec<u8>| line.len() + len <= max);
            if let Some(line) = &mut line {
                line.extend_from_slice(&window[..len]);
            }
            self.stream.consume(len);
            if end.is_some() {
                break;
            }
        }
        line
    }

    fn record(&self, offset_bytes: u64, line: &[u8]) -> Result<ArchiveRecord, ArchiveError> {
        let line: Line = from_json(line).map_err(|error| {
            let (archive, reason) = (self.archive.clone(), format!("the line is no {{\"url\", \"html\"}}: {error}"));
            ArchiveError::Malformed { archive, offset_bytes, record_id: None, reason }
        })?;
        let content_type = Some("text/html; charset=utf-8".to_owned());
        let payload = Payload::Bare { content_type, body: line.html.into_bytes() };
        let record = ArchiveRecord::new(RecordKind::Resource, line.url, self.archive.clone(), offset_bytes, payload);
        let date = line.captured_at.filter(|date| !date.is_null());
        let captured_at = date.as_ref().and_then(seconds);
        let remark = date.filter(|_| captured_at.is_none()).map(|date| {
            Remark::of_unreadable_date(date.as_str().map_or_else(|| date.to_string(), str::to_owned).as_str())
        });
        Ok(ArchiveRecord { captured_at, remark, ..record })
    }

    fn stopped(&mut self) -> Option<ArchiveError> {
        self.stream.stopped(&self.archive)
    }
}

/// A time as text, as seconds since 1970, as milliseconds, which would be of the year 5000 and later as seconds, or with 14 digits, as
/// `20120304000000`.
fn seconds(value: &serde_json::Value) -> Option<i64> {
    const MILLISECONDS_MIN: i64 = 100_000_000_000;
    const DIGITS_14_MIN: i64 = 10_000_000_000_000;
    let number = value.as_i64().or_else(|| value.as_f64().map(|number| number as i64));
    match number {
        Some(digits) if digits >= DIGITS_14_MIN => warc_date::parse(&digits.to_string()),
        Some(milliseconds) if milliseconds >= MILLISECONDS_MIN => Some(milliseconds / 1000),
        Some(seconds) => Some(seconds),
        None => value.as_str().and_then(warc_date::parse),
    }
}

impl ArchiveReader for NdjsonReader {
    fn next_record(&mut self) -> Option<Result<ArchiveRecord, ArchiveError>> {
        self.stream.fill_to(1);
        self.points.before_next(&self.stream, true);
        loop {
            if !self.stream.fill_to(1) {
                return self.stopped().map(Err);
            }
            let offset_bytes = self.stream.offset();
            let Some(line) = self.line() else {
                let (archive, max) = (self.archive.clone(), self.limits.payload_bytes_max as u64);
                return Some(Err(ArchiveError::TooLarge {
                    archive,
                    offset_bytes,
                    record_id: None,
                    what: "the line",
                    max,
                }));
            };
            let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
            if !text.trim_ascii().is_empty() {
                return Some(self.record(offset_bytes, text));
            }
        }
    }

    fn position_bytes(&self) -> u64 {
        self.stream.file_position()
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        self.points.last()
    }
}
