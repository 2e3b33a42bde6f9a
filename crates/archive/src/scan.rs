//! Where records begin and their headers end.

use std::io::Read;

use memchr::memchr;

use super::framing::{Framing, WARC_MAGIC, has_warc_magic, is_warc_start};
use super::warc::WarcReader;

/// What ends a header block.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HeadEnd {
    /// A blank line: the block's length with it.
    Blank(usize),
    /// The version line of another record: the length before it.
    NextRecord(usize),
}

/// Finds the end of the header block that `bytes` begin with. `searched` keeps what was searched between calls.
pub(super) fn head_end(bytes: &[u8], searched: &mut usize) -> Option<HeadEnd> {
    while let Some(len) = memchr(b'\n', &bytes[*searched..]) {
        let line = &bytes[*searched..*searched + len];
        if line.iter().all(|&byte| byte == b'\r') && *searched > 0 {
            return Some(HeadEnd::Blank(*searched + len + 1));
        }
        if *searched > 0 && is_warc_start(&bytes[*searched..]) {
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
            let more = self.stream.fill_to(self.framing.head_bytes());
            let candidate = self.candidate(more);
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

    fn candidate(&self, more: bool) -> Candidate {
        match self.framing {
            Framing::Warc => self.warc_candidate(),
            Framing::Arc => self.arc_candidate(more),
        }
    }

    fn warc_candidate(&self) -> Candidate {
        let window = self.stream.window();
        let slashes = memchr::memchr_iter(b'/', window);
        for at in slashes.filter_map(|slash| (slash + 1).checked_sub(WARC_MAGIC.len())) {
            if !has_warc_magic(&window[at..]) {
                continue;
            }
            let before = if at == 0 { self.stream.previous() } else { window[at - 1] };
            if before != b'\n' && !self.stream.member_starts(at) {
                continue;
            }
            if self.framing.is_start(&window[at..]) {
                return Candidate::Here(at);
            }
            if at > 0 && window.len() - at < self.framing.head_bytes() {
                return Candidate::Perhaps(at);
            }
        }
        Candidate::NotBefore(window.len().saturating_sub(WARC_MAGIC.len() - 1))
    }

    /// Any line may be a record's first; so may what a compressed member begins with.
    fn arc_candidate(&self, more: bool) -> Candidate {
        let window = self.stream.window();
        let mut at = 0;
        let mut is_line = self.stream.previous() == b'\n';
        loop {
            let line = &window[at..];
            if (is_line || self.stream.member_starts(at)) && self.framing.is_start(line) {
                let is_whole = !more || line.len() >= self.framing.head_bytes() || memchr(b'\n', line).is_some();
                return if is_whole { Candidate::Here(at) } else { Candidate::Perhaps(at) };
            }
            let next_line = memchr(b'\n', line).map(|end| at + end + 1);
            let next_member = self.stream.next_member(at + 1);
            match (next_line, next_member) {
                (Some(line), Some(member)) if member < line => (at, is_line) = (member, false),
                (Some(line), _) => (at, is_line) = (line, true),
                (None, Some(member)) => (at, is_line) = (member, false),
                (None, None) if line.len() < self.framing.head_bytes() && at > 0 => return Candidate::Perhaps(at),
                (None, None) => return Candidate::NotBefore(window.len()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_end_of_heads() {
        let end = |bytes: &[u8]| head_end(bytes, &mut 0);
        assert_eq!(end(b"WARC/1.0\r\na: b\r\n\r\nHTTP"), Some(HeadEnd::Blank(18)));
        assert_eq!(end(b"WARC/1.0\na: b\n\n"), Some(HeadEnd::Blank(15)));
        assert_eq!(end(b"WARC/1.0\na: b\nWARC/1.0\nc: d"), Some(HeadEnd::NextRecord(14)));
        assert_eq!(end(b"WARC/1.0\na: b\r\n\r"), None);
    }
}
