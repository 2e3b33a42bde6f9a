//! Links that lead to the heading in which they stand.

use super::classes::has_class;
use super::furniture::is_language;
use crate::blocks::PERMALINK_SIGNS;
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Class names of such links.
const NAMES: &[&str] = &[
    "headerlink",
    "header-link",
    "headinglink",
    "heading-link",
    "permalink",
    "anchor",
    "anchorjs-link",
    "header-anchor",
    "heading-anchor",
    "anchor-link",
    "anchorlink",
    "hash-link",
    "hashlink",
    "mark",
    "toclink",
    "linkicon",
    "direct-link",
    "deep-link",
];

/// What else than one of [`PERMALINK_SIGNS`] is all the words of such a link.
const SIGNS: &[&str] = &["⚓\u{fe0e}", "∞", "[#]", "[link]", "ⓘ", "◆\u{a0}"];

/// What such links say to readers who do not see them.
const WORDS: &[&str] =
    &["permalink", "link to this", "direct link to", "copy link", "anchor", "section titled", "link to heading"];

/// Class names of what stands beside the words of headings and notes for those who edit or browse the page.
const BESIDE: &[&str] = &["mw-editsection", "mw-cite-backlink", "top-link", "fn-bracket"];

/// Whether an element within a line is for those who edit or browse the page: a link to edit a section, a button in
/// a heading, the language of the code behind it.
pub(super) fn is_beside_words(dom: &Dom, element: DomId, tag: Tag) -> bool {
    match tag {
        Tag::Span => has_class(dom, element, BESIDE) || is_language(dom, element),
        Tag::Button => dom.is_in_heading(element) && !holds_all(dom, element),
        // To the source of what rustdoc and Node.js describe.
        Tag::A => {
            has_class(dom, element, &["src", "srclink"])
                && matches!(dom.text_content(element).trim(), "Source" | "source" | "[src]")
        }
        _ => false,
    }
}

/// Whether a text is one of the signs alone.
fn is_sign(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|sign| PERMALINK_SIGNS.contains(&sign)) && chars.next().is_none()
}

/// Whether nothing stands beside a button: accordions have headings that are buttons.
fn holds_all(dom: &Dom, button: DomId) -> bool {
    let length = |id| dom.text_content(id).trim().len();
    dom.parent(button).is_none_or(|parent| length(parent) == length(button))
}

/// Whether a link is the sign behind a heading or definition by which that is linked to.
pub(super) fn is_permalink(dom: &Dom, link: DomId) -> bool {
    if !dom.attribute(link, AttributeName::Href).is_some_and(|href| href.contains('#')) {
        return false;
    }
    let words = dom.text_content(link);
    let words = words.trim().trim_matches('\u{200b}');
    is_sign(words)
        || SIGNS.contains(&words)
        || (has_class(dom, link, NAMES)
            && (words.is_empty() || {
                let words = words.to_lowercase();
                WORDS.iter().any(|word| words.starts_with(word))
            }))
}
