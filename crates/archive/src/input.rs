//! A file's bytes, buffered, with a bounded look-back for resynchronising.

use std::io::{self, Read};

/// Bytes asked of the file at once.
const READ_BYTES: usize = 64 << 10;

/// Bytes before the read position that [`Input::rewind_to`] can reach.
pub(super) const LOOK_BACK_BYTES: usize = 64 << 10;

/// A buffered source that knows its offset and can go back a little.
pub(super) struct Input<R> {
    source: R,
    buffer: Vec<u8>,
    /// Index of the first unread byte in `buffer`.
    unread: usize,
    /// File offset of `buffer[0]`.
    buffer_offset: u64,
    ended: bool,
}

impl<R: Read> Input<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, buffer: Vec::new(), unread: 0, buffer_offset: 0, ended: false }
    }

    /// Where a source must stand for [`Input::at`] `offset`: reads are parted as though the file had been read from its beginning.
    pub(super) fn read_start(offset: u64) -> u64 {
        offset - offset % READ_BYTES as u64
    }

    /// Stands at `offset` of the file; `source` gives its bytes from [`read_start`](Self::read_start) on.
    pub(super) fn at(source: R, offset: u64) -> io::Result<Self> {
        let buffer_offset = Self::read_start(offset);
        let mut input = Self { buffer_offset, ..Self::new(source) };
        let ahead = (offset - buffer_offset) as usize;
        input.fill_to(ahead)?;
        input.consume(ahead.min(input.unread().len()));
        Ok(input)
    }

    /// The bytes read from the file and not yet consumed.
    pub(super) fn unread(&self) -> &[u8] {
        &self.buffer[self.unread..]
    }

    /// File offset of the first unread byte.
    pub(super) fn offset(&self) -> u64 {
        self.buffer_offset + self.unread as u64
    }

    /// Marks `len` unread bytes as read.
    pub(super) fn consume(&mut self, len: usize) {
        debug_assert!(len <= self.unread().len());
        self.unread = (self.unread + len).min(self.buffer.len());
    }

    /// Goes back to `offset`, or to the oldest byte still held. Never goes forward.
    pub(super) fn rewind_to(&mut self, offset: u64) {
        let index = offset.saturating_sub(self.buffer_offset) as usize;
        self.unread = self.unread.min(index);
    }

    /// Reads more of the file behind the unread bytes; `false` at its end.
    ///
    /// Reads are whole, however the source parts them, so that the same file is always read in the same way: where a
    /// damage is noticed can depend on how much a decoder sees at once.
    pub(super) fn fill(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.forget_old();
        let read = self.source.by_ref().take(READ_BYTES as u64).read_to_end(&mut self.buffer);
        self.ended = !matches!(read, Ok(1..));
        read.map(|len| len > 0)
    }

    /// Reads until `len` bytes are unread; `false` when the file ends before.
    pub(super) fn fill_to(&mut self, len: usize) -> io::Result<bool> {
        while self.unread().len() < len {
            if !self.fill()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn forget_old(&mut self) {
        if self.unread >= LOOK_BACK_BYTES + READ_BYTES {
            let old = self.unread - LOOK_BACK_BYTES;
            self.buffer.drain(..old);
            self.buffer_offset += old as u64;
            self.unread -= old;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_back_within_what_is_held() {
        let bytes: Vec<u8> = (0..=255).cycle().take(400_000).collect();
        let mut input = Input::new(&bytes[..]);
        while input.fill().unwrap() {
            let len = input.unread().len();
            input.consume(len);
        }
        assert_eq!(input.offset(), 400_000);
        input.rewind_to(399_990);
        assert_eq!(input.unread(), &bytes[399_990..]);
        input.rewind_to(0);
        assert!(input.offset() <= 400_000 - LOOK_BACK_BYTES as u64);
        let offset = input.offset();
        input.rewind_to(offset + 5);
        assert_eq!(input.offset(), offset, "never forward");
    }
}
