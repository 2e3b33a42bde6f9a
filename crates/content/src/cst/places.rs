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
    /// Its name, in the attribute buffer.
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

    /// Content has come, in `node`.
    pub(super) fn settle(&mut self, node: NodeId) {
        for place in &mut self.places[self.settled..] {
            place.node = node.0;
        }
        self.settled = self.places.len();
    }

    /// Those with content behind them.
    pub(super) fn finish(mut self) -> Vec<Place> {
        self.places.truncate(self.settled);
        self.places
    }
}
