//! Where a block stands in the page: a CSS path for people and browsers, a block path for identities.

use std::fmt::Write;

use super::tree::Step;
use super::{ContentStructureTree, NodeId, NodeKind};
use crate::dom::Tag;

impl ContentStructureTree {
    /// A CSS selector of an HtmlItem's element, from the nearest ancestor with a plain `id`, else from `body`.
    pub fn css_path(&self, item: NodeId) -> String {
        let mut trail = Vec::new();
        let mut start = String::new();
        for ancestor in self.ancestors(item).filter(|id| self.kind(*id) == NodeKind::HtmlItem) {
            if let Some(id) = self.element_id(ancestor).filter(|id| is_plain_identifier(id)) {
                start = format!("#{id}");
                break;
            }
            trail.push(ancestor);
        }
        let mut path = start;
        for ancestor in trail.into_iter().rev() {
            for step in self.steps_of(ancestor) {
                push_step(&mut path, *step);
            }
        }
        path
    }

    fn steps_of(&self, item: NodeId) -> &[Step] {
        let steps = self.items[self.node(item).detail as usize].steps;
        &self.steps[steps.range()]
    }
}

/// The place of every HtmlItem among the child items of its parent. O(nodes) to make, so that paths of many blocks stay linear.
#[derive(Debug, Clone)]
pub struct BlockPaths {
    places: Vec<u32>,
}

impl BlockPaths {
    /// Counts the places of a tree's items.
    pub fn new(tree: &ContentStructureTree) -> Self {
        let mut places = vec![0; tree.len()];
        let mut children = vec![0u32; tree.len()];
        for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
            if let Some(parent) = tree.parent(item) {
                places[item.index()] = children[parent.index()];
                children[parent.index()] += 1;
            }
        }
        Self { places }
    }

    /// The places of an item and its ancestors, outermost first, as `0.3.1`; the root's path is empty.
    pub fn path(&self, tree: &ContentStructureTree, item: NodeId) -> String {
        let below_root = tree.ancestors(item).filter(|id| *id != ContentStructureTree::ROOT);
        let places: Vec<u32> = below_root.map(|id| self.places[id.index()]).collect();
        let places: Vec<String> = places.into_iter().rev().map(|place| place.to_string()).collect();
        places.join(".")
    }
}

fn is_plain_identifier(id: &str) -> bool {
    let mut chars = id.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

fn push_step(path: &mut String, step: Step) {
    if !path.is_empty() {
        path.push_str(" > ");
    }
    let tag = Tag::from_index(step.tag).unwrap_or(Tag::Unknown);
    path.push_str(tag.name());
    if tag != Tag::Body {
        let _ = write!(path, ":nth-child({})", step.nth);
    }
}
