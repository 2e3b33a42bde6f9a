//! Tables of Markdown: a line a row.

use std::collections::HashSet;

use super::super::table::grid;
use super::super::{Block, Cell, ListEntry, Table};
use super::Writer;

impl Writer {
    /// A table without a head gets an empty one, since Markdown has none without.
    pub(super) fn table(&mut self, table: &Table) {
        let grid = grid(table);
        let columns = grid.first().map_or(0, Vec::len);
        if columns == 0 {
            return;
        }
        let mut written = HashSet::new();
        let mut rows = grid.iter();
        let head = if table.head_rows > 0 { rows.next() } else { None };
        match head {
            Some(row) => self.row(row, &mut written),
            None => self.row(&vec![None; columns], &mut written),
        }
        self.separate(true);
        self.out.push('|');
        self.out.push_str(&" --- |".repeat(columns));
        for row in rows {
            self.separate(true);
            self.row(row, &mut written);
        }
    }

    /// A cell that spans has its images in its first place alone: `written` are the cells that were.
    fn row(&mut self, row: &[Option<&Cell>], written: &mut HashSet<*const Cell>) {
        self.out.push('|');
        self.context.cell = true;
        for cell in row {
            self.out.push(' ');
            self.line_start = self.out.len();
            let mut is_first = true;
            if let Some(cell) = cell {
                self.context.repeated = !written.insert(std::ptr::from_ref(*cell));
                self.lines(&cell.blocks, &mut is_first);
                if std::mem::take(&mut self.context.repeated) {
                    let text = self.out.split_off(self.line_start);
                    self.out.push_str(text.trim_start());
                }
            }
            self.out.push_str(" |");
        }
        self.context.cell = false;
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
            Block::Table(table) => {
                let cells = table.rows.iter().flat_map(|row| &row.cells);
                cells.for_each(|cell| self.lines(&cell.blocks, is_first));
            }
            // Tables with code are not written as such.
            _ => {}
        }
    }
}
