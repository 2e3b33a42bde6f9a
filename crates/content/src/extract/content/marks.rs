//! Which of a page's nodes are kept.

use crate::cst::{ContentStructureTree, NodeId, NodeKind};
use crate::dom::{Dom, DomId};

/// What is known of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// Nothing was decided about it: white space, a script, an element without kept content.
    None,
    /// A text or image of a run that is dropped.
    Dropped,
    /// A text or image of a run that is kept, or an element that holds one.
    Kept,
}

/// Marks of a page's nodes.
#[derive(Debug)]
pub(super) struct Marks(Vec<Mark>);

impl Marks {
    /// Marks the texts and images of runs, and the elements around what is kept. O(nodes).
    pub(super) fn new(dom: &Dom, tree: &ContentStructureTree, kept: &[bool]) -> Self {
        let mut marks = Self(vec![Mark::None; dom.len()]);
        let is_kept = |run: usize| kept.get(run).copied().unwrap_or(false);
        for (text, run) in tree.source_texts() {
            marks.mark(dom, *text, is_kept(*run));
        }
        for (id, run) in tree.runs().iter().enumerate() {
            for node in run.nodes.clone().map(NodeId) {
                if tree.kind(node) == NodeKind::Image
                    && let Some(image) = tree.source(node)
                {
                    marks.mark(dom, image, is_kept(id));
                }
            }
        }
        marks
    }

    fn mark(&mut self, dom: &Dom, node: DomId, is_kept: bool) {
        if !is_kept {
            self.0[node.index()] = Mark::Dropped;
            return;
        }
        let mut at = Some(node);
        while let Some(id) = at.filter(|id| self.0[id.index()] != Mark::Kept) {
            self.0[id.index()] = Mark::Kept;
            at = dom.parent(id);
        }
    }

    /// Whether the node is kept, or holds what is.
    pub(super) fn is_kept(&self, node: DomId) -> bool {
        self.0.get(node.index()) == Some(&Mark::Kept)
    }

    /// Whether what stands nearest to a node that belongs to no run is kept: before it or, within the same parent, behind it.
    pub(super) fn surroundings_are_kept(&self, dom: &Dom, node: DomId) -> bool {
        /// Siblings and ancestors that are looked at.
        const STEPS_MAX: usize = 64;
        let mut at = node;
        for _ in 0..STEPS_MAX {
            let before = std::iter::successors(dom.previous_sibling(at), |id| dom.previous_sibling(*id));
            let behind = std::iter::successors(dom.next_sibling(at), |id| dom.next_sibling(*id));
            if before.chain(behind).take(STEPS_MAX).any(|id| self.is_kept(id)) {
                return true;
            }
            match dom.parent(at) {
                Some(parent) if !self.is_kept(parent) => at = parent,
                _ => return false,
            }
        }
        false
    }
}
