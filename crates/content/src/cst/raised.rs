//! Signs set high or low that touch a word or a number and are none of it: numbers of verses, marks of notes, exponents of numbers.
//!
//! Only their place on the page tells that they are two, and a text has none. So they are parted by [`APART`]: words are found, and no number
//! becomes another. Short words and numbers with letters stay whole: `H<sub>2</sub>O`, `m<sup>2</sup>`, `1<sup>st</sup>`, `M<sup>me</sup>`.

use super::seam::{Seam, text_within};
use super::text::Gap;
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Letters of a word behind which a number or a letter set high is the mark of a note: the names of most units have fewer.
const NOTED_LETTERS_MIN: usize = 4;

/// Letters before a full stop behind which such a sign is the mark of a note, and before the mark of a trade.
const LETTERS_MIN: usize = 2;

/// Letters of a word behind the number of a verse; symbols of chemical elements have fewer.
const VERSE_LETTERS_MIN: usize = 3;

/// Words of one letter that verses begin with.
const WORDS_OF_A_LETTER: [char; 3] = ['A', 'I', 'O'];

/// Bytes of the number of a verse, and of the mark of a note; digits of a number in it.
const MARK_BYTES_MAX: usize = 8;
const MARK_DIGITS_MAX: usize = 3;

/// Nodes within such an element that are looked at.
const NODES_MAX: usize = 8;

/// Signs that end a sentence or a part of it.
const ENDS: [char; 10] = ['.', ',', ';', ':', '!', '?', '"', '”', '’', '»'];

const TRADE_MARKS: [&str; 4] = ["TM", "SM", "MD", "MC"];

/// Where a word may end though nothing but its element does.
#[derive(Debug, Default)]
pub(super) struct Joints {
    seam: Seam,
    raised: Raised,
    /// Whether a reading is open, and where the last one ended.
    is_reading: bool,
    reading_end: usize,
}

impl Joints {
    /// An inline element begins behind `text`, in another and with its place there. What parts it from what is before.
    pub(super) fn open(&mut self, dom: &Dom, (element, tag): (DomId, Tag), text: &str, nth: u16) -> Gap {
        self.seam.open(element, tag);
        if is_raised(tag) {
            self.raised.open(element, text.len());
        }
        if is_reading(tag) {
            self.is_reading = true;
            return if text.len() == self.reading_end { Gap::None } else { Gap::Apart };
        }
        if tag >= Tag::Annotation && parts_formula(dom, element, tag, text, nth) { Gap::Apart } else { Gap::None }
    }

    /// An element ends, and with it `length` bytes of text.
    pub(super) fn close(&mut self, element: DomId, tag: Tag, length: usize) {
        self.seam.close(element);
        if is_reading(tag) {
            (self.is_reading, self.reading_end) = (false, length);
        }
        if is_raised(tag) {
            self.raised.close(element);
        }
    }

    /// What parts the text that comes now, `after`, from `text`, in which the run begins at `run_start`.
    pub(super) fn take(&mut self, dom: &Dom, text: &str, run_start: usize, after: &str) -> Gap {
        let place = self.seam.take();
        if place.is_some_and(|place| place.parts(dom, text, after)) {
            return Gap::Space;
        }
        if !self.is_reading && self.reading_end == text.len() && text.len() > run_start {
            return Gap::Apart;
        }
        if self.raised.take_parts(dom, text, run_start, after) { Gap::Apart } else { Gap::None }
    }
}

fn is_raised(tag: Tag) -> bool {
    matches!(tag, Tag::Sup | Tag::Sub)
}

/// Whether an element says how what is before it is read (ruby), or is a bracket of that.
pub(super) fn is_reading(tag: Tag) -> bool {
    matches!(tag, Tag::Rt | Tag::Rp)
}

/// Whether an element of a formula stands over, under or beside what is before it.
fn parts_formula(dom: &Dom, element: DomId, tag: Tag, text: &str, nth: u16) -> bool {
    let is_behind = || dom.previous_sibling(element).and_then(|before| dom.tag(before)) == Some(Tag::Mfrac);
    let touches = || text.ends_with(char::is_alphanumeric);
    match dom.parent(element).and_then(|around| dom.tag(around)) {
        Some(Tag::Mfrac | Tag::Mroot) => nth == 2,
        Some(Tag::Msubsup | Tag::Munderover) if nth == 3 => touches(),
        Some(Tag::Msup) if nth == 2 && tag == Tag::Mn => touches(),
        _ => (matches!(tag, Tag::Mfrac | Tag::Msqrt | Tag::Mroot) || is_behind()) && touches(),
    }
}

