//! A record's block: read by its `Content-Length` as long as that can be believed, else up to the next record.

use std::io::Read;

use super::record::{Remark, RemarkKind};
use super::stream::Stop;
use super::warc::WarcReader;

/// Bytes of a block that nobody wants which are kept for a while, so that a wrong length can be undone.
const KEPT_UNWANTED_BYTES: usize = 64 << 10;

/// Bytes reserved for a block at most before any of it is read.
const RESERVED_BYTES: u64 = 1 << 20;

/// Line ends behind a block that are looked at.
const LINE_END_BYTES: usize = 4;

/// A record's block as it was read.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The block; empty if it is larger than its limit.
    pub(super) bytes: Vec<u8>,
    /// Its length.
    len: u64,
    /// What is wrong with its length.
    pub(super) fault: Option<Remark>,
    bytes_max: usize,
}

impl Block {
    fn with_max(bytes_max: usize) -> Self {
        Self { bytes_max, ..Self::default() }
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn is_too_large(&self) -> bool {
        self.len > self.bytes_max as u64
    }

    fn push(&mut self, bytes: &[u8]) {
        self.len += bytes.len() as u64;
        if self.is_too_large() {
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }

    fn truncate(&mut self, len: u64) {
        if !self.is_too_large() {
            self.bytes.truncate(len as usize);
        }
        self.len = self.len.min(len);
    }

    /// Takes off the separator that a scan has swept up.
    fn trim_separator(&mut self) {
        let without = strip_line_end(strip_line_end(&self.bytes)).len();
        if !self.is_too_large() {
            self.truncate(without as u64);
        }
    }
}

fn strip_line_end(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

impl<R: Read> WarcReader<R> {
    /// Reads the block behind a header block that declares `declared` bytes.
    pub(super) fn read_block(&mut self, declared: Option<u64>, wanted: bool) -> Block {
        let max = if wanted { self.limits.payload_bytes_max } else { KEPT_UNWANTED_BYTES };
        match declared {
            Some(len) if self.is_credible(len, max) => self.take_block(len, max),
            _ => self.scan_block(declared, max),
        }
    }

    /// Whether `len` can be the length of the block that begins here.
    fn is_credible(&mut self, len: u64, max: usize) -> bool {
        let position = self.stream.position();
        let end = position.saturating_add(len);
        if self.bytes_left().is_some_and(|left| len > left) {
            return false;
        }
        if position < self.distrusted_until && end > self.distrusted_until {
            return false;
        }
        let window = self.stream.window().len() as u64;
        let seen_whole = len <= max as u64 && len + self.behind_bytes() as u64 <= window;
        if seen_whole
            && !self.framing.is_block_end(&self.stream.window()[len as usize..])
            && !self.stream.member_starts(len as usize)
        {
            self.distrusted_until = self.distrusted_until.max(end);
            return false;
        }
        true
    }

    /// At most so many bytes are left to decode.
    fn bytes_left(&self) -> Option<u64> {
        let left = self.file_len?.saturating_sub(self.stream.offset());
        Some(self.stream.family().map_or(left, |family| left.saturating_mul(family.ratio_max())))
    }

    /// Takes `len` bytes; if what follows shows that the length lies, takes the bytes up to the next record instead.
    fn take_block(&mut self, len: u64, max: usize) -> Block {
        let mut block = Block::with_max(max);
        if len <= max as u64 {
            block.bytes.reserve(len.min(RESERVED_BYTES) as usize);
        }
        let previous = self.stream.previous();
        while block.len < len && self.stream.fill_to(1) && !self.at_record_of_next_member() {
            let chunk = (self.stream.member_window_len() as u64).min(len - block.len) as usize;
            block.push(&self.stream.window()[..chunk]);
            self.stream.consume(chunk);
        }
        if block.len == len && self.at_block_end() {
            return block;
        }
        if block.is_too_large() {
            self.scan(&mut |bytes| block.push(bytes));
            block.fault = self.fault(Some(len), block.len);
            return block;
        }
        self.distrusted_until = self.distrusted_until.max(self.stream.position());
        self.stream.put_back(&block.bytes, previous);
        self.scan_block(Some(len), max)
    }

    /// Takes the bytes up to the next record.
    fn scan_block(&mut self, declared: Option<u64>, max: usize) -> Block {
        let mut block = Block::with_max(max);
        self.scan(&mut |bytes| block.push(bytes));
        let behind = declared.and_then(|len| block.bytes.get(len as usize..));
        match (declared, behind) {
            (Some(len), Some(behind)) if behind.iter().all(|byte| matches!(byte, b'\r' | b'\n')) => {
                block.truncate(len);
            }
            _ => {
                block.trim_separator();
                block.fault = self.fault(declared, block.len);
            }
        }
        block
    }

    /// What to say of a block of `len` bytes. A damage of the compressed data within it is told with it.
    fn fault(&mut self, declared: Option<u64>, len: u64) -> Option<Remark> {
        let at_stop = self.stream.window().is_empty();
        match (self.stream.stop(), declared) {
            (Some(Stop::Damaged(_)), _) if at_stop => self.damage(len),
            (Some(Stop::Io(_)), _) if at_stop => Some(Remark {
                kind: RemarkKind::Truncated,
                message: format!("the file could be read no further; {len} bytes were taken"),
            }),
            (_, None) => Some(Remark {
                kind: RemarkKind::WrongLength,
                message: format!("no valid Content-Length; took the {len} bytes up to the next record"),
            }),
            (Some(Stop::End), Some(declared)) if at_stop && len < declared => Some(Remark {
                kind: RemarkKind::Truncated,
                message: format!("the record is cut off: {len} of {declared} bytes"),
            }),
            (_, Some(declared)) => Some(Remark {
                kind: RemarkKind::WrongLength,
                message: format!("Content-Length is {declared}, but the next record begins after {len} bytes"),
            }),
        }
    }

    /// Takes the damage that the stream stands at.
    pub(super) fn damage(&mut self, len: u64) -> Option<Remark> {
        let Some(Stop::Damaged(source)) = self.stream.take_damage() else { return None };
        let message = format!("the compressed data is cut off or damaged after {len} bytes of the record: {source}");
        Some(Remark { kind: RemarkKind::Damaged, message })
    }

    /// Whether the present gzip member begins here, and with a record: then no block reaches over it.
    fn at_record_of_next_member(&mut self) -> bool {
        self.stream.member_starts(0) && {
            self.stream.fill_to(self.framing.head_bytes());
            self.framing.is_start(self.stream.window())
        }
    }

    fn at_block_end(&mut self) -> bool {
        self.stream.fill_to(self.behind_bytes());
        self.stream.member_starts(0) || self.framing.is_block_end(self.stream.window())
    }

    /// Bytes behind a block that are looked at: line ends and the beginning of the next record.
    fn behind_bytes(&self) -> usize {
        self.framing.head_bytes() + LINE_END_BYTES
    }
}
