//! MHTML: a page with its parts as one mail message.

use std::path::PathBuf;

use lopper_content::limits::Limits;

use super::mail_head::MailHead;
use super::member::file_url;
use super::open::{NestedPlace, Source};
use super::record::{ArchiveError, ArchiveReader, ArchiveRecord, Payload, RecordKind, Remark, RemarkKind};
use super::stream::Stream;

/// Parts within parts: boundaries that are looked for at a time.
const BOUNDARIES_MAX: usize = 64;

/// Reads the parts of a message: the message itself, and each part as a record. The first part that is HTML is the page.
pub(super) struct MhtmlReader {
    stream: Stream<Source>,
    archive: PathBuf,
    limits: Limits,
    has_all_bodies: bool,
    /// What parts are parted by, the innermost last; none before the message's head was read.
    boundaries: Vec<Vec<u8>>,
    /// The message's own head.
    message: Option<MailHead>,
    has_page: bool,
    /// Whether the stream stands at the head of a part.
    at_part: bool,
}

impl MhtmlReader {
    pub(super) fn new(stream: Stream<Source>, place: NestedPlace) -> Self {
        let NestedPlace { archive, limits, has_all_bodies, .. } = place;
        Self {
            stream,
            archive,
            limits,
            has_all_bodies,
            boundaries: Vec::new(),
            message: None,
            has_page: false,
            at_part: false,
        }
    }

    fn record(&self, kind: RecordKind, url: String, offset: u64, payload: Payload) -> ArchiveRecord {
        let captured_at = self.message.as_ref().and_then(|message| message.date);
        ArchiveRecord { captured_at, ..ArchiveRecord::new(kind, url, self.archive.clone(), offset, payload) }
    }

    /// The message's own head: a record that describes the archive.
    fn begin(&mut self) -> ArchiveRecord {
        let head = self.head();
        let url = head.location.clone().unwrap_or_else(|| file_url(&self.archive));
        self.boundaries.extend(head.boundary.clone());
        self.message = Some(head);
        let mut record = self.record(RecordKind::Warcinfo, url, 0, Payload::Skipped);
        self.at_part = self.is_single() || self.body(false).1 == Next::Part;
        if !self.at_part {
            let message = "the message has no part".to_owned();
            record.remark = Some(Remark { kind: RemarkKind::Truncated, message });
        }
        record
    }

    /// Whether the message is the page, without parts.
    fn is_single(&self) -> bool {
        self.message.as_ref().is_some_and(|message| message.boundary.is_none() && message.is_html())
    }

    /// Reads a head, blank line included.
    fn head(&mut self) -> MailHead {
        let mut searched = 0;
        loop {
            let window = self.stream.window();
            if let Some(len) = head_len(window, &mut searched) {
                let head = MailHead::read(&window[..len]);
                self.stream.consume(len);
                return head;
            }
            if window.len() > self.limits.header_bytes_max || !self.stream.fill() {
                let len = self.stream.window().len().min(self.limits.header_bytes_max);
                let head = MailHead::read(&self.stream.window()[..len]);
                self.stream.consume(len);
                return head;
            }
        }
    }

    fn part(&mut self) -> Result<ArchiveRecord, ArchiveError> {
        let offset = self.stream.offset();
        let head = if self.is_single() { self.message.clone().unwrap_or_default() } else { self.head() };
        let is_too_deep = head.boundary.is_some() && self.boundaries.len() >= BOUNDARIES_MAX;
        self.boundaries.extend(head.boundary.clone().filter(|_| !is_too_deep));
        let is_page = !self.has_page && head.is_html();
        self.has_page |= is_page;
        let (body, next) = self.body(is_page || self.has_all_bodies);
        self.at_part = next == Next::Part;
        if is_too_deep {
            let reason = format!("parts within parts: more than {BOUNDARIES_MAX} levels are not read");
            let archive = self.archive.clone();
            return Err(ArchiveError::Malformed { archive, offset_bytes: offset, record_id: None, reason });
        }
        let url = self.url(&head, is_page);
        if !is_page {
            let of_body = |body| Payload::Bare { content_type: head.content_type.clone(), body: head.decoded(body) };
            let payload = body.filter(|_| self.has_all_bodies).map_or(Payload::Skipped, of_body);
            return Ok(self.record(RecordKind::Part, url, offset, payload));
        }
        let Some(body) = body else {
            let (archive, max) = (self.archive.clone(), self.limits.payload_bytes_max as u64);
            return Err(ArchiveError::TooLarge {
                archive,
                offset_bytes: offset,
                record_id: None,
                what: "the page",
                max,
            });
        };
        let body = head.decoded(body);
        let payload = Payload::Bare { content_type: head.content_type, body };
        let message = "the message ends within its page".to_owned();
        let remark =
            (next == Next::CutOff && !self.is_single()).then_some(Remark { kind: RemarkKind::Truncated, message });
        Ok(ArchiveRecord { remark, ..self.record(RecordKind::Resource, url, offset, payload) })
    }

