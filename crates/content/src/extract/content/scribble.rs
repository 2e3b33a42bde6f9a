//! Code of Scribble, which Racket's documentation is made with: tables of a line a row, in quotations that only set them in.

use crate::document::Block;
use crate::dom::{ClassNames, Dom, DomId, Tag, classes};

/// What quotations are called that set in code and definitions.
const FLOWS: &ClassNames = classes![
    "scodeflow",
    "svinsetflow",
    "sinsetflow",
    "subflow",
    "rfilebox",
    "rfilecontent",
    "refpara",
    "refcolumn",
    "refcontent"
];

/// What tables of code are called, and those of the head of a definition.
const TABLES: &ClassNames = classes!["rktblk", "rboxed"];

/// The language of such code.
const LANGUAGE: &str = "racket";

/// Whether a quotation only sets in what it holds.
pub(super) fn is_flow(dom: &Dom, quotation: DomId) -> bool {
    dom.has_class(quotation, FLOWS)
}

/// The code that a table is, a line a row, or that a paragraph is which is set in as code.
pub(super) fn code(dom: &Dom, element: DomId, tag: Tag) -> Option<Block> {
    let is_set_in = |around| dom.has_class(around, classes!["scodeflow"]);
    let text = match tag {
        Tag::Table if dom.has_class(element, TABLES) => rows(dom, element).collect::<Vec<_>>().join("\n"),
        Tag::P if dom.parent(element).is_some_and(is_set_in) => line(dom, element),
        _ => return None,
    };
    (!text.trim().is_empty()).then(|| Block::Code { language: Some(LANGUAGE.to_owned()), text })
}

/// The lines of a table and those within it.
fn rows(dom: &Dom, table: DomId) -> impl Iterator<Item = String> + '_ {
    let is_row = |id: &DomId| dom.tag(*id) == Some(Tag::Tr);
    let is_innermost = move |row: &DomId| !dom.descendants(*row).skip(1).any(|id| is_row(&id));
    dom.descendants(table).filter(is_row).filter(is_innermost).map(|row| line(dom, row))
}

/// The text of a line, without the kind of what is defined, which stands behind it.
fn line(dom: &Dom, element: DomId) -> String {
    let mut text = String::new();
    let mut next = dom.following(element, element);
    while let Some(node) = next {
        let is_label = dom.has_class(node, classes!["rbackgroundlabel"]);
        next = if is_label { dom.following_after(node, element) } else { dom.following(node, element) };
        text.push_str(dom.text(node).unwrap_or_default());
    }
    text.replace(['\u{a0}', '\n'], " ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    const BLANK: &str = "<span class=hspace>&nbsp;&nbsp;</span>";

    #[test]
    fn rows_are_lines_of_code() {
        let html = format!(
            "<p>As in<blockquote class=SCodeFlow><table class=RktBlk><tr><td>(<a href=/define>define</a>&nbsp;mill\
             <tr><td>{BLANK}(turn&nbsp;wheel))</table></blockquote>"
        );
        assert_eq!(markdown(&html), "As in\n\n```racket\n(define mill\n  (turn wheel))\n```\n");
        let line = "<blockquote class=SCodeFlow><p><span class=RktPn>(</span>go&nbsp;'fast)</p></blockquote>";
        assert_eq!(markdown(line), "```racket\n(go 'fast)\n```\n");
    }

    #[test]
    fn heads_of_definitions_are_code() {
        let html = "<blockquote class=SVInsetFlow><table class='boxed RBoxed'><tr><td><blockquote class=SubFlow>\
            <div class=RBackgroundLabel><p>procedure</p></div><table class=prototype><tr><td>(glob</td>\
            <td>&nbsp;pattern)</td></table></blockquote><tr><td>&nbsp;&rarr;&nbsp;list?</table></blockquote><p>Finds.";
        assert_eq!(markdown(html), "```racket\n(glob pattern)\n → list?\n```\n\nFinds.\n");
        assert_eq!(markdown("<blockquote><p>So it goes.</blockquote>"), "> So it goes.\n");
    }
}
