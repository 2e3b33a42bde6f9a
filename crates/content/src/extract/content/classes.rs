//! What elements are called: its classes, and the names that links lead to.

use crate::dom::{AttributeName, Dom, DomId, Tag};

/// The element's `class` attribute, empty when it has none.
pub(super) fn class(dom: &Dom, element: DomId) -> &str {
    dom.class(element)
}

/// The names of an element that links can lead to.
pub(in crate::extract) fn own_names(dom: &Dom, id: DomId) -> impl Iterator<Item = &str> {
    let name = dom.attribute(id, AttributeName::Name).filter(|_| dom.tag(id) == Some(Tag::A));
    dom.attribute(id, AttributeName::Id).into_iter().chain(name)
}
