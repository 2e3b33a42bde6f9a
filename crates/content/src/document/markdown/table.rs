//! Tables of Markdown: a line a row.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::super::table::{columns, grid};
use super::super::{Block, Cell, Inline, ListEntry, Row, Table};
use super::Writer;

/// Bytes of a cell that is written in each place that it spans, and not in the first alone.
const REPEATED_BYTES_MAX: usize = 100;

/// The cells that were written, with what is written in their further places, once that is known.
type Written = HashMap<*const Cell, Option<String>>;

impl Writer {
    /// A table without a head gets an empty one, since Markdown has none without.
    pub(super) fn table(&mut self, table: &Table) {
        let grid = grid(table);
        let columns = columns(&grid);
        if columns == 0 {
            return;
        }
        let mut written = Written::new();
        let mut rows = grid.into_iter();
        let mut head = if table.head_rows > 0 { rows.next().unwrap_or_default() } else { Vec::new() };
        // Readers take the number of columns from it.
        head.resize(columns, None);
        self.row(&head, &mut written);
        self.separate(true);
        self.out.push('|');
        self.out.push_str(&" --- |".repeat(columns));
        for row in rows {
            self.separate(true);
            self.row(&row, &mut written);
        }
    }

    fn row(&mut self, row: &[Option<&Cell>], written: &mut Written) {
        self.out.push('|');
        self.context.cell = true;
        for cell in row {
            self.out.push(' ');
            self.line_start = self.out.len();
            if let Some(cell) = cell {
                self.cell(cell, written);
            }
            self.out.push_str(" |");
        }
        self.context.cell = false;
    }

    /// A cell that spans has its images, and text that is not short, in its first place alone.
    fn cell(&mut self, cell: &Cell, written: &mut Written) {
        match written.entry(std::ptr::from_ref(cell)) {
            Entry::Vacant(place) => {
                place.insert(None);
                self.lines(&cell.blocks, &mut true);
            }
            Entry::Occupied(text) => {
                let text = text.into_mut().get_or_insert_with(|| self.repeated(cell));
                self.out.push_str(text);
            }
        }
    }

    /// What stands in the further places of a cell that spans.
    fn repeated(&mut self, cell: &Cell) -> String {
        self.context.repeated = true;
        self.lines(&cell.blocks, &mut true);
        self.context.repeated = false;
        let text = self.out.split_off(self.line_start);
        if text.len() <= REPEATED_BYTES_MAX { text.trim_start().to_owned() } else { String::new() }
    }

    /// Blocks as lines of one cell.
    fn lines(&mut self, blocks: &[Block], is_first: &mut bool) {
        for block in blocks {
            let start = self.out.len();
            if !*is_first {
                self.out.push_str("<br>");
            }
            let content = self.out.len();
            match block {
                Block::Heading { content, .. } | Block::Paragraph { content } => self.inlines(content),
                Block::Formula { tex } => self.display_formula(tex),
                _ => {
                    self.out.truncate(start);
                    self.lines_below(block, is_first);
                    continue;
                }
            }
            if self.out.len() == content {
                self.out.truncate(start);
            } else {
                *is_first = false;
            }
        }
    }

    /// A row of a table in a cell as one line, its cells apart by `|`; where one has several blocks, as a line each.
    fn row_as_line(&mut self, row: &Row, is_first: &mut bool) {
        let one = |cell: &Cell| match &cell.blocks[..] {
            [Block::Paragraph { content }] => Some(content.clone()),
            [] => Some(Vec::new()),
            _ => None,
        };
        let Some(cells) = row.cells.iter().map(one).collect::<Option<Vec<_>>>() else {
            row.cells.iter().for_each(|cell| self.lines(&cell.blocks, is_first));
            return;
        };
        let filled: Vec<Vec<Inline>> = cells.into_iter().filter(|cell| !cell.is_empty()).collect();
        let content = filled.join(&Inline::Text { text: " | ".to_owned() });
        self.lines(&[Block::Paragraph { content }], is_first);
    }

    fn lines_below(&mut self, block: &Block, is_first: &mut bool) {
        match block {
            Block::List(list) => list.entries.iter().for_each(|ListEntry { blocks, .. }| self.lines(blocks, is_first)),
            Block::Quote { blocks } | Block::Footnote { blocks, .. } => self.lines(blocks, is_first),
            Block::Figure { blocks, caption } => {
                self.lines(blocks, is_first);
                self.lines(&[Block::Paragraph { content: caption.clone() }], is_first);
            }
            Block::Definitions { entries } => {
                for entry in entries {
                    for term in &entry.terms {
                        self.lines(&[Block::Paragraph { content: term.clone() }], is_first);
                    }
                    entry.definitions.iter().for_each(|blocks| self.lines(blocks, is_first));
                }
            }
            Block::Table(table) => table.rows.iter().for_each(|row| self.row_as_line(row, is_first)),
            // Tables with code are not written as such.
            _ => {}
        }
    }
}
