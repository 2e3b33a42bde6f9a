//! Blocks that are open while a page is walked.

use super::columns::tidy;
use super::joined_lists::{Joint, Levels};
use super::own_marks::say_once;
use crate::document::{Block, Cell, Definition, Inline, List, ListEntry, Row, Table};

/// A block that has begun.
#[derive(Debug)]
pub(super) enum Container {
    Root(Vec<Block>),
    Quote(Vec<Block>),
    List {
        list: List,
        /// Footnotes that stand in it as entries.
        notes: Vec<Block>,
        joint: Option<Joint>,
        /// Whether it begins with a list that stands in no entry.
        is_set_in: bool,
    },
    ListEntry(ListEntry),
    Definitions {
        entries: Vec<Definition>,
        /// Footnotes that stand in it as definitions.
        notes: Vec<Block>,
    },
    Definition(Vec<Block>),
    Table {
        table: Table,
        /// Whether rows without content have to stay, since cells span rows.
        keeps_rows: bool,
        /// Footnotes that stand in its cells, and blocks that stand in none.
        notes: Vec<Block>,
        /// Rows of its foot, which is shown at the end wherever it is written.
        foot: Vec<Row>,
    },
    Row {
        row: Row,
        place: RowPlace,
    },
    Cell {
        cell: Cell,
    },
    Figure {
        blocks: Vec<Block>,
        caption: Vec<Inline>,
    },
    Note {
        label: String,
        blocks: Vec<Block>,
    },
    /// A line of words: nothing in it is a block.
    Line(LineKind),
}

/// What a line of words is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    Heading(u8),
    /// The second line of the heading before it.
    SecondLine,
    Term,
    /// A formula of words that a table lays out.
    Words,
    TableCaption,
    FigureCaption,
}

/// The part of a table that a row is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowPlace {
    Head,
    Body,
    Foot,
}

/// The blocks that are open.
#[derive(Debug)]
pub(super) struct Containers {
    /// Outermost first.
    open: Vec<Container>,
    /// Of the lists that are one with the last.
    levels: Levels,
}

impl Container {
    /// A list without entries; `joint`: how it goes on with the block before it, if that is a list.
    pub(super) fn list(list: List, joint: Option<Joint>) -> Self {
        Self::List { list, notes: Vec::new(), joint, is_set_in: false }
    }

    /// A table without rows.
    pub(super) fn table(keeps_rows: bool) -> Self {
        Self::Table { table: Table::default(), keeps_rows, notes: Vec::new(), foot: Vec::new() }
    }
}

