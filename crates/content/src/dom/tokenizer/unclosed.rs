//! Elements and comments that nothing ends.
//!
//! By the standard a `title` without its end tag holds all that follows, and the page is lost. Pages are there to be read, so, other than
//! the standard has it, what would go on to the input's end is ended where its author most likely meant it to. Nothing changes
//! for an element that has an end tag, or a comment that has its end, however far away that is. `plaintext` is left alone: its text is
//! shown.

use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink};
use memchr::{memchr, memchr_iter, memchr2};

use super::{Content, Tokenizer};

/// Elements and comments without an end that are ended in a page; for each the whole rest is looked through. Behind them the standard holds.
const UNCLOSED_MAX: u8 = 32;

impl<S: TokenSink> Tokenizer<'_, S> {
    /// The same tokenizer, but elements and comments without an end do not go on to the input's end.
    pub(in crate::dom) fn ending_unclosed(mut self) -> Self {
        self.unclosed_left = UNCLOSED_MAX;
        self
    }

    /// Ends the text element that was begun last and whose content begins at `start`; `None` when it goes on to the input's end.
    pub(super) fn end_unclosed(&mut self, start: usize) -> Option<Content> {
        if self.unclosed_left == 0 {
            return None;
        }
        let rest = &self.bytes[start..];
        let length = match &*self.last_start_tag {
            // The first line that says something.
            "title" => {
                let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                blank + memchr2(b'<', b'\n', &rest[blank..])?
            }
            "textarea" | "style" => first_tag(rest, |_| true)?,
            // In the middle of a line a tag is more likely one that the script writes.
            "script" => first_tag(rest, |at| begins_line(&rest[..at]))?,
            // What they hold is for browsers without frames.
            "iframe" | "noembed" | "noframes" => 0,
            _ => return None,
        };
        self.unclosed_left -= 1;
        self.send_replacing_nul(start, start + length);
        self.at = start + length;
        let name = self.last_start_tag.clone();
        let tag = Tag {
            kind: TagKind::EndTag,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        Some(Content::after(&self.sink.process_token(Token::TagToken(tag), 1)))
    }

    /// Where a comment ends that begins at `start` and has no end: at the first `>`, as browsers once had it.
    pub(super) fn end_of_unclosed_comment(&mut self, start: usize) -> Option<usize> {
        self.unclosed_left = self.unclosed_left.checked_sub(1)?;
        memchr(b'>', &self.bytes[start..]).map(|length| start + length)
    }
}

/// The first tag that `counts`.
fn first_tag(rest: &[u8], counts: impl Fn(usize) -> bool) -> Option<usize> {
    let is_tag = |at: &usize| {
        let name = rest[at + 1..].strip_prefix(b"/").unwrap_or(&rest[at + 1..]);
        name.first().is_some_and(u8::is_ascii_alphabetic)
    };
    memchr_iter(b'<', rest).filter(is_tag).find(|at| counts(*at))
}

fn begins_line(before: &[u8]) -> bool {
    let blank = before.trim_ascii_end();
    blank.is_empty() || before[blank.len()..].contains(&b'\n')
}
