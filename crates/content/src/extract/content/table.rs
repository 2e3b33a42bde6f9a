//! What a page uses a table for.

use super::furniture::cells;
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// Bytes of a cell's text above which a table without heads is one of layout.
const DATA_CELL_BYTES_MAX: usize = 1000;

/// Rows up to which a table without heads that has rows of one cell, and of several, is one of layout, if one cell holds most of its text.
const PAGE_ROWS_MAX: usize = 5;

/// Bytes of that cell at least.
const PAGE_BYTES_MIN: usize = 400;

/// Bytes of text below the headings of a cell that lays out a page.
const HEADED_BYTES_MIN: usize = 300;

/// The most columns or rows that a cell may cover, by the HTML standard.
const COLUMNS_MAX: u16 = 1000;
const ROWS_MAX: u16 = 65534;

/// Class names of cells with the numbers of lines.
const GUTTERS: &ClassNames =
    classes!["gutter", "linenos", "lineno", "linenodiv", "rouge-gutter", "blob-num", "hljs-ln-numbers", "lntd"];

/// Class names of cells with lines of code.
const CODES: &ClassNames = classes!["code", "rouge-code", "blob-code", "hljs-ln-code"];

/// What was counted of a table.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "they are counted independently")]
pub(super) struct TableShape {
    columns: usize,
    rows: usize,
    heads: bool,
    /// Heads in the head of the table: what has them is of data, and tables in its cells are data of a row (JSDoc).
    column_heads: usize,
    holds_tables: bool,
    /// A nested table, or an element that says so.
    lays_out: bool,
    long_cell: bool,
    /// A cell without text, or with more than one paragraph, entry or listing.
    unlike_data: bool,
    /// A cell that holds headings with text below them.
    headed_cell: bool,
    /// Rows of one cell, and of several.
    lone_cells: bool,
    many_cells: bool,
    /// A cell with several paragraphs, parted by elements or by empty lines.
    several_blocks: bool,
    /// A post of vBulletin.
    is_post: bool,
    /// Bytes of the text, and of that of the cell that has most.
    bytes: usize,
    cell_bytes_max: usize,
    gutter: bool,
    code: bool,
    /// Whether a row has two cells that hold something.
    side_by_side: bool,
    /// Whether a cell covers several rows.
    pub(super) row_spans: bool,
}

/// What was counted of the row and of the cell that are being looked at.
struct Here {
    columns: usize,
    cells: usize,
    cell_bytes: usize,
    cell_blocks: usize,
    heading_bytes: usize,
}

impl Default for Here {
    /// Before the first cell, which is no empty one.
    fn default() -> Self {
        Self { columns: 0, cells: 0, cell_bytes: 1, cell_blocks: 0, heading_bytes: 0 }
    }
}

impl TableShape {
    /// Looks at a table. O(nodes below it); those of nested tables are not looked at.
    pub(super) fn of(dom: &Dom, table: DomId) -> Self {
        let mut shape = Self::default();
        let role = dom.attribute(table, AttributeName::Role).unwrap_or("");
        shape.lays_out = matches!(role, "presentation" | "none");
        shape.is_post = dom.has_class(table, classes!["tborder"]);
        let mut here = Here::default();
        let mut next = dom.following(table, table);
        while let Some(node) = next {
            next = dom.following(node, table);
            if let Some(text) = dom.text(node) {
                shape.read_text(text, &mut here);
            }
            match dom.tag(node) {
                Some(Tag::Table) if shape.column_heads > 1 => {
                    shape.holds_tables = true;
                    next = dom.following_after(node, table);
                }
                Some(Tag::Table) => {
                    shape.lays_out = true;
                    return shape;
                }
                Some(tag) => shape.read_element(dom, node, tag, &mut here),
                None => {}
            }
        }
        shape.count(here.cells);
        shape.end_cell(&here);
        shape.side_by_side = stands_side_by_side(dom, table, !shape.several_blocks);
        shape
    }

