//! WARC and ARC files of all versions: records one after another, whatever is broken between them.

use std::io::Read;
use std::path::PathBuf;

use lopper_content::limits::Limits;

use super::framing::Framing;
use super::record::{ArchiveError, ArchiveReader, ArchiveRecord, Payload, RecordKind, Remark, ResumePoint};
use super::resume::ResumePoints;
use super::scan::{HeadEnd, head_end};
use super::stream::{Stop, Stream};
use super::warc_block::Block;
use super::warc_head::WarcHead;
use crate::page;

/// Bytes of a response by which its head is judged.
const HEAD_PEEK_BYTES: usize = 16 << 10;

/// Reads a WARC or an ARC file.
pub(super) struct WarcReader<R> {
    pub(super) stream: Stream<R>,
    pub(super) limits: Limits,
    pub(super) framing: Framing,
    /// Size of the file, where it is known: no record can be larger than what is left of it.
    pub(super) file_len: Option<u64>,
    /// Decoded position before which lengths were found to lie: a length that leads beyond it is not believed. Every
    /// byte is thereby scanned a bounded number of times.
    pub(super) distrusted_until: u64,
    archive: PathBuf,
    points: ResumePoints,
    /// Whether bodies are read that are no pages, too.
    has_all_bodies: bool,
}

impl<R: Read> WarcReader<R> {
    pub(super) fn new(
        stream: Stream<R>,
        framing: Framing,
        archive: PathBuf,
        file_len: Option<u64>,
        limits: Limits,
    ) -> Self {
        let points = ResumePoints::default();
        Self { stream, limits, framing, file_len, distrusted_until: 0, archive, points, has_all_bodies: false }
    }

    /// Reads bodies that are no pages, too.
    pub(super) fn with_all_bodies(self) -> Self {
        Self { has_all_bodies: true, ..self }
    }

    /// Passes over the line ends between records.
    fn skip_line_ends(&mut self) {
        while self.stream.fill_to(1) {
            let window = self.stream.window();
            let line_ends = window.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let stays = line_ends < window.len();
            self.stream.consume(line_ends);
            if stays {
                break;
            }
        }
    }

    /// The window is empty: tells why, and goes on behind a damage at the next call.
    fn stopped(&mut self) -> Option<ArchiveError> {
        self.stream.stopped(&self.archive)
    }

    fn malformed(&self, offset_bytes: u64, reason: impl Into<String>) -> ArchiveError {
        let (archive, record_id) = (self.archive.clone(), None);
        ArchiveError::Malformed { archive, offset_bytes, record_id, reason: reason.into() }
    }

    fn too_large(&self, offset: u64, record_id: Option<String>, what: &'static str, max: usize) -> ArchiveError {
        let (archive, max) = (self.archive.clone(), max as u64);
        ArchiveError::TooLarge { archive, offset_bytes: offset, record_id, what, max }
    }

    fn read_record(&mut self, offset: u64) -> Result<ArchiveRecord, ArchiveError> {
        let head = match self.framing {
            Framing::Warc => WarcHead::parse(&self.read_head(offset)?),
            Framing::Arc => WarcHead::of_arc(&self.read_line()),
        };
        let kind = head.kind();
        let head_alone = self.head_alone(&head, kind);
        let wanted = matches!(kind, RecordKind::Response | RecordKind::Resource) && head_alone.is_none();
        let mut block = self.read_block(head.content_length, wanted);
        block.fault = block.fault.take().or_else(|| self.damage_behind(block.len()));
        if wanted && block.is_too_large() {
            let max = self.limits.payload_bytes_max;
            return Err(self.too_large(offset, head.record_id, "the record's block", max));
        }
        if let Some(bytes) = head_alone {
            block.bytes = bytes;
        }
        Ok(self.record(head, kind, offset, block))
    }

    /// What is taken of a block that is no page by its own head: that head, or nothing of a bare resource. Whatever else
    /// it holds, be it a film, is passed over without being held.
    fn head_alone(&mut self, head: &WarcHead, kind: RecordKind) -> Option<Vec<u8>> {
        match (kind, head.content_type.as_deref()) {
            _ if self.has_all_bodies => None,
            (RecordKind::Resource, Some(content_type)) if !page::may_be_html(content_type) => Some(Vec::new()),
            (RecordKind::Response, _) => {
                self.stream.fill_to(HEAD_PEEK_BYTES);
                let declared = head.content_length.unwrap_or(u64::MAX);
                let len = (self.stream.member_window_len().min(HEAD_PEEK_BYTES) as u64).min(declared);
                let message = &self.stream.window()[..len as usize];
                // The window may hold more than the block, so that only an outright status line counts.
                let len =
                    message.starts_with(b"HTTP/").then(|| page::head_without_page(message, &self.limits)).flatten()?;
                Some(message[..len].to_vec())
            }
            _ => None,
        }
    }

