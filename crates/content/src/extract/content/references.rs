//! References to footnotes: which of a page's links are some, and what they lead to.
//!
//! A link is a reference when it says so, or when its sign and the name that it leads to look like one. Whatever the
//! names are, two signs that lead to each other are a reference and the beginning of its note: the note is what comes
//! later. What leads back is no reference, though it is raised and named as one is: else the paragraph with the
//! reference would be its note.

use std::collections::{HashMap, HashSet};

use super::classes::own_names;
use super::marks::Marks;
use super::notes::{BACK, NAME_NODES_MAX, Notes, is_sign, note_around, short_text, sign_before, table_of};
use crate::cst::ContentStructureTree;
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// Class names of references.
const REFERENCES: &ClassNames = classes![
    "footnote-ref",
    "footnote-reference",
    "footnoteref",
    "fn-ref",
    "fnref",
    "footnote-anchor",
    "legcommentarylink"
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
    "_edn",
    "edn",
    "sdendnote",
    "endnote",
    "fen-",
];

/// What the name of a reference has that the name of its note has not: `fnref1`, `note-1-ref`, `sdfootnote1anc`.
const OF_REFERENCES: &[&str] = &["r", "ref", "reference", "anc", "anchor", "back", "backref", "backlink"];

/// Class names of raised signs in which references stand (mdBook, WordPress).
const RAISED: &ClassNames = classes!["footnote-reference", "fn"];

/// Signs and words of links that lead back, besides the sign of the note.
const BACK_WORDS: &[&str] = &["^", "↑", "↩", "↵", "↲", "⏎", "⤴", "back", "return", "jump up"];

/// Bytes of the longest of these.
const BACK_BYTES_MAX: usize = 8;

/// Elements around a sign that leads back among which its note is looked for.
const BACK_LEVELS_MAX: usize = 8;

/// Bytes of a footnote that is kept for a reference to it.
const NOTE_BYTES_MAX: usize = 4000;

/// Beginning of the names of sources, of which an encyclopedia has hundreds: they are kept where they are judged to be
/// content.
const SOURCE: &str = "cite_";

/// The links of a page that are references to footnotes, kept or not, and what they lead to.
#[derive(Debug)]
pub(super) struct References<'d> {
    dom: &'d Dom,
    /// Each with the name that it leads to.
    links: Vec<(DomId, &'d str)>,
    /// The first element of each name; none on a page without such links.
    by_name: HashMap<&'d str, DomId>,
    /// The names that they lead to.
    wanted: HashSet<&'d str>,
    /// The links that lead back to them, with their notes.
    back: Vec<(DomId, DomId)>,
}

impl<'d> References<'d> {
    /// Looks for them. O(nodes).
    pub(super) fn of(dom: &'d Dom) -> Self {
        let signs: Vec<Sign> = dom.elements().filter_map(|id| Sign::of(dom, id)).collect();
        let by_name = if signs.iter().any(|sign| sign.refers) { by_name(dom) } else { HashMap::new() };
        let Pairs { back, names } = Pairs::of(dom, &signs, &by_name);
        let leads_back: HashSet<DomId> = back.iter().map(|(link, _)| *link).collect();
        let is_reference = |sign: &&Sign| {
            (sign.is_reference || sign.refers && names.contains(sign.name)) && !leads_back.contains(&sign.link)
        };
        let links: Vec<(DomId, &str)> = signs.iter().filter(is_reference).map(|sign| (sign.link, sign.name)).collect();
        let wanted = links.iter().map(|(_, name)| *name).collect();
        Self { dom, links, by_name, wanted, back }
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
            found.signs.extend(self.by_name.get(name).and_then(|name| sign_before(self.dom, *name, note)));
            let next = (found.labels.len() + 1).to_string();
            let label = found.labels.entry(note).or_insert(next).clone();
            found.references.insert(link, label);
            found.tables.extend(table_of(self.dom, note));
        }
        let back = self.back.iter().filter(|(_, note)| found.labels.contains_key(note));
        found.back = back.map(|(link, _)| *link).collect();
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

    /// Whether a row is of a table whose rows with text all begin with the name of what a reference leads to.
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

/// The first element of each name.
fn by_name(dom: &Dom) -> HashMap<&str, DomId> {
    let mut by_name = HashMap::new();
    for id in dom.elements() {
        for name in own_names(dom, id) {
            by_name.entry(name).or_insert(id);
        }
    }
    by_name
}

/// A link within the page that may be a reference, or lead back to one.
struct Sign<'d> {
    link: DomId,
    /// The name that it leads to.
    name: &'d str,
    /// What it shows, without brackets; nothing where that is no sign.
    text: String,
    /// Whether it says that it is a reference, or looks like one by the name that it leads to.
    is_reference: bool,
    /// Whether it may be a reference: one that looks like it, or a raised sign or one in brackets.
    refers: bool,
}