/// What is set high or low, ended or begun since the last text of a run.
#[derive(Debug, Default)]
struct Raised {
    /// The innermost that is open, and where its text begins.
    open: Option<(DomId, usize)>,
    /// The last that ended, and where its text began.
    closed: Option<(DomId, usize)>,
    /// Whether one is to be looked at before the next text.
    is_new: bool,
}

impl Raised {
    fn open(&mut self, element: DomId, length: usize) {
        self.open = Some((element, length));
        self.is_new = true;
    }

    fn close(&mut self, element: DomId) {
        if let Some(closed) = self.open.take_if(|(open, _)| *open == element) {
            self.closed = Some(closed);
            self.is_new = true;
        }
    }

    fn take_parts(&mut self, dom: &Dom, text: &str, run_start: usize, after: &str) -> bool {
        if !std::mem::take(&mut self.is_new) {
            return false;
        }
        let closed = self.closed.take();
        let run = text.get(run_start..).unwrap_or("");
        let (Some(last), Some(first)) = (run.chars().next_back(), after.chars().next()) else { return false };
        match (closed, self.open) {
            (Some((closed, _)), Some((opened, _))) => {
                let is_other = dom.tag(closed) != dom.tag(opened);
                is_other && last.is_alphanumeric() && (first.is_alphanumeric() || is_number(after))
            }
            (Some((_, start)), None) => {
                // One that begins its run was open before this had begun.
                let halves = run.split_at_checked(start.saturating_sub(run_start));
                halves.is_some_and(|(before, raised)| ends_before(before, raised, after))
            }
            (None, Some((raised, _))) => is_beside(dom, raised, run, after),
            (None, None) => false,
        }
    }
}

/// Whether a text is no part of what is set high or low before it, which stands behind `before`.
fn ends_before(before: &str, raised: &str, after: &str) -> bool {
    let begins_word =
        before.is_empty() || before.ends_with(char::is_whitespace) || raised.starts_with(char::is_whitespace);
    if after.starts_with(char::is_numeric) {
        return raised.ends_with(char::is_numeric);
    }
    begins_word && is_mark(raised.trim()) && is_verse(before.trim_end(), after)
}

/// Whether a text behind a number is that of a verse or a note, and no symbol of a chemical element.
fn is_verse(before: &str, after: &str) -> bool {
    let length = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
    let (word, behind) = after.split_at(length);
    let mut letters = word.chars();
    let (Some(first), second) = (letters.next(), letters.next()) else { return false };
    if second.is_some_and(char::is_lowercase) && letters.count() + 2 >= VERSE_LETTERS_MIN {
        return true;
    }
    let begins = before.is_empty() || before.ends_with(ENDS);
    let is_word = second.is_some() || WORDS_OF_A_LETTER.contains(&first);
    begins && is_word && first.is_uppercase() && behind.starts_with(|c: char| c.is_whitespace() || ENDS.contains(&c))
}

/// Whether what is set high or low, and begins with `after`, is no part of the word or number before it.
fn is_beside(dom: &Dom, raised: DomId, run: &str, after: &str) -> bool {
    if run.ends_with(char::is_numeric) && is_number(after) {
        return true;
    }
    if dom.tag(raised) != Some(Tag::Sup) || !after.starts_with(char::is_alphanumeric) {
        return false;
    }
    let bare = run.trim_end_matches(ENDS);
    let is_ended = bare.len() < run.len();
    let Some(last) = bare.chars().next_back().filter(|last| !has_no_blanks(*last)) else { return false };
    if is_link(dom, raised) {
        return last.is_alphanumeric() || is_ended;
    }
    let letters_min = if is_ended { LETTERS_MIN } else { NOTED_LETTERS_MIN };
    let letters = bare.chars().rev().take(letters_min).take_while(|c| c.is_alphabetic()).count();
    let mark = text_within(dom, raised, NODES_MAX, MARK_BYTES_MAX * 2);
    let mark = mark.trim();
    match last {
        // What a price has behind its point are two digits.
        _ if last.is_numeric() => is_ended && is_mark(mark) && mark.len() == 1,
        _ if letters == letters_min && is_mark(mark) => true,
        _ => letters >= LETTERS_MIN && !is_ended && TRADE_MARKS.contains(&mark),
    }
}

