//! Doxygen's pages of classes and files: lists of members and signatures are laid out as tables.

use super::furniture::cells;
use crate::dom::{ClassNames, Dom, DomId, Tag, classes};

/// Cells that a line of a list of members is made of: type or keyword, then name, parameters or description.
const MEMBER_CELLS: &ClassNames = classes![
    "memitemleft",
    "memitemright",
    "memtemplitemleft",
    "memtemplitemright",
    "memtemplparams",
    "mdescleft",
    "mdescright",
];

/// Whether a table lays out a list of members under headings.
pub(super) fn lays_out_members(dom: &Dom, table: DomId) -> bool {
    dom.has_class(table, classes!["memberdecls"])
}

/// Whether a cell is a part of a line there.
pub(super) fn is_member_cell(dom: &Dom, element: DomId, tag: Tag) -> bool {
    tag == Tag::Td && dom.has_class(element, MEMBER_CELLS)
}

/// The signature that a table without another in it lays out, a row a line: `void f(int a,` and `int b)`.
pub(super) fn signature(dom: &Dom, table: DomId) -> Option<String> {
    let holds_table = || dom.descendants(table).skip(1).any(|id| dom.tag(id) == Some(Tag::Table));
    if !dom.has_class(table, classes!["memname"]) || holds_table() {
        return None;
    }
    let mut text = String::new();
    for row in dom.descendants(table).filter(|id| dom.tag(*id) == Some(Tag::Tr)) {
        let cells = cells(dom, row).map(|cell| dom.text_content(cell).split_whitespace().collect::<Vec<_>>().join(" "));
        for (place, cell) in cells.filter(|cell| !cell.is_empty()).enumerate() {
            if cell.starts_with([')', ',']) {
                text.truncate(text.trim_end().len());
            } else if place == 0 && !text.is_empty() {
                text.push_str("\n    ");
            } else if !text.is_empty() && !text.ends_with('(') && cell != "(" {
                text.push(' ');
            }
            text.push_str(&cell);
        }
    }
    Some(text).filter(|text| !text.is_empty())
}
