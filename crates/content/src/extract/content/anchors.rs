//! Links that lead to the heading in which they stand.

use super::classes::has_class;
use crate::dom::{AttributeName, Dom, DomId};

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

/// Signs that are all the words of such a link.
const SIGNS: &[&str] = &["¶", "#", "§", "🔗", "⚓", "⚓\u{fe0e}", "∞", "[#]", "[link]", "\u{f0c1}", "\u{e9cb}"];

/// What such links say to readers who do not see them.
const WORDS: &[&str] =
    &["permalink", "link to this", "direct link to", "copy link", "anchor", "section titled", "link to heading"];

/// Whether a link is the sign behind a heading or definition by which that is linked to.
pub(super) fn is_permalink(dom: &Dom, link: DomId) -> bool {
    if !dom.attribute(link, AttributeName::Href).is_some_and(|href| href.contains('#')) {
        return false;
    }
    let words = dom.text_content(link);
    let words = words.trim().trim_matches('\u{200b}');
    SIGNS.contains(&words)
        || (has_class(dom, link, NAMES)
            && (words.is_empty() || {
                let words = words.to_lowercase();
                WORDS.iter().any(|word| words.starts_with(word))
            }))
}