    fn read_text(&mut self, text: &str, here: &mut Here) {
        let bytes = text.trim().len();
        here.cell_bytes += bytes;
        self.bytes += bytes;
        self.cell_bytes_max = self.cell_bytes_max.max(here.cell_bytes);
        self.long_cell |= here.cell_bytes > DATA_CELL_BYTES_MAX;
    }

    fn read_element(&mut self, dom: &Dom, element: DomId, tag: Tag, here: &mut Here) {
        match tag {
            Tag::Tr => {
                self.rows += 1;
                self.count(here.cells);
                (here.columns, here.cells) = (0, 0);
            }
            // The text of an entry is one with it.
            Tag::P if dom.parent(element).is_some_and(|around| dom.tag(around) == Some(Tag::Li)) => {}
            Tag::P | Tag::Li | Tag::Pre | Tag::Dl | Tag::Hr if self.columns > 0 => {
                here.cell_blocks += 1;
                self.unlike_data |= here.cell_blocks > 1;
                self.several_blocks |= here.cell_blocks > 1;
            }
            Tag::Td | Tag::Th => self.begin_cell(dom, element, tag, here),
            Tag::Br if dom.next_sibling(element).is_some_and(|next| dom.tag(next) == Some(Tag::Br)) => {
                self.several_blocks = true;
            }
            _ if tag.heading_level().is_some() => here.heading_bytes += dom.text_content(element).trim().len(),
            _ => {}
        }
    }

    fn begin_cell(&mut self, dom: &Dom, cell: DomId, tag: Tag, here: &mut Here) {
        self.end_cell(here);
        let columns = here.columns + usize::from(span(dom, cell, AttributeName::Colspan));
        *here = Here { columns, cells: here.cells + 1, cell_bytes: 0, cell_blocks: 0, heading_bytes: 0 };
        self.columns = self.columns.max(columns);
        self.heads |= tag == Tag::Th;
        self.column_heads += usize::from(tag == Tag::Th && is_in_head(dom, cell));
        self.row_spans |= span(dom, cell, AttributeName::Rowspan) != 1;
        self.gutter |= is_gutter(dom, cell);
        self.code |= is_called(dom, cell, CODES, classes!["code"]);
    }

    fn end_cell(&mut self, here: &Here) {
        self.unlike_data |= here.cell_bytes == 0;
        self.headed_cell |= heads_text(here.heading_bytes, here.cell_bytes);
    }

    /// Takes in how many cells a row has.
    fn count(&mut self, cells: usize) {
        self.lone_cells |= cells == 1;
        self.many_cells |= cells > 1;
    }

    /// Whether it is a table of data: one that belongs together, and has more than one cell beside empty ones in a row.
    pub(super) fn is_data(&self) -> bool {
        self.side_by_side && self.belongs_together()
    }

    /// Whether it does not lay out the page or code, as a single row without heads does where a cell has no text or several
    /// blocks.
    pub(super) fn belongs_together(&self) -> bool {
        let is_poor = self.long_cell && !self.heads && self.rows < 3;
        let is_row = self.rows < 2 && !self.heads && self.unlike_data;
        !self.lays_out && !self.is_code() && !is_poor && !is_row && !self.lays_out_page() && self.columns > 1
    }

    /// Whether it lays out a page: without heads, and a cell has headings with text, or holds most of the text, in several blocks, beside
    /// bars of other cells; or by the name that vBulletin gives it.
    fn lays_out_page(&self) -> bool {
        let has_main_cell = 2 * self.cell_bytes_max > self.bytes && self.cell_bytes_max >= PAGE_BYTES_MIN;
        let is_page =
            self.lone_cells && self.many_cells && has_main_cell && self.several_blocks && self.rows <= PAGE_ROWS_MAX;
        !self.heads && (self.headed_cell || is_page || self.is_post)
    }

    /// Whether it has heads of rows or columns.
    pub(super) fn has_heads(&self) -> bool {
        self.heads
    }

    /// Whether tables in its cells are data of their rows.
    pub(super) fn holds_tables(&self) -> bool {
        self.holds_tables
    }

