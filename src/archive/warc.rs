//! WARC files, plain or gzip, of all versions: records one after another, whatever is broken between them.

use std::io::Read;
use std::path::PathBuf;

use super::record::{ArchiveError, ArchiveReader, ArchiveRecord, Payload, RecordKind};
use super::stream::{Stop, Stream};
use super::warc_block::Block;
use super::warc_head::WarcHead;
use super::warc_scan::{HeadEnd, VERSION_LINE_BYTES, head_end, is_record_start};
use crate::limits::Limits;

/// Reads a WARC file.
pub(super) struct WarcReader<R> {
    pub(super) stream: Stream<R>,
    pub(super) limits: Limits,
    /// Size of the file, where it is known: no record can be larger than what is left of it.
    pub(super) file_len: Option<u64>,
    /// Decoded position before which lengths were found to lie: a length that leads beyond it is not believed. Every
    /// byte is thereby scanned a bounded number of times.
    pub(super) distrusted_until: u64,
    archive: PathBuf,
    /// An error to report before the next record.
    pending: Option<ArchiveError>,
}

impl<R: Read> WarcReader<R> {
    pub(super) fn new(stream: Stream<R>, archive: PathBuf, file_len: Option<u64>, limits: Limits) -> Self {
        Self { stream, limits, file_len, distrusted_until: 0, archive, pending: None }
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
        let (archive, offset_bytes) = (self.archive.clone(), self.stream.offset());
        match self.stream.take_stop()? {
            Stop::End => None,
            Stop::Damaged(source) => Some(ArchiveError::Damaged { archive, offset_bytes, source }),
            Stop::Io(source) => Some(ArchiveError::Io { archive, source }),
        }
    }

    fn malformed(&self, offset_bytes: u64, reason: impl Into<String>) -> ArchiveError {
        ArchiveError::Malformed { archive: self.archive.clone(), offset_bytes, reason: reason.into() }
    }

    fn too_large(&self, offset_bytes: u64, what: &'static str, max: usize) -> ArchiveError {
        ArchiveError::TooLarge { archive: self.archive.clone(), offset_bytes, what, max: max as u64 }
    }

    fn read_record(&mut self, offset: u64) -> Result<ArchiveRecord, ArchiveError> {
        let head = WarcHead::parse(&self.read_head(offset)?);
        let kind = head.kind();
        let wanted = matches!(kind, RecordKind::Response | RecordKind::Resource);
        let block = self.read_block(head.content_length, wanted);
        if let Some(fault) = block.fault.clone() {
            self.pending = Some(self.malformed(offset, fault));
        }
        if wanted && block.is_too_large() {
            self.pending = None;
            return Err(self.too_large(offset, "the record's block", self.limits.payload_bytes_max));
        }
        Ok(self.record(head, kind, offset, block))
    }

    fn record(&self, head: WarcHead, kind: RecordKind, offset_bytes: u64, block: Block) -> ArchiveRecord {
        let is_http = head.is_http() || block.bytes.starts_with(b"HTTP/");
        let payload = match kind {
            RecordKind::Response if is_http => Payload::Http(block.bytes),
            RecordKind::Response | RecordKind::Resource => {
                Payload::Bare { content_type: head.content_type, body: block.bytes }
            }
            RecordKind::Revisit | RecordKind::Other => Payload::Skipped,
        };
        ArchiveRecord {
            kind,
            url: head.target_uri,
            captured_at: head.captured_at,
            record_id: head.record_id,
            archive: self.archive.clone(),
            offset_bytes,
            payload,
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
                    return Err(self.too_large(offset, "the record's header block", self.limits.header_bytes_max));
                }
                _ => {}
            }
            if !self.stream.fill() {
                return Err(self.head_cut_off(offset));
            }
        }
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
        if let Some(error) = self.pending.take() {
            return Some(Err(error));
        }
        self.skip_line_ends();
        if !self.stream.fill_to(1) {
            return self.stopped().map(Err);
        }
        let offset = self.stream.offset();
        self.stream.fill_to(VERSION_LINE_BYTES);
        if is_record_start(self.stream.window()) {
            return Some(self.read_record(offset));
        }
        let mut passed = 0;
        self.scan(&mut |bytes| passed += bytes.len() as u64);
        Some(Err(self.malformed(offset, format!("no record begins here; {passed} bytes were passed over"))))
    }

    fn position_bytes(&self) -> u64 {
        self.stream.file_position()
    }
}