impl<'d> Sign<'d> {
    fn of(dom: &'d Dom, link: DomId) -> Option<Self> {
        if dom.tag(link) != Some(Tag::A) {
            return None;
        }
        // Some pages name themselves before the sign; what has no such name is not found then. Slides lead there by `#/name`.
        let name = dom.attribute(link, AttributeName::Href)?.rsplit_once('#')?.1.trim_start_matches('/');
        let shown = short_text(dom, link).unwrap_or_default();
        let shown = shown.trim();
        let is_back = is_called_back(dom, link);
        let text = sign_of(shown);
        let is_set_off = !text.is_empty() && (is_raised(dom, link) || is_bracketed(shown) || shown.starts_with('*'));
        let is_reference = !is_back && (says_so(dom, link) || looks_like_note(dom, link, name, shown));
        let refers = is_reference || is_set_off && !is_back;
        (refers || !text.is_empty()).then_some(Self { link, name, text, is_reference, refers })
    }

    /// Whether this leads back from the note of a reference, as its sign or an arrow does.
    fn answers(&self, reference: &Sign) -> bool {
        !self.text.is_empty() && (self.text == reference.text || BACK_WORDS.contains(&self.text.as_str()))
    }
}

/// The sign that a link shows, without brackets; empty where it shows words.
fn sign_of(shown: &str) -> String {
    let bare = shown.trim_end_matches('\u{fe0e}');
    if bare.len() <= BACK_BYTES_MAX {
        let lower = bare.to_lowercase();
        if BACK_WORDS.contains(&lower.as_str()) {
            return lower;
        }
    }
    if is_sign(bare) { bare.trim_matches(['[', ']', '(', ')']).trim().to_owned() } else { String::new() }
}

/// The signs that lead to each other.
struct Pairs<'d> {
    /// The links that lead back to references, with the notes in which they stand.
    back: Vec<(DomId, DomId)>,
    /// The names of notes that begin with the sign of their reference, or with an arrow.
    names: HashSet<&'d str>,
}

impl<'d> Pairs<'d> {
    fn of(dom: &'d Dom, signs: &[Sign<'d>], by_name: &HashMap<&'d str, DomId>) -> Self {
        // The first reference by what is named where it stands, and its note.
        let mut standing: HashMap<(&str, DomId), usize> = HashMap::new();
        for (number, sign) in signs.iter().enumerate().filter(|(_, sign)| sign.refers) {
            let note = by_name.get(sign.name).and_then(|name| note_around(dom, *name, sign.link));
            let Some(note) = note else { continue };
            for name in names_near(dom, sign.link) {
                standing.entry((name, note)).or_insert(number);
            }
        }
        let mut found = Self { back: Vec::new(), names: HashSet::new() };
        for (number, sign) in signs.iter().enumerate() {
            let mut around = std::iter::successors(dom.parent(sign.link), |id| dom.parent(*id)).take(BACK_LEVELS_MAX);
            let pair = around.find_map(|note| Some((note, *standing.get(&(sign.name, note))?)));
            let Some((note, reference)) = pair.filter(|(_, reference)| *reference < number) else { continue };
            found.back.push((sign.link, note));
            if sign.answers(&signs[reference]) {
                found.names.insert(signs[reference].name);
            }
        }
        found
    }
}

/// The names of where a link stands: of itself, of what is right around it and before that.
fn names_near(dom: &Dom, link: DomId) -> impl Iterator<Item = &str> {
    let around = std::iter::successors(Some(link), |id| dom.parent(*id)).take(3);
    let near = around.flat_map(|id| [Some(id), dom.previous_sibling(id)]).flatten().chain(dom.first_child(link));
    near.flat_map(|id| own_names(dom, id))
}

/// Whether a link says that it leads back.
fn is_called_back(dom: &Dom, link: DomId) -> bool {
    dom.has_class(link, BACK) || dom.attribute(link, AttributeName::Role) == Some("doc-backlink")
}

/// Whether a link says that it is a reference.
fn says_so(dom: &Dom, link: DomId) -> bool {
    let in_raised = || {
        let around = dom.parent(link).filter(|around| dom.tag(*around) == Some(Tag::Sup));
        around.is_some_and(|around| dom.has_class(around, RAISED))
    };
    dom.attribute(link, AttributeName::Role) == Some("doc-noteref") || dom.has_class(link, REFERENCES) || in_raised()
}

