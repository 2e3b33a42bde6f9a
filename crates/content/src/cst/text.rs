//! Text as it is seen: white space folded, invisible characters left out.

use std::borrow::Cow;

use super::line_break::without_wide_breaks;

/// Characters that take no place on the page: soft hyphen, zero-width space, word joiner, byte order mark.
pub(crate) const INVISIBLE: [char; 4] = ['\u{ad}', '\u{200b}', '\u{2060}', '\u{feff}'];

/// Preformatted white space that is kept between two elements.
const BLANKS_BYTES_MAX: usize = 200;

/// Parts what touches on the page and is two: a hair space. White space of the page is never one here, but in preformatted text; so the
/// page's own text is what is left without it.
pub const APART: char = '\u{200a}';

/// What separates the text written so far from the next word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    None,
    Apart,
    Space,
    Line,
}

/// The growing text buffer of a tree.
#[derive(Debug)]
pub(super) struct TextBuffer {
    pub(super) text: String,
    /// Where the current run began.
    run_start: usize,
    gap: Gap,
    /// Preformatted white space behind the last visible character of its line.
    blanks: String,
    bytes_max: usize,
    pub(super) truncated: bool,
}

impl TextBuffer {
    pub(super) fn new(capacity: usize, bytes_max: usize) -> Self {
        let text = String::with_capacity(capacity);
        Self { text, run_start: 0, gap: Gap::None, blanks: String::new(), bytes_max, truncated: false }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Asks for at least that gap before the next word of the run.
    pub(super) fn separate(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
        if gap == Gap::Line {
            self.blanks.clear();
        }
    }

    /// Opens a run on a line of its own.
    pub(super) fn start_run(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.run_start = self.text.len();
        self.gap = Gap::None;
        self.blanks.clear();
    }

    /// The text, and where the current run begins in it.
    pub(super) fn written(&self) -> (&str, usize) {
        (&self.text, self.run_start)
    }

    /// Whether the current run has text.
    pub(super) fn run_has_text(&self) -> bool {
        self.text.len() > self.run_start
    }

    /// Writes the pending gap; returns where the next word starts.
    pub(super) fn settle_gap(&mut self) -> usize {
        if self.run_has_text() {
            match self.gap {
                Gap::None => {}
                Gap::Apart => self.text.push(APART),
                Gap::Space if !self.blanks.is_empty() => {}
                Gap::Space => self.text.push(' '),
                Gap::Line => self.text.push('\n'),
            }
        }
        self.text.push_str(&self.blanks);
        self.blanks.clear();
        self.gap = Gap::None;
        self.text.len()
    }

    /// Whether nothing can be written any more.
    pub(super) fn is_full(&mut self) -> bool {
        let full = self.text.len() >= self.bytes_max;
        self.truncated |= full;
        full
    }

    /// Adds text with its white space folded to single blanks, or to none between the lines of a text that has no blanks, if
    /// `joins_lines`.
    pub(super) fn push_folded(&mut self, source: &str, joins_lines: bool) {
        if source.is_ascii() {
            let is_space = |c: char| c.is_ascii_whitespace();
            if self.text.len() + source.len() < self.bytes_max {
                self.push_words(source, ascii_pieces(source), is_space);
            } else {
                self.push_words(source, source.split_ascii_whitespace(), is_space);
            }
        } else if source.contains(INVISIBLE) {
            let visible: String = source.chars().filter(|c| !INVISIBLE.contains(c)).collect();
            self.push_lines(&visible, joins_lines);
        } else {
            self.push_lines(source, joins_lines);
        }
    }

    fn push_lines(&mut self, source: &str, joins_lines: bool) {
        let joined = if joins_lines { without_wide_breaks(source) } else { Cow::Borrowed(source) };
        self.push_words(&joined, joined.split_whitespace(), char::is_whitespace);
    }

    fn push_words<'a>(&mut self, source: &str, words: impl Iterator<Item = &'a str>, is_space: fn(char) -> bool) {
        if source.starts_with(is_space) {
            self.separate(Gap::Space);
        }
        let mut first = true;
        for word in words {
            if self.is_full() {
                return;
            }
            if !first {
                self.gap = Gap::Space;
            }
            self.settle_gap();
            self.text.push_str(word);
            first = false;
        }
        if !first && source.ends_with(is_space) {
            self.separate(Gap::Space);
        }
    }

