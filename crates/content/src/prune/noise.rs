//! What is certainly noise, whatever the page is about: navigation and lists of links.

use crate::cst::{ContentStructureTree, NodeId, NodeKind};
use crate::dom::Tag;

/// Share of a block's text inside links from which on it is a list of links.
const LINK_SHARE_MIN: f32 = 0.6;

/// Links from which on a block can be a list of them.
const LINKS_MIN: u32 = 3;

/// Bytes of a link's text, on average, up to which links only lead on; teasers of articles are longer.
const LINK_BYTES_MAX: u32 = 32;

/// Share of the page's text above which a block is content but for navigation beside what the judge is sure of: an element left open can
/// swallow a page, and the list of links can be what the page is for.
const PAGE_SHARE_MAX: f32 = 0.3;

/// Counts over the nodes of a tree, by which navigation and lists of links are told.
pub(crate) struct LinkLists<'a> {
    tree: &'a ContentStructureTree,
    /// Links, and bytes of their text, before each node in document order.
    links: Vec<(u32, u32)>,
}

impl<'a> LinkLists<'a> {
    pub(crate) fn new(tree: &'a ContentStructureTree) -> Self {
        let mut links = Vec::with_capacity(tree.len() + 1);
        let (mut count, mut bytes) = (0, 0);
        links.push((0, 0));
        for id in tree.ids() {
            if tree.kind(id) == NodeKind::Link {
                count += 1;
                bytes += tree.text(id).len() as u32;
            }
            links.push((count, bytes));
        }
        Self { tree, links }
    }

    /// Whether a block is navigation, and not much of the page.
    pub(super) fn is_noise(&self, item: NodeId) -> bool {
        self.is_small(item) && self.is_navigation(item)
    }

    /// Whether a block is navigation by its element, or mostly the text of links.
    pub(crate) fn is_navigation(&self, item: NodeId) -> bool {
        self.is_chrome(item) || self.is_link_list(item)
    }

    pub(super) fn is_small(&self, item: NodeId) -> bool {
        self.tree.subtree_text(item).len() as f32 <= PAGE_SHARE_MAX * self.tree.visible_text().len() as f32
    }

    fn is_chrome(&self, item: NodeId) -> bool {
        matches!(self.tree.tag(item), Tag::Nav | Tag::Footer)
    }

    fn is_link_list(&self, item: NodeId) -> bool {
        let text = self.tree.subtree_text(item).len() as f32;
        let (before, after) = (self.links[item.index()], self.links[self.tree.subtree_end(item).index()]);
        let (links, bytes) = (after.0 - before.0, after.1 - before.1);
        links >= LINKS_MIN && bytes as f32 >= LINK_SHARE_MIN * text && bytes <= LINK_BYTES_MAX * links
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    #[test]
    fn link_lists_and_navigation_are_noise() {
        let html = "<nav><p>Menu</p></nav><div><a href=/a>One</a> <a href=/b>Two</a> <a href=/c>Three</a> x</div>
            <div>Three <a href=/a>links</a> in <a href=/b>much</a> running <a href=/c>text</a> here, and more of it that says what the page is for, so that it outweighs what stands around it by far.</div>";
        let tree = cst::build(&dom::parse(html, &Limits::default()), Profile::Modern, &Limits::default());
        let lists = LinkLists::new(&tree);
        let judged: Vec<bool> = tree.child_items(ContentStructureTree::ROOT).map(|item| lists.is_noise(item)).collect();
        assert_eq!(judged, [true, true, false]);
    }
}
