//! The HtmlItems of a page as an array, with what each inherits from those above it.

use super::hints::{HINTS, HintBits, Hinter};
use super::units::Units;
use crate::cst::{ContentStructureTree, NodeId, NodeKind};
use crate::dom::{Dom, Tag};

/// The ancestors that a run's distance to is a feature.
pub(super) const ANCESTORS: [Tag; 22] = [
    Tag::Nav,
    Tag::Header,
    Tag::Footer,
    Tag::Aside,
    Tag::Main,
    Tag::Article,
    Tag::Form,
    Tag::Section,
    Tag::Ul,
    Tag::Ol,
    Tag::Table,
    Tag::Figure,
    Tag::Blockquote,
    Tag::Pre,
    Tag::Li,
    Tag::P,
    Tag::Details,
    Tag::Dialog,
    Tag::Dl,
    Tag::Noscript,
    Tag::Fieldset,
    Tag::Td,
];

/// A container with more than this share of the page's words gives no hint of what surrounds the content.
const WHOLE_PAGE_SHARE: f32 = 0.75;

/// Hints and ancestors that stay valid however much of the page they hold.
const CONTENT_HINTS: HintBits = 1 | 1 << 1 | 1 << 14 | 1 << 16 | 1 << 20 | 1 << 21 | 1 << 23;

/// An HtmlItem that holds at least one unit.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// Index of the item above; its own for the root.
    pub(super) parent: u32,
    /// Index of the closest item above that holds more units; its own for the root.
    pub(super) wider: u32,
    /// Items above.
    pub(super) depth: u16,
    /// Its element's tag.
    pub(super) tag: Tag,
    /// First unit inside.
    pub(super) first: u32,
    /// One past the last unit inside.
    pub(super) end: u32,
    /// Its own hints.
    pub(super) hints: HintBits,
    /// Steps to the closest item with each hint, from 1 (itself); 0 when there is none.
    pub(super) hint_steps: [u8; HINTS],
    /// Steps to the closest ancestor of each of [`ANCESTORS`], likewise.
    pub(super) tag_steps: [u8; ANCESTORS.len()],
    /// Hash of tag and class.
    pub(super) signature: u64,
    /// Hash of the signatures of this item and the three above.
    pub(super) path_signature: u64,
    /// Hash of all tags from the root.
    pub(super) tag_path: u64,
}

/// The items, in document order, and the item of each node.
#[derive(Debug)]
pub(super) struct Items {
    /// The items; the root first.
    pub(super) list: Vec<Item>,
    /// For each unit the index of the item that it stands in.
    pub(super) of_unit: Vec<u32>,
}

impl Items {
    /// Reads the items of a page.
    pub(super) fn new(dom: &Dom, tree: &ContentStructureTree, units: &Units, hinter: &Hinter<'_>) -> Self {
        let count = tree.ids().filter(|node| tree.kind(*node) == NodeKind::HtmlItem).count();
        let mut items = Self { list: Vec::with_capacity(count), of_unit: vec![0; units.len()] };
        let mut index_of_node = vec![0_u32; tree.len()];
        let mut next_unit = 0;
        for node in tree.ids() {
            while next_unit < units.len() && units.first_node(next_unit) < node.0 {
                next_unit += 1;
            }
            if tree.kind(node) != NodeKind::HtmlItem {
                continue;
            }
            let end = units.before_node(next_unit, tree.subtree_end(node).0);
            if end == next_unit && node != ContentStructureTree::ROOT {
                continue;
            }
            let parent = tree.parent(node).map_or(0, |parent| index_of_node[parent.index()]);
            index_of_node[node.index()] = items.list.len() as u32;
            let item = items.item(dom, tree, hinter, node, (parent, next_unit as u32, end as u32), units);
            items.list.push(item);
        }
        for unit in 0..units.len() {
            items.of_unit[unit] = index_of_node[units.item_node(unit).index()];
        }
        items
    }

    fn item(
        &self,
        dom: &Dom,
        tree: &ContentStructureTree,
        hinter: &Hinter<'_>,
        node: NodeId,
        (parent, first, end): (u32, u32, u32),
        units: &Units,
    ) -> Item {
        let tag = tree.tag(node);
        let source = tree.source(node);
        let class = source.map_or("", |element| dom.class(element));
        let hints = source.map_or(0, |element| hinter.hints(element));
        let signature = hash_bytes(tag as u64, &class.as_bytes()[..class.len().min(32)]);
        let mut item = Item {
            parent,
            wider: parent,
            depth: 0,
            tag,
            first,
            end,
            hints,
            hint_steps: [0; HINTS],
            tag_steps: [0; ANCESTORS.len()],
            signature,
            path_signature: signature,
            tag_path: tag as u64 + 1,
        };
        if let Some(above) = self.list.get(parent as usize) {
            inherit(&mut item, above, parent);
            let whole_page = units.words(first, end) > WHOLE_PAGE_SHARE * units.words(0, units.len() as u32);
            add_own(&mut item, whole_page);
            item.path_signature = self.path_signature(&item);
        }
        item
    }

    fn path_signature(&self, item: &Item) -> u64 {
        let mut hash = item.signature;
        let mut at = item.parent;
        for _ in 0..3 {
            hash = mix(hash, self.list[at as usize].signature);
            at = self.list[at as usize].parent;
        }
        hash
    }

    /// The item that a unit stands in.
    pub(super) fn of(&self, unit: usize) -> &Item {
        &self.list[self.of_unit[unit] as usize]
    }

    /// An item and those above it up to the root, by index.
    pub(super) fn chain(&self, from: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(from), |at| (*at != 0).then(|| self.list[*at as usize].parent))
    }
}

fn inherit(item: &mut Item, above: &Item, parent: u32) {
    item.depth = above.depth + 1;
    item.tag_path = mix(above.tag_path, item.tag as u64);
    if (above.first, above.end) == (item.first, item.end) {
        item.wider = above.wider;
    } else {
        item.wider = parent;
    }
    item.hint_steps = above.hint_steps.map(step);
    item.tag_steps = above.tag_steps.map(step);
}

fn step(steps: u8) -> u8 {
    if steps == 0 { 0 } else { steps.saturating_add(1) }
}

fn add_own(item: &mut Item, whole_page: bool) {
    let hints = if whole_page { item.hints & CONTENT_HINTS } else { item.hints };
    for (category, steps) in item.hint_steps.iter_mut().enumerate() {
        if hints >> category & 1 != 0 {
            *steps = 1;
        }
    }
    let speaks =
        !whole_page || matches!(item.tag, Tag::Main | Tag::Article | Tag::Section | Tag::Table | Tag::Noscript);
    if let Some(index) = ANCESTORS.iter().position(|tag| *tag == item.tag).filter(|_| speaks) {
        item.tag_steps[index] = 1;
    }
}

/// Joins two hashes.
pub(super) fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn hash_bytes(seed: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(mix(seed, 0x51), |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