/// Whether a link leads from a raised sign, or from one in brackets, to what is named like a note.
fn looks_like_note(dom: &Dom, link: DomId, name: &str, shown: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let is_of_texinfo =
        || lower.strip_prefix("foot").is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()));
    let is_note = || NAMES.iter().any(|start| lower.starts_with(start)) || is_of_texinfo();
    let is_numbered = || {
        let rests = NAMES.iter().filter_map(|start| lower.strip_prefix(start));
        rests.into_iter().any(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit() || "._-:".contains(sign)))
    };
    let looks_like_it = is_note() && is_raised(dom, link) || is_numbered() && is_sharply_bracketed(shown);
    looks_like_it && !names_reference(&lower)
}

/// Whether a name, in lower case, begins like that of a note but is that of a reference.
fn names_reference(name: &str) -> bool {
    let letters = |text: &str| text.find(|sign: char| !sign.is_ascii_alphabetic()).unwrap_or(text.len());
    // Behind a colon stands what the author calls the note.
    let begins = |rest: &str| {
        let rest = rest.trim_start_matches(['.', '_', '-']);
        OF_REFERENCES.contains(&&rest[..letters(rest)])
    };
    let before = name.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
    let is_numbered = before.trim_end_matches(['.', '_', '-']).ends_with(|sign: char| sign.is_ascii_digit());
    let is_last = is_numbered && OF_REFERENCES[1..].contains(&&name[before.len()..]);
    is_last || NAMES.iter().filter_map(|start| name.strip_prefix(start)).any(begins)
}

/// Whether a link stands in a raised sign, or begins with one.
fn is_raised(dom: &Dom, link: DomId) -> bool {
    let around = std::iter::successors(dom.parent(link), |id| dom.parent(*id)).take(2);
    let mut around = around.chain(dom.first_child(link));
    around.any(|id| dom.tag(id) == Some(Tag::Sup))
}

