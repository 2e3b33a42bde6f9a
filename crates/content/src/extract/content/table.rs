//! What a page uses a table for.

use super::classes::has_class;
use super::furniture::cells;
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Bytes of a cell's text above which a table without heads is one of layout.
const DATA_CELL_BYTES_MAX: usize = 1000;

/// Rows up to which a table without heads whose rows differ in their cells is one of layout, if one cell holds most of its text.
const PAGE_ROWS_MAX: usize = 5;

/// Divisions in the cells of such a table.
const PAGE_DIVISIONS_MIN: usize = 3;

/// Bytes of text below the headings of a cell that lays out a page.
const HEADED_BYTES_MIN: usize = 80;

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
    /// A cell that holds headings with text below them.
    headed_cell: bool,
    /// Rows of different numbers of cells.
    uneven: bool,
    divisions: usize,
    /// Bytes of the text, and of that of the cell that has most.
    bytes: usize,
    cell_bytes_max: usize,
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
        let (mut columns, mut cells, mut cells_before) = (0, 0, None);
        // Of the cell, of which the table begins with none.
        let (mut cell_bytes, mut cell_blocks, mut heading_bytes) = (1, 0, 0);
        for node in dom.descendants(table).skip(1) {
            if let Some(text) = dom.text(node) {
                cell_bytes += text.trim().len();
                shape.bytes += text.trim().len();
                shape.cell_bytes_max = shape.cell_bytes_max.max(cell_bytes);
                shape.long_cell |= cell_bytes > DATA_CELL_BYTES_MAX;
            }
            match dom.tag(node) {
                Some(Tag::Table) => {
                    shape.lays_out = true;
                    return shape;
                }
                Some(Tag::Tr) => {
                    shape.rows += 1;
                    shape.uneven |= cells > 0 && cells_before.is_some_and(|before| before != cells);
                    cells_before = if cells > 0 { Some(cells) } else { cells_before };
                    (columns, cells) = (0, 0);
                }
                // The text of an entry is one with it.
                Some(Tag::P) if dom.parent(node).is_some_and(|around| dom.tag(around) == Some(Tag::Li)) => {}
                Some(Tag::P | Tag::Li | Tag::Pre) if shape.columns > 0 => {
                    cell_blocks += 1;
                    shape.unlike_data |= cell_blocks > 1;
                }
                Some(tag @ (Tag::Td | Tag::Th)) => {
                    shape.unlike_data |= cell_bytes == 0;
                    shape.headed_cell |= heads_text(heading_bytes, cell_bytes);
                    (cell_bytes, cell_blocks, heading_bytes) = (0, 0, 0);
                    cells += 1;
                    columns += usize::from(span(dom, node, AttributeName::Colspan));
                    shape.columns = shape.columns.max(columns);
                    shape.heads |= tag == Tag::Th;
                    shape.row_spans |= span(dom, node, AttributeName::Rowspan) != 1;
                    shape.gutter |= is_gutter(dom, node);
                    shape.code |= is_called(dom, node, CODES, "code");
                }
                Some(tag) if tag.heading_level().is_some() => heading_bytes += dom.text_content(node).trim().len(),
                Some(Tag::Div) => shape.divisions += 1,
                _ => {}
            }
        }
        shape.uneven |= cells_before.is_some_and(|before| before != cells);
        shape.unlike_data |= cell_bytes == 0;
        shape.headed_cell |= heads_text(heading_bytes, cell_bytes);
        shape
    }

    /// Whether it is a table of data, rather than one that lays out the page or code, as a single row without heads does where a cell has
    /// no text or several blocks.
    pub(super) fn is_data(&self) -> bool {
        let is_poor = self.long_cell && !self.heads && self.rows < 3;
        let is_row = self.rows < 2 && !self.heads && self.unlike_data;
        !self.lays_out && !self.is_code() && !is_poor && !is_row && !self.lays_out_page() && self.columns > 1
    }

    /// Whether it lays out a page: without heads, and a cell has headings with text, or holds most of the text beside bars of other cells,
    /// or cells are made of divisions (vBulletin).
    fn lays_out_page(&self) -> bool {
        let has_main_cell = 2 * self.cell_bytes_max > self.bytes;
        let is_page = has_main_cell || self.divisions >= PAGE_DIVISIONS_MIN;
        !self.heads && (self.headed_cell || (self.uneven && is_page && self.rows <= PAGE_ROWS_MAX))
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

/// Whether the headings of a cell have text below them: a heading alone is how some write the head of a column.
fn heads_text(heading_bytes: usize, cell_bytes: usize) -> bool {
    heading_bytes > 0 && cell_bytes > heading_bytes + HEADED_BYTES_MIN
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

/// Characters of the sign of a numbered paragraph.
const SIGN_CHARS_MAX: usize = 8;

/// The first cell of a table that lays out a numbered paragraph, as laws are written: one row of `(1)` and the text. Its text is the sign.
pub(super) fn sign_cell(dom: &Dom, table: DomId) -> Option<DomId> {
    let bodies = dom.children(table).filter(|id| matches!(dom.tag(*id), Some(Tag::Tbody | Tag::Tr)));
    let mut rows = bodies.flat_map(|id| {
        let own = (dom.tag(id) == Some(Tag::Tr)).then_some(id);
        let below = if own.is_none() { dom.first_child(id) } else { None };
        let below = std::iter::successors(below, |id| dom.next_sibling(*id)).filter(|id| dom.tag(*id) == Some(Tag::Tr));
        own.into_iter().chain(below)
    });
    let row = rows.next().filter(|_| rows.next().is_none())?;
    let mut cells = cells(dom, row).filter(|cell| dom.tag(*cell) == Some(Tag::Td));
    let (first, _, None) = (cells.next()?, cells.next()?, cells.next()) else { return None };
    is_sign(dom.text_content(first).trim()).then_some(first)
}

/// Whether a text is `(1)`, `(a)`, `iv.`, `2)` or a dash.
fn is_sign(text: &str) -> bool {
    if text.chars().nth(SIGN_CHARS_MAX).is_some() {
        return false;
    }
    let bare = text.strip_prefix('(').unwrap_or(text);
    let bare = bare.strip_suffix(')').or_else(|| bare.strip_suffix('.'));
    matches!(text, "—" | "–" | "-" | "•")
        || bare.is_some_and(|bare| !bare.is_empty() && bare.chars().all(char::is_alphanumeric))
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
