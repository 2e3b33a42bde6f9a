//! Links that lead to the heading in which they stand.

use super::buttons;
use super::classes::class;
use super::furniture::is_language;
use super::inlines::READ_OUT;
use crate::blocks::{PERMALINK_SIGNS, PERMALINK_WORDS};
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// Class names of such links.
const NAMES: &ClassNames = classes![
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
    "detail-link",
];

/// What else than one of [`PERMALINK_SIGNS`] is all the words of such a link.
const SIGNS: &[&str] = &["⚓\u{fe0e}", "∞", "[#]", "[link]", "ⓘ", "◆\u{a0}"];

/// What else than [`PERMALINK_WORDS`] such links say to readers who do not see them, where their class tells what they are.
const WORDS: [&str; 2] = ["copy link", "anchor"];

/// Elements that are looked at for the name that a link leads to: itself and those around it.
const LEVELS_AROUND: usize = 3;

/// Nodes beside a button in a heading that are looked at for text; where there are more, it is not all.
const BESIDE_NODES_MAX: usize = 256;

/// Class names of what stands beside the words of headings and notes for those who edit or browse the page.
const BESIDE: &ClassNames = classes![
    "mw-editsection",
    "mw-cite-backlink",
    "top-link",
    "fn-bracket",
    "backrefs",
    "fn-backref",
    "printed-page",
    "printed-page-inline",
    "documentation-declarationlink",
];

/// Whether an element within a line is for those who edit or browse the page: a link to edit a section, a button in
/// a heading, the language of the code behind it.
pub(super) fn is_beside_words(dom: &Dom, element: DomId, tag: Tag) -> bool {
    match tag {
        Tag::Span => dom.has_class(element, BESIDE) || is_language(dom, element),
        Tag::Button => {
            (dom.is_in_heading(element) && !holds_all(dom, element)) || buttons::is_for_browsing(dom, element)
        }
        // To the source of what rustdoc, Node.js and Nim describe.
        Tag::A => {
            says_nothing_to_readers(dom, element)
                || (dom.has_class(element, classes!["src", "srclink", "link-seesrc"])
                    && matches!(dom.text_content(element).trim(), "Source" | "source" | "[src]" | "Edit"))
                || leads_to_module(dom, element)
                || leads_to_no_page(dom, element)
                || leads_on(dom, element)
                || opens_and_closes(dom, element)
                || dom.first_child(element).and_then(|id| dom.text(id)).is_some_and(opens_tab)
        }
        // Of a box that shows and hides the source (pdoc).
        Tag::Label => class(dom, element).contains("button") && buttons::is_short_and_known(dom, element),
        _ => false,
    }
}

/// Whether a link in a heading has words for those alone who do not see it, and others stand beside: an icon that leads
/// to the source (ExDoc).
fn says_nothing_to_readers(dom: &Dom, link: DomId) -> bool {
    let is_read_out = |text: DomId| {
        let around = std::iter::successors(dom.parent(text), |id| dom.parent(*id)).take(LEVELS_AROUND);
        around.take_while(|id| *id != link).any(|id| dom.has_class(id, READ_OUT))
    };
    if !dom.is_in_heading(link) {
        return false;
    }
    let nodes = dom.descendants(link).take(BESIDE_NODES_MAX);
    let mut words = nodes.filter(|id| dom.text(*id).is_some_and(|text| !text.trim().is_empty())).peekable();
    words.peek().is_some() && words.all(is_read_out) && !holds_all(dom, link)
}

/// Whether a text is that of the link below the figures and tables of PMC.
pub(super) fn opens_tab(text: &str) -> bool {
    const WORDS: &str = "Open in a new tab";
    text.len() < 2 * WORDS.len() && text.trim() == WORDS
}

/// Whether a link leads from a signature to the code of its module (Sphinx).
fn leads_to_module(dom: &Dom, link: DomId) -> bool {
    let is_module = || dom.attribute(link, AttributeName::Href).is_some_and(|href| href.contains("_modules/"));
    let is_named = || dom.children(link).any(|id| dom.has_class(id, classes!["viewcode-link"]));
    dom.attribute(link, AttributeName::Class).is_some_and(|class| class.contains("reference"))
        && (is_module() || is_named())
        && dom.text_content(link).trim() == "[source]"
}

/// Whether a link is the question mark behind the name of a page that is not there yet (TWiki, Foswiki).
fn leads_to_no_page(dom: &Dom, link: DomId) -> bool {
    let around = dom.parent(link).filter(|around| dom.has_class(*around, classes!["twikinewlink", "foswikinewlink"]));
    around.is_some() && dom.text_content(link).trim() == "?"
}

/// Whether a link sorts the table that it stands in (TWiki, Foswiki).
pub(super) fn sorts_table(dom: &Dom, link: DomId, href: &str) -> bool {
    href.contains("sortcol=") && dom.parent(link).is_some_and(|cell| dom.tag(cell) == Some(Tag::Th))
}