    /// Whether it is code beside the numbers of its lines.
    pub(super) fn is_code(&self) -> bool {
        !self.lays_out && self.gutter && self.code
    }
}

/// Whether two cells of a row hold text, images or other signs, of a table without others in it; or, where it may be a list of names
/// (`may_be_names`), whether each row has one in its first cell alone, beside others that may be filled.
fn stands_side_by_side(dom: &Dom, table: DomId, may_be_names: bool) -> bool {
    let (mut filled, mut is_filled, mut cells, mut is_first) = (0, false, 0, may_be_names);
    let mut is_wide = false;
    for node in dom.descendants(table).skip(1) {
        match dom.tag(node) {
            Some(Tag::Tr) => (filled, is_filled, cells) = (0, false, 0),
            Some(Tag::Td | Tag::Th) => {
                is_filled = false;
                cells += 1;
                is_wide = span(dom, node, AttributeName::Colspan) > 1;
            }
            tag if !is_filled && (tag.is_some_and(is_sign_of_its_own) || has_words(dom, node)) => {
                filled += 1;
                is_filled = true;
                is_first &= cells == 1 && !is_wide;
            }
            _ => {}
        }
        if filled > 1 {
            return true;
        }
    }
    is_first
}

fn is_sign_of_its_own(tag: Tag) -> bool {
    matches!(tag, Tag::Img | Tag::Svg | Tag::I | Tag::Input | Tag::Object | Tag::Video | Tag::Canvas | Tag::Math)
}

fn has_words(dom: &Dom, node: DomId) -> bool {
    dom.text(node).is_some_and(|text| !text.trim().is_empty())
}

/// Whether the headings of a cell have text below them: a heading alone is how some write the head of a column.
fn heads_text(heading_bytes: usize, cell_bytes: usize) -> bool {
    heading_bytes > 0 && cell_bytes > heading_bytes + HEADED_BYTES_MIN
}

/// Whether a cell stands in the head of a table.
fn is_in_head(dom: &Dom, cell: DomId) -> bool {
    let head = dom.parent(cell).and_then(|row| dom.parent(row));
    head.is_some_and(|head| dom.tag(head) == Some(Tag::Thead))
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

/// Nodes of a numbered paragraph among which its first text is looked for.
const SIGNED_NODES_MAX: usize = 32;

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
    let (first, second, None) = (cells.next()?, cells.next()?, cells.next()) else { return None };
    let is_plain = !dom.descendants(first).any(|id| dom.tag(id) == Some(Tag::A)) && begins_with_text(dom, second);
    let has_head = dom.children(table).any(|id| matches!(dom.tag(id), Some(Tag::Thead | Tag::Tfoot | Tag::Caption)));
    (is_plain && !has_head && is_sign(dom.text_content(first).trim())).then_some(first)
}

/// Whether text comes before anything else than paragraphs in a cell.
fn begins_with_text(dom: &Dom, cell: DomId) -> bool {
    for node in dom.descendants(cell).skip(1).take(SIGNED_NODES_MAX) {
        match (dom.tag(node), dom.text(node)) {
            (None, Some(text)) if !text.trim().is_empty() => return true,
            (Some(Tag::P | Tag::Div | Tag::Span | Tag::A | Tag::B | Tag::I | Tag::Em | Tag::Strong | Tag::Font), _) => {
            }
            (Some(_), _) => return false,
            _ => {}
        }
    }
    false
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
    is_called(dom, cell, GUTTERS, classes!["lines"])
}

/// Whether a cell has one of these names, or begins with preformatted text that has this one (YARD).
fn is_called(dom: &Dom, cell: DomId, names: &ClassNames, inner: &ClassNames) -> bool {
    let first = || dom.children(cell).find(|id| dom.tag(*id).is_some());
    dom.has_class(cell, names)
        || first().is_some_and(|first| dom.tag(first) == Some(Tag::Pre) && dom.has_class(first, inner))
}
