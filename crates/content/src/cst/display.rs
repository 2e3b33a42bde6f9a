//! How an element of a page takes part in its text, where its name alone does not tell.

use crate::dom::{AttributeName, Display, Dom, DomId, Tag};

/// A `noscript` with fewer bytes of text only asks to switch scripts on, or repeats an image.
const NOSCRIPT_TEXT_BYTES_MIN: usize = 200;

/// Class of what Doxygen shows of a name in code while the pointer is at it.
const TOOLTIP: &str = "ttc";

/// The element's display; custom and unknown elements are blocks when a block is directly in them.
pub(crate) fn display(dom: &Dom, element: DomId, tag: Tag) -> Display {
    match tag {
        Tag::Noscript if !holds_real_text(dom, element) => Display::Dropped,
        Tag::Div if dom.attribute(element, AttributeName::Class) == Some(TOOLTIP) => Display::Dropped,
        Tag::Custom | Tag::Unknown if holds_block(dom, element) => Display::Block,
        _ => tag.info().display,
    }
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
