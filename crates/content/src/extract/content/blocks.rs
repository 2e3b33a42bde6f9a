//! Elements that are blocks: what each opens where it stands.

use super::aria::GridRole;
use super::builder::{Builder, End};
use super::captions::{self, is_float};
use super::code::{file_name, is_listing, parts_of, text_of};
use super::code_language::language_of;
use super::code_lines::is_diff;
use super::containers::{Container, LineKind, RowPlace};
use super::doxygen::{is_member_cell, lays_out_members, signature};
use super::equations;
use super::furniture::{
    SummaryCell, admonition, is_done, is_furniture, is_line_of_verse, is_summary_table, lays_out, lays_out_sections,
    summary_cell,
};
use super::haddock;
use super::infobox::{self, InfoboxPart};
use super::inlines::is_source_of_quotation;
use super::joined_lists::{joint, numbering};
use super::line::Setting;
use super::marked_headings;
use super::own_marks::is_bullet;
use super::scaladoc::is_short_comment;
use super::scribble;
use super::signed_definitions::{sign_of, signed_list};
use super::table::{TableShape, sign_cell};
use super::tabs;
use crate::document::{Block, Cell, Inline, List, ListEntry, Row};
use crate::dom::{AttributeName, DomId, Tag, classes};

/// Blocks within blocks; deeper ones are written as their words.
const DEPTH_MAX: usize = 48;

/// Elements of a heading that are looked at for blocks in it.
const HEADING_NODES_MAX: usize = 256;

