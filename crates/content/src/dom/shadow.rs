//! What stands in the shadow of elements: the contents of `<template shadowrootmode=…>`, which browsers show in place of the element's own.
//!
//! Most pages have icons, buttons and menus there. Pages that are made of such elements have all of their words there; where there are
//! several times as many as in the rest of the page, they are put into the elements, behind what these hold.

use super::arena::Arena;
use super::tree::Node;
use super::{Dom, DomId, NodeData, Tag};

/// How many times the rest of the page's text that of the shadows is at least, where it is read.
const TIMES_MIN: usize = 4;

/// The elements with something in their shadow, and the fragment that holds it, which nothing links to.
pub(super) type Shadows = Vec<(DomId, DomId)>;

/// Puts the shadows into their elements where they have nearly all of the page's words. O(nodes).
pub(super) fn place(nodes: &mut Vec<Node>, shadows: &Shadows) {
    let of_shadows: usize = shadows.iter().map(|(_, shadow)| text_bytes(nodes, *shadow)).sum();
    if of_shadows == 0 || of_shadows < TIMES_MIN * text_bytes(nodes, Dom::DOCUMENT) {
        return;
    }
    for (element, shadow) in shadows {
        Arena(nodes).reparent_children(*shadow, *element);
    }
}

/// Bytes of text below a node that is shown, without white space at both ends of each.
fn text_bytes(nodes: &[Node], root: DomId) -> usize {
    let (mut bytes, mut at) = (0, Some(root));
    while let Some(id) = at {
        let node = &nodes[id.index()];
        let is_shown = match &node.data {
            NodeData::Text(text) => {
                bytes += text.trim().len();
                true
            }
            NodeData::Element { tag, .. } => !matches!(tag, Tag::Script | Tag::Style | Tag::Noscript | Tag::Head),
            _ => true,
        };
        at = node.first_child.some().filter(|_| is_shown).or_else(|| next_after(nodes, id, root));
    }
    bytes
}

/// The node after a subtree, within that of `root`.
fn next_after(nodes: &[Node], id: DomId, root: DomId) -> Option<DomId> {
    let around = std::iter::successors(Some(id), |id| nodes[id.index()].parent.some());
    around.take_while(|id| *id != root).find_map(|id| nodes[id.index()].next.some())
}
