//! Words that touch where one inline element ends and another begins, though they are two: `<b>prefix</b><span>Type</span>`.
//!
//! Nothing but style parts them on the page, and no style is read here. Of such places in WCXB's development pages whose words are in the
//! gold text, they are parted where letters and elements tell: a small letter before a capital or a digit, and a digit before a capital (935
//! apart in the gold text, 2 within a word); anything but a capital before a small letter, between elements of one name and different classes
//! (168 and 0); behind a label. Letters of which one element has the first, as in `<b>H</b><i>ello</i>`, stay a word.

use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Class of what docutils says of a term: its type.
const CLASSIFIER: &str = "classifier";

/// A place in a run between an inline element's end and another's begin, while no text has come since.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Seam {
    closed: Option<DomId>,
    between: Option<(DomId, DomId)>,
    /// Whether something says that a word goes on: `wbr`.
    goes_on: bool,
}

impl Seam {
    /// An inline element begins.
    pub(super) fn open(&mut self, element: DomId, tag: Tag) {
        self.goes_on |= tag == Tag::Wbr;
        if self.between.is_none() {
            self.between = self.closed.map(|closed| (closed, element));
        }
    }

    /// An element ends.
    pub(super) fn close(&mut self, element: DomId) {
        self.closed = Some(element);
    }

    /// The seam before the text that comes now, and none from here on.
    pub(super) fn take(&mut self) -> Option<Between> {
        let Self { between, goes_on, .. } = std::mem::take(self);
        between.filter(|_| !goes_on).map(|(closed, opened)| Between { closed, opened })
    }
}

/// Two elements, the end of one and the begin of the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Between {
    closed: DomId,
    opened: DomId,
}

impl Between {
    /// Whether it parts the word at the end of `before` from that at the begin of `after`.
    pub(super) fn parts(self, dom: &Dom, before: &str, after: &str) -> bool {
        let (Some(last), Some(first)) = (before.chars().next_back(), after.chars().next()) else { return false };
        let (Some(last), Some(first)) = (Kind::of(last), Kind::of(first)) else { return false };
        let tags = [self.closed, self.opened].map(|element| dom.tag(element));
        if tags.iter().any(|tag| matches!(tag, Some(Tag::Sup | Tag::Sub | Tag::Rt | Tag::Rp))) {
            return false;
        }
        match (last, first) {
            (Kind::Small, Kind::Capital | Kind::Digit) | (Kind::Digit, Kind::Capital) => true,
            (Kind::Capital, Kind::Small) => false,
            _ => tags[0] == Some(Tag::Label) || (tags[0] == tags[1] && self.differs_in_class(dom)),
        }
    }

    fn differs_in_class(self, dom: &Dom) -> bool {
        let class = |element| dom.attribute(element, AttributeName::Class).unwrap_or("").trim();
        class(self.closed) != class(self.opened)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Small,
    Capital,
    Digit,
}

impl Kind {
    /// Nothing for signs, and for letters of scripts without capitals.
    fn of(char: char) -> Option<Self> {
        match char {
            _ if char.is_lowercase() => Some(Self::Small),
            _ if char.is_uppercase() => Some(Self::Capital),
            _ if char.is_numeric() => Some(Self::Digit),
            _ => None,
        }
    }
}

/// Whether an element is a word of its own wherever it stands.
pub(super) fn announces_word(dom: &Dom, element: DomId, tag: Tag) -> bool {
    let class = || dom.attribute(element, AttributeName::Class).unwrap_or("");
    tag == Tag::Span && class().split_ascii_whitespace().any(|class| class == CLASSIFIER)
}

/// Whether an element holds code, of which highlighting makes an element of every token.
pub(super) fn is_code(tag: Tag) -> bool {
    matches!(tag, Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt | Tag::Var)
}
