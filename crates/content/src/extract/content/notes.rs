//! Footnotes: the blocks that references lead to, and what is written of both.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use crate::cst::note_in_sign;
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// Class names of the links that lead back.
pub(super) const BACK: &ClassNames = classes![
    "footnote-back",
    "footnote-backref",
    "fn-backref",
    "reversefootnote",
    "data-footnote-backref",
    "mw-cite-backlink",
    "footnote-number",
];

/// Nodes at the beginning of a row among which its name is looked for.
pub(super) const NAME_NODES_MAX: usize = 8;

/// Nodes at the beginning of a table of one footnote among which its row is looked for, behind its columns.
const HEAD_NODES_MAX: usize = 64;

/// Nodes of an element that may be a sign, and bytes of its text, with the white space around it.
const SHORT_NODES_MAX: usize = 32;
const SHORT_BYTES_MAX: usize = 80;

/// Characters of the sign of a footnote, without brackets.
const SIGN_CHARS_MAX: usize = 4;

/// A page's footnotes that are kept with a reference to them.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Labels by the link that refers.
    pub(super) references: HashMap<DomId, String>,
    /// Labels by the element that is the footnote.
    pub(super) labels: HashMap<DomId, String>,
    /// The signs in them that lead back to the references.
    pub(super) back: HashSet<DomId>,
    /// The terms and headings before them that are signs alone.
    pub(super) signs: HashSet<DomId>,
    /// The tables whose rows they are.
    pub(super) tables: HashSet<DomId>,
}

impl Notes {
    /// A label that no note has, after so many that stood within lines.
    pub(super) fn next_label(&self, within_lines: usize) -> String {
        (self.labels.len() + within_lines + 1).to_string()
    }

    /// The footnote that a link refers to.
    pub(super) fn reference(&self, link: DomId) -> Option<&str> {
        self.references.get(&link).map(String::as_str)
    }

    /// The footnote that a raised sign refers to, which is a reference alone, in brackets or not.
    pub(super) fn reference_in(&self, dom: &Dom, raised: DomId) -> Option<&str> {
        if self.references.is_empty() {
            return None;
        }
        let mut links = dom.children(raised).filter(|id| dom.tag(*id) == Some(Tag::A));
        let link = links.next().filter(|_| links.next().is_none())?;
        self.reference(link).filter(|_| is_sign_alone(dom, raised))
    }

    /// Whether a table's rows are footnotes.
    pub(super) fn are_rows_of(&self, table: DomId) -> bool {
        self.tables.contains(&table)
    }

    /// Whether an element is the sign of the footnote behind it, and nothing more.
    pub(super) fn is_sign(&self, element: DomId) -> bool {
        self.signs.contains(&element)
    }

    /// The label of the footnote that an element is.
    pub(super) fn label(&self, element: DomId) -> Option<&str> {
        self.labels.get(&element).map(String::as_str)
    }

    /// Whether an element in a footnote is no more than its sign, or what parts the sign from the text.
    pub(super) fn is_sign_in_note(&self, dom: &Dom, element: DomId, tag: Tag) -> bool {
        let is_sign = || {
            dom.has_class(element, classes!["footnote-definition-label", "footnote-delimiter"])
                || dom.parent(element).and_then(|note| first_sign(dom, note)) == Some(element)
                || tag == Tag::Span && dom.has_class(element, classes!["label"]) && is_sign_alone(dom, element)
        };
        matches!(tag, Tag::Sup | Tag::Span)
            && !self.labels.is_empty()
            && dom.parent(element).is_some_and(|note| self.labels.contains_key(&note))
            && is_sign()
    }

    /// Whether a link leads back to a reference.
    pub(super) fn is_back(&self, dom: &Dom, link: DomId) -> bool {
        if self.labels.is_empty() || !dom.attribute(link, AttributeName::Href).is_some_and(|href| href.contains('#')) {
            return false;
        }
        let says_so = || {
            let text = short_text(dom, link).unwrap_or_default();
            let text = text.trim().trim_end_matches('\u{fe0e}');
            ["↩", "↵"].contains(&text) || text.eq_ignore_ascii_case("back to citation")
        };
        self.back.contains(&link)
            || dom.has_class(link, BACK)
            || dom.attribute(link, AttributeName::Role) == Some("doc-backlink")
            || says_so()
    }
}

/// Class names of notes that stand behind their signs.
const PRESSED_NOTE: &ClassNames = classes!["modern-footnotes-footnote__note"];

/// Nodes of a note within a line, among which its text is looked for.
const INLINE_NODES_MAX: usize = 16;

/// The text of a footnote that stands within the line that refers to it, and is shown at the pointer alone (LaTeXML, as
/// arXiv has it; the manuals of SWI-Prolog), or when its sign is pressed (Modern Footnotes of WordPress).
pub(super) fn inline_note(dom: &Dom, element: DomId, tag: Tag) -> Option<DomId> {
    let content = if tag == Tag::Sup {
        note_in_sign(dom, element)?
    } else if tag != Tag::Span {
        return None;
    } else if dom.has_class(element, PRESSED_NOTE) {
        element
    } else if dom.has_class(element, classes!["ltx_role_footnote"]) {
        let mut below = dom.descendants(element).take(INLINE_NODES_MAX);
        below.find(|id| dom.has_class(*id, classes!["ltx_note_content"]))?
    } else {
        return None;
    };
    let has_words = |id: DomId| dom.text(id).is_some_and(|text| text.contains(char::is_alphabetic));
    dom.descendants(content).any(has_words).then_some(content)
}

