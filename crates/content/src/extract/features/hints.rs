//! What class names, ids, roles and properties hint at: sets of categories, as bits.
//!
//! A pattern is found anywhere in the value, in any case; one that begins or ends with `_` stands at the border of a word.

use std::sync::OnceLock;

use rustc_hash::{FxBuildHasher, FxHashMap};
use xxhash_rust::xxh3::xxh3_64;

use crate::dom::{AttributeName, Dom, DomId};

/// A set of categories of [`HINT_NAMES`].
pub(super) type HintBits = u32;

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

/// Bytes of a value that are read.
const VALUE_BYTES_MAX: usize = 240;

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

struct Pattern {
    text: &'static [u8],
    starts_word: bool,
    ends_word: bool,
    category: u8,
}

/// All patterns, by the letters of their first two bytes.
struct Patterns(Vec<Vec<Pattern>>);

/// The number of a letter in either case, of `-`, of all other bytes together.
const fn letter(byte: u8) -> usize {
    match byte {
        b'a'..=b'z' => (byte - b'a') as usize + 1,
        b'A'..=b'Z' => (byte - b'A') as usize + 1,
        b'-' => 27,
        _ => 0,
    }
}

/// [`letter`] of each byte.
static LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        letters[byte] = letter(byte as u8) as u8;
        byte += 1;
    }
    letters
};

/// Where patterns that begin like this pair of letters are.
#[inline]
fn pair(first: u8, second: u8) -> usize {
    usize::from(LETTERS[usize::from(first)]) << 5 | usize::from(LETTERS[usize::from(second)])
}

impl Patterns {
    fn get() -> &'static Self {
        static PATTERNS: OnceLock<Patterns> = OnceLock::new();
        PATTERNS.get_or_init(Self::build)
    }

    fn build() -> Self {
        let mut by_pair: Vec<Vec<Pattern>> = (0..1 << 10).map(|_| Vec::new()).collect();
        for (category, list) in PATTERNS.iter().enumerate() {
            for word in list.split(' ') {
                let text = word.trim_matches('_').as_bytes();
                let (starts_word, ends_word) = (word.starts_with('_'), word.ends_with('_'));
                by_pair[pair(text[0], text[1])].push(Pattern {
                    text,
                    starts_word,
                    ends_word,
                    category: category as u8,
                });
            }
        }
        Self(by_pair)
    }

    fn find(&self, value: &[u8]) -> HintBits {
        let mut bits = 0;
        for (at, next) in value.windows(2).enumerate() {
            for pattern in &self.0[pair(next[0], next[1])] {
                if bits >> pattern.category & 1 == 0 && pattern.is_at(value, at) {
                    bits |= 1 << pattern.category;
                }
            }
        }
        bits
    }
}

impl Pattern {
    fn is_at(&self, value: &[u8], at: usize) -> bool {
        let end = at + self.text.len();
        end <= value.len()
            && value[at..end].eq_ignore_ascii_case(self.text)
            && (!self.starts_word || at == 0 || !value[at - 1].is_ascii_alphanumeric() || is_hump(value, at))
            && (!self.ends_word || end == value.len() || !value[end].is_ascii_lowercase())
    }
}

/// Whether a word begins at `at` by its capital, as in `mainNav`.
fn is_hump(value: &[u8], at: usize) -> bool {
    value[at].is_ascii_uppercase() && value[at - 1].is_ascii_lowercase()
}

/// Distinct values that there is room for: as many as most pages have.
const VALUES: usize = 512;

/// Finds the hints of elements, each distinct value once.
#[derive(Debug)]
pub(super) struct Hinter {
    /// By the hash of the value.
    seen: FxHashMap<u64, HintBits>,
}

impl Hinter {
    /// One that has seen nothing.
    pub(super) fn new() -> Self {
        Self { seen: FxHashMap::with_capacity_and_hasher(VALUES, FxBuildHasher) }
    }

    /// The hints of one element.
    pub(super) fn hints(&mut self, dom: &Dom, element: DomId) -> HintBits {
        let mut bits = 0;
        for attribute in dom.attributes(element) {
            let value = &*attribute.value;
            bits |= match attribute.name {
                AttributeName::Class | AttributeName::Id => self.of_value(value),
                AttributeName::Role => role_hint(value),
                AttributeName::Itemprop => property_hint(value),
                AttributeName::Style => flag(hides(value), HIDDEN),
                AttributeName::Hidden => 1 << HIDDEN,
                AttributeName::AriaHidden => flag(value == "true", HIDDEN),
                AttributeName::AriaLabel => self.of_value(value) & ARIA_LABEL_HINTS,
                _ => 0,
            };
        }
        bits
    }

    fn of_value(&mut self, value: &str) -> HintBits {
        let value = &value.as_bytes()[..value.floor_char_boundary(VALUE_BYTES_MAX)];
        *self.seen.entry(xxh3_64(value)).or_insert_with(|| Patterns::get().find(value))
    }
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
    }

    #[test]
    fn styles_hide() {
        assert!(hides("color: red; Display : none"));
        assert!(!hides("display:block"));
    }
}
