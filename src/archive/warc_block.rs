//! A record's block: read by its `Content-Length` as long as that can be believed, else up to the next record.

use std::io::Read;

use super::stream::Stop;
use super::warc::WarcReader;
use super::warc_scan::{VERSION_LINE_BYTES, is_record_start};

/// Bytes of a block that nobody wants which are kept for a while, so that a wrong length can be undone.
const KEPT_UNWANTED_BYTES: usize = 64 << 10;

/// Bytes reserved for a block at most before any of it is read.
const RESERVED_BYTES: u64 = 1 << 20;

/// Deflate makes at most 1032 bytes of one.
const INFLATE_RATIO_MAX: u64 = 1032;

/// Bytes behind a block that are looked at: two line ends and the magic of the next record.
const BEHIND_BYTES: usize = VERSION_LINE_BYTES;

/// A record's block as it was read.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The block; empty if it is larger than its limit.
    pub(super) bytes: Vec<u8>,
    /// Its length.
    len: u64,
    /// What is wrong with its length.
    pub(super) fault: Option<String>,
    bytes_max: usize,
}

impl Block {
    fn with_max(bytes_max: usize) -> Self {
        Self { bytes_max, ..Self::default() }
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
        let seen_whole = len <= max as u64 && len + BEHIND_BYTES as u64 <= window;
        if seen_whole
            && !is_block_end(&self.stream.window()[len as usize..])
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
        Some(if self.stream.is_gzip() { left.saturating_mul(INFLATE_RATIO_MAX) } else { left })
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

    /// What to say of a block of `len` bytes; a damage of the compressed data speaks for itself.
    fn fault(&self, declared: Option<u64>, len: u64) -> Option<String> {
        match (self.stream.stop(), declared) {
            (Some(Stop::Damaged(_) | Stop::Io(_)), _) if self.stream.window().is_empty() => None,
            (_, None) => Some(format!("no valid Content-Length; took the {len} bytes up to the next record")),
            (Some(Stop::End), Some(declared)) if self.stream.window().is_empty() && len < declared => {
                Some(format!("the record is cut off: {len} of {declared} bytes"))
            }
            (_, Some(declared)) => {
                Some(format!("Content-Length is {declared}, but the next record begins after {len} bytes"))
            }
        }
    }

    /// Whether the present gzip member begins here, and with a record: then no block reaches over it.
    fn at_record_of_next_member(&mut self) -> bool {
        self.stream.member_starts(0) && {
            self.stream.fill_to(VERSION_LINE_BYTES);
            is_record_start(self.stream.window())
        }
    }

    fn at_block_end(&mut self) -> bool {
        self.stream.fill_to(BEHIND_BYTES);
        self.stream.member_starts(0) || is_block_end(self.stream.window())
    }
}

/// Whether a block can end before `behind`: nothing follows, or a separator, or a record.
fn is_block_end(behind: &[u8]) -> bool {
    let line_ends = behind.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let rest = &behind[line_ends..];
    rest.is_empty() || rest.starts_with(b"WARC/") || behind.starts_with(b"\r\n\r\n") || behind.starts_with(b"\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_may_follow_a_block() {
        for behind in
            ["", "\r\n\r\n", "\r\n\r\nWARC/1.0", "\n\nWARC/1.0", "\n\r\nWARC/1.0", "WARC/1.0", "\r\n\r\ngarbage"]
        {
            assert!(is_block_end(behind.as_bytes()), "{behind:?}");
        }
        for behind in ["</html>", "\r\n</html>\r\n\r\nWARC/1.0", "\nx"] {
            assert!(!is_block_end(behind.as_bytes()), "{behind:?}");
        }
    }
}
