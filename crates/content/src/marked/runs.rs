//! Which elements hold the text of one run alone.

use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{Dom, DomId};

/// The runs that a node of the page has text or images of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    Nothing,
    One(RunId),
    Several,
}

impl Held {
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (held, Self::Nothing) | (Self::Nothing, held) => held,
            (Self::One(one), Self::One(other)) if one == other => self,
            _ => Self::Several,
        }
    }
}

/// What every node of the page holds, by its id.
pub(super) fn held(dom: &Dom, tree: &ContentStructureTree) -> Vec<Held> {
    let mut held = vec![Held::Nothing; dom.len()];
    for (text, run) in tree.source_texts() {
        held[text.index()] = Held::One(*run);
    }
    for (run, nodes) in tree.runs().iter().map(|run| run.nodes.clone()).enumerate() {
        for image in nodes.map(NodeId).filter(|id| tree.kind(*id) == NodeKind::Image) {
            if let Some(source) = tree.source(image) {
                held[source.index()] = Held::One(run);
            }
        }
    }
    let nodes: Vec<DomId> = dom.descendants(Dom::DOCUMENT).collect();
    for node in nodes.into_iter().rev() {
        if let Some(parent) = dom.parent(node) {
            held[parent.index()] = held[parent.index()].with(held[node.index()]);
        }
    }
    held
}