impl Containers {
    pub(super) fn new() -> Self {
        Self { open: vec![Container::Root(Vec::new())], levels: Levels::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    pub(super) fn last(&self) -> Option<&Container> {
        self.open.last()
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut Container> {
        self.open.last_mut()
    }

    pub(super) fn open(&mut self, container: Container) {
        self.open.push(container);
    }

    /// Whether words go on one line now.
    pub(super) fn is_line(&self) -> bool {
        matches!(self.last(), Some(Container::Line(_)))
    }

    /// Ends the innermost block and puts it where it belongs. `words`: those of a line.
    pub(super) fn close(&mut self, words: Vec<Inline>) {
        if self.open.len() < 2 {
            return;
        }
        let Some(container) = self.open.pop() else { return };
        match container {
            Container::Root(blocks) => self.extend(blocks),
            Container::Quote(blocks) if !blocks.is_empty() => self.push_quote(blocks),
            Container::List { mut list, notes, joint, is_set_in } => {
                if !list.entries.is_empty() {
                    if is_set_in && joint.is_none() {
                        take_inner(&mut list);
                    }
                    self.push_list(list, joint);
                }
                self.extend(notes);
            }
            Container::ListEntry(entry) if !entry.blocks.is_empty() => self.push_entry(entry),
            Container::Definitions { entries, notes } => {
                if !entries.is_empty() {
                    self.push(Block::Definitions { entries });
                }
                self.extend(notes);
            }
            Container::Definition(blocks) if !blocks.is_empty() => match self.last_mut() {
                Some(Container::Definitions { entries, .. }) => last_definition(entries).definitions.push(blocks),
                _ => self.extend(blocks),
            },
            Container::Table { mut table, notes, foot, .. } => {
                table.rows.extend(foot);
                self.push_table(table);
                self.extend(notes);
            }
            Container::Row { row, place } => self.push_row(row, place),
            Container::Cell { cell } => match self.last_mut() {
                Some(Container::Row { row, .. }) => row.cells.push(cell),
                _ => self.extend(cell.blocks),
            },
            Container::Figure { blocks, caption } if caption.is_empty() => self.extend(blocks),
            Container::Figure { blocks, caption } => self.push(Block::Figure { blocks, caption }),
            Container::Note { label, blocks } if !blocks.is_empty() => self.push(Block::Footnote { label, blocks }),
            Container::Line(kind) if !words.is_empty() => self.push_line(kind, words),
            _ => {}
        }
    }

    fn extend(&mut self, blocks: Vec<Block>) {
        for block in blocks {
            self.push(block);
        }
    }

    /// The blocks of the innermost one that is open, if it takes blocks of any kind.
    fn blocks_mut(&mut self) -> Option<&mut Vec<Block>> {
        match self.last_mut()? {
            Container::Root(blocks)
            | Container::Quote(blocks)
            | Container::ListEntry(ListEntry { blocks, .. })
            | Container::Definition(blocks)
            | Container::Figure { blocks, .. }
            | Container::Note { blocks, .. }
            | Container::Cell { cell: Cell { blocks, .. } } => Some(blocks),
            _ => None,
        }
    }

    /// Ends a row that is open.
    pub(super) fn end_row(&mut self) {
        if matches!(self.last(), Some(Container::Row { .. })) {
            self.close(Vec::new());
        }
    }

    /// The entry of a list that begins has this number: where that does not follow, another list begins.
    pub(super) fn number(&mut self, number: u32) {
        let Some(Container::List { list, .. }) = self.last_mut() else { return };
        if !list.ordered || list.number(list.entries.len()) == number {
            return;
        }
        if list.entries.is_empty() {
            list.start = number;
        } else {
            let list = List { start: number, entries: Vec::new(), ..*list };
            self.close(Vec::new());
            self.open(Container::list(list, None));
        }
    }

    /// Says of the innermost entry that it is a task, if nothing is in it yet.
    pub(super) fn task(&mut self, is_done: bool) {
        if let Some(Container::ListEntry(entry)) = self.last_mut()
            && entry.blocks.is_empty()
        {
            entry.done = Some(is_done);
        }
    }

    /// The footnotes of the table in one of whose cells words stand now.
    fn notes_of_table(&mut self) -> Option<&mut Vec<Block>> {
        let [.., Container::Table { notes, .. }, Container::Row { .. }, Container::Cell { .. }] = &mut self.open[..]
        else {
            return None;
        };
        Some(notes)
    }

    /// Adds a block to the innermost one that is open.
    pub(super) fn push(&mut self, block: Block) {
        if matches!(block, Block::Footnote { .. })
            && let Some(notes) = self.notes_of_table()
        {
            return notes.push(block);
        }
        if let Some(blocks) = self.blocks_mut() {
            return append(blocks, block);
        }
        match self.last_mut() {
            Some(Container::List { list, notes, .. }) if matches!(block, Block::Footnote { .. }) => {
                // The entries behind the first notes keep their numbers.
                let is_before = list.ordered && list.entries.is_empty();
                list.start = list.number(usize::from(is_before));
                notes.push(block);
            }
            Some(Container::Definitions { notes, .. }) if matches!(block, Block::Footnote { .. }) => notes.push(block),
            // A list directly in a list belongs to the entry before it.
            Some(Container::List { list, is_set_in, .. }) => match list.entries.last_mut() {
                Some(entry) if matches!(block, Block::List(_)) => entry.blocks.push(block),
                last => {
                    *is_set_in = last.is_none() && matches!(block, Block::List(_));
                    list.entries.push(ListEntry { blocks: vec![block], ..ListEntry::default() });
                }
            },
            Some(Container::Definitions { entries, .. }) => push_stray(entries, block),
            Some(Container::Table { .. } | Container::Row { .. }) => self.push_behind_table(block),
            _ => debug_assert!(false, "lines take no blocks"),
        }
    }

    /// Adds a block that stands between the cells of a table of divisions.
    fn push_behind_table(&mut self, block: Block) {
        let notes = self.open.iter_mut().rev().find_map(|container| match container {
            Container::Table { notes, .. } => Some(notes),
            _ => None,
        });
        if let Some(notes) = notes {
            notes.push(block);
        }
    }

    /// Quotations in a row are one.
    fn push_quote(&mut self, blocks: Vec<Block>) {
        match self.blocks_mut().and_then(|blocks| blocks.last_mut()) {
            Some(Block::Quote { blocks: before }) => before.extend(blocks),
            _ => self.push(Block::Quote { blocks }),
        }
    }

    /// Adds a list, or what it adds to the list before it.
    fn push_list(&mut self, mut list: List, joint: Option<Joint>) {
        say_once(&mut list);
        let mut levels = std::mem::take(&mut self.levels);
        let before = match self.blocks_mut().and_then(|blocks| blocks.last_mut()) {
            Some(Block::List(before)) => Some(before),
            _ => None,
        };
        let rest = match joint {
            Some(joint) => levels.join(before, list, joint),
            None => Some(list),
        };
        self.levels = levels;
        if let Some(list) = rest {
            self.push(Block::List(list));
        }
    }

    fn push_entry(&mut self, entry: ListEntry) {
        if let Some(Container::List { list, .. }) = self.last_mut() {
            list.entries.push(entry);
        } else {
            // Entries outside of lists that follow one another are a list.
            match self.blocks_mut().and_then(|blocks| blocks.last_mut()) {
                Some(Block::List(list)) if !list.ordered => list.entries.push(entry),
                _ => self.push(Block::List(List { start: 1, entries: vec![entry], ..List::default() })),
            }
        }
    }

    fn push_table(&mut self, mut table: Table) {
        tidy(&mut table);
        let is_filled = |row: &Row| row.cells.iter().any(|cell| !cell.blocks.is_empty());
        if table.rows.iter().any(is_filled) {
            self.push(Block::Table(table));
        } else if !table.caption.is_empty() {
            self.push(Block::Paragraph { content: table.caption });
        }
    }

    fn push_row(&mut self, row: Row, place: RowPlace) {
        if let Some(Container::Table { table, keeps_rows, foot, .. }) = self.last_mut() {
            let is_empty = row.cells.iter().all(|cell| cell.blocks.is_empty());
            if row.cells.is_empty() || (is_empty && !*keeps_rows) {
                return;
            }
            if place == RowPlace::Foot {
                return foot.push(row);
            }
            let is_headed = place == RowPlace::Head || row.cells.iter().all(|cell| cell.header);
            if is_headed && table.head_rows as usize == table.rows.len() {
                table.head_rows += 1;
            }
            table.rows.push(row);
        }
    }

    fn push_line(&mut self, kind: LineKind, content: Vec<Inline>) {
        match (kind, self.last_mut()) {
            (LineKind::Heading(level), _) => self.push_heading(level, content),
            (LineKind::SecondLine, _) => self.push_second_line(content),
            (LineKind::Term, Some(Container::Definitions { entries, .. })) => match entries.last_mut() {
                Some(entry) if entry.definitions.is_empty() => entry.terms.push(content),
                _ => entries.push(Definition { terms: vec![content], definitions: Vec::new() }),
            },
            (LineKind::TableCaption, Some(Container::Table { table, .. })) => table.caption.extend(content),
            (LineKind::FigureCaption, Some(Container::Figure { caption, .. })) => {
                if !caption.is_empty() {
                    caption.push(Inline::LineBreak);
                }
                caption.extend(content);
            }
            _ => self.push(Block::Paragraph { content }),
        }
    }

    /// A heading that says the same as the one right before it is left out.
    fn push_heading(&mut self, level: u8, content: Vec<Inline>) {
        if !crate::document::has_words(&content) {
            return self.push(Block::Paragraph { content });
        }
        if let Some(Container::Root(blocks)) = self.last()
            && let Some(Block::Heading { content: before, .. }) = blocks.last()
            && crate::document::plain_text(before) == crate::document::plain_text(&content)
        {
            return;
        }
        self.push(Block::Heading { level, content });
    }

    /// Adds the second line of a heading, where that is what comes before it.
    fn push_second_line(&mut self, words: Vec<Inline>) {
        match self.blocks_mut().and_then(|blocks| blocks.last_mut()) {
            Some(Block::Heading { content, .. }) => {
                content.push(Inline::LineBreak);
                content.extend(words);
            }
            _ => self.push(Block::Paragraph { content: words }),
        }
    }

    /// The blocks of the page, when all others are closed.
    pub(super) fn finish(mut self) -> Vec<Block> {
        while self.open.len() > 1 {
            self.close(Vec::new());
        }
        let Some(Container::Root(mut blocks)) = self.open.pop() else { return Vec::new() };
        while matches!(blocks.last(), Some(Block::Rule)) {
            blocks.pop();
        }
        blocks
    }
}

/// Makes a list that has another one alone be that: lists in lists set the text further in (LibreOffice, Steam, old pages).
fn take_inner(list: &mut List) {
    if let [ListEntry { blocks, .. }] = &mut list.entries[..]
        && let [Block::List(inner)] = &mut blocks[..]
    {
        *list = std::mem::take(inner);
    }
}

/// Adds a block; a rule parts what stands before it from what stands behind.
fn append(blocks: &mut Vec<Block>, block: Block) {
    match (blocks.last(), &block) {
        (None | Some(Block::Rule), Block::Rule) => {}
        _ => blocks.push(block),
    }
}

fn last_definition(entries: &mut Vec<Definition>) -> &mut Definition {
    if entries.is_empty() {
        entries.push(Definition::default());
    }
    let last = entries.len() - 1;
    &mut entries[last]
}

/// A block between terms and definitions.
fn push_stray(entries: &mut Vec<Definition>, block: Block) {
    match entries.last_mut() {
        Some(Definition { terms, definitions }) if terms.is_empty() && !definitions.is_empty() => {
            if let Some(blocks) = definitions.last_mut() {
                blocks.push(block);
            }
        }
        _ => entries.push(Definition { terms: Vec::new(), definitions: vec![vec![block]] }),
    }
}
