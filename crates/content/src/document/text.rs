//! Plain text that reads.

use std::collections::HashSet;

use super::inlines::push_plain;
use super::table::{columns, grid};
use super::{Block, Cell, Definition, Document, Inline, List, Row, Table};

/// The document as plain text: an empty line between paragraphs, headings and lists, `-` before entries (their numbers are no words
/// of the page), cells of a row apart by ` | `. Words of different blocks are never glued. What stands below images is left out with
/// them, unless it is most of the text, as on a page whose products are figures.
pub fn to_text(document: &Document) -> String {
    let mut writer = Writer::default();
    writer.blocks(&document.blocks);
    if writer.left_out > writer.out.len() {
        writer = Writer { with_captions: true, ..Writer::default() };
        writer.blocks(&document.blocks);
    }
    writer.out
}

#[derive(Default)]
struct Writer {
    out: String,
    /// What each line begins with.
    indentation: String,
    /// What is to stand before the next words: nothing, a line feed or two.
    gap: Gap,
    /// Whether what stands below images is written as well.
    with_captions: bool,
    /// Bytes of what stands below images and was not written.
    left_out: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Gap {
    #[default]
    None,
    Line,
    Paragraph,
}

impl Writer {
    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.gap = self.gap.max(Gap::Paragraph);
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading { content, .. } | Block::Paragraph { content } => self.inlines(content),
            Block::List(list) => self.list(list),
            Block::Definitions { entries } => entries.iter().for_each(|entry| self.definition(entry)),
            Block::Code { text, .. } => self.lines(text),
            Block::Table(table) => self.table(table),
            Block::Quote { blocks } => self.blocks(blocks),
            Block::Formula { tex } => self.lines(&format!("$${tex}$$")),
            Block::Figure { blocks, caption } => {
                let before = self.out.len();
                self.blocks(blocks);
                if self.with_captions || self.out.len() > before {
                    self.gap = self.gap.max(Gap::Paragraph);
                    self.inlines(caption);
                } else {
                    self.left_out += super::plain_text(caption).len();
                }
            }
            Block::Footnote { label, blocks } => {
                let first = blocks.first().map(|block| match block {
                    Block::Paragraph { content } => super::plain_text(content),
                    _ => String::new(),
                });
                self.lines(&format!("[{label}] {}", first.unwrap_or_default()));
                self.blocks(blocks.get(1..).unwrap_or_default());
            }
            Block::Rule => {}
        }
    }

    fn list(&mut self, list: &List) {
        for entry in &list.entries {
            let mut rest = entry.blocks.as_slice();
            let before = self.out.len();
            if let Some((Block::Paragraph { content } | Block::Heading { content, .. }, behind)) = rest.split_first() {
                rest = behind;
                self.marked("- ", content);
            }
            let has_mark = self.out.len() > before;
            self.indentation.push_str("  ");
            for block in rest {
                self.gap = self.gap.max(if has_mark { Gap::Line } else { Gap::Paragraph });
                self.block(block);
            }
            self.indentation.truncate(self.indentation.len() - 2);
            self.gap = self.gap.max(Gap::Line);
        }
    }

    /// Words behind a mark.
    fn marked(&mut self, mark: &str, content: &[Inline]) {
        if super::has_words(content) {
            self.settle_gap();
            self.gap = Gap::None;
            self.out.push_str(mark);
            self.indentation.push_str("  ");
            self.inlines(content);
            self.indentation.truncate(self.indentation.len() - 2);
        }
    }

    fn definition(&mut self, entry: &Definition) {
        self.gap = self.gap.max(Gap::Paragraph);
        for term in &entry.terms {
            self.inlines(term);
            self.gap = self.gap.max(Gap::Line);
        }
        self.indentation.push_str("    ");
        for blocks in &entry.definitions {
            self.gap = self.gap.max(Gap::Line);
            for (place, block) in blocks.iter().enumerate() {
                self.gap = if place > 0 { self.gap.max(Gap::Paragraph) } else { self.gap };
                self.block(block);
            }
        }
        self.indentation.truncate(self.indentation.len() - 4);
    }

    fn table(&mut self, table: &Table) {
        self.inlines(&table.caption);
        for row in rows_of(table) {
            self.gap = self.gap.max(Gap::Line);
            self.lines(&row);
        }
    }

    fn inlines(&mut self, inlines: &[Inline]) {
        let start = self.out.len();
        self.settle_gap();
        let words = self.out.len();
        push_plain(inlines, &mut self.out);
        if self.out[words..].trim().is_empty() {
            self.out.truncate(start);
            return;
        }
        self.indent(words);
        self.gap = Gap::None;
    }

    fn lines(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        self.settle_gap();
        let words = self.out.len();
        self.out.push_str(text);
        self.indent(words);
        self.gap = Gap::None;
    }

    /// Indents the lines behind the first one of what was written from `start` on.
    fn indent(&mut self, start: usize) {
        if !self.indentation.is_empty() && self.out[start..].contains('\n') {
            let indented = self.out[start..].replace('\n', &format!("\n{}", self.indentation));
            self.out.truncate(start);
            self.out.push_str(&indented);
        }
    }

    /// Begins a line. The gap stays, for the case that there are no words.
    fn settle_gap(&mut self) {
        if !self.out.is_empty() {
            match self.gap {
                Gap::None => return,
                Gap::Line => self.out.push('\n'),
                Gap::Paragraph => self.out.push_str("\n\n"),
            }
        }
        self.out.push_str(&self.indentation);
    }
}

/// Columns of a table whose empty cells are written.
const COLUMNS_MAX: usize = 64;

/// The rows of a table, each a line: its cells in their columns, as a reader needs them, without those that are empty at its end. A cell
/// that spans is written once.
fn rows_of(table: &Table) -> Vec<String> {
    let grid = grid(table);
    if columns(&grid) > COLUMNS_MAX {
        let cells = |row: &Row| row.cells.iter().map(words_of).filter(|words| !words.is_empty()).collect::<Vec<_>>();
        return table.rows.iter().map(|row| cells(row).join(" | ")).collect();
    }
    let mut written: HashSet<*const Cell> = HashSet::new();
    let mut row_of = |row: &[Option<&Cell>]| {
        let words = row.iter().map(|cell| cell.filter(|cell| written.insert(&raw const **cell)).map(words_of));
        let words: Vec<String> = words.map(Option::unwrap_or_default).collect();
        let length = words.iter().rposition(|words| !words.is_empty()).map_or(0, |last| last + 1);
        words[..length].join(" | ")
    };
    grid.iter().map(|row| row_of(row)).collect()
}

/// What a cell says, in one line.
fn words_of(cell: &Cell) -> String {
    let mut inner = Writer::default();
    inner.blocks(&cell.blocks);
    if inner.out.contains('\n') { inner.out.split_whitespace().collect::<Vec<_>>().join(" ") } else { inner.out }
}
