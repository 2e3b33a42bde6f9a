//! Records of a page: entries of one make beside each other, as the rows of a table, the posts of a thread and the cards of a listing are.

use crate::cst::{ContentStructureTree, NodeId, NodeKind};
use crate::dom::Tag;

/// Siblings of one tag that are records, at least.
const ALIKE_MIN: usize = 2;

/// Runs with text of a record, at least: what has one is a line.
const RUNS_MIN: usize = 2;

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
}

fn is_entry(tree: &ContentStructureTree, item: NodeId) -> bool {
    let runs = &tree.runs()[tree.runs_within(item)];
    (tree.tag(item).info().container || tree.tag(item) == Tag::Li)
        && runs.iter().filter(|run| !run.text.is_empty()).take(RUNS_MIN).count() == RUNS_MIN
}
