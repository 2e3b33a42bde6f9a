//! One walk through a page's elements.

use super::ContentOptions;
use super::address::Address;
use super::aria::grid_role;
use super::captions::is_rule_of_float;
use super::changes;
use super::containers::{Container, Containers, RowPlace};
use super::equations;
use super::formula::{self, Delimiters, Formula};
use super::glued::begins_word;
use super::line::Line;
use super::marks::Marks;
use super::notes::Notes;
use super::table::span;
use crate::cst::{Seam, display, keeps_lines};
use crate::document::{Block, Cell, Document, Inline, has_content};
use crate::dom::{AttributeName, Display, Dom, DomId, Tag, classes};

/// An element whose end has not been reached.
#[derive(Debug)]
struct Frame {
    element: DomId,
    child: Option<DomId>,
    end: End,
}

/// What ends with an element.
#[derive(Debug, Default, Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(super) struct End {
    /// A paragraph.
    pub(super) paragraph: bool,
    /// The innermost container.
    pub(super) container: bool,
    /// The innermost setting.
    pub(super) setting: bool,
    /// A link or button.
    pub(super) control: bool,
    /// An element whose text holds formulas.
    pub(super) formulas: bool,
    /// An element of code within a line.
    pub(super) code: bool,
    /// An element in which line ends are shown.
    pub(super) lines: bool,
    /// A quotation within a line.
    pub(super) quotation: bool,
    /// How the word before it is read, which the page sets off by its place alone.
    pub(super) reading: bool,
    /// A table of divisions, whose last row is open.
    pub(super) grid: bool,
}

