//! What class names, ids, roles and properties hint at: sets of categories, as bits.
//!
//! A pattern is found anywhere in the value, in any case; one that begins or ends with `_` stands at the border of a word.

use std::collections::VecDeque;
use std::sync::OnceLock;

use crate::dom::{AttributeName, Dom, DomId};
use crate::extract::PageView;

/// A set of categories of [`HINT_NAMES`].
pub(in crate::extract) type HintBits = u32;

/// The categories, in the order of their bits.
pub(super) const HINT_NAMES: [&str; 24] = [
    "content",
    "post",
    "sidebar",
    "related",
    "sharing",
    "advert",
    "legal",
    "overlay",
    "form",
    "nav",
    "header",
    "footer",
    "meta",
    "comment",
    "forum",
    "card",
    "product",
    "hidden",
    "title",
    "summary",
    "document",
    "main_role",
    "aux_role",
    "content_property",
];

/// Number of categories.
pub(super) const HINTS: usize = HINT_NAMES.len();

const HIDDEN: usize = 17;
const MAIN_ROLE: usize = 21;
const AUX_ROLE: usize = 22;
const CONTENT_PROPERTY: usize = 23;

/// What a name may be beside, of which rules ask: that of navigation, or of comments. No features.
pub(in crate::extract) const MAY_LEAD: HintBits = 1 << HINTS;
pub(in crate::extract) const MAY_HOLD_COMMENTS: HintBits = 1 << (HINTS + 1);

/// Bytes of a value that are read.
const VALUE_BYTES_MAX: usize = 240;

/// The patterns of the first categories.
const PATTERNS: [&str; 21] = [
    "article content entry body _text main story description detail prose richtext rich-text inhalt contenu contenido beitrag",
    "post blog single hentry news",
    "sidebar side-bar _side_ aside _rail widget secondary left-col right-col leftcol rightcol",
    "related recommend trending popular similar also-like upsell cross-sell crosssell readmore read-more more- most teaser latest",
    "share sharing social follow _sns addthis",
    "advert _ad_ _ads_ sponsor promo banner dfp adslot _ad- taboola outbrain werbung anzeige affiliate",
    "cookie consent gdpr copyright privacy disclaimer legal onetrust",
    "modal popup overlay dialog dropdown drawer offcanvas off-canvas tooltip lightbox flyout _toast snackbar",
    "newsletter subscribe signup sign-up login search form_ cart account checkout input paywall",
    "_nav menu navbar navigation breadcrumb pagination pager _toc_ table-of-contents tabs toolbar skip jump",
    "header masthead topbar top-bar hero _top_",
    "footer _foot colophon bottom",
    "meta author byline date time tags category caption credit info rubrik",
    "comment reply respond disqus kommentar discussion",
    "forum thread topic message question answer bbs postbody post-body phpbb vbulletin discourse cooked viewtopic",
    "card item tile grid list result _row _col product-",
    "product price sku spec feature review rating variant gallery",
    "hidden sr-only visually-hidden screen-reader d-none invisible",
    "title headline heading",
    "excerpt summary lead intro abstract _dek standfirst",
    "markdown highlight code wiki mw- _doc sphinx rst docs",
];

/// Those of [`MAY_LEAD`] and [`MAY_HOLD_COMMENTS`]: what each of the names has that the rules know.
const PATTERNS_OF_RULES: [(usize, &str); 2] =
    [(HINTS, "navb navi bread subp"), (HINTS + 1, "omment omentar reactie disqus review wertung ezension")];

/// Letters of patterns: `a` to `z` in either case, `-`, and one for all other bytes together.
const LETTERS: usize = 28;

/// Each byte's letter.
static LETTER: [u8; 256] = {
    let mut letters = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        letters[byte] = match byte as u8 {
            small @ b'a'..=b'z' => small - b'a' + 1,
            capital @ b'A'..=b'Z' => capital - b'A' + 1,
            b'-' => 27,
            _ => 0,
        };
        byte += 1;
    }
    letters
};

/// A pattern that stands at the border of a word.
#[derive(Debug)]
struct Bordered {
    text: &'static str,
    starts_word: bool,
    ends_word: bool,
    category: usize,
}

impl Bordered {
    /// Whether the borders are there, of the pattern that was read before `end`.
    fn is_before(&self, value: &[u8], end: usize) -> bool {
        let at = end - self.text.len();
        (!self.starts_word || at == 0 || !value[at - 1].is_ascii_alphanumeric() || is_hump(value, at))
            && (!self.ends_word || end == value.len() || !value[end].is_ascii_lowercase())
    }
}

