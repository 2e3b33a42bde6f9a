//! Script data, which old pages hide in comments: an end tag counts or not by what stands before it.

use html5ever::tokenizer::TokenSink;
use memchr::{memchr, memchr2};

use super::{Content, Ended, Tokenizer, is_space};

/// In which of the script data states a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// In none: up to the end tag or `<!--`.
    Plain,
    /// After `<!--`: up to the end tag, `-->`, or `<script`.
    Escaped,
    /// After `<!--` and `<script`: up to `-->` or `</script`; end tags do not count.
    DoubleEscaped,
}

impl<S: TokenSink> Tokenizer<'_, S> {
    /// Script data states, up to and with the end tag. All characters before it are the script's text as they stand.
    pub(super) fn script(&mut self) -> Result<Content, Ended> {
        let start = self.at;
        let mut escape = Escape::Plain;
        loop {
            let found = match escape {
                Escape::Plain => memchr(b'<', &self.bytes[self.at..]),
                Escape::Escaped | Escape::DoubleEscaped => memchr2(b'<', b'-', &self.bytes[self.at..]),
            };
            let Some(length) = found else {
                if let Some(content) = self.end_unclosed(start) {
                    return Ok(content);
                }
                self.send_replacing_nul(start, self.bytes.len());
                return Err(Ended);
            };
            self.at += length;
            if escape != Escape::DoubleEscaped && self.is_end_of_raw_text(self.at) {
                return self.end_of_raw_text(start);
            }
            (escape, self.at) = self.after_script_mark(escape);
        }
    }

    /// The state after the `<` or `-` at the present place, and the place where it goes on.
    fn after_script_mark(&self, escape: Escape) -> (Escape, usize) {
        let rest = &self.bytes[self.at..];
        match escape {
            // The dashes may be the first two of `-->`.
            Escape::Plain if rest.starts_with(b"<!--") => (Escape::Escaped, self.at + 2),
            Escape::Plain => (Escape::Plain, self.at + 1),
            _ if rest[0] == b'-' => self.after_dash(escape),
            Escape::Escaped => self.after_script_name(1, Escape::DoubleEscaped, Escape::Escaped),
            Escape::DoubleEscaped if rest.get(1) == Some(&b'/') => {
                self.after_script_name(2, Escape::Escaped, Escape::DoubleEscaped)
            }
            Escape::DoubleEscaped => (escape, self.at + 1),
        }
    }

    fn after_dash(&self, escape: Escape) -> (Escape, usize) {
        let ends = self.bytes[self.at..].starts_with(b"-->");
        if ends { (Escape::Plain, self.at + 3) } else { (escape, self.at + 1) }
    }

    /// Script data double escape start and end states: `found` when the letters at `offset` are `script`, else `other`.
    fn after_script_name(&self, offset: usize, found: Escape, other: Escape) -> (Escape, usize) {
        let rest = &self.bytes[self.at + offset..];
        let name = rest.get(..6).is_some_and(|name| name.eq_ignore_ascii_case(b"script"));
        let ends = rest.get(6).is_some_and(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'));
        if name && ends { (found, self.at + offset + 7) } else { (other, self.at + 1) }
    }
}
