//! Where WARC records begin and their headers end.

use std::io::Read;

use memchr::{memchr, memmem};

use super::warc::WarcReader;

/// Bytes within which a version line ends.
pub(super) const VERSION_LINE_BYTES: usize = 32;

const MAGIC: &[u8] = b"WARC/";

/// What ends a header block.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HeadEnd {
    /// A blank line: the block's length with it.
    Blank(usize),
    /// The version line of another record: the length before it.
    NextRecord(usize),
}

/// Whether `bytes` begin with a version line: `WARC/`, a number with a point, and the line's end.
pub(super) fn is_record_start(bytes: &[u8]) -> bool {
    let Some(version) = bytes.strip_prefix(MAGIC) else { return false };
    let line = &version[..version.len().min(VERSION_LINE_BYTES - MAGIC.len())];
    let Some(end) = memchr(b'\n', line) else { return false };
    let line = line[..end].trim_ascii_end();
    line.first().is_some_and(u8::is_ascii_digit)
        && line.contains(&b'.')
        && line.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// Finds the end of the header block that `bytes` begin with. `searched` keeps what was searched between calls.
pub(super) fn head_end(bytes: &[u8], searched: &mut usize) -> Option<HeadEnd> {
    while let Some(len) = memchr(b'\n', &bytes[*searched..]) {
        let line = &bytes[*searched..*searched + len];
        if line.iter().all(|&byte| byte == b'\r') && *searched > 0 {
            return Some(HeadEnd::Blank(*searched + len + 1));
        }
        if *searched > 0 && is_record_start(&bytes[*searched..]) {
            return Some(HeadEnd::NextRecord(*searched));
        }
        *searched += len + 1;
    }
    None
}

/// What a window holds of the next record.
enum Candidate {
    /// It begins here.
    Here(usize),
    /// It may begin here; more bytes are needed to tell.
    Perhaps(usize),
    /// It does not begin before this index.
    NotBefore(usize),
}

impl<R: Read> WarcReader<R> {
    /// Moves to the next record, or to a stop of the stream; hands the bytes passed over to `sink`.
    pub(super) fn scan(&mut self, sink: &mut impl FnMut(&[u8])) {
        loop {
            let more = self.stream.fill_to(VERSION_LINE_BYTES);
            let candidate = self.candidate();
            let (Candidate::Here(len) | Candidate::Perhaps(len) | Candidate::NotBefore(len)) = candidate;
            sink(&self.stream.window()[..len]);
            self.stream.consume(len);
            match candidate {
                Candidate::Here(_) => return,
                Candidate::Perhaps(_) | Candidate::NotBefore(_) if more => {}
                _ => return self.pass_rest(sink),
            }
        }
    }

    fn pass_rest(&mut self, sink: &mut impl FnMut(&[u8])) {
        let len = self.stream.window().len();
        sink(self.stream.window());
        self.stream.consume(len);
    }

    fn candidate(&self) -> Candidate {
        let window = self.stream.window();
        for at in memmem::find_iter(window, MAGIC) {
            let before = if at == 0 { self.stream.previous() } else { window[at - 1] };
            if before != b'\n' && !self.stream.member_starts(at) {
                continue;
            }
            if is_record_start(&window[at..]) {
                return Candidate::Here(at);
            }
            if at > 0 && window.len() - at < VERSION_LINE_BYTES {
                return Candidate::Perhaps(at);
            }
        }
        Candidate::NotBefore(window.len().saturating_sub(MAGIC.len() - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_version_lines() {
        for line in ["WARC/1.0\r\n", "WARC/0.17\n", "WARC/1.1\r\r\nWARC-Type", "WARC/0.18 \n"] {
            assert!(is_record_start(line.as_bytes()), "{line}");
        }
        for line in ["WARC/1.0", "WARC/\n", "WARC/1\n", "WARC/x.1\n", "warc/1.0\n", "WARC/1.0 is a format\n", ""] {
            assert!(!is_record_start(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn finds_the_end_of_heads() {
        let end = |bytes: &[u8]| head_end(bytes, &mut 0);
        assert_eq!(end(b"WARC/1.0\r\na: b\r\n\r\nHTTP"), Some(HeadEnd::Blank(18)));
        assert_eq!(end(b"WARC/1.0\na: b\n\n"), Some(HeadEnd::Blank(15)));
        assert_eq!(end(b"WARC/1.0\na: b\nWARC/1.0\nc: d"), Some(HeadEnd::NextRecord(14)));
        assert_eq!(end(b"WARC/1.0\na: b\r\n\r"), None);
    }
}