    /// Takes a damage behind the block that lies in the same member: a checksum that fails, a trailer cut off.
    fn damage_behind(&mut self, len: u64) -> Option<Remark> {
        self.skip_line_ends();
        let is_last = self.stream.window().is_empty() && !self.stream.member_starts(0);
        if is_last { self.damage(len) } else { None }
    }

    fn record(&self, mut head: WarcHead, kind: RecordKind, offset: u64, block: Block) -> ArchiveRecord {
        let is_http = (self.framing == Framing::Warc && head.is_http()) || block.bytes.starts_with(b"HTTP/");
        let mut revisit = head.revisit.take();
        if let Some(revisit) = revisit.as_mut().filter(|_| block.bytes.starts_with(b"HTTP/")) {
            revisit.http_head.clone_from(&block.bytes);
        }
        let payload = match kind {
            RecordKind::Response if is_http => Payload::Http(block.bytes),
            RecordKind::Response | RecordKind::Resource => {
                Payload::Bare { content_type: head.content_type, body: block.bytes }
            }
            _ => Payload::Skipped,
        };
        ArchiveRecord {
            captured_at: head.captured_at,
            record_id: head.record_id,
            payload_digest: head.payload_digest,
            revisit,
            remark: block.fault.or_else(|| head.unreadable_date.as_deref().map(Remark::of_unreadable_date)),
            ..ArchiveRecord::new(kind, head.target_uri, self.archive.clone(), offset, payload)
        }
    }

    /// Reads the header block, blank line included. After an error the reader stands at the next record.
    fn read_head(&mut self, offset: u64) -> Result<Vec<u8>, ArchiveError> {
        let mut searched = 0;
        loop {
            match head_end(self.stream.window(), &mut searched) {
                Some(HeadEnd::Blank(len)) if len <= self.limits.header_bytes_max => {
                    let head = self.stream.window()[..len].to_vec();
                    self.stream.consume(len);
                    return Ok(head);
                }
                Some(HeadEnd::NextRecord(len)) => {
                    self.stream.consume(len);
                    return Err(self.malformed(offset, "the record's headers break off at another record"));
                }
                _ if self.stream.window().len() > self.limits.header_bytes_max => {
                    self.leave_record();
                    return Err(self.too_large(
                        offset,
                        None,
                        "the record's header block",
                        self.limits.header_bytes_max,
                    ));
                }
                _ => {}
            }
            if !self.stream.fill() {
                return Err(self.head_cut_off(offset));
            }
        }
    }

    /// Reads an ARC record's line, line end included; it was seen whole.
    fn read_line(&mut self) -> Vec<u8> {
        let window = self.stream.window();
        let len = memchr::memchr(b'\n', window).map_or(window.len(), |end| end + 1);
        let line = window[..len].to_vec();
        self.stream.consume(len);
        line
    }

    fn head_cut_off(&mut self, offset: u64) -> ArchiveError {
        self.stream.consume(self.stream.window().len());
        match self.stream.stop() {
            Some(Stop::Damaged(_) | Stop::Io(_)) => self.stopped(),
            _ => None,
        }
        .unwrap_or_else(|| self.malformed(offset, "the record's headers are cut off"))
    }

    /// Moves from a record's first byte to the next record.
    fn leave_record(&mut self) {
        self.stream.consume(1);
        self.scan(&mut |_| {});
    }
}

impl<R: Read> ArchiveReader for WarcReader<R> {
    fn next_record(&mut self) -> Option<Result<ArchiveRecord, ArchiveError>> {
        self.skip_line_ends();
        let is_there = self.stream.fill_to(1);
        self.points.before_next(&self.stream, self.distrusted_until <= self.stream.position());
        if !is_there {
            return self.stopped().map(Err);
        }
        let offset = self.stream.offset();
        self.stream.fill_to(self.framing.head_bytes());
        if self.framing.is_start(self.stream.window()) {
            return Some(self.read_record(offset));
        }
        let mut passed = 0;
        self.scan(&mut |bytes| passed += bytes.len() as u64);
        Some(Err(self.malformed(offset, format!("no record begins here; {passed} bytes were passed over"))))
    }

    fn position_bytes(&self) -> u64 {
        self.stream.file_position()
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        self.points.last()
    }
}
