//! Class names as words.

use crate::dom::{AttributeName, Dom, DomId};

/// The element's `class` attribute, empty when it has none.
pub(super) fn class(dom: &Dom, element: DomId) -> &str {
    dom.attribute(element, AttributeName::Class).unwrap_or("")
}

/// Whether one of the element's class names is among `names`, in any case.
pub(super) fn has_class(dom: &Dom, element: DomId, names: &[&str]) -> bool {
    let mut classes = class(dom, element).split_ascii_whitespace();
    classes.any(|class| names.iter().any(|name| class.eq_ignore_ascii_case(name)))
}
