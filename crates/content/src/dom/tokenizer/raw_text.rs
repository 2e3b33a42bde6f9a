//! Text without markup: RCDATA (`title`, `textarea`) and RAWTEXT (`style` and others).

use html5ever::tokenizer::TokenSink;
use memchr::{memchr, memchr_iter, memchr2};

use super::{Content, Ended, Tokenizer, is_space};

impl<S: TokenSink> Tokenizer<'_, S> {
    /// RCDATA states, up to and with the end tag: character references count.
    pub(super) fn rcdata(&mut self) -> Result<Content, Ended> {
        let mut start = self.at;
        if self.is_unclosed()
            && let Some(content) = self.end_unclosed(start)
        {
            return Ok(content);
        }
        loop {
            let Some(length) = memchr2(b'<', b'&', &self.bytes[self.at..]) else {
                self.send_replacing_nul(start, self.bytes.len());
                return Err(Ended);
            };
            self.at += length;
            if self.bytes[self.at] == b'&' {
                self.send_replacing_nul(start, self.at);
                self.reference_in_text(self.at);
                start = self.at;
            } else if self.is_end_of_raw_text(self.at) {
                return self.end_of_raw_text(start);
            } else {
                self.at += 1;
            }
        }
    }

    /// RAWTEXT states, up to and with the end tag.
    pub(super) fn rawtext(&mut self) -> Result<Content, Ended> {
        let start = self.at;
        while let Some(length) = memchr(b'<', &self.bytes[self.at..]) {
            self.at += length;
            if self.is_end_of_raw_text(self.at) {
                return self.end_of_raw_text(start);
            }
            self.at += 1;
        }
        if let Some(content) = self.end_unclosed(start) {
            return Ok(content);
        }
        self.send_replacing_nul(start, self.bytes.len());
        Err(Ended)
    }

    /// Whether no end tag follows, which is only looked for when it matters.
    fn is_unclosed(&self) -> bool {
        self.unclosed_left > 0
            && !memchr_iter(b'<', &self.bytes[self.at..]).any(|at| self.is_end_of_raw_text(self.at + at))
    }

    /// Whether the appropriate end tag begins at `at`.
    pub(super) fn is_end_of_raw_text(&self, at: usize) -> bool {
        let name = self.last_start_tag.as_bytes();
        let Some((&after, tag)) = self.bytes.get(at..at + 3 + name.len()).and_then(<[u8]>::split_last) else {
            return false;
        };
        tag.starts_with(b"</")
            && (is_space(after) || matches!(after, b'/' | b'>'))
            && tag[2..].eq_ignore_ascii_case(name)
    }

    /// Sends the text from `start` and reads the end tag at the present place.
    pub(super) fn end_of_raw_text(&mut self, start: usize) -> Result<Content, Ended> {
        self.send_replacing_nul(start, self.at);
        self.at += 2;
        self.end_tag()
    }
}
