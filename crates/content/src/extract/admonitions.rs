//! Notes, tips and warnings of manuals, which stay with the text that they are beside.
//!
//! Generators of manuals set them in boxes, often in tables with an icon, so that to the model a short one at the end of a page looks
//! like what stands around the content. What the element is called says more, and generators agree on it: `class=note` (DocBook, Sphinx,
//! MediaWiki's templates), `admonition` (Docutils, MkDocs), `admonitionblock` (Asciidoctor).

use std::ops::Range;

use super::repeated::WordedRuns;
use super::sections::{Sums, container};
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{AttributeName, Dom, DomId};

/// What an element of that kind is called, in one of its classes.
const NAMES: [&str; 12] = [
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
];

/// Least probability, the mean over its text, of one that is kept.
const PROBABILITY_MIN: f64 = 0.1;

/// Share of its text that may be links.
const LINKS_SHARE_MAX: f64 = 0.5;

/// Share of the text beside it that is kept, above which it is.
const BESIDE_SHARE: f64 = 0.5;

/// Keeps notes with the text before them in the same element, or behind them where they begin it. `kept` and `probability` are by run.
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
    for note in notes {
        let own = tree.runs_within(note);
        let Some(around) = container(tree, note, &own) else { continue };
        let before = around.start..own.start;
        let beside = if before.is_empty() { own.end..around.end } else { before };
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

/// The elements that are notes, none within another.
fn notes(dom: &Dom, tree: &ContentStructureTree) -> Vec<NodeId> {
    let mut notes: Vec<NodeId> = Vec::new();
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem && tree.tag(*id).info().container) {
        let is_within = notes.last().is_some_and(|last| item < tree.subtree_end(*last));
        if !is_within && tree.source(item).is_some_and(|element| is_note(dom, element)) {
            notes.push(item);
        }
    }
    notes
}

fn is_note(dom: &Dom, element: DomId) -> bool {
    let mut classes = dom.attribute(element, AttributeName::Class).unwrap_or("").split_ascii_whitespace();
    classes.any(|class| NAMES.iter().any(|name| class.eq_ignore_ascii_case(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    /// The texts that stay of a page whose paragraphs with `plain` are kept, all at one probability.
    fn left(html: &str, probability: f32) -> Vec<String> {
        let limits = Limits::default();
        let dom = dom::parse(html, &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        let runs: Vec<RunId> = (0..tree.runs().len()).collect();
        let words = vec![5.0; runs.len()];
        let text = |run: RunId| tree.run_text(&tree.runs()[run]).to_owned();
        let mut kept: Vec<bool> = runs.iter().map(|run| text(*run).contains("plain")).collect();
        let units = WordedRuns { runs: &runs, words: &words };
        keep_with_text(&dom, &tree, units, &vec![probability; runs.len()], &mut kept);
        runs.into_iter().filter(|run| kept[*run]).map(text).collect()
    }

    #[test]
    fn a_note_stays_with_the_text_beside_it() {
        let note = "<div class='Note big'><table><tr><td>Mind the gap.</table></div>";
        let both = ["plain text", "Mind the gap."];
        assert_eq!(left(&format!("<div><p>plain text</p>{note}</div>"), 0.15), both);
        assert_eq!(left(&format!("<div>{note}<p>plain text</p></div>"), 0.15).len(), 2, "it begins the element");
        assert_eq!(left(&format!("<div><p>plain text</p>{note}</div>"), 0.05).len(), 1, "the model is sure");
        assert_eq!(left(&format!("<div><p>other text</p>{note}</div>"), 0.15).len(), 0, "the text goes");
        let box_of_links = "<div class=note><a href=/a>Mind the gap</a> and <a href=/b>the train</a></div>";
        assert_eq!(left(&format!("<div><p>plain text</p>{box_of_links}</div>"), 0.15).len(), 1);
        assert_eq!(left("<div><p>plain text</p><div class=noted><p>Mind the gap.</div></div>", 0.15).len(), 1);
    }
}