/// What stands in the brackets that a text is in.
fn in_brackets(shown: &str) -> Option<&str> {
    let square = shown.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    square.or_else(|| shown.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')))
}

/// Whether a text is a sign in brackets: a number, one in Roman letters, or a single sign.
fn is_bracketed(shown: &str) -> bool {
    let is_number = |sign: &str| {
        sign.bytes().all(|c| c.is_ascii_digit()) || sign.bytes().all(|c| b"ivxl".contains(&c.to_ascii_lowercase()))
    };
    in_brackets(shown).is_some_and(|sign| is_sign(sign) && (sign.chars().count() == 1 || is_number(sign)))
}

/// The same without Roman numbers.
fn is_sharply_bracketed(shown: &str) -> bool {
    in_brackets(shown)
        .is_some_and(|sign| is_sign(sign) && (sign.chars().count() == 1 || sign.bytes().all(|c| c.is_ascii_digit())))
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn what_leads_back_is_no_reference() {
        for (from, reference, note) in [
            (
                "Org",
                "<sup><a id=fnr.1 href=#fn.1>1</a></sup>",
                "<div><sup><a id=fn.1 href=#fnr.1>1</a></sup> A note.</div>",
            ),
            (
                "DokuWiki",
                "<sup><a id=fnt__1 href=#fn__1>1)</a></sup>",
                "<div><sup><a id=fn__1 href=#fnt__1>1)</a></sup> A note.</div>",
            ),
            (
                "Word",
                "<a href=#_ftn1 name=_ftnref1><sup>[1]</sup></a>",
                "<p><a href=#_ftnref1 name=_ftn1><sup>[1]</sup></a> A note.</p>",
            ),
            (
                "Markdown",
                "<sup id=fnref:1><a href=#fn:1>1</a></sup>",
                "<ol><li id=fn:1><p>A note. <sup><a href=#fnref:1>back</a></sup></ol>",
            ),
            (
                "by hand",
                "<a name=note1ref></a><sup><a href=#note1>1</a></sup>",
                "<p><a name=note1></a><sup><a href=#note1ref>1</a></sup> A note.</p>",
            ),
            (
                "Nature",
                "<sup><a href=#note-1 id=note-1-ref>1</a></sup>",
                "<ol><li id=note-1><a href=#note-1-ref><sup>^</sup></a> A note.</ol>",
            ),
            (
                "EPUB",
                "<a id=noteref_1 href=#note_1><sup>1</sup></a>",
                "<div><p><a id=note_1 href=#noteref_1><sup>1</sup></a> A note.</div>",
            ),
        ] {
            let html = format!("<p>It turns{reference}.</p><p>Slowly.</p>{note}");
            assert_eq!(markdown(&html), "It turns[^1].\n\nSlowly.\n\n[^1]: A note.\n", "{from}");
        }
        let two = "<p>So<sup id=fnref1><a href=#fn1>1</a></sup> it is<sup id=fnref2><a href=#fn2>2</a></sup>.
            <p id=fn1><sup><a href=#fnref1>1</a></sup> One note.<p id=fn2><sup><a href=#fnref2>2</a></sup> Another.";
        assert_eq!(markdown(two), "So[^1] it is[^2].\n\n[^1]: One note.\n\n[^2]: Another.\n");
    }

    #[test]
    fn the_name_of_a_table_of_one_note_is_that_of_its_row() {
        let columns = "<colgroup>\n<col class=label />\n<col />\n</colgroup>\n";
        for id in ["id2", "footnote-1"] {
            let back = if id == "id2" { "id1" } else { "footnote-reference-1" };
            let html = format!(
                "<p>It turns<a class=footnote-reference href=#{id} id={back}>[1]</a>.</p>
                 <div><h2>Sails</h2><p>White.</p>
                 <table class='docutils footnote' id={id}>\n{columns}<tbody>\n<tr><td class=label><a class=fn-backref
                 href=#{back}>[1]</a></td><td>A note.</td></tr>\n</tbody></table></div>"
            );
            assert_eq!(markdown(&html), "It turns[^1].\n\n## Sails\n\nWhite.\n\n[^1]: A note.\n");
        }
    }

    #[test]
    fn signs_that_lead_to_each_other_are_a_reference_and_its_note() {
        for (from, reference, note) in [
            ("Word", "<a href=#_edn1 name=_ednref1>[i]</a>", "<p><a href=#_ednref1 name=_edn1>[i]</a> A note.</p>"),
            (
                "LibreOffice",
                "<a name=sdendnote1anc href=#sdendnote1sym><sup>i</sup></a>",
                "<div id=sdendnote1><p><a name=sdendnote1sym href=#sdendnote1anc>i</a> A note.</div>",
            ),
            (
                "Hatena",
                "<span class=footnote><a href=#f-1a id=fn-1a>*1</a></span>",
                "<div class=footnote><p class=footnote><a href=#fn-1a id=f-1a class=footnote-number>*1</a>\
                 <span class=footnote-delimiter>:</span><span class=footnote-text>A note.</span></div>",
            ),
            (
                "EUR-Lex",
                "<a id=ntc1-L_1 href=#ntr1-L_1>(<span>1</span>)</a>",
                "<p><a id=ntr1-L_1 href=#ntc1-L_1>(<span>1</span>)</a>&nbsp; A note.</p>",
            ),
            (
                "Pressbooks",
                "<a id=return-footnote-1 href=#footnote-1><sup class=footnote>[1]</sup></a>",
                "<ol><li id=footnote-1>A note. <a href=#return-footnote-1>↵</a></ol>",
            ),
            (
                "Sphinx, cited twice",
                "<a id=id1 href=#r1>[1]</a>",
                "<div id=r1><span class=label>[1]</span> <span class=backrefs>
                 (<a role=doc-backlink href=#id1>1</a>)</span><p>A note.</div>",
            ),
        ] {
            let html = format!("<p>It turns{reference}.</p><p>Slowly.</p>{note}");
            assert_eq!(markdown(&html), "It turns[^1].\n\nSlowly.\n\n[^1]: A note.\n", "{from}");
        }
        let bible =
            "<p>It turns.<sup class=footnote>[<a href=#fen-2a>a</a>]</sup></p><ol><li id=fen-2a>Or <i>wheel</i></ol>";
        assert_eq!(markdown(bible), "It turns.[^1]\n\n[^1]: Or *wheel*\n");
        let pressed = "<p>It turns.<sup class=modern-footnotes-footnote><a href=# data-mfn=1>1</a></sup>\
                       <span class=modern-footnotes-footnote__note>A note.</span> Slowly.";
        assert_eq!(markdown(pressed), "It turns.[^1] Slowly.\n\n[^1]: A note.\n");
    }

    #[test]
    fn other_links_that_lead_to_each_other_are_links() {
        for html in [
            "<ul><li><a id=toc1 href=#s1>API</a></ul><div id=s1><h2><a href=#toc1>API</a></h2><p>Words.</div>",
            "<ul><li><a id=toc1 href=#s1>1</a></ul><div id=s1><h2><a href=#toc1>1</a></h2><p>Words.</div>",
            "<p>See <a id=r1 href=#b>(see)</a>.<p id=b><a href=#r1>(see)</a> Words.",
        ] {
            assert!(!markdown(html).contains("[^"), "{}", markdown(html));
        }
    }

    #[test]
    fn sections_are_no_notes() {
        let html = "<p id=top>Jump to: <a href=#s1>[1]</a> <a href=#s2>[2]</a></p>
            <div id=s1><h2>Sails</h2><p>They are white.<p><a href=#top>↑</a></div>
            <div id=s2><h2>Wheels</h2><p>They turn.<p><a href=#top>↑</a></div>";
        assert!(!markdown(html).contains("[^"), "{}", markdown(html));
    }
}