    /// Adds preformatted text: lines, indentation and blanks stay, also where elements part them. White space at a line's end
    /// and empty lines do not.
    pub(super) fn push_preformatted(&mut self, source: &str) {
        for (index, line) in source.split('\n').enumerate() {
            if self.is_full() {
                return;
            }
            if index > 0 {
                self.separate(Gap::Line);
            }
            let visible: Cow<'_, str> = if line.is_ascii() {
                Cow::Borrowed(line)
            } else {
                line.chars().filter(|c| !INVISIBLE.contains(c)).collect()
            };
            let words = visible.trim_end();
            if !words.is_empty() {
                self.settle_gap();
                self.text.push_str(words);
            }
            let behind = &visible[words.len()..];
            let room = BLANKS_BYTES_MAX.saturating_sub(self.blanks.len());
            self.blanks.extend(behind.chars().filter(|c| *c != '\r').take(room));
        }
    }
}

/// What of an ASCII text one blank is put between: its words, or all of it where that is so already, which is copied at once.
pub(crate) fn ascii_pieces(text: &str) -> impl Iterator<Item = &str> {
    let whole = text.trim_ascii();
    let (whole, words) = if is_folded(whole) { (whole, "") } else { ("", text) };
    Some(whole).filter(|whole| !whole.is_empty()).into_iter().chain(words.split_ascii_whitespace())
}

/// Whether the words of an ASCII text without white space at its ends are parted by one blank each. `false` besides for some with control
/// characters.
fn is_folded(text: &str) -> bool {
    let bytes = text.as_bytes();
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    // Numbers, not truth values, so that it has no branch and many bytes are compared at once.
    let others = pairs.fold(0, |others, (one, next)| {
        others | u8::from(*one < 14) | (u8::from(*one == b' ') & u8::from(*next == b' '))
    });
    others == 0
}

/// Whether a text is nothing but white space.
pub(super) fn is_blank(text: &str) -> bool {
    let is_space = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
    match text.bytes().position(|byte| !is_space(&byte)) {
        Some(at) => !text.as_bytes()[at].is_ascii() && text[at..].trim_start().is_empty(),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_folded_is_told() {
        for text in ["", "a", "a b c", "a-b, c d"] {
            assert!(is_folded(text), "{text}");
        }
        for text in ["a  b", "a\nb", "a\tb c", "a b \rc", "one  two three four five six seven eight"] {
            assert!(!is_folded(text), "{text:?}");
        }
    }

    #[test]
    fn what_is_blank_is_told() {
        for text in ["", " \n\t\r\u{b}\u{c}", "\n \u{a0}\u{3000} "] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in ["a", "  a", "\u{a0}a", "\u{1c}", "\u{ad}"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn words_are_the_same_whether_they_were_folded_or_not() {
        let folded = |source: &str, bytes_max: usize| {
            let mut buffer = TextBuffer::new(0, bytes_max);
            buffer.push_folded(source, true);
            buffer.push_folded("z", true);
            (buffer.text.clone(), buffer.truncated)
        };
        assert_eq!(folded(" a b c ", 99), folded(" a  b\nc\t", 99));
        assert_eq!(folded(" a b c ", 3), folded(" a  b\nc\t", 3));
        assert_eq!(folded("  ", 99).0, "z");
    }

    #[test]
    fn wrapped_lines_of_wide_characters_have_no_blank() {
        let mut buffer = TextBuffer::new(0, usize::MAX);
        buffer.push_folded("日本語の\n  改行は ", true);
        buffer.push_folded("空\u{200b}\n白 でない", true);
        buffer.push_folded("一\n二", false);
        assert_eq!(buffer.text, "日本語の改行は 空白 でない一 二");
    }
}
