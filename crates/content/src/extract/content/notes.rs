//! Footnotes: references and what they lead to.

use std::collections::{HashMap, HashSet};

use super::classes::has_class;
use super::marks::Marks;
use crate::cst::ContentStructureTree;
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Class names of references.
const REFERENCES: &[&str] =
    &["footnote-ref", "footnote-reference", "footnoteref", "fn-ref", "fnref", "footnote-anchor"];

/// Class names of the links that lead back.
const BACK: &[&str] = &[
    "footnote-back",
    "footnote-backref",
    "fn-backref",
    "reversefootnote",
    "data-footnote-backref",
    "mw-cite-backlink",
    "footnote-number",
];

/// Beginnings of the names of footnotes.
const NAMES: &[&str] = &[
    "fn",
    "_ftn",
    "ftn",
    "footnote",
    "_footnotedef",
    "cite_note",
    "user-content-fn",
    "note",
    "sdfootnote",
    "easy-footnote",
];

/// Class names of raised signs in which references stand (mdBook, WordPress).
const RAISED: &[&str] = &["footnote-reference", "fn"];

/// Nodes at the beginning of a footnote among which the link back to its reference is looked for.
const BACK_NODES_MAX: usize = 64;

/// Nodes at the beginning of a row among which its name is looked for.
const NAME_NODES_MAX: usize = 8;

/// Characters of the sign of a footnote, without brackets.
const SIGN_CHARS_MAX: usize = 4;

/// Bytes of the sign of a footnote with the white space around it, and nodes of the element that it stands in.
const SIGN_BYTES_MAX: usize = 256;
const SIGN_NODES_MAX: usize = 64;

/// Bytes of a footnote that is kept for a reference to it.
const NOTE_BYTES_MAX: usize = 4000;

/// Beginning of the names of sources, of which an encyclopedia has hundreds: they are kept where they are judged to be content.
const SOURCE: &str = "cite_";

/// The links of a page that look like references to footnotes, kept or not, and what they lead to.
#[derive(Debug)]
pub(super) struct References<'d> {
    dom: &'d Dom,
    /// Each with the name that it leads to.
    links: Vec<(DomId, &'d str)>,
    /// The first element of each name; none on a page without such links.
    by_name: HashMap<&'d str, DomId>,
    /// The names that they lead to.
    wanted: HashSet<&'d str>,
}

impl<'d> References<'d> {
    /// Looks for them. O(nodes), but for links within links.
    pub(super) fn of(dom: &'d Dom) -> Self {
        let links = dom.descendants(Dom::DOCUMENT).filter(|id| dom.tag(*id) == Some(Tag::A));
        let links: Vec<(DomId, &str)> = links.filter_map(|link| Some((link, target(dom, link)?))).collect();
        let mut by_name = HashMap::new();
        if !links.is_empty() {
            for id in dom.descendants(Dom::DOCUMENT) {
                for name in own_names(dom, id) {
                    by_name.entry(name).or_insert(id);
                }
            }
        }
        let wanted = links.iter().map(|(_, name)| *name).collect();
        Self { dom, links, by_name, wanted }
    }

    /// Keeps the footnotes that kept words refer to; tells whether there are some more.
    pub(super) fn keep_notes(&self, tree: &ContentStructureTree, marks: &Marks, kept: &mut [bool]) -> bool {
        let Self { dom, .. } = *self;
        let wanted = self.notes(marks).filter(|(_, name, _)| !name.starts_with(SOURCE)).map(|(_, _, note)| note);
        // Each once: thousands of references may lead to one note.
        let wanted: HashSet<DomId> = wanted.collect();
        let texts: HashSet<DomId> = wanted
            .into_iter()
            .filter(|note| dom.text_content(*note).len() <= NOTE_BYTES_MAX)
            .flat_map(|note| dom.descendants(note).filter(|id| dom.text(*id).is_some()))
            .collect();
        if texts.is_empty() {
            return false;
        }
        let runs = tree.source_texts().iter().filter(|(text, _)| texts.contains(text)).map(|(_, run)| *run);
        let mut is_more = false;
        for run in runs {
            is_more |= !std::mem::replace(&mut kept[run], true);
        }
        is_more
    }

    /// The references that are kept, with their notes.
    pub(super) fn kept(&self, marks: &Marks) -> Notes {
        let mut found = Notes::default();
        for (link, name, note) in self.notes(marks).filter(|(_, _, note)| marks.is_kept(*note)) {
            found.back.extend(back_link(self.dom, note, link));
            found.signs.extend(self.by_name.get(name).and_then(|name| sign_before(self.dom, *name, note)));
            let next = (found.labels.len() + 1).to_string();
            let label = found.labels.entry(note).or_insert(next).clone();
            found.references.insert(link, label);
            found.tables.extend(table_of(self.dom, note));
        }
        found
    }

