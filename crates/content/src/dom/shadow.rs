//! What stands in the shadow of elements: the contents of `<template shadowrootmode=…>`, which browsers show in place of the element's own.
//!
//! Most pages have icons, buttons and menus there. Pages that are made of such elements have all of their words there; where there are
//! several times as many as in the rest of the page, they are put into the elements, behind what these hold.

use super::arena::Arena;
use super::{Dom, DomId, Tag};

/// How many times the rest of the page's text that of the shadows is at least, where it is read.
const TIMES_MIN: usize = 4;

/// The elements with something in their shadow, and the fragment that holds it, which nothing links to.
pub(super) type Shadows = Vec<(DomId, DomId)>;

/// Puts the shadows into their elements where they have nearly all of the page's words. O(nodes).
pub(super) fn place(dom: &mut Dom, shadows: &Shadows) {
    let of_shadows: usize = shadows.iter().map(|(_, shadow)| text_bytes(dom, *shadow)).sum();
    if of_shadows == 0 || of_shadows < TIMES_MIN * text_bytes(dom, Dom::DOCUMENT) {
        return;
    }
    for (element, shadow) in shadows {
        Arena(&mut dom.nodes).reparent_children(*shadow, *element);
    }
}

/// Bytes of text below a node that is shown, without white space at both ends of each.
fn text_bytes(dom: &Dom, root: DomId) -> usize {
    let is_unseen = |id| matches!(dom.tag(id), Some(Tag::Script | Tag::Style | Tag::Noscript | Tag::Head));
    let next = |id| if is_unseen(id) { dom.following_after(id, root) } else { dom.following(id, root) };
    let texts = std::iter::successors(Some(root), |id| next(*id)).filter_map(|id| dom.text(id));
    texts.map(|text| text.trim().len()).sum()
}
