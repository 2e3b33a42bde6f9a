//! Elements that are blocks: what each opens where it stands.

use super::builder::{Builder, End};
use super::code::{language_of, text_of};
use super::containers::{Container, LineKind};
use super::line::Setting;
use super::table::TableShape;
use crate::document::{Block, List, Row, Table};
use crate::dom::{AttributeName, DomId, Tag};

/// Blocks within blocks; deeper ones are written as their words.
const DEPTH_MAX: usize = 48;

/// Elements of a heading that are looked at for blocks in it.
const HEADING_NODES_MAX: usize = 256;

impl Builder<'_> {
    /// Opens a block; `None` when nothing inside it is read any more.
    pub(super) fn enter_block(&mut self, element: DomId, tag: Tag) -> Option<End> {
        if self.containers.is_line() {
            if tag == Tag::Pre {
                self.line.open(Setting::Code);
                return Some(End { setting: true, ..End::default() });
            }
            self.line.part();
            return Some(End { paragraph: true, ..End::default() });
        }
        self.end_paragraph();
        if matches!(tag, Tag::Pre | Tag::Xmp | Tag::Plaintext) {
            self.code(element);
            return None;
        }
        if self.containers.len() >= DEPTH_MAX {
            return Some(End { paragraph: true, ..End::default() });
        }
        if let Some(label) = self.notes.label(element) {
            self.containers.open(Container::Note { label: label.to_owned(), blocks: Vec::new() });
            return Some(End { paragraph: true, container: true, ..End::default() });
        }
        if tag == Tag::Table {
            return self.enter_table(element);
        }
        let container = self.container(element, tag);
        let end = End { paragraph: true, container: container.is_some(), ..End::default() };
        if let Some(container) = container {
            self.containers.open(container);
        }
        Some(end)
    }

    /// The container that an element opens where it stands.
    fn container(&self, element: DomId, tag: Tag) -> Option<Container> {
        let last = self.containers.last();
        match tag {
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir => {
                let ordered = tag == Tag::Ol;
                let start = self.dom.attribute(element, AttributeName::Start).filter(|_| ordered);
                let start = start.and_then(|start| start.trim().parse().ok()).unwrap_or(1);
                Some(Container::List { list: List { ordered, start, entries: Vec::new() }, notes: Vec::new() })
            }
            Tag::Li => Some(Container::ListEntry(Vec::new())),
            Tag::Dl => Some(Container::Definitions(Vec::new())),
            Tag::Dd if matches!(last, Some(Container::Definitions(_))) => Some(Container::Definition(Vec::new())),
            Tag::Dt if matches!(last, Some(Container::Definitions(_))) && !self.holds_blocks(element) => {
                Some(Container::Line(LineKind::Term))
            }
            Tag::Blockquote => Some(Container::Quote(Vec::new())),
            Tag::Figure => Some(Container::Figure { blocks: Vec::new(), caption: Vec::new() }),
            Tag::Figcaption if matches!(last, Some(Container::Figure { .. })) && !self.holds_blocks(element) => {
                Some(Container::Line(LineKind::FigureCaption))
            }
            Tag::Caption if matches!(last, Some(Container::Table { .. })) => {
                Some(Container::Line(LineKind::TableCaption))
            }
            Tag::Tr if matches!(last, Some(Container::Table { .. })) => {
                Some(Container::Row { row: Row::default(), is_head: self.is_in_head(element) })
            }
            Tag::Td | Tag::Th if matches!(last, Some(Container::Row { .. })) => {
                Some(Container::Cell { cell: self.cell(element, tag) })
            }
            _ => {
                let level = tag.heading_level().filter(|_| !self.holds_blocks(element))?;
                Some(Container::Line(LineKind::Heading(level)))
            }
        }
    }

    /// Whether blocks stand in an element that is meant for one line.
    fn holds_blocks(&self, element: DomId) -> bool {
        let is_block = |tag: Tag| {
            tag.heading_level().is_some()
                || matches!(tag, Tag::Ul | Tag::Ol | Tag::Li | Tag::Table | Tag::Pre | Tag::Dl)
        };
        let below = self.dom.descendants(element).skip(1).take(HEADING_NODES_MAX);
        below.filter(|id| self.marks.is_kept(*id)).filter_map(|id| self.dom.tag(id)).any(is_block)
    }

    fn enter_table(&mut self, element: DomId) -> Option<End> {
        let shape = TableShape::of(self.dom, element);
        if shape.is_code() {
            self.code(element);
            return None;
        }
        let is_data = shape.is_data();
        if is_data {
            self.containers.open(Container::Table { table: Table::default(), keeps_rows: shape.row_spans });
        }
        Some(End { paragraph: true, container: is_data, ..End::default() })
    }

    fn code(&mut self, element: DomId) {
        let text = text_of(self.dom, element);
        if !text.trim().is_empty() {
            self.containers.push(Block::Code { language: language_of(self.dom, element), text });
        }
    }
}