    /// The kept links that lead to a block: the link, the name, the block.
    fn notes(&self, marks: &Marks) -> impl Iterator<Item = (DomId, &'d str, DomId)> {
        let kept = self.links.iter().filter(|(link, _)| marks.is_kept(*link));
        let mut tables = HashMap::new();
        kept.filter_map(move |(link, name)| {
            let note = note_around(self.dom, *self.by_name.get(name)?, *link)?;
            (self.dom.tag(note) != Some(Tag::Tr) || self.is_of_notes(note, &mut tables)).then_some((*link, *name, note))
        })
    }
}

impl References<'_> {
    /// Whether a row is of a table whose rows with text all begin with the name of what a link like a reference leads to.
    fn is_of_notes(&self, row: DomId, tables: &mut HashMap<DomId, bool>) -> bool {
        let dom = self.dom;
        let Some(table) = table_of(dom, row) else { return false };
        *tables.entry(table).or_insert_with(|| {
            let rows = dom.descendants(table).filter(|id| dom.tag(*id) == Some(Tag::Tr));
            let mut rows = rows.filter(|row| !dom.text_content(*row).trim().is_empty());
            rows.all(|row| {
                let names = dom.descendants(row).take(NAME_NODES_MAX).flat_map(|id| own_names(dom, id));
                let mut names = names.chain(own_names(dom, table));
                names.any(|name| self.wanted.contains(name))
            })
        })
    }
}

/// A page's footnotes that are kept with a reference to them.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Labels by the link that refers.
    references: HashMap<DomId, String>,
    /// Labels by the element that is the footnote.
    labels: HashMap<DomId, String>,
    /// The signs at their beginnings, which lead back to the references.
    back: HashSet<DomId>,
    /// The terms and headings before them that are signs alone.
    signs: HashSet<DomId>,
    /// The tables whose rows they are.
    tables: HashSet<DomId>,
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

    /// Whether a link leads back to a reference.
    pub(super) fn is_back(&self, dom: &Dom, link: DomId) -> bool {
        if self.labels.is_empty() || !dom.attribute(link, AttributeName::Href).is_some_and(|href| href.contains('#')) {
            return false;
        }
        let words = dom.text_content(link);
        self.back.contains(&link)
            || has_class(dom, link, BACK)
            || dom.attribute(link, AttributeName::Role) == Some("doc-backlink")
            || words.trim().trim_end_matches('\u{fe0e}') == "↩"
    }
}

/// Nodes of a note within a line, among which its text is looked for.
const INLINE_NODES_MAX: usize = 16;

/// The text of a footnote that stands within the line that refers to it, and is shown at the pointer alone (LaTeXML, as arXiv has it).
pub(super) fn inline_note(dom: &Dom, element: DomId, tag: Tag) -> Option<DomId> {
    if tag != Tag::Span || !has_class(dom, element, &["ltx_role_footnote"]) {
        return None;
    }
    let content =
        dom.descendants(element).take(INLINE_NODES_MAX).find(|id| has_class(dom, *id, &["ltx_note_content"]))?;
    let has_words = |id: DomId| dom.text(id).is_some_and(|text| text.contains(char::is_alphabetic));
    dom.descendants(content).any(has_words).then_some(content)
}

/// Whether an element is the sign of such a note, or says what it is.
pub(super) fn is_sign_within_note(dom: &Dom, element: DomId, tag: Tag) -> bool {
    matches!(tag, Tag::Sup | Tag::Span) && has_class(dom, element, &["ltx_note_mark", "ltx_tag_note", "ltx_note_type"])
}

/// The name of the footnote that a link refers to, if it looks like a reference: it says so, or leads from a raised sign, or from one in
/// brackets, to what is named like a note.
fn target(dom: &Dom, link: DomId) -> Option<&str> {
    // Some pages name themselves before the sign; what has no such name is not found then.
    let name = dom.attribute(link, AttributeName::Href)?.rsplit_once('#')?.1;
    let in_raised = || {
        let around = dom.parent(link).filter(|around| dom.tag(*around) == Some(Tag::Sup));
        around.is_some_and(|around| has_class(dom, around, RAISED))
    };
    let said = || {
        dom.attribute(link, AttributeName::Role) == Some("doc-noteref")
            || has_class(dom, link, REFERENCES)
            || in_raised()
    };
    let lower = name.to_ascii_lowercase();
    let is_of_texinfo =
        || lower.strip_prefix("foot").is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()));
    let is_note = || NAMES.iter().any(|start| lower.starts_with(start)) || is_of_texinfo();
    let is_numbered = || {
        let rests = NAMES.iter().filter_map(|start| lower.strip_prefix(start));
        rests.into_iter().any(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit() || "._-:".contains(sign)))
    };
    let is_raised = || {
        let around = std::iter::successors(dom.parent(link), |id| dom.parent(*id)).take(2);
        let mut around = around.chain(dom.first_child(link));
        around.any(|id| dom.tag(id) == Some(Tag::Sup))
    };
    let is_bracketed = || {
        let text = dom.text_content(link);
        let text = text.trim();
        let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let inner = inner.or_else(|| text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')));
        inner.is_some_and(|sign| {
            is_sign(sign) && (sign.chars().count() == 1 || sign.bytes().all(|c| c.is_ascii_digit()))
        })
    };
    (said() || is_note() && is_raised() || is_numbered() && is_bracketed()).then_some(name)
}

