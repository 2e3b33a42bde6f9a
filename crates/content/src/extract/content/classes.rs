//! Class names as words.

use crate::dom::{AttributeName, Dom, DomId};

/// The element's `class` attribute, empty when it has none.
pub(super) fn class(dom: &Dom, element: DomId) -> &str {
    dom.attribute(element, AttributeName::Class).unwrap_or("")
}

/// Whether one of the element's class names is among `names`, which are in lower case, in any case.
pub(in crate::extract) fn has_class(dom: &Dom, element: DomId, names: &[&str]) -> bool {
    dom.class_names(element).any(|class| names.iter().any(|name| is_name(class, name)))
}

fn is_name(class: &str, name: &str) -> bool {
    let first = |text: &str| text.as_bytes().first().map(u8::to_ascii_lowercase);
    class.len() == name.len() && first(class) == first(name) && class.eq_ignore_ascii_case(name)
}
