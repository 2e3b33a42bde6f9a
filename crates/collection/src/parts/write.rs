//! Writing a part.

use std::io::{self, Write};

use serde::Serialize;

use super::format::EndLine;
use super::{PartEnd, PartHead, PartLine};

/// Level of the compression.
const COMPRESSION_LEVEL: i32 = 3;

/// Writes lines, and counts them.
pub(super) struct PartWriter<W: Write> {
    lines: zstd::Encoder<'static, W>,
    end: PartEnd,
}

impl<W: Write> PartWriter<W> {
    pub(super) fn new(out: W, head: &PartHead) -> io::Result<Self> {
        let mut lines = zstd::Encoder::new(out, COMPRESSION_LEVEL)?;
        lines.include_checksum(true)?;
        let mut writer = Self { lines, end: PartEnd::default() };
        writer.line(head)?;
        Ok(writer)
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.lines, line)?;
        self.lines.write_all(b"\n")
    }

    pub(super) fn write(&mut self, line: &PartLine) -> io::Result<()> {
        self.end.count(line);
        self.line(line)
    }

    /// Writes the sums and gives them; `position_bytes` were read of the archive.
    pub(super) fn finish(mut self, position_bytes: u64) -> io::Result<(PartEnd, W)> {
        self.end.position_bytes = position_bytes;
        let end = self.end.clone();
        self.line(&EndLine { end: end.clone() })?;
        Ok((end, self.lines.finish()?))
    }
}