/// The table that a row is of; `None` for what is no row.
fn table_of(dom: &Dom, row: DomId) -> Option<DomId> {
    let mut around =
        std::iter::successors(Some(row).filter(|row| dom.tag(*row) == Some(Tag::Tr)), |id| dom.parent(*id));
    around.find(|id| dom.tag(*id) == Some(Tag::Table))
}

/// The names of an element that links can lead to.
fn own_names(dom: &Dom, id: DomId) -> impl Iterator<Item = &str> {
    let name = dom.attribute(id, AttributeName::Name).filter(|_| dom.tag(id) == Some(Tag::A));
    dom.attribute(id, AttributeName::Id).into_iter().chain(name)
}

/// Whether a text is the sign of a footnote, as `[3]` and `*` are.
fn is_sign(text: &str) -> bool {
    let sign = text.trim().trim_matches(['[', ']', '(', ')']).trim();
    !sign.is_empty()
        && sign.chars().count() <= SIGN_CHARS_MAX
        && sign.chars().all(|sign| sign.is_ascii_alphanumeric() || "*†‡§¶^↑".contains(sign))
}

/// Whether the text of an element is the sign of a footnote. No more of it is read than a sign has, since thousands of
/// references may lead to one element.
fn is_sign_alone(dom: &Dom, element: DomId) -> bool {
    let mut text = String::new();
    for (place, node) in dom.descendants(element).enumerate() {
        let own = dom.text(node).unwrap_or("");
        if place >= SIGN_NODES_MAX || text.len() + own.len() > SIGN_BYTES_MAX {
            return false;
        }
        text.push_str(own);
    }
    is_sign(&text)
}

/// The sign at the beginning of a footnote that leads back to where `reference` stands.
fn back_link(dom: &Dom, note: DomId, reference: DomId) -> Option<DomId> {
    let around = std::iter::successors(Some(reference), |id| dom.parent(*id)).take(3);
    let near = around.flat_map(|id| [Some(id), dom.previous_sibling(id)]).flatten().chain(dom.first_child(reference));
    let names: Vec<&str> = near.flat_map(|id| own_names(dom, id)).collect();
    let leads_back = |link: &DomId| {
        let target = dom.attribute(*link, AttributeName::Href).and_then(|href| href.rsplit_once('#'));
        target.is_some_and(|(_, name)| names.contains(&name)) && is_sign_alone(dom, *link)
    };
    let links = dom.descendants(note).take(BACK_NODES_MAX).filter(|id| dom.tag(*id) == Some(Tag::A));
    links.into_iter().find(leads_back)
}

/// The block that a footnote's name stands at: itself, or an entry, paragraph or row around it that does not hold the reference too. A name in
/// a term or heading that is a sign alone is that of what comes next, one of a table of notes that of its row.
fn note_around(dom: &Dom, id: DomId, link: DomId) -> Option<DomId> {
    /// Elements around the name that are looked at.
    const LEVELS: usize = 3;
    let mut around = std::iter::successors(Some(id), |id| dom.parent(*id)).take(LEVELS);
    let note = around.find_map(|id| match dom.tag(id)? {
        Tag::Li | Tag::P | Tag::Div | Tag::Aside | Tag::Tr => Some(id),
        Tag::Dt => {
            let is_sign = has_class(dom, id, &["label"]) || is_sign_alone(dom, id);
            next_element(dom, id, Tag::Dd).filter(|_| is_sign)
        }
        Tag::Table if has_class(dom, id, &["footnote"]) => {
            dom.descendants(id).take(NAME_NODES_MAX).find(|id| dom.tag(*id) == Some(Tag::Tr))
        }
        tag if tag.heading_level().is_some() => next_element(dom, id, Tag::P).filter(|_| is_sign_alone(dom, id)),
        _ => None,
    })?;
    let holds_link = std::iter::successors(Some(link), |id| dom.parent(*id)).any(|id| id == note);
    (!holds_link).then_some(note)
}

/// The next element, if it is of that kind.
fn next_element(dom: &Dom, id: DomId, tag: Tag) -> Option<DomId> {
    let mut behind = std::iter::successors(dom.next_sibling(id), |id| dom.next_sibling(*id));
    behind.find(|id| dom.tag(*id).is_some()).filter(|id| dom.tag(*id) == Some(tag))
}

/// The term or heading before a note that holds its name.
fn sign_before(dom: &Dom, name: DomId, note: DomId) -> Option<DomId> {
    let around = std::iter::successors(Some(name), |id| dom.parent(*id)).take(3);
    let is_sign = |tag: Tag| tag == Tag::Dt || tag.heading_level().is_some();
    around.into_iter().find(|id| dom.tag(*id).is_some_and(is_sign) && dom.parent(*id) == dom.parent(note))
}
