//! Footnotes: references and what they lead to.

use std::collections::{HashMap, HashSet};

use super::classes::has_class;
use super::marks::Marks;
use crate::cst::ContentStructureTree;
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

/// Bytes of a footnote that is kept for a reference to it.
const NOTE_BYTES_MAX: usize = 4000;

/// Beginning of the names of sources, of which an encyclopedia has hundreds: they are kept where they are judged to be content.
const SOURCE: &str = "cite_";

/// Keeps the footnotes that kept words refer to; tells whether there are some more. O(nodes) on pages with such references.
pub(super) fn keep_referred(dom: &Dom, tree: &ContentStructureTree, marks: &Marks, kept: &mut [bool]) -> bool {
    let references = references(dom, marks);
    let references = references.into_iter().filter(|(_, name)| !name.starts_with(SOURCE));
    let references: Vec<(DomId, &str)> = references.collect();
    if references.is_empty() {
        return false;
    }
    let by_name = by_name(dom);
    let notes = references.into_iter().filter_map(|(link, name)| note_around(dom, *by_name.get(name)?, link));
    let texts: HashSet<DomId> = notes
        .filter(|note| !marks.is_kept(*note) && dom.text_content(*note).len() <= NOTE_BYTES_MAX)
        .flat_map(|note| dom.descendants(note).filter(|id| dom.text(*id).is_some()))
        .collect();
    let runs = tree.source_texts().iter().filter(|(text, _)| texts.contains(text)).map(|(_, run)| *run);
    let mut is_more = false;
    for run in runs {
        is_more |= !std::mem::replace(&mut kept[run], true);
    }
    is_more
}

/// The kept links that look like references, each with the name that it leads to.
fn references<'d>(dom: &'d Dom, marks: &Marks) -> Vec<(DomId, &'d str)> {
    let links = dom.descendants(Dom::DOCUMENT).filter(|id| dom.tag(*id) == Some(Tag::A) && marks.is_kept(*id));
    links.filter_map(|link| Some((link, target(dom, link)?))).collect()
}

/// The first element of each name.
fn by_name(dom: &Dom) -> HashMap<&str, DomId> {
    let mut by_name = HashMap::new();
    for id in dom.descendants(Dom::DOCUMENT) {
        if let Some(name) = dom.attribute(id, AttributeName::Id) {
            by_name.entry(name).or_insert(id);
        }
    }
    by_name
}

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
        let references = references(dom, marks);
        let mut found = Self::default();
        if references.is_empty() {
            return found;
        }
        let by_name = by_name(dom);
        for (link, name) in references {
            let note = by_name.get(name).and_then(|id| note_around(dom, *id, link));
            let Some(note) = note.filter(|note| marks.is_kept(*note)) else { continue };
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
fn note_around(dom: &Dom, id: DomId, link: DomId) -> Option<DomId> {
    /// Elements around the name that are looked at.
    const LEVELS: usize = 3;
    let mut around = std::iter::successors(Some(id), |id| dom.parent(*id)).take(LEVELS);
    let note = around.find(|id| matches!(dom.tag(*id), Some(Tag::Li | Tag::P | Tag::Div | Tag::Aside)))?;
    let holds_link = std::iter::successors(Some(link), |id| dom.parent(*id)).any(|id| id == note);
    (!holds_link).then_some(note)
}
