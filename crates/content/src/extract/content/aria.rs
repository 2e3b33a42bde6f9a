//! Tables whose elements say by their roles what they are (WAI-ARIA): `role=table`, `row`, `columnheader`, `cell`.

use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Elements of a table that are looked at for its heads.
const NODES_MAX: usize = 512;

/// What an element is by its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GridRole {
    Table,
    Row,
    Cell { is_head: bool },
}

/// What an element is in a table of roles; a table without heads is a layout, and HTML's own elements say more than their roles.
pub(super) fn grid_role(dom: &Dom, element: DomId, tag: Tag) -> Option<GridRole> {
    if !matches!(tag, Tag::Div | Tag::Span | Tag::Section | Tag::Ul | Tag::Li | Tag::P | Tag::A | Tag::Custom) {
        return None;
    }
    match dom.attribute(element, AttributeName::Role)? {
        "table" | "grid" | "treegrid" if has_heads(dom, element) => Some(GridRole::Table),
        "row" => Some(GridRole::Row),
        "cell" | "gridcell" => Some(GridRole::Cell { is_head: false }),
        "columnheader" | "rowheader" => Some(GridRole::Cell { is_head: true }),
        _ => None,
    }
}

fn has_heads(dom: &Dom, table: DomId) -> bool {
    let role = |id: DomId| dom.attribute(id, AttributeName::Role);
    dom.descendants(table).take(NODES_MAX).any(|id| role(id) == Some("columnheader"))
}