/// Whether an element is the sign that is pressed to show the note behind it.
pub(super) fn is_sign_of_inline_note(dom: &Dom, element: DomId, tag: Tag) -> bool {
    let is_note = |id: DomId| dom.has_class(id, PRESSED_NOTE) && inline_note(dom, id, Tag::Span).is_some();
    tag == Tag::Sup
        && dom.has_class(element, classes!["modern-footnotes-footnote"])
        && next_element(dom, element, Tag::Span).is_some_and(is_note)
}

/// Whether an element is the sign of such a note, or says what it is.
pub(super) fn is_sign_within_note(dom: &Dom, element: DomId, tag: Tag) -> bool {
    matches!(tag, Tag::Sup | Tag::Span)
        && dom.has_class(element, classes!["ltx_note_mark", "ltx_tag_note", "ltx_note_type"])
}

/// The table that a row is of; `None` for what is no row.
pub(super) fn table_of(dom: &Dom, row: DomId) -> Option<DomId> {
    let mut around =
        std::iter::successors(Some(row).filter(|row| dom.tag(*row) == Some(Tag::Tr)), |id| dom.parent(*id));
    around.find(|id| dom.tag(*id) == Some(Tag::Table))
}

/// Whether a text is the sign of a footnote, as `[3]` and `*` are.
pub(super) fn is_sign(text: &str) -> bool {
    let sign = text.trim().trim_matches(['[', ']', '(', ')']).trim();
    !sign.is_empty()
        && sign.chars().count() <= SIGN_CHARS_MAX
        && sign.chars().all(|sign| sign.is_ascii_alphanumeric() || "*†‡§¶^↑".contains(sign))
}

/// The block that a footnote's name stands at: itself, or an entry, paragraph or row around it that does not hold the reference too. A name in
/// a term or heading that is a sign alone is that of what comes next, one of a table of notes that of its row.
pub(super) fn note_around(dom: &Dom, id: DomId, link: DomId) -> Option<DomId> {
    /// Elements around the name that are looked at.
    const LEVELS: usize = 3;
    let mut around = std::iter::successors(Some(id), |id| dom.parent(*id)).take(LEVELS);
    let note = around.try_for_each(|id| block_at(dom, id)).break_value()?.filter(|note| !holds_heading(dom, *note))?;
    let holds_link = std::iter::successors(Some(link), |id| dom.parent(*id)).any(|id| id == note);
    (!holds_link).then_some(note)
}

/// Whether an element begins with a heading, as sections do and notes do not.
fn holds_heading(dom: &Dom, element: DomId) -> bool {
    let mut below = dom.descendants(element).take(HEAD_NODES_MAX);
    below.any(|id| dom.tag(id).is_some_and(|tag| tag.heading_level().is_some()))
}

/// The footnote that an element with a name in it is, or leads to; `Break(None)` where what is around it is none
/// either.
fn block_at(dom: &Dom, id: DomId) -> ControlFlow<Option<DomId>> {
    let note = match dom.tag(id) {
        Some(Tag::Li | Tag::P | Tag::Div | Tag::Aside | Tag::Tr) => Some(id),
        // GitBook.
        Some(Tag::Blockquote) if first_sign(dom, id).is_some() => Some(id),
        Some(Tag::Dt) if dom.has_class(id, classes!["label"]) || is_sign_alone(dom, id) => {
            next_element(dom, id, Tag::Dd)
        }
        Some(Tag::Table) => {
            let mut below = dom.descendants(id).take(HEAD_NODES_MAX);
            let row = below.find(|id| dom.tag(*id) == Some(Tag::Tr));
            return ControlFlow::Break(row.filter(|_| dom.has_class(id, classes!["footnote"])));
        }
        Some(tag) if tag.heading_level().is_some() && is_sign_alone(dom, id) => next_element(dom, id, Tag::P),
        _ => None,
    };
    note.map_or(ControlFlow::Continue(()), |note| ControlFlow::Break(Some(note)))
}

/// The raised sign that a quotation begins with.
pub(super) fn first_sign(dom: &Dom, quotation: DomId) -> Option<DomId> {
    let first = dom.children(quotation).find(|id| !dom.is_blank(*id))?;
    let is_sign = dom.tag(quotation) == Some(Tag::Blockquote) && dom.tag(first) == Some(Tag::Sup);
    (is_sign && is_sign_alone(dom, first)).then_some(first)
}

fn is_sign_alone(dom: &Dom, id: DomId) -> bool {
    short_text(dom, id).is_some_and(|text| is_sign(&text))
}

/// The text of an element that has no more than a sign may have.
pub(super) fn short_text(dom: &Dom, element: DomId) -> Option<String> {
    let mut text = String::new();
    for (number, node) in dom.descendants(element).enumerate() {
        text.push_str(dom.text(node).unwrap_or_default());
        if number >= SHORT_NODES_MAX || text.len() > SHORT_BYTES_MAX {
            return None;
        }
    }
    Some(text)
}

/// The next element, if it is of that kind.
fn next_element(dom: &Dom, id: DomId, tag: Tag) -> Option<DomId> {
    let mut behind = std::iter::successors(dom.next_sibling(id), |id| dom.next_sibling(*id));
    behind.find(|id| dom.tag(*id).is_some()).filter(|id| dom.tag(*id) == Some(tag))
}

/// The term or heading before a note that holds its name.
pub(super) fn sign_before(dom: &Dom, name: DomId, note: DomId) -> Option<DomId> {
    let around = std::iter::successors(Some(name), |id| dom.parent(*id)).take(3);
    let is_sign = |tag: Tag| tag == Tag::Dt || tag.heading_level().is_some();
    around.into_iter().find(|id| dom.tag(*id).is_some_and(is_sign) && dom.parent(*id) == dom.parent(note))
}
