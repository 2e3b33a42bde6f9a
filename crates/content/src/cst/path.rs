//! Where a block stands in the page: a CSS path for people and browsers, a block path for identities.

use std::fmt::Write;

use super::tree::Step;
use super::{ContentStructureTree, NodeId, NodeKind};
use crate::dom::Tag;

/// Elements that a selector leads through.
const STEPS_MAX: usize = 64;

impl ContentStructureTree {
    /// A CSS selector of an HtmlItem's element, from the nearest ancestor with a plain `id`, else from `body`; of one that lies deeper than 64
    /// elements the last 64 of these.
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
        let steps: Vec<Step> = trail.into_iter().rev().flat_map(|ancestor| self.steps_of(ancestor)).copied().collect();
        let left_out = steps.len().saturating_sub(STEPS_MAX);
        let mut path = if left_out > 0 { String::new() } else { start };
        for step in &steps[left_out..] {
            push_step(&mut path, *step);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    #[test]
    fn paths_of_deep_elements_begin_within_the_page() {
        let path = |depth: usize| {
            let html = format!("<body>{}<p>x", "<div>".repeat(depth));
            let tree = cst::build(&dom::parse(&html, &Limits::default()), Profile::Modern, &Limits::default());
            tree.css_path(tree.runs()[0].item)
        };
        assert_eq!(path(1), "body > div:nth-child(1) > p:nth-child(1)");
        assert!(path(62).starts_with("body > div") && path(63).starts_with("div:nth-child(1) > div"));
        assert_eq!(path(200).matches(" > ").count(), STEPS_MAX - 1);
    }
}