pub(super) struct Builder<'a> {
    pub(super) dom: &'a Dom,
    pub(super) marks: &'a Marks,
    pub(super) address: Address,
    pub(super) options: ContentOptions,
    delimiters: Delimiters,
    pub(super) notes: Notes,
    pub(super) containers: Containers,
    pub(super) line: Line,
    /// Open elements whose text holds formulas.
    marked: u32,
    /// Open elements of code.
    pub(super) code: u32,
    /// Open elements in which line ends are shown.
    lines: u32,
    pub(super) seam: Seam,
    /// Notes that stand within lines, with their labels.
    pub(super) inline_notes: Vec<(String, DomId)>,
    /// Whether one of these is read.
    pub(super) is_within_note: bool,
    /// The cell with the sign of the numbered paragraph that is laid out as a table.
    pub(super) sign_cell: Option<DomId>,
    /// That sign, or that of an entry, until the paragraph begins.
    pub(super) sign: Option<String>,
    /// The number that stands before the formula that comes next.
    pub(super) equation_number: Option<String>,
    /// The texts that are the sign of the entry that began, which its list shows.
    pub(super) sign_texts: Vec<DomId>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(dom: &'a Dom, marks: &'a Marks, notes: Notes, url: &str, options: ContentOptions) -> Self {
        Self {
            dom,
            marks,
            address: Address::new(dom, url),
            options,
            delimiters: Delimiters::of(dom),
            notes,
            containers: Containers::new(),
            line: Line::default(),
            marked: 0,
            code: 0,
            lines: 0,
            seam: Seam::default(),
            inline_notes: Vec::new(),
            is_within_note: false,
            sign_cell: None,
            sign: None,
            equation_number: None,
            sign_texts: Vec::new(),
        }
    }

    pub(super) fn build(mut self) -> Document {
        if self.marks.is_kept(Dom::DOCUMENT) {
            self.walk(Dom::DOCUMENT);
        }
        self.end_paragraph();
        self.inline_notes();
        let mut document = Document { blocks: self.containers.finish() };
        document.drop_controls();
        document
    }

    /// The notes that stood within lines, behind all else.
    fn inline_notes(&mut self) {
        let mut next = 0;
        while let Some((label, content)) = self.inline_notes.get(next).cloned() {
            self.containers.open(Container::Note { label, blocks: Vec::new() });
            self.is_within_note = true;
            self.walk(content);
            self.is_within_note = false;
            self.end_paragraph();
            self.containers.close(Vec::new());
            next += 1;
        }
    }

    fn walk(&mut self, root: DomId) {
        let mut stack = vec![self.frame(root, End::default())];
        while let Some(frame) = stack.last_mut() {
            let Some(child) = frame.child else {
                let Frame { element, end, .. } = *frame;
                stack.pop();
                self.leave(element, end);
                continue;
            };
            frame.child = self.dom.next_sibling(child);
            if let Some(text) = self.dom.text(child) {
                self.text(child, text);
            } else if let Some(tag) = self.dom.tag(child)
                && let Some(end) = self.enter(child, tag)
            {
                stack.push(self.frame(child, end));
            }
        }
    }

    fn frame(&self, element: DomId, end: End) -> Frame {
        Frame { element, child: self.dom.first_child(element), end }
    }

    fn text(&mut self, id: DomId, text: &str) {
        if self.sign_texts.contains(&id) {
            return;
        }
        if self.marks.is_kept(id) {
            if let Some(sign) = self.sign.take_if(|_| !text.trim().is_empty()) {
                self.line.text(&sign);
                self.line.part();
            }
            let place = self.seam.take();
            if place.is_some_and(|place| {
                place.parts(self.dom, self.line.last_text(), text) || begins_word(self.dom, id, &self.line, text)
            }) {
                self.line.part();
            }
            let text = self.behind_sign(id, text);
            if self.lines == 0 || self.code > 0 {
                return self.words(text);
            }
            for (number, line) in text.split('\n').enumerate() {
                if number > 0 && !self.line.is_empty() {
                    self.line.line_break();
                }
                self.words(line);
            }
        } else if text.chars().all(char::is_whitespace) {
            self.line.part();
        }
    }

    /// A text without what parts it from the sign of the footnote that it begins, which is left out: `1. A note.`
    fn behind_sign<'t>(&self, id: DomId, text: &'t str) -> &'t str {
        let before = self.dom.previous_sibling(id).filter(|_| self.line.is_empty());
        let is_sign = |id: DomId| match self.dom.tag(id) {
            Some(Tag::A) => self.notes.is_back(self.dom, id),
            Some(tag @ Tag::Sup) => self.notes.is_sign_in_note(self.dom, id, tag),
            _ => false,
        };
        let behind = || text.strip_prefix(['.', ')', ':']).filter(|rest| !rest.starts_with('.'));
        before.filter(|id| is_sign(*id)).and_then(|_| behind()).unwrap_or(text)
    }

    /// Text with the formulas in it.
    fn words(&mut self, text: &str) {
        let delimiters = if self.marked > 0 { self.delimiters.marked() } else { self.delimiters };
        let mut rest = text;
        while let Some((before, formula, behind)) = delimiters.split(rest) {
            self.line.text(before);
            self.formula(formula);
            rest = behind;
        }
        self.line.text(rest);
    }

    pub(super) fn formula(&mut self, formula: Formula) {
        if formula.display && !self.containers.is_line() {
            self.end_paragraph();
            let tex = equations::tagged(formula.tex, self.equation_number.take());
            self.containers.push(Block::Formula { tex });
        } else {
            self.line.formula(formula);
        }
    }

    /// Opens an element; `None` when nothing inside it is read.
    fn enter(&mut self, element: DomId, tag: Tag) -> Option<End> {
        let display = display(self.dom, element, tag);
        match display {
            Display::Dropped => {
                self.dropped(element, tag);
                return None;
            }
            Display::Break => {
                self.line.line_break();
                return None;
            }
            Display::Rule if is_rule_of_float(self.dom, element) => return None,
            Display::Rule => {
                self.rule();
                return None;
            }
            Display::Inline | Display::Block => {}
        }
        if !self.marks.is_kept(element) {
            match formula::unjudged(self.dom, self.marks, element, tag) {
                Some(formula) => self.formula(formula),
                None => self.pass(element, tag, display),
            }
            return None;
        }
        if tag == Tag::Img {
            self.image(element);
            return None;
        }
        let may_concern = formula::may_concern(self.dom, element, tag);
        if may_concern {
            if let Some(formula) = formula::of_element(self.dom, element, tag) {
                self.formula(formula);
                return None;
            }
            if formula::is_shown_script(self.dom, element) {
                return None;
            }
        }
        if tag == Tag::Details && changes::are_closed(self.dom, element) {
            return None;
        }
        let grid = grid_role(self.dom, element, tag).and_then(|role| self.enter_grid(role));
        let mut end = match (grid, display) {
            (Some(end), _) => end,
            (None, Display::Block) => self.enter_block(element, tag)?,
            (None, _) => self.enter_inline(element, tag)?,
        };
        end.formulas = may_concern && formula::is_marked(self.dom, element);
        self.marked += u32::from(end.formulas);
        end.lines = keeps_lines(self.dom, element);
        self.lines += u32::from(end.lines);
        Some(end)
    }

    /// A script may be a formula, a box to tick the sign of a task, a field to edit code an example.
    pub(super) fn dropped(&mut self, element: DomId, tag: Tag) {
        if tag == Tag::Textarea
            && self.dom.has_class(element, classes!["code"])
            && !self.containers.is_line()
            && self.marks.surroundings_are_kept(self.dom, element)
        {
            self.end_paragraph();
            return self.code(element);
        }
        if tag == Tag::Input && self.dom.attribute(element, AttributeName::Type) == Some("checkbox") {
            return self.containers.task(self.dom.attribute(element, AttributeName::Checked).is_some());
        }
        if tag == Tag::Script
            && let Some(formula) = formula::of_script(self.dom, element)
            && self.marks.surroundings_are_kept(self.dom, element)
        {
            self.formula(formula);
        }
    }

    fn rule(&mut self) {
        if self.containers.is_line() {
            return self.line.part();
        }
        self.end_paragraph();
        if matches!(self.containers.last(), Some(Container::Root(_) | Container::Quote(_))) {
            self.containers.push(Block::Rule);
        }
    }

    pub(super) fn row_place(&self, row: DomId) -> RowPlace {
        match self.dom.parent(row).and_then(|parent| self.dom.tag(parent)) {
            Some(Tag::Thead) => RowPlace::Head,
            Some(Tag::Tfoot) => RowPlace::Foot,
            _ => RowPlace::Body,
        }
    }

    pub(super) fn cell(&self, element: DomId, tag: Tag) -> Cell {
        Cell {
            header: tag == Tag::Th,
            columns: span(self.dom, element, AttributeName::Colspan),
            rows: span(self.dom, element, AttributeName::Rowspan),
            blocks: Vec::new(),
        }
    }

    fn leave(&mut self, element: DomId, end: End) {
        if end.quotation {
            self.line.end_quotation();
        }
        if end.reading {
            self.line.end_reading();
        }
        if matches!(self.dom.tag(element), Some(Tag::Table | Tag::Li)) {
            self.sign = None;
        }
        if end.formulas {
            self.marked -= 1;
            self.equation_number = None;
        }
        self.code -= u32::from(end.code);
        self.lines -= u32::from(end.lines);
        if self.code == 0 {
            self.seam.close(element);
        }
        if end.setting {
            self.line.close();
        }
        if end.control {
            self.line.end_control();
        }
        if self.containers.is_line() {
            if !end.container {
                if end.paragraph {
                    self.line.part();
                }
                return;
            }
            let words = self.take_line();
            self.containers.close(words);
            return;
        }
        if end.paragraph {
            self.sign_texts.clear();
            self.end_paragraph();
        }
        if end.grid {
            self.containers.end_row();
        }
        if end.container {
            self.containers.close(Vec::new());
        }
    }

    /// The line's words; paragraphs in it are lines.
    fn take_line(&mut self) -> Vec<Inline> {
        let mut words = Vec::new();
        for paragraph in self.line.take() {
            if !words.is_empty() {
                words.push(Inline::LineBreak);
            }
            words.extend(paragraph);
        }
        words
    }

    /// Ends the paragraph that is being filled.
    pub(super) fn end_paragraph(&mut self) {
        self.seam = Seam::default();
        if self.containers.is_line() {
            return self.line.part();
        }
        if self.line.is_empty() {
            self.line.take();
            return;
        }
        for content in self.line.take() {
            if has_content(&content)
                && !matches!(self.containers.last(), Some(Container::Table { .. } | Container::Row { .. }))
            {
                self.containers.push(Block::Paragraph { content });
            }
        }
    }
}
