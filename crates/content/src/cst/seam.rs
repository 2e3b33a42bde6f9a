//! Words that touch where an inline element ends or begins, though they are two: `<b>prefix</b><span>Type</span>`.
//!
//! Nothing but style parts them on the page, and no style is read here. Of such places in WCXB's development pages whose words are in the
//! gold text, they are parted where letters and elements tell. Where one element ends and another begins: a small letter before a capital or
//! a digit, and a digit before a capital (935 apart in the gold text, 2 within a word); anything but a capital before a small letter, between
//! elements of one name and different classes (168 and 0); behind a label. Where an element ends and bare text goes on, the first of these
//! (38 and 0). Where an element begins behind bare text, a small letter before a capital or a digit (21 and 2). Letters of which one element
//! has the first, as in `<b>H</b><i>ello</i>` or `<i>i</i>Phone`, stay a word.
//!
//! Elements of one kind that are all there is in an element inside a line are laid out a line each where they hold names of programs, a word
//! each, or the element is called so: `<span class=lines><span>find</span><span>find_if</span></span>`.

use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Classes of what docutils says of a term, its type, of what Doxygen says of a member: `inline`, and of footnotes within lines (LaTeXML,
/// Modern Footnotes of WordPress, SWI-Prolog).
const ANNOUNCED: [&str; 5] =
    ["classifier", "mlabel", "ltx_note_content", "modern-footnotes-footnote__note", NOTE_IN_SIGN];

/// Class of the text of a footnote that stands in its raised sign (manuals of SWI-Prolog).
const NOTE_IN_SIGN: &str = "fn-text";

/// Letters of a label before a name, at least: an initial that is set apart has one.
const LABEL_LETTERS_MIN: usize = 3;

/// Signs that begin a text.
const OPENING: [char; 8] = ['(', '[', '{', '"', '“', '„', '«', '‘'];

/// Letters before a place, at least, for bare text on one side of it to be another word.
const LETTERS_BEFORE: usize = 2;

/// What ended and began since the last text of a run.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Seam {
    closed: Option<DomId>,
    opened: Option<DomId>,
    between: Option<(DomId, DomId)>,
    /// Whether something says that a word goes on: `wbr`.
    goes_on: bool,
}

impl Seam {
    /// An inline element begins.
    pub(crate) fn open(&mut self, element: DomId, tag: Tag) {
        self.goes_on |= tag == Tag::Wbr;
        match self.closed {
            Some(closed) => self.between = self.between.or(Some((closed, element))),
            None => self.opened = self.opened.or(Some(element)),
        }
    }

    /// An element ends.
    pub(crate) fn close(&mut self, element: DomId) {
        self.closed = Some(element);
    }

    /// The place before the text that comes now, and none from here on.
    pub(crate) fn take(&mut self) -> Option<Place> {
        let Self { closed, opened, between, goes_on } = std::mem::take(self);
        let place = match (between, closed, opened) {
            (Some((closed, opened)), ..) => Some(Place::Between { closed, opened }),
            (None, Some(closed), None) => Some(Place::Behind(closed)),
            (None, None, Some(opened)) => Some(Place::Before(opened)),
            // Nothing ended or began, or an element with nothing in it.
            _ => None,
        };
        place.filter(|_| !goes_on)
    }
}

/// Where two texts touch.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    /// An element ends and another begins.
    Between { closed: DomId, opened: DomId },
    /// An element ends, and text goes on.
    Behind(DomId),
    /// An element begins behind text.
    Before(DomId),
}

impl Place {
    /// Whether it parts the word at the end of `before` from that at the begin of `after`.
    pub(crate) fn parts(self, dom: &Dom, before: &str, after: &str) -> bool {
        let (Some(last), Some(first)) = (before.chars().next_back(), after.chars().next()) else { return false };
        if self.is_of_alternatives(dom) && (first.is_alphanumeric() || OPENING.contains(&first))
            || self.is_behind_label(dom)
        {
            return true;
        }
        let (Some(last), Some(first)) = (Kind::of(last), Kind::of(first)) else { return false };
        let small_ends = matches!((last, first), (Kind::Small, Kind::Capital | Kind::Digit));
        let ends = small_ends || matches!((last, first), (Kind::Digit, Kind::Capital));
        match self {
            Self::Between { closed, opened } if joins(dom, closed) || joins(dom, opened) => false,
            Self::Between { .. } if ends => true,
            Self::Between { .. } if (last, first) == (Kind::Capital, Kind::Small) => false,
            Self::Between { closed, opened } => parts_alike(dom, closed, opened) || lays_out_lines(dom, closed, opened),
            Self::Behind(element) => {
                ends && is_text(dom, element) && (is_word(before) || last == Kind::Digit && is_capitalised(after))
            }
            Self::Before(element) => small_ends && is_text(dom, element) && is_word(before),
        }
    }
}

