//! HAR: a browser's log of requests and responses, as one JSON text.

use std::path::PathBuf;

use lopper_content::limits::Limits;
use serde::Deserialize;

use super::json_items::{Item, JsonItems};
use super::json_text::from_json;
use super::mail_coding::base64;
use super::open::{NestedPlace, Source};
use super::record::{ArchiveError, ArchiveReader, ArchiveRecord, Payload, RecordKind, Remark};
use super::stream::{Stop, Stream};
use super::warc_date;

/// Characters that JSON spends on one of a text, at most as often seen: an entry may be so much larger than its body.
const ESCAPES_MAX: usize = 2;

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct HarEntry {
    started_date_time: Option<String>,
    request: HarRequest,
    response: HarResponse,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HarRequest {
    url: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HarResponse {
    status: i64,
    headers: Vec<HarHeader>,
    content: HarContent,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HarHeader {
    name: String,
    value: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct HarContent {
    mime_type: Option<String>,
    text: Option<String>,
    encoding: Option<String>,
}

/// Reads the entries of a HAR.
pub(super) struct HarReader {
    stream: Stream<Source>,
    archive: PathBuf,
    limits: Limits,
    state: State,
}

enum State {
    Before,
    Within,
    Ended,
}

impl HarReader {
    pub(super) fn new(stream: Stream<Source>, place: NestedPlace) -> Self {
        Self { stream, archive: place.archive, limits: place.limits, state: State::Before }
    }

    fn malformed(&self, offset_bytes: u64, reason: impl Into<String>) -> ArchiveError {
        let (archive, reason) = (self.archive.clone(), reason.into());
        ArchiveError::Malformed { archive, offset_bytes, record_id: None, reason }
    }

    fn record(&self, offset: u64, bytes: &[u8]) -> Result<ArchiveRecord, ArchiveError> {
        let entry: HarEntry =
            from_json(bytes).map_err(|error| self.malformed(offset, format!("the entry is no HAR entry: {error}")))?;
        let date = entry.started_date_time.as_deref();
        let captured_at = date.and_then(warc_date::parse);
        let remark = date.filter(|_| captured_at.is_none()).map(Remark::of_unreadable_date);
        let payload = Payload::Http(message(&entry.response));
        let record = ArchiveRecord::new(RecordKind::Response, entry.request.url, self.archive.clone(), offset, payload);
        Ok(ArchiveRecord { captured_at, remark, ..record })
    }

    /// The end of the text: well, or in the midst of the entries.
    fn end(&mut self, closed: bool) -> Option<ArchiveError> {
        self.state = State::Ended;
        let offset_bytes = self.stream.offset();
        let archive = self.archive.clone();
        match self.stream.take_stop() {
            _ if closed => None,
            Some(Stop::Io(source)) => Some(ArchiveError::Io { archive, source }),
            Some(Stop::Damaged(source)) => {
                Some(ArchiveError::Damaged { archive, offset_bytes, record_id: None, source })
            }
            _ => Some(self.malformed(offset_bytes, "the HAR is cut off behind an entry")),
        }
    }
}

/// The response as an HTTP message. Browsers have undone the codings; text is in Unicode whatever its encoding was.
fn message(response: &HarResponse) -> Vec<u8> {
    let content = &response.content;
    let text = content.text.as_deref().unwrap_or_default();
    let is_coded = content.encoding.as_deref() == Some("base64");
    let body = if is_coded { base64(text.as_bytes()) } else { text.as_bytes().to_vec() };
    let header = |name: &str| {
        let header = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        header.map(|header| header.value.as_str())
    };
    let declared = content.mime_type.as_deref().filter(|it| it.contains('/')).or_else(|| header("content-type"));
    let mut head = vec![format!("HTTP/1.1 {:03}", response.status.clamp(0, 999))];
    if let Some(declared) = declared {
        let essence = if is_coded { declared } else { declared.split(';').next().unwrap_or_default() };
        let charset = if is_coded { "" } else { "; charset=utf-8" };
        head.push(format!("Content-Type: {}{charset}", one_line(essence)));
    }
    if let Some(language) = header("content-language") {
        head.push(format!("Content-Language: {}", one_line(language)));
    }
    [head.join("\r\n").as_bytes(), b"\r\n\r\n", &body].concat()
}

fn one_line(value: &str) -> String {
    value.replace(['\r', '\n'], " ")
}

impl ArchiveReader for HarReader {
    fn next_record(&mut self) -> Option<Result<ArchiveRecord, ArchiveError>> {
        match self.state {
            State::Ended => return None,
            State::Before if !JsonItems::enter(&mut self.stream, "entries") => {
                self.state = State::Ended;
                return Some(Err(self.malformed(0, "the HAR has no entries")));
            }
            _ => self.state = State::Within,
        }
        let items = JsonItems::new(self.limits.payload_bytes_max.saturating_mul(ESCAPES_MAX));
        match items.next(&mut self.stream) {
            Item::Object { offset, bytes } => Some(self.record(offset, &bytes)),
            Item::TooLarge { offset } => {
                let max = self.limits.payload_bytes_max as u64;
                let archive = self.archive.clone();
                Some(Err(ArchiveError::TooLarge {
                    archive,
                    offset_bytes: offset,
                    record_id: None,
                    what: "the entry",
                    max,
                }))
            }
            Item::CutOff { offset } => {
                self.state = State::Ended;
                Some(Err(self.malformed(offset, "the HAR is cut off within an entry")))
            }
            Item::End { closed } => self.end(closed).map(Err),
        }
    }

    fn position_bytes(&self) -> u64 {
        self.stream.file_position()
    }
}