/// Whether a link leads from the sentence before it to the rest of the page (Doxygen, Qt).
pub(in crate::extract) fn leads_on(dom: &Dom, link: DomId) -> bool {
    let leads_within =
        dom.attribute(link, AttributeName::Href).is_some_and(|href| href.len() > 1 && href.starts_with('#'));
    let ends_sentence = || {
        let before = dom.previous_sibling(link).and_then(|before| dom.text(before));
        before.is_some_and(|text| text.trim_end().ends_with(['.', '!', '?']))
    };
    leads_within && matches!(dom.text_content(link).trim(), "More..." | "More…") && ends_sentence()
}

/// Whether a link beside the words of a heading opens and closes what is below it (YARD, MediaWiki, Javadoc).
fn opens_and_closes(dom: &Dom, link: DomId) -> bool {
    const WORDS: &[&str] = &["collapse", "expand", "hide", "show", "toggle"];
    let leads_nowhere = || {
        let href = dom.attribute(link, AttributeName::Href);
        href.is_none_or(|href| matches!(href.trim(), "" | "#") || href.trim_start().starts_with("javascript:"))
    };
    let says_so = || {
        let words = dom.text_content(link).to_lowercase();
        WORDS.contains(&words.trim_matches(|c: char| !c.is_alphanumeric()))
    };
    let wrapper = dom.parent(link).filter(|id| matches!(dom.tag(*id), Some(Tag::Small | Tag::Span)));
    dom.is_in_heading(link) && leads_nowhere() && says_so() && !holds_all(dom, wrapper.unwrap_or(link))
}

/// Whether a link leads to the element in or at which it stands, as headings do that are links to themselves (mdBook, Haddock).
pub(super) fn leads_to_itself(dom: &Dom, link: DomId, href: &str) -> bool {
    let Some(target) = href.strip_prefix('#').filter(|target| !target.is_empty()) else { return false };
    let around = std::iter::successors(Some(link), |id| dom.parent(*id)).take(LEVELS_AROUND);
    around
        .chain(dom.previous_sibling(link))
        .any(|id| [AttributeName::Id, AttributeName::Name].iter().any(|name| dom.attribute(id, *name) == Some(target)))
}

/// Whether a text is one of the signs alone.
fn is_sign(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|sign| PERMALINK_SIGNS.contains(&sign)) && chars.next().is_none()
}

/// Whether no text stands beside a button: accordions have headings that are buttons.
fn holds_all(dom: &Dom, button: DomId) -> bool {
    let Some(parent) = dom.parent(button) else { return true };
    let next = |id| if id == button { dom.following_after(id, parent) } else { dom.following(id, parent) };
    let mut beside = std::iter::successors(next(parent), |id| next(*id));
    let has_words = |id| id != button && dom.text(id).is_some_and(|text| !text.trim().is_empty());
    !beside.by_ref().take(BESIDE_NODES_MAX).any(has_words) && beside.next().is_none()
}

/// Whether a link leads to the heading that it stands behind, whatever it says to those who do not see it (Starlight).
pub(super) fn leads_to_heading_before(dom: &Dom, link: DomId, href: &str) -> bool {
    let mut before = std::iter::successors(dom.previous_sibling(link), |id| dom.previous_sibling(*id)).take(2);
    let heading =
        before.find(|id| !dom.is_blank(*id)).filter(|id| dom.tag(*id).is_some_and(|tag| tag.heading_level().is_some()));
    let name = heading.and_then(|id| dom.attribute(id, AttributeName::Id));
    name.is_some() && href.strip_prefix('#') == name
}

/// Whether a link in a heading leads back to the contents, as those of some manuals do (Zig, LinuxDoc).
pub(super) fn leads_to_contents(dom: &Dom, link: DomId, href: &str) -> bool {
    let name = href.split_once('#').map(|(_, name)| name);
    name.and_then(|name| name.get(..3)).is_some_and(|start| start.eq_ignore_ascii_case("toc"))
        && dom.is_in_heading(link)
}

/// Whether the words of a link are none: an image or an icon of a font.
fn has_no_words(words: &str) -> bool {
    words.chars().all(|sign| matches!(sign, '\u{e000}'..='\u{f8ff}'))
}

/// Whether a link is the sign behind a heading or definition by which that is linked to.
pub(super) fn is_permalink(dom: &Dom, link: DomId) -> bool {
    let Some(href) = dom.attribute(link, AttributeName::Href).filter(|href| href.contains('#')) else { return false };
    let words = dom.text_content(link);
    let words = words.trim().trim_matches('\u{200b}');
    is_sign(words)
        || leads_to_heading_before(dom, link, href)
        || (words == href && href.starts_with('#') && dom.is_in_heading(link) && !holds_all(dom, link))
        || SIGNS.contains(&words)
        || (has_no_words(words) && dom.attribute(link, AttributeName::Title) == Some("Permalink"))
        || (dom.has_class(link, NAMES)
            && (words.is_empty() || {
                let words = words.to_lowercase();
                PERMALINK_WORDS.iter().chain(&WORDS).any(|word| words.starts_with(word))
            }))
}