/// Whether a text is like `12`, `1,2` and `a`.
fn is_mark(text: &str) -> bool {
    let mut numbers = text.split([',', '-', '–', ' ']);
    let is_number = |part: &str| part.len() <= MARK_DIGITS_MAX && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter = text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_letter
        || text.len() <= MARK_BYTES_MAX && text.starts_with(|c: char| c.is_ascii_digit()) && numbers.all(is_number)
}

/// Whether a text begins with a number, which may have a sign.
fn is_number(text: &str) -> bool {
    text.strip_prefix(['-', '−', '–', '+']).unwrap_or(text).starts_with(char::is_numeric)
}

/// Whether an element is all of a link, or begins with one.
fn is_link(dom: &Dom, element: DomId) -> bool {
    let is_link = |id: DomId| dom.tag(id) == Some(Tag::A) && dom.attribute(id, AttributeName::Href).is_some();
    dom.first_child(element).is_some_and(is_link)
        || dom.parent(element).is_some_and(|around| is_link(around) && dom.first_child(around) == Some(element))
}

/// Whether a letter is of a script that is written without blanks.
pub(super) fn has_no_blanks(letter: char) -> bool {
    ('\u{2e80}'..='\u{9fff}').contains(&letter)
}

/// Pages with signs set high or low, and how they read; `|` is where they are parted.
#[cfg(test)]
pub(super) const RAISED: &[(&str, &str)] = &[
    ("<p>Psalm<p><sup>1</sup>Blessed is <sup>2</sup>the man", "Psalm\n1|Blessed is 2|the man"),
    (
        "<p><span><sup>1</sup>In the deep. </span><span><sup>2</sup>He saw. <sup>3</sup>I am",
        "1|In the deep. 2|He saw. 3|I am",
    ),
    ("<p><sup><a href=#a>1</a></sup><i>See</i> it", "1|See it"),
    ("<p><sup>14</sup>C in <sup>3</sup>He, <sup>13</sup>CH<sub>4</sub> of", "14C in 3He, 13CH4 of"),
    (
        "<p>the ungodly<sup>a</sup> nor sinners.<sup>b</sup> and God.<sup>12</sup>",
        "the ungodly|a nor sinners.|b and God.|12",
    ),
    (
        "<p>it<sup><a href=#n>1</a></sup> is<a href=#n><sup>b</sup></a> he.<sup><a href=#n>1</a></sup>",
        "it|1 is|b he.|1",
    ),
    ("<p><b>Note</b><sup>A</sup> Mills<sup>1,2</sup> Java<sup>TM</sup>", "Note|A Mills|1,2 Java|TM"),
    ("<p>in 1990<sup>1</sup> and 1990.<sup>1</sup> at 5.<sup>99</sup>", "in 1990|1 and 1990.|1 at 5.99"),
    (
        "<p>1<sup>1</sup>/<sub>2</sub> cups, 5<sup>99</sup> francs, 10<sup>-3</sup> m",
        "1|1/2 cups, 5|99 francs, 10|-3 m",
    ),
    ("<p>2<sup>10</sup>00 x<sub>i</sub><sup>n+1</sup> SO<sub>4</sub><sup>2-</sup>", "2|10|00 xi|n+1 SO4|2-"),
    (
        "<p>x<sup>2</sup> H<sub>2</sub>O 1<sup>st</sup> M<sup>me</sup> km<sup>2</sup> sigma<sub>1</sub> e<sup>x</sup>y n<sup>o</sup>",
        "x2 H2O 1st Mme km2 sigma1 exy no",
    ),
    (
        "<p>水車<sup>1</sup>は <a href=x>mill<sup>wright</sup></a> <code>long<sup>2</sup></code>",
        "水車1は millwright long2",
    ),
    ("<p><ruby>水車<rt>すいしゃ</rt></ruby><ruby>小屋<rt>ごや</rt></ruby>は", "水車|すいしゃ|小屋|ごや|は"),
    (
        "<p><ruby>水車<rp>(</rp><rt>すい</rt><rp>)</rp></ruby>は <ruby>mill<rt>Mühle</rt></ruby> <rt>x</rt>",
        "水車|(すい)|は mill|Mühle x",
    ),
    ("<math><mfrac><mi>a</mi><mi>b</mi></mfrac><mi>c</mi></math>", "a|b|c"),
    ("<math><msup><mn>10</mn><mn>3</mn></msup><mo>+</mo><mn>3</mn><msqrt><mn>2</mn></msqrt></math>", "10|3+3|2"),
    ("<math><msubsup><mi>x</mi><mi>i</mi><mi>n</mi></msubsup></math>", "xi|n"),
];
