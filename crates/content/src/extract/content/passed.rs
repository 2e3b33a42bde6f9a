//! Elements without kept content, which still part words, and keep their places in lists and tables.

use super::builder::Builder;
use super::classes::class;
use super::containers::Container;
use super::icon;
use crate::document::{Block, Inline, Row};
use crate::dom::{Display, DomId, Tag};

/// Nodes of an element without text that are looked at for ends of lines.
const BREAKS_NODES_MAX: usize = 8;

impl Builder<'_> {
    /// An element without kept content: it still parts words, and a cell keeps its place.
    pub(super) fn pass(&mut self, element: DomId, tag: Tag, display: Display) {
        let is_cell = matches!(tag, Tag::Td | Tag::Th);
        if is_cell && matches!(self.containers.last(), Some(Container::Row { .. })) {
            let mut cell = self.cell(element, tag);
            // A sign without text was not judged.
            let name = icon::name_of(self.dom, element).filter(|_| self.dom.text_content(element).trim().len() <= 80);
            cell.blocks
                .extend(name.map(|name| Block::Paragraph { content: vec![Inline::Text { text: name.to_owned() }] }));
            self.containers.open(Container::Cell { cell });
            self.containers.close(Vec::new());
        } else if tag == Tag::Tr && matches!(self.containers.last(), Some(Container::Table { keeps_rows: true, .. })) {
            self.empty_row(element);
        } else if tag == Tag::Li {
            self.pass_entry();
        } else if display == Display::Block {
            self.end_paragraph();
        } else {
            self.pass_inline(element, tag);
        }
    }

    fn pass_inline(&mut self, element: DomId, tag: Tag) {
        // The dot that gi-docgen's style draws between the parts of a name.
        if tag == Tag::Span && class(self.dom, element) == "sep" && self.dom.is_in_heading(element) {
            return self.line.text(".");
        }
        if tag == Tag::Label
            && let Some(input) = self.dom.children(element).find(|id| self.dom.tag(*id) == Some(Tag::Input))
        {
            self.dropped(input, Tag::Input);
        }
        if self.code == 0 {
            self.seam.open(element, tag);
            self.seam.close(element);
        }
        let mut texts = self.dom.descendants(element).take(8).filter_map(|id| self.dom.text(id));
        if texts.any(|text| text.contains(char::is_whitespace)) {
            self.line.part();
        }
        self.pass_breaks(element);
    }

    /// The ends of lines in an element without text are those of the text around it: `<b><br></b>`, as editors write it.
    fn pass_breaks(&mut self, element: DomId) {
        let within = || self.dom.descendants(element).take(BREAKS_NODES_MAX);
        if within().any(|id| self.dom.text(id).is_some_and(|text| !text.trim().is_empty())) {
            return;
        }
        for _ in within().filter(|id| self.dom.tag(*id) == Some(Tag::Br)) {
            self.line.line_break();
        }
    }

    /// The first entry that is there has the number that it has on the page.
    fn pass_entry(&mut self) {
        self.end_paragraph();
        if let Some(Container::List { list, .. }) = self.containers.last_mut()
            && list.ordered
            && list.entries.is_empty()
        {
            list.start = list.number(1);
        }
    }

    fn empty_row(&mut self, row: DomId) {
        self.containers.open(Container::Row { row: Row::default(), place: self.row_place(row) });
        for cell in self.dom.children(row) {
            if let Some(tag @ (Tag::Td | Tag::Th)) = self.dom.tag(cell) {
                self.pass(cell, tag, Display::Block);
            }
        }
        self.containers.close(Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn lines_end_in_elements_that_hold_nothing_else() {
        let html = "<p><b>Skin:</b><i><b><br></b></i>all<span><br></span>of it<a href=/x><br></a>is here</p>";
        assert_eq!(markdown(html), "**Skin:**  \nall  \nof it  \nis here\n");
        assert_eq!(markdown("<p>one<b><br> <br></b>two</p>"), markdown("<p>one<br> <br>two</p>"));
    }
}
