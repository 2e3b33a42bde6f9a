//! Elements, comments and values that nothing ends.
//!
//! By the standard a `title` without its end tag holds all that follows, and the page is lost. Pages are there to be read, so, other than
//! the standard has it, what would go on to the input's end is ended where its author most likely meant it to. Nothing changes
//! for an element that has an end tag, or a comment that has its end, however far away that is. `plaintext` is left alone: its text is
//! shown.

use html5ever::LocalName;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink};
use memchr::{memchr, memchr_iter, memchr2, memrchr_iter};

use super::{Content, Tokenizer};

/// Elements and comments without an end that are ended in a page; for each the whole rest is looked through. Behind them the standard holds.
const UNCLOSED_MAX: u8 = 32;

/// Elements that hold what is not shown, or is shown only where they are not known.
const HOLDS_UNSHOWN: [&str; 8] = ["template", "select", "canvas", "object", "map", "video", "audio", "datalist"];

/// What a `select` holds.
const OPTIONS: [&str; 3] = ["option", "optgroup", "hr"];

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
        Some(self.send_end(self.last_start_tag.clone()))
    }

    fn send_end(&self, name: LocalName) -> Content {
        let tag = Tag {
            kind: TagKind::EndTag,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        Content::after(&self.sink.process_token(Token::TagToken(tag), 1))
    }

    /// Whether a start tag that was just read is taken as absent: that of an element without an end whose content would not be shown.
    /// A `select` is there, up to the next tag that it cannot hold.
    pub(super) fn passes_over(&mut self, name: &LocalName) -> bool {
        self.end_unclosed_select(name);
        if self.unclosed_left == 0
            || !HOLDS_UNSHOWN.contains(&&**name)
            || self.last_end(name).is_some_and(|end| end >= self.at)
        {
            return false;
        }
        self.unclosed_left -= 1;
        self.in_unclosed_select = &**name == "select";
        !self.in_unclosed_select
    }

    /// Ends a `select` that nothing ends before a tag that it cannot hold.
    pub(super) fn end_unclosed_select(&mut self, name: &LocalName) {
        if self.in_unclosed_select && !OPTIONS.contains(&&**name) {
            self.in_unclosed_select = false;
            self.send_end(LocalName::from("select"));
        }
    }

    /// Where the input's last end tag of a name begins. Each name is looked for once.
    fn last_end(&mut self, name: &LocalName) -> Option<usize> {
        if let Some((_, end)) = self.last_ends.iter().find(|(known, _)| known == name) {
            return *end;
        }
        let is_end = |at: &usize| {
            let rest = self.bytes[at + 1..].strip_prefix(b"/").and_then(|rest| rest.split_at_checked(name.len()));
            rest.is_some_and(|(found, _)| found.eq_ignore_ascii_case(name.as_bytes()))
        };
        let end = memrchr_iter(b'<', self.bytes).find(is_end);
        self.last_ends.push((name.clone(), end));
        end
    }

    /// Where a value in quotes ends that begins at `start` and whose quote nothing closes: at the tag's end.
    pub(super) fn end_of_unclosed_value(&mut self, start: usize) -> Option<usize> {
        self.unclosed_left = self.unclosed_left.checked_sub(1)?;
        memchr(b'>', &self.bytes[start..]).map(|length| start + length)
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
