//! What generators of documentation put between the words for those who browse: it belongs to no text.

use super::buttons::is_bar_above_code;
use super::classes::class;
use super::equations::EQUATIONS;
use super::scaladoc::is_list_of_members;
use crate::dom::{ClassNames, Dom, DomId, Tag, classes};

/// Class names of blocks that hold nothing to read.
const BLOCKS: &ClassNames = classes![
    "line-numbers-wrapper",
    "bbcodeblock-expandlink",
    "copy-popup-wrapper",
    "platform-tags",
    "platform-bookmarks-row",
    "quoted-switch",
    "twikitoc",
    "foswikitoc",
    "documentation-examplebuttonscontainer",
    "table-tabs",
    "vp-code-tab-title",
    "vp-tab-title",
];

/// Class names of the cells of the bars above and below pages of Javadoc 6 and older.
const BARS: &ClassNames = classes!["navbarcell1", "navbarcell2", "navbarcell3"];

/// Class names of what stands above the notes of a law (legislation.gov.uk).
const ANNOTATIONS: &ClassNames = classes!["legannotationsheading", "legannotationsgroupheading"];

/// Whether a caption has the choices of a table (Javadoc 8).
fn holds_tabs(dom: &Dom, caption: DomId) -> bool {
    dom.children(caption).take(SIBLINGS_MAX).any(|id| dom.has_class(id, classes!["activetabletab"]))
        && dom.children(caption).take(SIBLINGS_MAX).any(|id| dom.has_class(id, classes!["tabletab"]))
}

/// Lists whose entries are sections of the page (Javadoc).
const SECTIONS: &ClassNames = classes!["summary-list", "details-list", "member-list", "blocklist", "blocklistlast"];

/// Whether a block is for those who browse: numbers beside code, the bar above it, the word that opens and closes a part
/// (rustdoc), the icon of a note.
pub(super) fn is_furniture(dom: &Dom, element: DomId, tag: Tag) -> bool {
    match tag {
        Tag::Summary => is_switch(dom, element),
        Tag::Div => dom.has_class(element, BLOCKS) || is_bar_above_code(dom, element),
        Tag::P => dom.has_class(element, ANNOTATIONS) || is_bar_of_codebox(dom, element),
        Tag::Caption => holds_tabs(dom, element),
        Tag::Td if dom.has_class(element, BARS) => true,
        Tag::Td => is_icon_of_note(dom, element) || is_icon_of_admonition(dom, element),
        _ => false,
    }
}

/// Whether a paragraph is the bar above code, with what selects it (phpBB).
fn is_bar_of_codebox(dom: &Dom, paragraph: DomId) -> bool {
    dom.parent(paragraph).is_some_and(|around| dom.has_class(around, classes!["codebox"]))
}

/// Nodes of a table that are looked at for its first cell.
const NODES_MAX: usize = 64;

/// Nodes behind a cell that are looked at for another.
const SIBLINGS_MAX: usize = 16;

/// Whether a cell is the icon of a note that is laid out as a table, with its name beside (DocBook).
fn is_icon_of_note(dom: &Dom, cell: DomId) -> bool {
    let mut around = std::iter::successors(dom.parent(cell), |id| dom.parent(*id)).take(3);
    let table = around.find(|id| dom.tag(*id) == Some(Tag::Table));
    // The cheapest first: each cell of a page is asked.
    table.is_some_and(|table| first_cell(dom, table) == Some(cell) && lays_out_note(dom, table))
        && std::iter::successors(dom.next_sibling(cell), |id| dom.next_sibling(*id))
            .take(SIBLINGS_MAX)
            .any(|id| matches!(dom.tag(id), Some(Tag::Td | Tag::Th)))
}

/// Whether a cell holds the icon of an admonition, or its kind in words, which stands before the text anyway
/// (Asciidoctor).
fn is_icon_of_admonition(dom: &Dom, cell: DomId) -> bool {
    let mut around = std::iter::successors(dom.parent(cell), |id| dom.parent(*id)).take(4);
    dom.has_class(cell, classes!["icon"]) && around.any(|id| admonition(dom, id).is_some())
}

/// The cells of a row.
pub(super) fn cells(dom: &Dom, row: DomId) -> impl Iterator<Item = DomId> + '_ {
    dom.children(row).filter(|id| matches!(dom.tag(*id), Some(Tag::Td | Tag::Th)))
}

fn first_cell(dom: &Dom, table: DomId) -> Option<DomId> {
    dom.descendants(table).take(NODES_MAX).find(|id| matches!(dom.tag(*id), Some(Tag::Td | Tag::Th)))
}

/// Whether a table lays out a note: it stands in an element that is called so, and its first cell holds an image alone.
fn lays_out_note(dom: &Dom, table: DomId) -> bool {
    let is_note = dom.parent(table).is_some_and(|around| kind_of_note(dom, around).is_some());
    let holds_image_alone = |cell: DomId| {
        dom.descendants(cell).skip(1).filter_map(|id| dom.tag(id)).eq([Tag::Img])
            && dom.text_content(cell).trim().is_empty()
    };
    is_note && first_cell(dom, table).is_some_and(holds_image_alone)
}

/// Blocks with titles of their own (Asciidoctor).
const TITLED: &ClassNames = classes!["listingblock", "literalblock", "exampleblock"];

