//! How the records of a file are told apart: WARC by version lines, ARC by lines with a URL, an address and a date.

use memchr::memchr;

use super::arc_head::is_arc_start;

/// The first bytes of a WARC record, in either case: some writers use the lower one.
pub(super) const WARC_MAGIC: &[u8] = b"WARC/";

/// Bytes within which a version line ends.
const VERSION_LINE_BYTES: usize = 32;

/// Bytes within which an ARC record's line ends.
pub(super) const ARC_LINE_BYTES: usize = 8 << 10;

/// The two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    Warc,
    Arc,
}

impl Framing {
    /// Bytes by which a record's beginning is told.
    pub(super) fn head_bytes(self) -> usize {
        match self {
            Self::Warc => VERSION_LINE_BYTES,
            Self::Arc => ARC_LINE_BYTES,
        }
    }

    /// Whether a record begins here. Fewer than [`Framing::head_bytes`] are the last before a stop.
    pub(super) fn is_start(self, bytes: &[u8]) -> bool {
        match self {
            Self::Warc => is_warc_start(bytes),
            Self::Arc => is_arc_start(bytes),
        }
    }

    /// Whether a block can end before `behind`: nothing follows, or a separator, or a record.
    pub(super) fn is_block_end(self, behind: &[u8]) -> bool {
        let line_ends = behind.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let rest = &behind[line_ends..];
        let begins = match self {
            Self::Warc => has_warc_magic(rest) || behind.starts_with(b"\r\n\r\n") || behind.starts_with(b"\n\n"),
            Self::Arc => is_arc_start(rest),
        };
        rest.is_empty() || begins
    }
}

/// Whether a record of either kind begins here.
pub(super) fn begins_record(bytes: &[u8]) -> bool {
    has_warc_magic(bytes) || is_arc_start(bytes)
}

/// Whether `bytes` begin as a version line does.
pub(super) fn has_warc_magic(bytes: &[u8]) -> bool {
    bytes.get(..WARC_MAGIC.len()).is_some_and(|magic| magic.eq_ignore_ascii_case(WARC_MAGIC))
}

/// Whether `bytes` begin with a version line: `WARC/`, a number with a point, and the line's end.
pub(super) fn is_warc_start(bytes: &[u8]) -> bool {
    if !has_warc_magic(bytes) {
        return false;
    }
    let version = &bytes[WARC_MAGIC.len()..];
    let line = &version[..version.len().min(VERSION_LINE_BYTES - WARC_MAGIC.len())];
    let Some(end) = memchr(b'\n', line) else { return false };
    let line = line[..end].trim_ascii_end();
    line.first().is_some_and(u8::is_ascii_digit)
        && line.contains(&b'.')
        && line.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_version_lines() {
        for line in ["WARC/1.0\r\n", "WARC/0.17\n", "WARC/1.1\r\r\nWARC-Type", "WARC/0.18 \n", "warc/1.0\r\n"] {
            assert!(is_warc_start(line.as_bytes()), "{line}");
        }
        for line in ["WARC/1.0", "WARC/\n", "WARC/1\n", "WARC/x.1\n", "ware/1.0\n", "WARC/1.0 is a format\n", ""] {
            assert!(!is_warc_start(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn knows_what_may_follow_a_block() {
        let is_end = |framing: Framing, behind: &str| framing.is_block_end(behind.as_bytes());
        for behind in
            ["", "\r\n\r\n", "\r\n\r\nWARC/1.0", "\n\nWARC/1.0", "\n\r\nWARC/1.0", "WARC/1.0", "\r\n\r\ngarbage"]
        {
            assert!(is_end(Framing::Warc, behind), "{behind:?}");
        }
        for behind in ["</html>", "\r\n</html>\r\n\r\nWARC/1.0", "\nx"] {
            assert!(!is_end(Framing::Warc, behind), "{behind:?}");
        }
        assert!(is_end(Framing::Arc, "\nhttp://a.example/ 10.0.0.1 20140102000000 text/html 1\n"));
        assert!(!is_end(Framing::Arc, "\n<p>"));
    }
}