impl Place {
    /// Whether it lies between two hidden elements, of which a script shows the one that fits the reader: the help of LibreOffice has a text
    /// for each of its programs.
    fn is_of_alternatives(self, dom: &Dom) -> bool {
        let Self::Between { closed, opened } = self else { return false };
        let is_hidden = |element| dom.attribute(element, AttributeName::Hidden).is_some();
        is_hidden(closed) && is_hidden(opened) && dom.parent(closed) == dom.parent(opened)
    }

    /// Whether it lies between a label that begins a heading or term, which the page sets at its other end or in other colours, and the name
    /// of what is described: `Deprecated` (CUPS), `[ISO]` (SWI-Prolog).
    fn is_behind_label(self, dom: &Dom) -> bool {
        let Self::Between { closed, opened } = self else { return false };
        let is_named = |link| {
            dom.attribute(link, AttributeName::Id).or_else(|| dom.attribute(link, AttributeName::Name)).is_some()
        };
        let heads = |around| dom.tag(around).is_some_and(|tag| tag == Tag::Dt || tag.heading_level().is_some());
        let begins = || {
            std::iter::successors(dom.previous_sibling(closed), |id| dom.previous_sibling(*id))
                .all(|id| dom.is_blank(id))
        };
        dom.tag(opened) == Some(Tag::A)
            && dom.tag(closed) == Some(Tag::Span)
            && is_named(opened)
            && dom.attribute(closed, AttributeName::Class).is_some()
            && dom.parent(opened).is_some_and(|around| dom.parent(closed) == Some(around) && heads(around))
            && begins()
            && text_within(dom, closed, LINES_MAX, LINE_BYTES_MAX)
                .chars()
                .filter(|letter| letter.is_alphabetic())
                .count()
                >= LABEL_LETTERS_MIN
    }
}

/// Whether what is in an element belongs to the word beside it.
fn joins(dom: &Dom, element: DomId) -> bool {
    matches!(dom.tag(element), Some(Tag::Sup | Tag::Sub | Tag::Rt | Tag::Rp))
}

/// Whether an element's text is as good as that around it.
fn is_text(dom: &Dom, element: DomId) -> bool {
    !joins(dom, element) && !dom.tag(element).is_some_and(is_code)
}

fn is_word(before: &str) -> bool {
    before.chars().rev().take(LETTERS_BEFORE).filter(|char| char.is_alphanumeric()).count() == LETTERS_BEFORE
}

/// Whether a text begins with a word as `But`, behind the number of a verse or a section.
fn is_capitalised(after: &str) -> bool {
    let mut letters = after.chars().skip(1).take(LETTERS_BEFORE);
    letters.clone().count() == LETTERS_BEFORE && letters.all(char::is_lowercase)
}

/// Whether two elements part words that letters alone do not.
fn parts_alike(dom: &Dom, closed: DomId, opened: DomId) -> bool {
    let class = |element| dom.attribute(element, AttributeName::Class).unwrap_or("").trim();
    let tags = (dom.tag(closed), dom.tag(opened));
    tags.0 == Some(Tag::Label) || (tags.0 == tags.1 && class(closed) != class(opened))
}

/// Whether a link goes on with the word that the link right before it ends with, to the same place: editors cut links up.
pub(crate) fn continues_link(dom: &Dom, link: DomId) -> bool {
    let href = |link| dom.attribute(link, AttributeName::Href).filter(|href| !href.is_empty());
    let before = dom.previous_sibling(link).filter(|before| dom.tag(*before) == Some(Tag::A));
    before.is_some_and(|before| {
        href(link).is_some()
            && href(before) == href(link)
            && dom.text_content(before).ends_with(char::is_alphabetic)
            && dom.text_content(link).starts_with(char::is_lowercase)
    })
}

/// Elements around a place that are looked at.
const LINES_MAX: usize = 8;

/// Elements from which on words alone say that they are lines, and the letters of such a word.
const LINES_MIN: usize = 3;
const WORD_LETTERS_MIN: usize = 3;

/// Bytes of the longest text of such an element.
const LINE_BYTES_MAX: usize = 80;