/// What is known of a value when it is read up to some byte: the longest end of that with which a pattern begins.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    /// The state after each letter.
    next: [u16; LETTERS],
    /// Categories of the patterns that end here, wherever they stand.
    bits: HintBits,
    /// The bordered patterns that end here, a bit each.
    bordered: u32,
}

/// Finds all patterns in one pass, a step a byte: the automaton of A. V. Aho and M. J. Corasick, *Efficient string matching*, 1975.
#[derive(Debug)]
struct Patterns {
    states: Vec<State>,
    bordered: Vec<Bordered>,
}

impl Patterns {
    fn get() -> &'static Self {
        static PATTERNS: OnceLock<Patterns> = OnceLock::new();
        PATTERNS.get_or_init(Self::build)
    }

    fn build() -> Self {
        let mut patterns = Self { states: vec![State::default()], bordered: Vec::new() };
        for (category, list) in PATTERNS.into_iter().enumerate().chain(PATTERNS_OF_RULES) {
            for word in list.split(' ') {
                patterns.add(word, category);
            }
        }
        patterns.link();
        patterns
    }

    /// Adds a pattern to the tree of all.
    fn add(&mut self, word: &'static str, category: usize) {
        let text = word.trim_matches('_');
        let mut at = 0;
        for byte in text.bytes() {
            let letter = usize::from(LETTER[usize::from(byte)]);
            if self.states[at].next[letter] == 0 {
                self.states[at].next[letter] = self.states.len() as u16;
                self.states.push(State::default());
            }
            at = usize::from(self.states[at].next[letter]);
        }
        let (starts_word, ends_word) = (word.starts_with('_'), word.ends_with('_'));
        if starts_word || ends_word {
            self.states[at].bordered |= 1 << self.bordered.len();
            self.bordered.push(Bordered { text, starts_word, ends_word, category });
        } else {
            self.states[at].bits |= 1 << category;
        }
    }

    /// Gives each state, of the longest shorter end with which a pattern begins, the patterns that end there and the ways on.
    fn link(&mut self) {
        let mut shorter = vec![0; self.states.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            let behind = self.states[shorter[at]];
            self.states[at].bits |= behind.bits;
            self.states[at].bordered |= behind.bordered;
            for (letter, behind) in behind.next.into_iter().enumerate() {
                let next = usize::from(self.states[at].next[letter]);
                if next == 0 {
                    self.states[at].next[letter] = behind;
                } else {
                    shorter[next] = if at == 0 { 0 } else { usize::from(behind) };
                    queue.push_back(next);
                }
            }
        }
    }

    fn find(&self, value: &[u8]) -> HintBits {
        let (mut state, mut bits) = (&self.states[0], 0);
        for (at, byte) in value.iter().enumerate() {
            state = &self.states[usize::from(state.next[usize::from(LETTER[usize::from(*byte)])])];
            bits |= state.bits;
            if state.bordered != 0 {
                bits |= self.bordered_bits(state.bordered, value, at + 1);
            }
        }
        bits
    }

    /// Categories of those of the bordered patterns that have their borders, before `end`.
    #[cold]
    fn bordered_bits(&self, bordered: u32, value: &[u8], end: usize) -> HintBits {
        let ending = self.bordered.iter().enumerate().filter(|(index, _)| bordered >> index & 1 != 0);
        let found = ending.filter(|(_, pattern)| pattern.is_before(value, end));
        found.fold(0, |bits, (_, pattern)| bits | 1 << pattern.category)
    }
}

/// Whether a word begins at `at` by its capital, as in `mainNav`.
fn is_hump(value: &[u8], at: usize) -> bool {
    value[at].is_ascii_uppercase() && value[at - 1].is_ascii_lowercase()
}

/// The hints of each of the page's values of `class`.
pub(in crate::extract) fn of_classes(dom: &Dom) -> Vec<HintBits> {
    let of_class = |class: &str| {
        // What stands behind the bytes that are read may be anything to the rules.
        let of_rest = if class.len() > VALUE_BYTES_MAX { MAY_LEAD | MAY_HOLD_COMMENTS } else { 0 };
        of_value(class) | of_rest
    };
    dom.distinct_classes().map(|class| of_class(class.text())).collect()
}

/// Finds the hints of a page's elements.
#[derive(Debug)]
pub(super) struct Hinter<'a> {
    dom: &'a Dom,
    of_class: &'a [HintBits],
}

impl<'a> Hinter<'a> {
    pub(super) fn new(page: &'a PageView<'_>) -> Self {
        Self { dom: page.dom, of_class: page.class_hints() }
    }

