//! Signs that say by a name what they show.

use super::classes::class;
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Elements of a cell that are looked at for one.
const ELEMENTS_MAX: usize = 12;

/// Bytes of a sign's name.
const NAME_BYTES_MAX: usize = 60;

/// What the sign says that is all that an element holds: the name of a drawing or of an icon of a font.
pub(super) fn name_of(dom: &Dom, element: DomId) -> Option<&str> {
    let below = || dom.descendants(element).skip(1).take(ELEMENTS_MAX);
    let name = below().find_map(|id| match dom.tag(id)? {
        Tag::Svg | Tag::I => named(dom, id),
        Tag::Span if class(dom, id).contains("icon") => named(dom, id),
        Tag::Title => dom.first_child(id).and_then(|text| dom.text(text)),
        _ => None,
    });
    name.map(str::trim).filter(|name| !name.is_empty() && name.len() <= NAME_BYTES_MAX)
}

fn named(dom: &Dom, element: DomId) -> Option<&str> {
    let names = [AttributeName::AriaLabel, AttributeName::Title];
    names.into_iter().filter_map(|name| dom.attribute(element, name)).find(|name| !name.trim().is_empty())
}
