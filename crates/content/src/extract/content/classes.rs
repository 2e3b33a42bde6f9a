//! What elements are called: class names as words, and the names that links lead to.

use crate::dom::{AttributeName, Dom, DomId, Tag};

/// The element's `class` attribute, empty when it has none.
pub(super) fn class(dom: &Dom, element: DomId) -> &str {
    dom.class(element)
}

/// Whether one of the element's class names is among `names`, which are in lower case, in any case.
pub(in crate::extract) fn has_class(dom: &Dom, element: DomId, names: &[&str]) -> bool {
    dom.class_names(element).any(|class| names.iter().any(|name| is_name(class, name)))
}

/// The names of an element that links can lead to.
pub(in crate::extract) fn own_names(dom: &Dom, id: DomId) -> impl Iterator<Item = &str> {
    let name = dom.attribute(id, AttributeName::Name).filter(|_| dom.tag(id) == Some(Tag::A));
    dom.attribute(id, AttributeName::Id).into_iter().chain(name)
}

/// The parts of a name: of `t-navbar-head` these three.
pub(in crate::extract) fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['-', '_'])
}

fn is_name(class: &str, name: &str) -> bool {
    let first = |text: &str| text.as_bytes().first().map(u8::to_ascii_lowercase);
    class.len() == name.len() && first(class) == first(name) && class.eq_ignore_ascii_case(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::parse;
    use crate::limits::Limits;

    #[test]
    fn of_a_long_class_the_beginning_is_read() {
        let has = |class: &str| {
            let dom = parse(&format!("<p class='{class}'>"), &Limits::default());
            has_class(&dom, dom.find(Tag::P).unwrap(), &["note"])
        };
        assert!(has(&format!("{}Note", "c ".repeat(900))));
        assert!(!has(&format!("{}Note", "é ".repeat(900))));
    }
}
