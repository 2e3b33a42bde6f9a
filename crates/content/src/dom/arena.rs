//! Link surgery on the nodes of a tree.

use html5ever::tendril::StrTendril;

use super::tree::Node;
use super::{DomId, NodeData};

/// Where a node goes.
#[derive(Clone, Copy)]
pub(super) enum Position {
    LastIn(DomId),
    Before(DomId),
}

/// The arena's link surgery.
pub(super) struct Arena<'a>(pub(super) &'a mut Vec<Node>);

impl Arena<'_> {
    pub(super) fn insert_text(&mut self, position: Position, text: &StrTendril) {
        let neighbour = match position {
            Position::LastIn(parent) => self.0[parent.index()].last_child,
            Position::Before(sibling) => self.0[sibling.index()].previous,
        };
        if neighbour != DomId::NONE
            && let NodeData::Text(before) = &mut self.0[neighbour.index()].data
        {
            before.push_tendril(text);
            return;
        }
        let id = DomId(self.0.len() as u32);
        self.0.push(Node::new(NodeData::Text(text.clone())));
        self.link(position, id);
    }

    pub(super) fn link(&mut self, position: Position, id: DomId) {
        let (parent, previous, next) = match position {
            Position::LastIn(parent) => (parent, self.0[parent.index()].last_child, DomId::NONE),
            Position::Before(sibling) => {
                let node = &self.0[sibling.index()];
                (node.parent, node.previous, sibling)
            }
        };
        if parent == DomId::NONE {
            return;
        }
        let depth = self.0[parent.index()].depth.saturating_add(1);
        let node = &mut self.0[id.index()];
        (node.parent, node.previous, node.next, node.depth) = (parent, previous, next, depth);
        self.join(parent, previous, id);
        self.join_back(parent, id, next);
    }

    fn join(&mut self, parent: DomId, previous: DomId, next: DomId) {
        match previous {
            DomId::NONE => self.0[parent.index()].first_child = next,
            _ => self.0[previous.index()].next = next,
        }
    }

    fn join_back(&mut self, parent: DomId, previous: DomId, next: DomId) {
        match next {
            DomId::NONE => self.0[parent.index()].last_child = previous,
            _ => self.0[next.index()].previous = previous,
        }
    }

    pub(super) fn detach(&mut self, id: DomId) {
        let Node { parent, previous, next, .. } = self.0[id.index()];
        if parent == DomId::NONE {
            return;
        }
        self.join(parent, previous, next);
        self.join_back(parent, previous, next);
        let node = &mut self.0[id.index()];
        (node.parent, node.previous, node.next) = (DomId::NONE, DomId::NONE, DomId::NONE);
    }

    pub(super) fn reparent_children(&mut self, from: DomId, to: DomId) {
        let mut child = self.0[from.index()].first_child;
        while child != DomId::NONE {
            let next = self.0[child.index()].next;
            self.detach(child);
            self.link(Position::LastIn(to), child);
            child = next;
        }
    }
}