/// Whether an element is the title of a note around it, or the caption of code (Sphinx, Docusaurus, VitePress,
/// GitHub, Bootstrap, Asciidoctor).
pub(super) fn is_title(dom: &Dom, element: DomId) -> bool {
    const NAMES: &ClassNames = classes![
        "admonition-title",
        "custom-block-title",
        "markdown-alert-title",
        "alert-heading",
        "code-block-caption"
    ];
    /// Names that a build adds a hash to.
    const BEGINNINGS: &[&str] = &["admonitionHeading_", "codeBlockTitle_"];
    let class = class(dom, element);
    let is_in_small_letters = || ["itle", "ead", "aption"].iter().any(|part| class.contains(part));
    let of_block = || {
        let around = dom.parent(element).filter(|_| dom.has_class(element, classes!["title"]));
        around.is_some_and(|around| dom.has_class(around, TITLED))
    };
    (dom.has_class(element, NAMES) || BEGINNINGS.iter().any(|name| class.starts_with(name)) || of_block())
        && is_in_small_letters()
}

/// Whether an entry of a list of tasks is done, as its class alone says (Confluence); `None` for other entries.
pub(super) fn is_done(dom: &Dom, entry: DomId) -> Option<bool> {
    let list = dom.parent(entry)?;
    dom.has_class(list, classes!["inline-task-list"]).then(|| dom.has_class(entry, classes!["checked"]))
}

/// Whether an element shows the language of the code behind it (VitePress).
pub(super) fn is_language(dom: &Dom, element: DomId) -> bool {
    dom.has_class(element, classes!["lang"])
        && dom.parent(element).is_some_and(|id| class(dom, id).starts_with("language-"))
}

/// Whether a summary only opens and closes what is shown anyway.
pub(super) fn is_switch(dom: &Dom, summary: DomId) -> bool {
    dom.has_class(summary, classes!["hideme"])
}

/// Whether a list, or the list that an entry is in, is how the page's sections are laid out.
pub(super) fn lays_out_sections(dom: &Dom, element: DomId, tag: Tag) -> bool {
    let list = if tag == Tag::Li { dom.parent(element) } else { Some(element) };
    list.is_some_and(|list| dom.has_class(list, SECTIONS) || is_list_of_members(dom, list))
}

/// Whether a block is one line of several that belong together (Project Gutenberg, docutils).
pub(super) fn is_line_of_verse(dom: &Dom, element: DomId) -> bool {
    matches!(dom.tag(element), Some(Tag::Div | Tag::P))
        && dom.has_class(element, classes!["verse", "line"])
        && dom
            .parent(element)
            .is_some_and(|around| dom.has_class(around, classes!["stanza", "line-block", "linegroup"]))
}

/// What elements of notes are called (DocBook, Asciidoctor), and the kind of each.
const KINDS: [(&ClassNames, &str); 5] = [
    (classes!["note"], "Note"),
    (classes!["tip"], "Tip"),
    (classes!["warning"], "Warning"),
    (classes!["caution"], "Caution"),
    (classes!["important"], "Important"),
];

/// The kind of note that an element is called.
fn kind_of_note(dom: &Dom, element: DomId) -> Option<&'static str> {
    KINDS.iter().find(|(name, _)| dom.has_class(element, name)).map(|(_, kind)| *kind)
}

/// The kind of an admonition (Asciidoctor), which its icon alone shows.
pub(super) fn admonition(dom: &Dom, element: DomId) -> Option<&'static str> {
    kind_of_note(dom, element).filter(|_| class(dom, element).contains("admonitionblock"))
}

/// Whether preformatted text is the signature of a member or a class (Javadoc 7 to 15): it stands right in an entry of a list of those.
pub(in crate::extract) fn is_signature_of_javadoc(dom: &Dom, pre: DomId) -> bool {
    let is_entry = |around: DomId| {
        dom.tag(around) == Some(Tag::Li) && dom.has_class(around, classes!["blocklist", "blocklistlast"])
    };
    dom.tag(pre) == Some(Tag::Pre) && dom.parent(pre).is_some_and(is_entry)
}

/// Whether a table lays out an admonition or a numbered equation.
pub(super) fn lays_out(dom: &Dom, table: DomId) -> bool {
    let around = dom.parent(table);
    dom.has_class(table, EQUATIONS)
        || around.is_some_and(|around| class(dom, around).contains("admonitionblock"))
        || lays_out_note(dom, table)
}

/// Whether a division is a table of Javadoc: its cells follow each other, each first one begins a row.
pub(super) fn is_summary_table(dom: &Dom, element: DomId) -> bool {
    dom.has_class(element, classes!["summary-table"])
}

/// What a division is in such a table. The first cell of a row has a class of its own or comes after a last one.
pub(in crate::extract) fn summary_cell(dom: &Dom, element: DomId) -> Option<SummaryCell> {
    let is_named_first = dom.has_class(element, classes!["col-first"]);
    let is_cell = is_named_first
        || dom.has_class(element, classes!["col-second", "col-last", "col-constructor-name", "col-summary-item-name"]);
    if !is_cell {
        return None;
    }
    let mut before = std::iter::successors(dom.previous_sibling(element), |id| dom.previous_sibling(*id));
    let cell_before = before.find(|id| dom.tag(*id).is_some());
    let is_first = is_named_first || cell_before.is_some_and(|before| dom.has_class(before, classes!["col-last"]));
    Some(SummaryCell { is_first, is_head: dom.has_class(element, classes!["table-header"]) })
}

/// A cell of such a table.
#[derive(Debug, Clone, Copy)]
pub(in crate::extract) struct SummaryCell {
    pub(super) is_first: bool,
    pub(super) is_head: bool,
}