/// Whether two elements are lines of the element that they are in.
fn lays_out_lines(dom: &Dom, closed: DomId, opened: DomId) -> bool {
    let Some(around) = dom.parent(opened).filter(|around| dom.parent(closed) == Some(*around)) else { return false };
    let class = |element| dom.attribute(element, AttributeName::Class).unwrap_or("").trim();
    let is_alike = |element: DomId| {
        matches!(dom.tag(element), Some(Tag::Span | Tag::A))
            && dom.tag(element) == dom.tag(opened)
            && class(element) == class(opened)
    };
    if dom.tag(around) != Some(Tag::Span) || !is_alike(closed) {
        return false;
    }
    let before = std::iter::successors(Some(closed), |id| dom.previous_sibling(*id)).take(LINES_MAX);
    let behind = std::iter::successors(Some(opened), |id| dom.next_sibling(*id)).take(LINES_MAX);
    let lines: Vec<DomId> = before.chain(behind).collect();
    if !lines.iter().all(|line| is_alike(*line)) {
        return false;
    }
    let texts: Vec<String> = lines.iter().map(|line| text_within(dom, *line, LINES_MAX, LINE_BYTES_MAX)).collect();
    let is_word = |text: &String| text.chars().count() >= WORD_LETTERS_MIN && text.chars().all(char::is_alphanumeric);
    let is_called_so = || dom.class_names(around).any(|name| name.split(['-', '_']).any(|part| part == "lines"));
    texts.iter().any(|text| is_name_of_programs(text))
        || (texts.len() >= LINES_MIN && texts.iter().all(is_word))
        || is_called_so()
}

/// The text of an element, as far as its first nodes have it, and of each the first bytes.
pub(super) fn text_within(dom: &Dom, element: DomId, nodes_max: usize, bytes_max: usize) -> String {
    let mut text = String::new();
    for part in dom.descendants(element).take(nodes_max).filter_map(|id| dom.text(id)) {
        text.push_str(&part[..part.floor_char_boundary(bytes_max)]);
    }
    text
}

