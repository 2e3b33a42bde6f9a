//! What a page uses a table for.

use super::classes::has_class;
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Bytes of a cell's text above which a table without heads is one of layout.
const DATA_CELL_BYTES_MAX: usize = 1000;

/// The most columns or rows that a cell may cover, by the HTML standard.
const COLUMNS_MAX: u16 = 1000;
const ROWS_MAX: u16 = 65534;

/// Class names of cells with the numbers of lines.
const GUTTERS: &[&str] =
    &["gutter", "linenos", "lineno", "linenodiv", "rouge-gutter", "blob-num", "hljs-ln-numbers", "lntd"];

/// Class names of cells with lines of code.
const CODES: &[&str] = &["code", "rouge-code", "blob-code", "hljs-ln-code"];

/// What was counted of a table.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "they are counted independently")]
pub(super) struct TableShape {
    columns: usize,
    rows: usize,
    heads: bool,
    /// A nested table, or an element that says so.
    lays_out: bool,
    long_cell: bool,
    /// A cell without text, or with more than one paragraph, entry or listing.
    unlike_data: bool,
    gutter: bool,
    code: bool,
    /// Whether a cell covers several rows.
    pub(super) row_spans: bool,
}

impl TableShape {
    /// Looks at a table. O(nodes below it); those of nested tables are not looked at.
    pub(super) fn of(dom: &Dom, table: DomId) -> Self {
        let mut shape = Self::default();
        let role = dom.attribute(table, AttributeName::Role).unwrap_or("");
        shape.lays_out = matches!(role, "presentation" | "none");
        let mut columns = 0;
        // Of the cell, of which the table begins with none.
        let (mut cell_bytes, mut cell_blocks) = (1, 0);
        for node in dom.descendants(table).skip(1) {
            if let Some(text) = dom.text(node) {
                cell_bytes += text.trim().len();
                shape.long_cell |= cell_bytes > DATA_CELL_BYTES_MAX;
            }
            match dom.tag(node) {
                Some(Tag::Table) => {
                    shape.lays_out = true;
                    return shape;
                }
                Some(Tag::Tr) => {
                    shape.rows += 1;
                    columns = 0;
                }
                // The text of an entry is one with it.
                Some(Tag::P) if dom.parent(node).is_some_and(|around| dom.tag(around) == Some(Tag::Li)) => {}
                Some(Tag::P | Tag::Li | Tag::Pre) if shape.columns > 0 => {
                    cell_blocks += 1;
                    shape.unlike_data |= cell_blocks > 1;
                }
                Some(tag @ (Tag::Td | Tag::Th)) => {
                    shape.unlike_data |= cell_bytes == 0;
                    (cell_bytes, cell_blocks) = (0, 0);
                    columns += usize::from(span(dom, node, AttributeName::Colspan));
                    shape.columns = shape.columns.max(columns);
                    shape.heads |= tag == Tag::Th;
                    shape.row_spans |= span(dom, node, AttributeName::Rowspan) != 1;
                    shape.gutter |= is_gutter(dom, node);
                    shape.code |= is_called(dom, node, CODES, "code");
                }
                _ => {}
            }
        }
        shape.unlike_data |= cell_bytes == 0;
        shape
    }

    /// Whether it is a table of data, rather than one that lays out the page or code, as a single row without heads does where a cell has
    /// no text or several blocks.
    pub(super) fn is_data(&self) -> bool {
        let is_poor = self.long_cell && !self.heads && self.rows < 3;
        let is_row = self.rows < 2 && !self.heads && self.unlike_data;
        !self.lays_out && !self.is_code() && !is_poor && !is_row && self.columns > 1
    }

    /// Whether it has heads of rows or columns.
    pub(super) fn has_heads(&self) -> bool {
        self.heads
    }

    /// Whether it is code beside the numbers of its lines.
    pub(super) fn is_code(&self) -> bool {
        !self.lays_out && self.gutter && self.code
    }
}

/// Columns or rows that a cell covers.
pub(super) fn span(dom: &Dom, cell: DomId, name: AttributeName) -> u16 {
    let written = dom.attribute(cell, name).and_then(|value| value.trim().parse::<u16>().ok());
    match (name, written) {
        (AttributeName::Rowspan, Some(0)) => ROWS_MAX,
        (_, None | Some(0)) => 1,
        (AttributeName::Colspan, Some(count)) => count.min(COLUMNS_MAX),
        (_, Some(count)) => count.min(ROWS_MAX),
    }
}

/// Whether a cell of a code table holds the numbers of lines.
pub(super) fn is_gutter(dom: &Dom, cell: DomId) -> bool {
    is_called(dom, cell, GUTTERS, "lines")
}

/// Whether a cell has one of these names, or begins with preformatted text that has this one (YARD).
fn is_called(dom: &Dom, cell: DomId, names: &[&str], inner: &str) -> bool {
    let first = || dom.children(cell).find(|id| dom.tag(*id).is_some());
    has_class(dom, cell, names)
        || first().is_some_and(|first| dom.tag(first) == Some(Tag::Pre) && has_class(dom, first, &[inner]))
}