    /// A part's URL; the page's is also told by the message.
    fn url(&self, head: &MailHead, is_page: bool) -> String {
        let of_message = self.message.as_ref().and_then(|message| message.location.clone());
        let own = head.location.clone().filter(|url| !url.starts_with("cid:"));
        let url = if is_page { own.or(of_message) } else { head.location.clone() };
        url.unwrap_or_else(|| file_url(&self.archive))
    }

    /// Reads or passes over a body, and the boundary behind it. `None` in its place if it is too large or not wanted.
    fn body(&mut self, wanted: bool) -> (Option<Vec<u8>>, Next) {
        let mut body = wanted.then(Vec::new);
        let boundary_bytes = self.boundaries.iter().map(Vec::len).max().unwrap_or(0) + BOUNDARY_LINE_BYTES;
        loop {
            let more = self.stream.fill_to(boundary_bytes * 2);
            let found = find_boundary(self.stream.window(), self.stream.previous(), &self.boundaries, more);
            let (len, behind) = match &found {
                Boundary::At { at, end, .. } => (*at, *end - *at),
                Boundary::NotBefore(len) => (*len, 0),
            };
            body = body.filter(|body| body.len() + len <= self.limits.payload_bytes_max);
            if let Some(body) = &mut body {
                body.extend_from_slice(&self.stream.window()[..len]);
            }
            self.stream.consume(len + behind);
            match found {
                Boundary::At { level: 0, closes: true, .. } => return (body.map(trim), Next::End),
                Boundary::At { level, closes: true, .. } => {
                    // What follows is between two parts of the outer message.
                    self.boundaries.truncate(level);
                    let (_, next) = self.body(false);
                    return (body.map(trim), next);
                }
                Boundary::At { .. } => return (body.map(trim), Next::Part),
                Boundary::NotBefore(_) if !more => {
                    // A damage that cuts the message off is told by this part, not once more.
                    self.stream.take_damage();
                    return (body, Next::CutOff);
                }
                Boundary::NotBefore(_) => {}
            }
        }
    }

    fn stopped(&mut self) -> Option<ArchiveError> {
        self.stream.stopped(&self.archive)
    }
}

/// What follows a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Part,
    End,
    CutOff,
}

/// Bytes of a boundary's line besides the boundary: line ends and hyphens.
const BOUNDARY_LINE_BYTES: usize = 16;

enum Boundary {
    /// A boundary's line, the innermost level that it belongs to, and whether it closes that level.
    At { at: usize, end: usize, level: usize, closes: bool },
    /// No boundary begins before this index.
    NotBefore(usize),
}

fn find_boundary(window: &[u8], previous: u8, boundaries: &[Vec<u8>], more: bool) -> Boundary {
    let longest = boundaries.iter().map(Vec::len).max().unwrap_or(0) + BOUNDARY_LINE_BYTES;
    for at in memchr::memmem::find_iter(window, b"--") {
        let before = if at == 0 { previous } else { window[at - 1] };
        if before != b'\n' {
            continue;
        }
        if more && window.len() - at < longest {
            return Boundary::NotBefore(at);
        }
        let line = &window[at + 2..];
        let level = boundaries.iter().rposition(|boundary| is_boundary(line, boundary));
        if let Some(level) = level {
            let rest = &line[boundaries[level].len()..];
            let end = memchr::memchr(b'\n', rest).map_or(window.len(), |end| window.len() - rest.len() + end + 1);
            return Boundary::At { at, end, level, closes: rest.starts_with(b"--") };
        }
    }
    let keep = if more { 2.min(window.len()) } else { 0 };
    Boundary::NotBefore(window.len() - keep)
}

/// Whether a line is this boundary, and not one that only begins like it.
fn is_boundary(line: &[u8], boundary: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(boundary) else { return false };
    let rest = rest.strip_prefix(b"--").unwrap_or(rest);
    rest.first().is_none_or(u8::is_ascii_whitespace)
}

/// The line end before a boundary belongs to the boundary.
fn trim(mut body: Vec<u8>) -> Vec<u8> {
    if body.last() == Some(&b'\n') {
        body.pop();
        if body.last() == Some(&b'\r') {
            body.pop();
        }
    }
    body
}

/// The length of the head that `bytes` begin with, blank line included.
fn head_len(bytes: &[u8], searched: &mut usize) -> Option<usize> {
    while let Some(end) = memchr::memchr(b'\n', &bytes[*searched..]) {
        let line = &bytes[*searched..*searched + end];
        *searched += end + 1;
        if line.trim_ascii().is_empty() {
            return Some(*searched);
        }
    }
    None
}

impl ArchiveReader for MhtmlReader {
    fn next_record(&mut self) -> Option<Result<ArchiveRecord, ArchiveError>> {
        if self.message.is_none() {
            return Some(Ok(self.begin()));
        }
        if self.at_part {
            return Some(self.part());
        }
        // What follows the last part is no record.
        while self.stream.fill_to(1) {
            self.stream.consume(self.stream.window().len());
        }
        self.stopped().map(Err)
    }

    fn position_bytes(&self) -> u64 {
        self.stream.file_position()
    }
}