/// Whether a text is a name as `find_if` or `std::find`.
fn is_name_of_programs(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "_:~".contains(letter);
    let has_sign = text.contains("::") || text.trim_matches('_').contains('_');
    has_sign && text.len() < LINE_BYTES_MAX && text.chars().all(is_letter)
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
pub(crate) fn announces_word(dom: &Dom, element: DomId, tag: Tag) -> bool {
    match tag {
        Tag::Span => dom.class_names(element).any(|class| ANNOUNCED.contains(&class)),
        Tag::Sup => note_in_sign(dom, element).is_some(),
        _ => false,
    }
}

/// The text of a footnote in its raised sign, behind the number: `<sup>1<span class=fn-text>A note.</span></sup>`.
pub(crate) fn note_in_sign(dom: &Dom, raised: DomId) -> Option<DomId> {
    let last = dom.children(raised).last()?;
    (dom.tag(last) == Some(Tag::Span) && is_note_in_sign(dom, last)).then_some(last)
}

fn is_note_in_sign(dom: &Dom, note: DomId) -> bool {
    dom.attribute(note, AttributeName::Class) == Some(NOTE_IN_SIGN)
}

/// Whether an element holds code, of which highlighting makes an element of every token.
pub(crate) fn is_code(tag: Tag) -> bool {
    matches!(tag, Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt | Tag::Var)
}

/// Elements whose white space is kept.
pub(super) fn is_preformatted(tag: Tag) -> bool {
    matches!(tag, Tag::Pre | Tag::Xmp | Tag::Plaintext)
}

/// Whether a `code` names its language: documentation shows the same in several, of which readers see one.
pub(crate) fn is_code_variant(dom: &Dom, element: DomId) -> bool {
    let class = || dom.attribute(element, AttributeName::Class).unwrap_or("");
    dom.tag(element) == Some(Tag::Code) && class().contains("language-")
}

/// Whether an element is code in one language behind which the same stands in another.
pub(super) fn is_variant_before_another(dom: &Dom, element: DomId) -> bool {
    let is_next = || dom.next_sibling(element).is_some_and(|next| is_code_variant(dom, next));
    is_code_variant(dom, element) && is_next()
}

/// Pages with words at which elements begin and end, and how they read: parted first, then whole.
#[cfg(test)]
pub(crate) const SEAMS: &[(&str, &str)] = &[
    ("<dt><strong>prefix</strong><span class=classifier>str, optional</span></dt>", "prefix str, optional"),
    (
        "<dt><strong>mangle_dupe_cols</strong><span class=classifier>bool, default True",
        "mangle_dupe_cols bool, default True",
    ),
    ("<dt>axis<span class='classifier x'>int", "axis int"),
    ("<p><span>16 km</span><span>420 m</span>", "16 km 420 m"),
    ("<p><span class=a>16 km</span><b class=b><i>420 m</i></b>", "16 km 420 m"),
    ("<p><span class=name>email</span><span class=type>nullable string</span>", "email nullable string"),
    ("<p><span>Product</span><em>New</em>", "Product New"),
    ("<p><label>name</label><span>required</span>", "name required"),
    ("<p><span class=amount>1535</span><span class=unit>kcal</span>", "1535 kcal"),
    ("<p><code>get</code><code>Post</code>", "get Post"),
    ("<h1><span>250 items</span>Welcome to <em>Audio</em></h1>", "250 items Welcome to Audio"),
    ("<p><b>Price 99</b>Value, in <a href=/x>Store</a>Visit, star<i>4</i>", "Price 99 Value, in Store Visit, star 4"),
    ("<td><span class=t><span>find</span><span>find_if</span></span>", "find find_if"),
    ("<td><span><span><a href=a>atoi</a></span><span>atol</span><span>atoll</span></span>", "atoi atol atoll"),
    ("<td><span class=t-lines><span>max</span><span>min</span></span>", "max min"),
    (
        "<p><span hidden=true>Places.</span><span hidden>The icon</span><span hidden>(all)</span>",
        "Places. The icon (all)",
    ),
    ("<p><span hidden>half</span><span hidden class=x>, or so</span> <b>1.</b><b>x</b>", "half, or so 1.x"),
    ("<h3><span class=info>Deprecated</span><a name=flip>flipDuplex</a></h3>", "Deprecated flipDuplex"),
    ("<dt class=d> <span class=tag>[ISO]</span><a id=o><b>open</b>(<var>In</var>)</a>", "[ISO] open(In)"),
    ("<h3><span class=drop>T</span><a id=t>he mill</a></h3>", "The mill"),
    (
        "<h3>Un<span class=x>usual</span><a id=t>ly</a></h3><p><span class=x>usual</span><a id=u>ly</a>",
        "Unusually\nusually",
    ),
    ("<p><span class=v>2</span>But his, <b>3</b>D, <i>2</i>Do", "2 But his, 3D, 2Do"),
    ("<p>our security<strong>Cons</strong><p>Net", "our security Cons\nNet"),
    ("<p><b>H</b>ello <span class=drop>T</span><span class=rest>here", "Hello There"),
    ("<p><span>hel</span><span>lo</span> <b>trend</b><span>s</span>", "hello trends"),
    (
        "<p><span><span>half</span><span>way</span></span> <span><span>b</span><span>o</span><span>x</span></span>",
        "halfway box",
    ),
    ("<p><span class=lines>of <span>half</span><span>way</span></span>", "of halfway"),
    ("<p><b>A</b><i>ttainable</i> f<b>u</b>n", "Attainable fun"),
    (
        "<p><i>i</i>Phone e<b>Bay</b> 21<span>ST</span> <code>get</code>Name is<code>True</code>",
        "iPhone eBay 21ST getName isTrue",
    ),
    ("<p><i>half</i>way re<b>do</b> <a href=/x>Hel</a>Lo2<i></i>You", "halfway redo Hel Lo2You"),
    ("<p><span>1</span><span>st</span> <span>10</span><span>000</span>", "1st 10000"),
    ("<p>x<sup>2</sup> no<sup>1</sup> <b>No</b><sup>A</sup> H<sub>2</sub><span>O</span>", "x2 no1 NoA H2O"),
    ("<p><code><span class=n>foo</span><span class=m>Bar1</span></code>", "fooBar1"),
    ("<p><span class=a>super</span><wbr><span class=b>Califragilistic</span>", "superCalifragilistic"),
    ("<pre><b class=a>x</b><i class=b>y</i></pre>", "xy"),
    (
        "<p><a href=/x>Co</a><a href=/x>ntact</a> <a href=/x>one</a><a href=/y>two</a> <a href=/x>a</a><a href=/x>B</a>",
        "Contact one two a B",
    ),
    ("<p><span class=a>東</span><span class=b>京</span> java<b></b>Script", "東京 javaScript"),
];
