//! Which attributes are handed on.

use html5ever::{LocalName, local_name};

use crate::dom::AttributeName;

/// Which attributes the tree builder is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dom) enum AttributePolicy {
    /// Those that the [`Dom`](crate::dom::Dom) keeps or tree construction asks for; comments without their text.
    Read,
    /// All, and comments whole.
    All,
}

/// Whether the attribute is kept, or changes the tree.
pub(super) fn is_read(name: &LocalName) -> bool {
    let by_tree_builder =
        matches!(*name, local_name!("type") | local_name!("encoding") | local_name!("shadowrootmode"));
    by_tree_builder || AttributeName::of(name).is_some()
}

/// Whether tree construction compares all attributes of the element: those of the list of active formatting elements, of which
/// it keeps three of a kind. `font` in foreign content goes by its attributes, too.
pub(super) fn all_are_read(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("a")
            | local_name!("b")
            | local_name!("big")
            | local_name!("code")
            | local_name!("em")
            | local_name!("font")
            | local_name!("i")
            | local_name!("nobr")
            | local_name!("s")
            | local_name!("small")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("tt")
            | local_name!("u")
    )
}
