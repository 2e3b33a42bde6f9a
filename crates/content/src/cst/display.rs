//! How an element of a page takes part in its text, where its name alone does not tell.

use super::inserted::is_inserted;
use crate::dom::{AttributeName, Display, Dom, DomId, Tag};

/// A `noscript` with fewer bytes of text only asks to switch scripts on, or repeats an image.
const NOSCRIPT_TEXT_BYTES_MIN: usize = 200;

/// Class of what Doxygen shows of a name in code while the pointer is at it.
const TOOLTIP: &str = "ttc";

/// Class of what Doxygen shows in place of a search's results while it has none; its pages of results have no other text.
const SEARCH_STATE: &str = "SRStatus";

/// Classes of the numbers of a printed book's pages within its sentences (Project Gutenberg).
const PAGE_NUMBERS: [&str; 2] = ["pagenum", "pageno"];

/// Bytes of such a number.
const PAGE_NUMBER_BYTES_MAX: usize = 16;

/// Classes of what generators write beside names for those who browse: the letter of a kind in a list of classes (Doxygen), links to the
/// source (gi-docgen) and back from it (Sphinx, whose `[source]` stays: quotations of signatures have it), the hint at a hidden source
/// (RDoc), the choices of a table that are not made (Javadoc).
const BESIDE_NAMES: [&str; 5] = ["icona", "viewcode-back", "srclink", "method-click-advice", "tableTab"];

/// Bytes of such words.
const BESIDE_NAMES_BYTES_MAX: usize = 32;

/// Class of the sign by which a line of such a list opens and closes (Doxygen), and what it is.
const ARROW: &str = "arrow";
const ARROWS: [char; 4] = ['▼', '►', '▶', '▸'];

/// What the classes of blocks begin with that are about the file: the licence before and behind a book (Project Gutenberg), the numbers of
/// a notebook's cells (Jupyter).
const OF_THE_FILE: [&str; 5] =
    ["pg-boilerplate", "jp-InputPrompt", "jp-OutputPrompt", "prompt input_prompt", "prompt output_prompt"];

/// The element's display; custom and unknown elements are blocks when a block is directly in them.
pub(crate) fn display(dom: &Dom, element: DomId, tag: Tag) -> Display {
    match tag {
        Tag::Noscript if !holds_real_text(dom, element) => Display::Dropped,
        Tag::Span | Tag::A | Tag::Div | Tag::Section if is_no_text(dom, element, tag) => Display::Dropped,
        Tag::Div | Tag::Section | Tag::Aside | Tag::Dialog | Tag::Custom if is_inserted(dom, element) => {
            Display::Dropped
        }
        Tag::Custom | Tag::Unknown if holds_block(dom, element) => Display::Block,
        _ => tag.info().display,
    }
}

/// Whether the element's class says that it is none of the page's text.
fn is_no_text(dom: &Dom, element: DomId, tag: Tag) -> bool {
    let Some(class) = dom.attribute(element, AttributeName::Class) else { return false };
    match tag {
        Tag::Span if class == ARROW => {
            is_short(dom, element, BESIDE_NAMES_BYTES_MAX)
                && dom.text_content(element).trim().chars().all(|c| ARROWS.contains(&c))
        }
        Tag::Span if PAGE_NUMBERS.contains(&class) => is_short(dom, element, PAGE_NUMBER_BYTES_MAX),
        Tag::Span | Tag::A => BESIDE_NAMES.contains(&class) && is_short(dom, element, BESIDE_NAMES_BYTES_MAX),
        _ => class == TOOLTIP || class == SEARCH_STATE || OF_THE_FILE.iter().any(|name| class.starts_with(name)),
    }
}

/// Whether an element holds no more than a number or a few words: one that was left open holds what follows.
fn is_short(dom: &Dom, element: DomId, bytes_max: usize) -> bool {
    let mut nodes = dom.descendants(element);
    let bytes: usize = nodes.by_ref().take(8).filter_map(|id| dom.text(id)).map(|text| text.trim().len()).sum();
    bytes <= bytes_max && nodes.next().is_none()
}

pub(super) fn holds_block(dom: &Dom, element: DomId) -> bool {
    let mut tags = dom.children(element).filter_map(|child| dom.tag(child));
    tags.any(|tag| tag == Tag::Custom || tag.info().display == Display::Block)
}

fn holds_real_text(dom: &Dom, element: DomId) -> bool {
    let texts = dom.descendants(element).filter_map(|node| dom.text(node));
    let lengths = texts.map(|text| text.trim().len());
    lengths
        .scan(0, |sum, length| {
            *sum += length;
            Some(*sum)
        })
        .any(|sum| sum >= NOSCRIPT_TEXT_BYTES_MIN)
}
