//! Places that links can lead to: elements with a name that are no HtmlItems or hold nothing.

use serde::{Deserialize, Serialize};

use super::{NodeId, Span};

/// Places that are kept of a page.
const PLACES_MAX: usize = 10_000;

/// A place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    /// The content node that it opens in or that comes next.
    pub(super) node: u32,
    /// Its name, in the attribute buffer. Where a heading with a name holds nothing, an empty one stands behind that.
    pub(super) name: Span,
}

/// The places of a tree that is being built, in document order.
#[derive(Default)]
pub(super) struct Places {
    places: Vec<Place>,
    /// How many of them have content behind them.
    settled: usize,
}

impl Places {
    /// Adds one whose content has not come; an empty name is none.
    pub(super) fn push(&mut self, name: Span) {
        if !name.is_empty() && self.places.len() < PLACES_MAX {
            self.places.push(Place { node: u32::MAX, name });
        }
    }

    /// A heading that holds nothing has ended: with a name in it or right before it, it opens a section all the same.
    pub(super) fn end_empty_heading(&mut self) {
        if self.settled < self.places.len() && self.places.len() < PLACES_MAX {
            self.places.push(Place { node: u32::MAX, name: Span::default() });
        }
    }

    /// Content has come, in `node`. The text of a link behind an image in it is of the link's node, which stands before the image's: its
    /// places are the image's, so that all are in order.
    pub(super) fn settle(&mut self, node: NodeId) {
        let (before, waiting) = self.places.split_at_mut(self.settled);
        let node = before.last().map_or(node.0, |place| place.node.max(node.0));
        for place in waiting {
            place.node = node;
        }
        self.settled = self.places.len();
    }

    /// Those with content behind them.
    pub(super) fn finish(mut self) -> Vec<Place> {
        self.places.truncate(self.settled);
        self.places
    }
}

#[cfg(test)]
mod tests {
    use crate::cst::{self, NodeId, Profile};
    use crate::dom;
    use crate::limits::Limits;

    #[test]
    fn places_are_in_order() {
        let html = "<p><a href=/m><i id=a></i><img alt=Wheel src=w><i id=b>Mill</i></a></p><p><i id=c></i></p><hr id=d><div id=e></div>
            <p>They <b id=f>turn</b>.<p id=g><a name=end></a>";
        let tree = cst::build(&dom::parse(html, &Limits::default()), Profile::Modern, &Limits::default());
        let places: Vec<(NodeId, &str)> = tree.places(0..tree.len() as u32).collect();
        assert!(places.is_sorted_by_key(|(node, _)| *node));
        assert_eq!(places.iter().map(|(_, name)| *name).collect::<Vec<_>>(), ["a", "b", "c", "e", "f"]);
        assert!(places.iter().all(|(node, _)| tree.kind(*node).is_content()));
    }
}
