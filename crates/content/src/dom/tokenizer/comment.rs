//! Comments, and what is taken for one.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Token, TokenSink};
use memchr::memchr;

use super::{AttributePolicy, Tokenizer};

/// Longest comment whose text is read, unless all are.
const BORDER_BYTES_MAX: usize = 2;

impl<S: TokenSink> Tokenizer<'_, S> {
    /// Comment states, after `<!--`.
    pub(super) fn comment(&mut self) {
        let start = self.at;
        if let Some(length) = abrupt_end(&self.bytes[start..]) {
            self.at += length;
            return self.send_comment(start, start);
        }
        while let Some(length) = memchr(b'>', &self.bytes[self.at..]) {
            let content = &self.bytes[start..self.at + length];
            self.at += length + 1;
            if let Some(mark) = [&b"--"[..], b"--!"].into_iter().find(|mark| content.ends_with(mark)) {
                return self.send_comment(start, start + content.len() - mark.len());
            }
        }
        if let Some(end) = self.end_of_unclosed_comment(start) {
            self.at = end + 1;
            return self.send_comment(start, end);
        }
        self.at = self.bytes.len();
        let rest = &self.bytes[start..];
        let mark = [&b"--!"[..], b"--", b"-"].into_iter().find(|mark| rest.ends_with(mark)).map_or(0, <[u8]>::len);
        self.send_comment(start, self.at - mark);
    }

    /// Bogus comment state: to the next `>`.
    pub(super) fn bogus_comment(&mut self) {
        let start = self.at;
        let end = memchr(b'>', &self.bytes[start..]).map_or(self.bytes.len(), |length| start + length);
        self.at = (end + 1).min(self.bytes.len());
        self.send_comment(start, end);
    }

    /// Of the trees' own use are only the borders of places that scripts fill, which are short.
    fn send_comment(&self, start: usize, end: usize) {
        let text = match self.policy {
            AttributePolicy::Read if end - start > BORDER_BYTES_MAX => StrTendril::new(),
            _ => self.slice_replacing_nul(start, end),
        };
        self.send(Token::CommentToken(text));
    }
}

/// Bytes of the end of a comment that ends before it has begun.
fn abrupt_end(rest: &[u8]) -> Option<usize> {
    let ends = [&b">"[..], b"->"];
    ends.into_iter().find(|end| rest.starts_with(end)).map(<[u8]>::len)
}