    /// The hints of one element.
    pub(super) fn hints(&self, element: DomId) -> HintBits {
        let mut bits = self.of_class[self.dom.class_id(element).index()];
        for attribute in self.dom.attributes(element) {
            let value = &*attribute.value;
            bits |= match attribute.name {
                AttributeName::Id => of_value(value),
                AttributeName::Role => role_hint(value),
                AttributeName::Itemprop => property_hint(value),
                AttributeName::Style => flag(hides(value), HIDDEN),
                AttributeName::Hidden => 1 << HIDDEN,
                AttributeName::AriaHidden => flag(value == "true", HIDDEN),
                AttributeName::AriaLabel => of_value(value) & ARIA_LABEL_HINTS,
                _ => 0,
            };
        }
        bits & ((1 << HINTS) - 1)
    }
}

/// The hints of a class, an id or a label.
pub(in crate::extract) fn of_value(value: &str) -> HintBits {
    Patterns::get().find(&value.as_bytes()[..value.floor_char_boundary(VALUE_BYTES_MAX)])
}

/// Categories that a spoken label tells: those of parts around the content.
const ARIA_LABEL_HINTS: HintBits = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 9 | 1 << 13;

fn flag(is_set: bool, category: usize) -> HintBits {
    HintBits::from(is_set) << category
}

fn role_hint(role: &str) -> HintBits {
    match role.trim() {
        "main" | "article" => 1 << MAIN_ROLE,
        "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "dialog" | "alertdialog" | "menu"
        | "menubar" | "toolbar" | "tablist" | "alert" => 1 << AUX_ROLE,
        _ => 0,
    }
}

fn property_hint(property: &str) -> HintBits {
    let is_content = ["articleBody", "description", "text", "reviewBody", "recipeInstructions"];
    flag(property.split_ascii_whitespace().any(|name| is_content.contains(&name)), CONTENT_PROPERTY)
}

/// Whether a style keeps the element from being shown.
fn hides(style: &str) -> bool {
    let squeezed = style.bytes().filter(|byte| !byte.is_ascii_whitespace()).map(|byte| byte.to_ascii_lowercase());
    let squeezed: Vec<u8> = squeezed.take(VALUE_BYTES_MAX).collect();
    let find = |needle: &[u8]| memchr::memmem::find(&squeezed, needle).is_some();
    find(b"display:none") || find(b"visibility:hidden")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(value: &str) -> Vec<&'static str> {
        let bits = Patterns::get().find(value.as_bytes());
        (0..HINTS).filter(|category| bits >> category & 1 != 0).map(|category| HINT_NAMES[category]).collect()
    }

    #[test]
    fn values_give_their_categories() {
        assert_eq!(names("entry-content"), ["content"]);
        assert_eq!(names("postBody"), ["content", "post", "forum"]);
        assert_eq!(names("loading shadow"), [""; 0]);
        assert_eq!(names("left-ad"), ["advert"]);
        assert_eq!(names("mainNav"), ["content", "nav"]);
        assert_eq!(names("MAINNAVIGATION"), ["content", "nav"]);
        assert_eq!(names("unav"), [""; 0]);
        assert_eq!(names("fthread"), ["forum"]);
        assert_eq!(names("xmenubar"), ["nav"]);
    }

    /// Each pattern looked for at each place.
    fn found_one_by_one(value: &[u8]) -> HintBits {
        let mut bits = 0;
        for (category, list) in PATTERNS.into_iter().enumerate().chain(PATTERNS_OF_RULES) {
            for word in list.split(' ') {
                let text = word.trim_matches('_');
                let (starts_word, ends_word) = (word.starts_with('_'), word.ends_with('_'));
                let pattern = Bordered { text, starts_word, ends_word, category };
                let ends = (text.len()..=value.len())
                    .filter(|end| value[end - text.len()..*end].eq_ignore_ascii_case(text.as_bytes()));
                bits |= flag(ends.into_iter().any(|end| pattern.is_before(value, end)), category);
            }
        }
        bits
    }

    #[test]
    fn one_pass_finds_what_each_pattern_alone_finds() {
        let words: Vec<&str> =
            PATTERNS.iter().chain([&PATTERNS_OF_RULES[1].1]).flat_map(|list| list.split(' ')).collect();
        for (index, first) in words.iter().enumerate() {
            for second in [words[index * 7 % words.len()], "x", "", "-Y", " ad", "ads1"] {
                for value in [format!("{first}{second}"), format!("{second}{first}"), format!("Q{second}_{first}a")] {
                    for cut in [0, 1, 2] {
                        let value = &value.as_bytes()[cut.min(value.len())..];
                        let text = String::from_utf8_lossy(value);
                        assert_eq!(Patterns::get().find(value), found_one_by_one(value), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn styles_hide() {
        assert!(hides("color: red; Display : none"));
        assert!(!hides("display:block"));
    }
}
