//! The walk that writes a page.

use super::names::{Fate, attribute, fate, is_void};
use super::runs::{Held, held};
use super::{FOUND_ID, Marking};
use crate::cst::RunId;
use crate::dom::{Dom, DomId, SourceElement, SourceElements, Tag};
use crate::pipeline::ParsedPage;

pub(super) struct Writer<'a> {
    dom: &'a Dom,
    source: &'a SourceElements,
    marking: &'a Marking<'a>,
    held: Vec<Held>,
    out: String,
    /// Elements that are open, with the end tag to write and whether the run was marked there.
    open: Vec<(DomId, Option<&'static str>, bool)>,
    /// Open elements that have the mark of all that is in them.
    marked: usize,
    has_found: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(page: &'a ParsedPage<'_>, source: &'a SourceElements, marking: &'a Marking<'a>) -> Self {
        let held = held(&page.dom, &page.tree);
        Self {
            dom: &page.dom,
            source,
            marking,
            held,
            out: String::new(),
            open: Vec::new(),
            marked: 0,
            has_found: false,
        }
    }

    /// What is in the page's body.
    pub(super) fn body(mut self) -> String {
        let Some(body) = self.dom.find(Tag::Body) else { return self.out };
        let mut at = self.dom.first_child(body);
        while let Some(id) = at {
            let goes_in = self.node(id);
            at = if goes_in { self.dom.first_child(id) } else { None };
            if at.is_none() {
                self.close_up_to(id);
                at = self.next(id, body);
            }
        }
        self.out
    }

    /// The node after `id`'s subtree; elements that end before it are closed.
    fn next(&mut self, id: DomId, body: DomId) -> Option<DomId> {
        let mut at = id;
        loop {
            if let Some(next) = self.dom.next_sibling(at) {
                return Some(next);
            }
            at = self.dom.parent(at).filter(|parent| *parent != body)?;
            self.close_up_to(at);
        }
    }

    fn close_up_to(&mut self, id: DomId) {
        if self.open.last().is_some_and(|(open, _, _)| *open == id)
            && let Some((_, end, was_marked)) = self.open.pop()
        {
            self.marked -= usize::from(was_marked);
            if let Some(name) = end {
                self.out.extend(["</", name, ">"]);
            }
        }
    }

    /// Writes a node, and says whether its children are to be written.
    fn node(&mut self, id: DomId) -> bool {
        if let Some(text) = self.dom.text(id) {
            self.text(id, text);
            return false;
        }
        let Some(element) = self.source.get(id) else { return false };
        match fate(element) {
            Fate::LeftOut => false,
            Fate::Named(word) => {
                self.out.extend(["<span class=\"lopper-gone\">", word, "</span>"]);
                false
            }
            Fate::Opened => true,
            Fate::Written(name) => {
                self.element(id, element, name);
                !is_void(name)
            }
        }
    }

    fn text(&mut self, id: DomId, text: &str) {
        match self.held[id.index()] {
            Held::One(run) if self.marked == 0 => {
                self.out.push_str("<span");
                self.mark(run);
                self.out.push('>');
                escape(&mut self.out, text);
                self.out.push_str("</span>");
            }
            _ => escape(&mut self.out, text),
        }
    }

    fn element(&mut self, id: DomId, element: &SourceElement, name: &'static str) {
        let run = match self.held[id.index()] {
            Held::One(run) if self.marked == 0 => Some(run),
            _ => None,
        };
        self.out.extend(["<", name]);
        self.attributes(element, name, run.is_some_and(|run| self.is_first_found(run)));
        if let Some(run) = run {
            self.mark(run);
        }
        self.out.push('>');
        if !is_void(name) {
            self.marked += usize::from(run.is_some());
            self.open.push((id, Some(name), run.is_some()));
        }
    }

    fn attributes(&mut self, element: &SourceElement, name: &str, without_id: bool) {
        for (given, value) in element.attributes() {
            if let Some((given, value)) =
                attribute(name, given, value).filter(|(given, _)| *given != "id" || !without_id)
            {
                self.attribute(given, &value);
            }
        }
        if name == "img"
            && let Some(src) = element.attribute("data-src").or_else(|| element.attribute("src"))
            && let Some(place) = (self.marking.picture)(src.trim())
        {
            self.attribute("src", &place);
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.out.extend([" ", name, "=\""]);
        escape(&mut self.out, value);
        self.out.push('"');
    }

    fn is_first_found(&self, run: RunId) -> bool {
        !self.has_found && (self.marking.found)(run)
    }

    fn mark(&mut self, run: RunId) {
        self.attribute("data-run", &run.to_string());
        if self.is_first_found(run) {
            self.has_found = true;
            self.attribute("id", FOUND_ID);
        }
        if (self.marking.found)(run) {
            self.attribute("data-found", "");
        }
        if let Some(fate) = (self.marking.fate)(run) {
            self.attribute("data-fate", fate);
        }
    }
}

fn escape(out: &mut String, text: &str) {
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            char => out.push(char),
        }
    }
}
