//! Languages that elements declare.

use super::places::Place;
use super::seam::{is_code, is_preformatted};
use super::{ContentStructureTree, NodeId, Span};
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Declared languages that are kept of a page.
const LANGUAGES_MAX: usize = 10_000;

/// The language that an element declares for its text, or nothing; of code it is one of programs.
pub(super) fn declared_language(dom: &Dom, element: DomId, tag: Tag) -> &str {
    let is_text = !is_preformatted(tag) && !is_code(tag);
    dom.attribute(element, AttributeName::Lang).filter(|_| is_text).unwrap_or("")
}

impl ContentStructureTree {
    /// Takes note of the language of an item that was just opened; that of the body is the page's.
    pub(super) fn declare_language(&mut self, item: NodeId, name: Span) {
        if !name.is_empty() && item != Self::ROOT && self.languages.len() < LANGUAGES_MAX {
            self.languages.push(Place { node: item.0, name });
        }
    }
}