impl Builder<'_> {
    /// Opens a block; `None` when nothing inside it is read any more.
    pub(super) fn enter_block(&mut self, element: DomId, tag: Tag) -> Option<End> {
        if let Some(end) = self.enter_within_line(element, tag) {
            return Some(end);
        }
        self.end_paragraph();
        if self.is_left_out(element, tag) {
            return None;
        }
        if let Some(label) = tabs::label(self.dom, element) {
            self.label(label);
        }
        if matches!(tag, Tag::Pre | Tag::Xmp | Tag::Plaintext) || is_listing(self.dom, element, tag) {
            self.code(element);
            return None;
        }
        if self.containers.len() >= DEPTH_MAX {
            return Some(End { paragraph: true, ..End::default() });
        }
        if self.takes_whole(element, tag) {
            return None;
        }
        if let Some(container) = self.named_container(element, tag) {
            let grid = matches!(container, Container::Table { .. });
            self.containers.open(container);
            return Some(End { paragraph: true, container: true, grid, ..End::default() });
        }
        match tag {
            Tag::Table => return self.enter_table(element),
            Tag::P => {
                if let Some(end) = self.enter_word_entry(element) {
                    return Some(end);
                }
            }
            Tag::Div => {
                if let Some(kind) = admonition(self.dom, element) {
                    self.label(kind.to_owned());
                }
            }
            Tag::Li => self.number_of_entry(element),
            _ => {}
        }
        let container = self.container(element, tag);
        let end = End { paragraph: true, container: container.is_some(), ..End::default() };
        if let Some(container) = container {
            self.containers.open(container);
        }
        Some(end)
    }

    /// Goes on with the line that is open where a block can only be words of it, or begins a line of a verse.
    fn enter_within_line(&mut self, element: DomId, tag: Tag) -> Option<End> {
        if is_member_cell(self.dom, element, tag) && !matches!(self.containers.last(), Some(Container::Row { .. })) {
            self.line.part();
            return Some(End::default());
        }
        if self.containers.is_line() && tag == Tag::Pre {
            self.line.open(Setting::Code);
            return Some(End { setting: true, ..End::default() });
        }
        if self.containers.is_line() {
            self.line.part();
            return Some(End { paragraph: true, ..End::default() });
        }
        if is_line_of_verse(self.dom, element) && self.notes.label(element).is_none() {
            self.line.begin_line();
            return Some(End::default());
        }
        None
    }

    /// Whether nothing of a block is written where it stands. A cell with a sign is remembered for what the sign stands beside.
    fn is_left_out(&mut self, element: DomId, tag: Tag) -> bool {
        if self.sign_cell == Some(element) {
            self.sign = Some(self.dom.text_content(element).trim().to_owned());
            return true;
        }
        is_furniture(self.dom, element, tag)
            || is_short_comment(self.dom, self.marks, element)
            || tabs::is_label_list(self.dom, element)
    }

    /// Writes what is one piece: the sign of a note or of an entry, and code that a generator writes as something else. Tells whether it was.
    fn takes_whole(&mut self, element: DomId, tag: Tag) -> bool {
        if self.notes.is_sign(element) {
            return true;
        }
        if tag == Tag::Dt && matches!(self.containers.last(), Some(Container::List { .. })) {
            self.sign_of_entry(element);
            return true;
        }
        let signature = || haddock::signature(self.dom, element).filter(|_| tag == Tag::P);
        let code = scribble::code(self.dom, element, tag)
            .or_else(|| signature().map(|text| Block::Code { language: None, text }));
        code.map(|code| self.containers.push(code)).is_some()
    }

    /// The container that an element opens by what it is called: a note, a table of a summary or one of its cells.
    fn named_container(&mut self, element: DomId, tag: Tag) -> Option<Container> {
        if let Some(label) = self.notes.label(element) {
            return Some(Container::Note { label: label.to_owned(), blocks: Vec::new() });
        }
        if tag != Tag::Div {
            return None;
        }
        if is_summary_table(self.dom, element) {
            return Some(Container::table(true));
        }
        self.summary_cell(element).map(|cell| Container::Cell { cell })
    }

    /// Numbers the entry that comes next as the page says.
    fn number_of_entry(&mut self, element: DomId) {
        let said = self.dom.attribute(element, AttributeName::Value);
        if let Some(number) = said.and_then(|value| value.trim().parse().ok()) {
            self.containers.number(number);
        }
    }

    /// A short text that says what comes next, on a line of its own.
    fn label(&mut self, text: String) {
        if !matches!(self.containers.last(), Some(Container::Table { .. } | Container::Row { .. })) {
            let content = vec![Inline::Strong { content: vec![Inline::Text { text }] }];
            self.containers.push(Block::Paragraph { content });
        }
    }

    /// Opens what an element is in a table of roles, where it stands in its place.
    pub(super) fn enter_grid(&mut self, role: GridRole) -> Option<End> {
        let opened = match (role, self.containers.last()) {
            (GridRole::Table, _) if !self.containers.is_line() && self.containers.len() < DEPTH_MAX => {
                self.end_paragraph();
                Container::table(false)
            }
            (GridRole::Row, Some(Container::Table { .. })) => {
                Container::Row { row: Row::default(), place: RowPlace::Body }
            }
            (GridRole::Cell { is_head }, Some(Container::Row { .. })) => {
                Container::Cell { cell: Cell { header: is_head, ..Cell::default() } }
            }
            _ => return None,
        };
        self.containers.open(opened);
        Some(End { paragraph: true, container: true, ..End::default() })
    }

    /// The container that an element opens where it stands.
    fn container(&self, element: DomId, tag: Tag) -> Option<Container> {
        if matches!(tag, Tag::Ul | Tag::Ol | Tag::Li) && lays_out_sections(self.dom, element, tag) {
            return None;
        }
        let part = self.part_of_infobox(element, tag);
        if part.is_some() {
            return part;
        }
        let found = match tag {
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir | Tag::Li | Tag::Dl | Tag::Dd | Tag::Dt => {
                self.part_of_list(element, tag)
            }
            Tag::Blockquote if is_float(self.dom, element) || scribble::is_flow(self.dom, element) => return None,
            Tag::Blockquote => Some(Container::Quote(Vec::new())),
            Tag::Div if self.is_called_quotation(element) => Some(Container::Quote(Vec::new())),
            Tag::Caption | Tag::Tr | Tag::Td | Tag::Th => self.part_of_table(element, tag),
            _ => self.part_of_figure(element, tag),
        };
        found.or_else(|| self.heading(element, tag))
    }

    /// The box beside an article, or a part of it.
    fn part_of_infobox(&self, element: DomId, tag: Tag) -> Option<Container> {
        let is_in_definitions = || matches!(self.containers.last(), Some(Container::Definitions { .. }));
        match infobox::part(self.dom, element, tag)? {
            InfoboxPart::Entry => Some(definitions()),
            InfoboxPart::Name if is_in_definitions() => Some(Container::Line(LineKind::Term)),
            InfoboxPart::Value if is_in_definitions() => Some(Container::Definition(Vec::new())),
            _ => None,
        }
    }

    /// A list, definitions, or an entry of these.
    fn part_of_list(&self, element: DomId, tag: Tag) -> Option<Container> {
        let last = self.containers.last();
        let is_in_definitions = matches!(last, Some(Container::Definitions { .. }));
        match tag {
            Tag::Li => {
                let done = is_done(self.dom, element);
                Some(Container::ListEntry(ListEntry { done, ..ListEntry::default() }))
            }
            Tag::Dl => Some(self.signed_list(element).unwrap_or_else(definitions)),
            Tag::Dd if matches!(last, Some(Container::List { .. })) => Some(Container::ListEntry(ListEntry::default())),
            Tag::Dd if is_in_definitions => Some(Container::Definition(Vec::new())),
            Tag::Dt if is_in_definitions && !self.holds_blocks(element) => Some(Container::Line(LineKind::Term)),
            Tag::Dd | Tag::Dt => None,
            _ => Some(Container::list(self.list(element, tag), joint(self.dom, self.marks, element, tag))),
        }
    }

    /// Whether a division is a quotation by its class.
    fn is_called_quotation(&self, element: DomId) -> bool {
        self.dom.has_class(element, classes!["quoted-text"])
            || self.dom.has_class(element, classes!["attribution"]) && is_source_of_quotation(self.dom, element)
    }

    /// A figure or its caption.
    fn part_of_figure(&self, element: DomId, tag: Tag) -> Option<Container> {
        let is_figure = tag == Tag::Figure || tag == Tag::Div && captions::is_figure(self.dom, element);
        if is_figure {
            return Some(Container::Figure { blocks: Vec::new(), caption: Vec::new() });
        }
        let is_caption = matches!(self.containers.last(), Some(Container::Figure { .. }))
            && (tag == Tag::Figcaption || matches!(tag, Tag::P | Tag::Div) && captions::is_caption(self.dom, element))
            && !self.holds_blocks(element);
        is_caption.then_some(Container::Line(LineKind::FigureCaption))
    }

    /// The caption of a table, a row, or a cell.
    fn part_of_table(&self, element: DomId, tag: Tag) -> Option<Container> {
        match (tag, self.containers.last()?) {
            (Tag::Caption, Container::Table { .. }) => Some(Container::Line(LineKind::TableCaption)),
            (Tag::Tr, Container::Table { .. }) => {
                Some(Container::Row { row: Row::default(), place: self.row_place(element) })
            }
            (Tag::Td | Tag::Th, Container::Row { .. }) => Some(Container::Cell { cell: self.cell(element, tag) }),
            _ => None,
        }
    }

    /// The line of a heading, by the tag or by what the element says of itself.
    fn heading(&self, element: DomId, tag: Tag) -> Option<Container> {
        if marked_headings::is_second_line(self.dom, element, tag) {
            return Some(Container::Line(LineKind::SecondLine));
        }
        let level = tag.heading_level().or_else(|| self.said_level(element));
        let level = level.or_else(|| marked_headings::level(self.dom, element, tag));
        let level = level.filter(|_| !self.holds_blocks(element))?;
        Some(Container::Line(LineKind::Heading(level)))
    }

    /// The list that definitions are whose terms are its marks. Footnotes are none of it.
    fn signed_list(&self, element: DomId) -> Option<Container> {
        let are_notes = || self.dom.children(element).any(|id| self.notes.label(id).is_some());
        signed_list(self.dom, element).filter(|_| !are_notes()).map(|list| Container::list(list, None))
    }

    /// A list without its entries.
    fn list(&self, element: DomId, tag: Tag) -> List {
        if tag != Tag::Ol {
            return List { start: 1, ..List::default() };
        }
        let reversed = self.dom.attribute(element, AttributeName::Reversed).is_some();
        let start = self.dom.attribute(element, AttributeName::Start).and_then(|start| start.trim().parse().ok());
        let entries = || self.dom.children(element).filter(|id| self.dom.tag(*id) == Some(Tag::Li)).count() as u32;
        let start = start.unwrap_or_else(|| if reversed { entries() } else { 1 });
        List { ordered: true, reversed, numbering: numbering(self.dom, element), start, entries: Vec::new() }
    }

    /// The mark of an entry, unless its list shows it by itself.
    fn sign_of_entry(&mut self, term: DomId) {
        let is_numbered = matches!(self.containers.last(), Some(Container::List { list, .. }) if list.ordered);
        self.sign = sign_of(self.dom, term).filter(|sign| !is_numbered && !is_bullet(sign));
    }

    /// The level of an element that is no heading but says that it is one.
    fn said_level(&self, element: DomId) -> Option<u8> {
        if self.dom.attribute(element, AttributeName::Role) != Some("heading") {
            return None;
        }
        let level = self.dom.attribute(element, AttributeName::AriaLevel).and_then(|level| level.trim().parse().ok());
        // Without a level it is one of the second, by ARIA.
        Some(level.unwrap_or(2).clamp(1, 6))
    }

    /// The cell that a division is in a table of divisions; the first of a row begins it.
    fn summary_cell(&mut self, element: DomId) -> Option<Cell> {
        if !matches!(self.containers.last(), Some(Container::Table { .. } | Container::Row { .. })) {
            return None;
        }
        let SummaryCell { is_first, is_head } = summary_cell(self.dom, element)?;
        if is_first {
            self.containers.end_row();
        }
        if !matches!(self.containers.last(), Some(Container::Row { .. })) {
            let place = if is_head { RowPlace::Head } else { RowPlace::Body };
            self.containers.open(Container::Row { row: Row::default(), place });
        }
        Some(Cell { header: is_head, ..Cell::default() })
    }

    /// Whether blocks stand in an element that is meant for one line.
    fn holds_blocks(&self, element: DomId) -> bool {
        let is_block = |tag: Tag| {
            tag.heading_level().is_some()
                || matches!(tag, Tag::Ul | Tag::Ol | Tag::Li | Tag::Table | Tag::Pre | Tag::Dl)
        };
        let mut below = self.dom.descendants(element).skip(1).take(HEADING_NODES_MAX);
        below.any(|id| self.marks.is_kept(id) && self.dom.tag(id).is_some_and(is_block) && !self.is_within_line(id))
    }

    /// Whether preformatted text is a word or two beside others: the version behind a title (Swagger UI).
    fn is_within_line(&self, pre: DomId) -> bool {
        self.dom.tag(pre) == Some(Tag::Pre)
            && self.dom.parent(pre).is_some_and(|around| matches!(self.dom.tag(around), Some(Tag::Span | Tag::Small)))
            && !self.dom.text_content(pre).trim().contains('\n')
    }

    fn enter_table(&mut self, element: DomId) -> Option<End> {
        let shape = TableShape::of(self.dom, element);
        if shape.is_code() {
            self.code(element);
            return None;
        }
        if let Some(text) = signature(self.dom, element) {
            self.containers.push(Block::Code { language: None, text });
            return None;
        }
        if let Some(formulas) = equations::of_table(self.dom, element) {
            for tex in formulas {
                self.containers.push(Block::Formula { tex });
            }
            return None;
        }
        if equations::is_laid_out(self.dom, element) {
            self.containers.open(Container::Line(LineKind::Words));
            return Some(End { paragraph: true, container: true, ..End::default() });
        }
        if let Some(cell) = sign_cell(self.dom, element) {
            self.sign_cell = Some(cell);
            return Some(End { paragraph: true, ..End::default() });
        }
        let is_data = shape.is_data()
            && !lays_out(self.dom, element)
            && !lays_out_members(self.dom, element)
            && !self.notes.are_rows_of(element);
        if is_data {
            self.containers.open(Container::table(shape.row_spans));
        }
        Some(End { paragraph: true, container: is_data, ..End::default() })
    }

    /// Code to the letter, behind the name of its file, where it has one.
    pub(super) fn code(&mut self, element: DomId) {
        if let Some(name) = file_name(self.dom, element) {
            self.containers.push(Block::Paragraph { content: vec![Inline::Code { text: name }] });
        }
        for part in parts_of(self.dom, element) {
            let text = text_of(self.dom, part);
            if !text.trim().is_empty() {
                let diff = || is_diff(self.dom, part).then(|| "diff".to_owned());
                self.containers.push(Block::Code { language: language_of(self.dom, part).or_else(diff), text });
            }
        }
    }
}

fn definitions() -> Container {
    Container::Definitions { entries: Vec::new(), notes: Vec::new() }
}
