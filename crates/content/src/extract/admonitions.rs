//! Notes, tips and warnings of manuals, which stay with the text that they are beside.
//!
//! Generators of manuals set them in boxes, often in tables with an icon, so that to the model a short one at the end of a page looks
//! like what stands around the content. What the element is called says more, and generators agree on it: `class=note` (DocBook, Sphinx,
//! MediaWiki's templates), `admonition` (Docutils, MkDocs), `admonitionblock` (Asciidoctor), `theme-admonition`
//! (Docusaurus).

use std::ops::Range;

use super::repeated::WordedRuns;
use super::sections::{Sums, container};
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{ClassNames, Dom, classes};

/// What an element of that kind is called, in one of its classes.
const NAMES: &ClassNames = classes![
    "note",
    "tip",
    "warning",
    "caution",
    "important",
    "danger",
    "hint",
    "attention",
    "seealso",
    "admonition",
    "admonitionblock",
    "admonition-block",
    "theme-admonition",
    "markdown-alert",
    "custom-block",
    "starlight-aside",
    "confluence-information-macro",
];

/// Least probability, the mean over its text, of one that is kept.
const PROBABILITY_MIN: f64 = 0.1;

/// Share of its text that may be links.
const LINKS_SHARE_MAX: f64 = 0.5;

/// Share of the text beside it that is kept, above which it is.
const BESIDE_SHARE: f64 = 0.5;

/// Keeps notes with the text before them in the same element, or behind them where none is before. `kept` and `probability` are by run.
/// O(nodes).
pub(super) fn keep_with_text(
    dom: &Dom,
    tree: &ContentStructureTree,
    units: WordedRuns<'_>,
    probability: &[f32],
    kept: &mut [bool],
) {
    let notes = notes(dom, tree);
    if notes.is_empty() {
        return;
    }
    let sums = Sums::new(tree, units, probability, kept);
    for (own, around) in notes {
        let before = around.start..own.start;
        let begins = sums.of(&before).all == 0.0;
        let beside = if begins { own.end..around.end } else { before };
        if belongs(&sums, &own, &beside) {
            kept[own].fill(true);
        }
    }
}

/// Whether a note belongs to the text beside it, and that is content. What is mostly links is no note, whatever it is called.
fn belongs(sums: &Sums, note: &Range<RunId>, beside: &Range<RunId>) -> bool {
    let (note, beside) = (sums.of(note), sums.of(beside));
    note.links < note.all * LINKS_SHARE_MAX
        && note.probable > note.all * PROBABILITY_MIN
        && beside.kept > beside.all * BESIDE_SHARE
}

/// The runs of each note, and of what is around it; none is within another. What is called so and holds the whole page is no note.
fn notes(dom: &Dom, tree: &ContentStructureTree) -> Vec<(Range<RunId>, Range<RunId>)> {
    let mut notes = Vec::new();
    let mut end = NodeId(0);
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem && tree.tag(*id).info().container) {
        if item < end || !tree.has_class(dom, item, NAMES) {
            continue;
        }
        let own = tree.runs_within(item);
        if let Some(around) = container(tree, item, &own) {
            notes.push((own, around));
            end = tree.subtree_end(item);
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn left(html: &str, probability: f32) -> Vec<String> {
        testing::left(html, probability, keep_with_text)
    }

    #[test]
    fn a_note_stays_with_the_text_beside_it() {
        let note = "<div class='Note big'><table><tr><td>Mind the gap.</table></div>";
        let both = ["plain text", "Mind the gap."];
        assert_eq!(left(&format!("<div><p>plain text</p>{note}</div>"), 0.15), both);
        assert_eq!(left(&format!("<div>{note}<p>plain text</p></div>"), 0.15).len(), 2, "it begins the element");
        assert_eq!(
            left(&format!("<div><h2>Trains</h2>{note}<p>plain text</p></div>"), 0.15).len(),
            2,
            "behind a heading"
        );
        assert_eq!(
            left(&format!("<div class=note><div><p>plain text</p>{note}</div></div>"), 0.15).len(),
            2,
            "all is called so"
        );
        assert_eq!(left(&format!("<div><p>plain text</p>{note}</div>"), 0.05).len(), 1, "the model is sure");
        assert_eq!(left(&format!("<div><p>other text</p>{note}</div>"), 0.15).len(), 0, "the text goes");
        let box_of_links = "<div class=note><a href=/a>Mind the gap</a> and <a href=/b>the train</a></div>";
        assert_eq!(left(&format!("<div><p>plain text</p>{box_of_links}</div>"), 0.15).len(), 1);
        let docusaurus = note.replace("Note big", "theme-admonition theme-admonition-tip alert");
        assert_eq!(left(&format!("<div><p>plain text</p>{docusaurus}</div>"), 0.15).len(), 2);
        assert_eq!(left("<div><p>plain text</p><div class=noted><p>Mind the gap.</div></div>", 0.15).len(), 1);
    }
}
