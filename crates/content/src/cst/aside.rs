//! What stands beside words for those who use or edit a page: buttons in headings and code, links to edit a section, links in headings that
//! are hidden from those who listen to the page. And readings above words of scripts without blanks, which would part these (ruby).

use super::raised::{has_no_blanks, is_reading};
use super::text::APART;
use super::tree::Span;
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// The class of the links behind headings by which a section is edited (MediaWiki).
const EDIT_CLASS: &str = "mw-editsection";

/// Texts of a heading besides those of a link, and elements around one of these within the link, that are looked at.
const TEXTS_MAX: usize = 16;
const LEVELS_MAX: usize = 8;

/// Letters of a reading, at most.
const READING_CHARS_MAX: usize = 32;

/// Asides that are open, and where their texts begin.
#[derive(Default)]
pub(super) struct OpenAsides {
    buttons: u32,
    button_start: usize,
    /// A link, or links to edit.
    links: Option<(DomId, usize)>,
    /// A reading or its bracket, and the last one of them.
    reading_start: usize,
    reading: Span,
}

impl OpenAsides {
    /// Takes note of an element whose text begins at `start`.
    pub(super) fn open(&mut self, dom: &Dom, element: DomId, tag: Tag, start: usize) {
        match tag {
            Tag::Button => {
                if self.buttons == 0 {
                    self.button_start = start;
                }
                self.buttons += 1;
            }
            _ if is_reading(tag) => self.reading_start = start,
            Tag::Span if self.links.is_none() && dom.class_names(element).any(|class| class == EDIT_CLASS) => {
                self.links = Some((element, start));
            }
            Tag::A if self.links.is_none() && is_hidden_in_heading(dom, element) => self.links = Some((element, start)),
            _ => {}
        }
    }

    pub(super) fn is_in_button(&self) -> bool {
        self.buttons > 0
    }

    /// The text of an element that ends with `text`, where it stands beside words: that of an outermost button does where `is_beside`.
    pub(super) fn close(&mut self, element: DomId, tag: Tag, text: &str, is_beside: bool) -> Option<Span> {
        let start = match tag {
            Tag::Button => {
                self.buttons -= 1;
                (self.buttons == 0 && is_beside).then_some(self.button_start)?
            }
            _ if is_reading(tag) => return self.close_reading(text),
            _ => self.links.take_if(|(links, _)| *links == element)?.1,
        };
        let written = text.get(start..).unwrap_or("").trim_start();
        let span = Span { start: (text.len() - written.len()) as u32, end: text.len() as u32 };
        (!span.is_empty()).then_some(span)
    }
}

impl OpenAsides {
    /// The text of a reading with its brackets so far, behind a word that it would part from the next.
    fn close_reading(&mut self, text: &str) -> Option<Span> {
        let Span { start, end } = self.reading;
        let start = if end > 0 && end as usize == self.reading_start { start as usize } else { self.reading_start };
        let written = text.get(start..).unwrap_or("").trim_start();
        let start = text.len() - written.len();
        self.reading = Span { start: start as u32, end: text.len() as u32 };
        let is_short = !written.is_empty() && written.chars().nth(READING_CHARS_MAX).is_none();
        let is_behind = || text[..start].strip_suffix(APART).is_some_and(|word| word.ends_with(has_no_blanks));
        (is_short && is_behind()).then_some(self.reading)
    }
}

/// Whether a link within the page is hidden from those who listen, in a heading that says more than it.
fn is_hidden_in_heading(dom: &Dom, link: DomId) -> bool {
    let leads_here = || dom.attribute(link, AttributeName::Href).is_some_and(|href| href.starts_with('#'));
    dom.attribute(link, AttributeName::AriaHidden) == Some("true")
        && leads_here()
        && dom.heading_around(link).is_some_and(|heading| has_other_words(dom, heading, link))
}

fn has_other_words(dom: &Dom, heading: DomId, link: DomId) -> bool {
    let own = dom.descendants(link).filter(|id| dom.text(*id).is_some()).count();
    let has_words = |id: DomId| dom.text(id).is_some_and(|text| text.contains(char::is_alphanumeric));
    let is_within =
        |id: DomId| std::iter::successors(Some(id), |id| dom.parent(*id)).take(LEVELS_MAX).any(|id| id == link);
    // No more texts are looked at than a heading has.
    let mut texts = dom.descendants(heading).filter(|id| dom.text(*id).is_some()).take(own + TEXTS_MAX);
    texts.any(|id| has_words(id) && !is_within(id))
}
