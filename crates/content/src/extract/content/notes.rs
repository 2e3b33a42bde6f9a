//! Footnotes: references and what they lead to.

use std::collections::HashMap;

use super::classes::has_class;
use super::marks::Marks;
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Class names of references.
const REFERENCES: &[&str] = &["footnote-ref", "footnote-reference", "footnoteref", "fn-ref", "fnref"];

/// Class names of the links that lead back.
const BACK: &[&str] = &[
    "footnote-back",
    "footnote-backref",
    "fn-backref",
    "reversefootnote",
    "data-footnote-backref",
    "mw-cite-backlink",
];

/// Beginnings of the names of footnotes.
const NAMES: &[&str] =
    &["fn", "_ftn", "ftn", "footnote", "cite_note", "user-content-fn", "note", "sdfootnote", "easy-footnote"];

/// A page's footnotes that are kept with a reference to them.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Labels by the link that refers.
    references: HashMap<DomId, String>,
    /// Labels by the element that is the footnote.
    notes: HashMap<DomId, String>,
}

impl Notes {
    /// Looks for references that are kept, and for what they lead to.
    pub(super) fn of(dom: &Dom, marks: &Marks) -> Self {
        let links = dom.descendants(Dom::DOCUMENT).filter(|id| dom.tag(*id) == Some(Tag::A) && marks.is_kept(*id));
        let references: Vec<(DomId, &str)> = links.filter_map(|link| Some((link, target(dom, link)?))).collect();
        let mut found = Self::default();
        if references.is_empty() {
            return found;
        }
        let mut by_name: HashMap<&str, DomId> = HashMap::new();
        for id in dom.descendants(Dom::DOCUMENT) {
            if let Some(name) = dom.attribute(id, AttributeName::Id) {
                by_name.entry(name).or_insert(id);
            }
        }
        for (link, name) in references {
            let Some(note) = by_name.get(name).copied().and_then(|id| note_around(dom, marks, id, link)) else {
                continue;
            };
            let next = (found.notes.len() + 1).to_string();
            let label = found.notes.entry(note).or_insert(next).clone();
            found.references.insert(link, label);
        }
        found
    }

    /// The footnote that a link refers to.
    pub(super) fn reference(&self, link: DomId) -> Option<&str> {
        self.references.get(&link).map(String::as_str)
    }

    /// The label of the footnote that an element is.
    pub(super) fn label(&self, element: DomId) -> Option<&str> {
        self.notes.get(&element).map(String::as_str)
    }

    /// Whether a link leads back to a reference.
    pub(super) fn is_back(&self, dom: &Dom, link: DomId) -> bool {
        if self.notes.is_empty() || !dom.attribute(link, AttributeName::Href).is_some_and(|href| href.contains('#')) {
            return false;
        }
        let words = dom.text_content(link);
        has_class(dom, link, BACK)
            || dom.attribute(link, AttributeName::Role) == Some("doc-backlink")
            || words.trim().trim_end_matches('\u{fe0e}') == "↩"
    }
}

/// The name of the footnote that a link refers to, if it looks like a reference.
fn target(dom: &Dom, link: DomId) -> Option<&str> {
    let name = dom.attribute(link, AttributeName::Href)?.strip_prefix('#')?;
    let said = dom.attribute(link, AttributeName::Role) == Some("doc-noteref") || has_class(dom, link, REFERENCES);
    let lower = name.to_ascii_lowercase();
    let raised = || {
        let around = std::iter::successors(dom.parent(link), |id| dom.parent(*id)).take(2);
        let mut around = around.chain(dom.first_child(link));
        around.any(|id| dom.tag(id) == Some(Tag::Sup)) && NAMES.iter().any(|start| lower.starts_with(start))
    };
    (said || raised()).then_some(name)
}

/// The block that a footnote's name stands at: itself, or an entry or paragraph around it that does not hold the reference too.
fn note_around(dom: &Dom, marks: &Marks, id: DomId, link: DomId) -> Option<DomId> {
    /// Elements around the name that are looked at.
    const LEVELS: usize = 3;
    let mut around = std::iter::successors(Some(id), |id| dom.parent(*id)).take(LEVELS);
    let note = around
        .find(|id| matches!(dom.tag(*id), Some(Tag::Li | Tag::P | Tag::Div | Tag::Aside)) && marks.is_kept(*id))?;
    let holds_link = std::iter::successors(Some(link), |id| dom.parent(*id)).any(|id| id == note);
    (!holds_link).then_some(note)
}
