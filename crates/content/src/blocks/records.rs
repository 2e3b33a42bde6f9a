//! Records of a page: entries of one make beside each other, as the rows of a table, the posts of a thread and the cards of a listing are.

use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::Tag;

/// Siblings of one tag that are records, at least.
const ALIKE_MIN: usize = 2;

/// Runs with text of a record, at least: what has one is a line.
const RUNS_MIN: usize = 2;

/// A word and the blank behind it.
const WORD_BYTES: usize = 6;

/// Runs without text between a name and its table that are passed over.
const RUNS_BETWEEN_MAX: usize = 4;

/// Elements from a cell's text to its table, at most.
const CELL_DEPTH_MAX: usize = 8;

/// By node, whether an item is a record.
pub(super) struct Records(Vec<bool>);

impl Records {
    /// Table rows, and containers and list entries of which there are some beside each other. O(nodes · kinds of siblings).
    pub(super) fn new(tree: &ContentStructureTree) -> Self {
        let mut records = vec![false; tree.len()];
        let mut entries: Vec<(Tag, NodeId)> = Vec::new();
        for parent in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
            entries.clear();
            entries.extend(tree.child_items(parent).map(|child| (tree.tag(child), child)));
            entries.retain(|(tag, child)| *tag == Tag::Tr || is_entry(tree, *child));
            entries.sort_unstable_by_key(|(tag, _)| *tag);
            let alike = entries.chunk_by(|(one, _), (other, _)| one == other);
            for (_, entry) in alike.filter(|alike| alike[0].0 == Tag::Tr || alike.len() >= ALIKE_MIN).flatten() {
                records[entry.index()] = true;
            }
        }
        Self(records)
    }

    /// The innermost record at or around `item`.
    pub(super) fn around(&self, tree: &ContentStructureTree, item: NodeId) -> Option<NodeId> {
        tree.ancestors(item).find(|item| self.0[item.index()])
    }

    /// The outermost record or table around `record` that has no more than some words, else `record`: it is not cut. O(depth of that).
    pub(super) fn whole(&self, tree: &ContentStructureTree, record: NodeId, words_max: usize) -> NodeId {
        let is_short = |item: &NodeId| tree.subtree_text(*item).len() <= words_max * WORD_BYTES;
        let short = tree.ancestors(record).take_while(is_short);
        short.filter(|item| self.0[item.index()] || tree.tag(*item) == Tag::Table).last().unwrap_or(record)
    }
}

fn is_entry(tree: &ContentStructureTree, item: NodeId) -> bool {
    let runs = &tree.runs()[tree.runs_within(item)];
    (tree.tag(item).info().container || tree.tag(item) == Tag::Li)
        && runs.iter().filter(|run| !run.text.is_empty()).take(RUNS_MIN).count() == RUNS_MIN
}

/// Whether a run is the caption of a table, or a table begins with the next one that has text and this one is in none of its cells.
pub(super) fn heads_table(tree: &ContentStructureTree, id: RunId) -> bool {
    let item = tree.runs()[id].item;
    if tree.tag(item) == Tag::Caption {
        return true;
    }
    let next = tree.runs()[id + 1..].iter().take(RUNS_BETWEEN_MAX).find(|run| !run.text.is_empty());
    let Some(next) = next.filter(|_| !matches!(tree.tag(item), Tag::Td | Tag::Th | Tag::Li)) else { return false };
    let table = tree.ancestors(next.item).take(CELL_DEPTH_MAX).find(|item| tree.tag(*item) == Tag::Table);
    table.is_some_and(|table| tree.runs_within(table).start > id)
}
