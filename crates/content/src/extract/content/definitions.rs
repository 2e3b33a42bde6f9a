//! Terms and definitions are kept together.

use std::ops::Range;

use super::runs::kept_share;
use crate::cst::{ContentStructureTree, NodeId, RunId};
use crate::dom::Tag;

/// Share of a definition's text above which it is kept.
const DEFINITION_SHARE: f64 = 0.5;

/// Definitions from which their number tells whether a list is kept.
const DEFINITIONS_MIN: usize = 3;

/// Share of the list's text that is kept at least, where it is kept for the number of its definitions.
const TEXT_SHARE: f64 = 0.25;

/// Keeps a list of which more than half is kept, of its text or of its definitions, whole, and each term with its definition. O(children).
pub(super) fn keep_definitions(tree: &ContentStructureTree, list: NodeId, kept: &mut [bool]) {
    let own = tree.runs_within(list);
    let share = kept_share(tree, own.clone(), kept);
    if share <= 0.0 || share >= 1.0 {
        return;
    }
    let entries = entries(tree, list);
    let is_kept = |kept: &[bool], entry: &Entry| kept_share(tree, entry.definition.clone(), kept) > DEFINITION_SHARE;
    let count = entries.iter().filter(|entry| is_kept(kept, entry)).count();
    let by_number = entries.len() >= DEFINITIONS_MIN && 2 * count > entries.len() && share > TEXT_SHARE;
    if share > DEFINITION_SHARE || by_number {
        kept[own].fill(true);
        return;
    }
    for entry in entries {
        if is_kept(kept, &entry) {
            kept[entry.term].fill(true);
        }
    }
}

/// Terms that follow each other, and what is said of them.
struct Entry {
    term: Range<RunId>,
    definition: Range<RunId>,
}

fn entries(tree: &ContentStructureTree, list: NodeId) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut term: Option<Range<RunId>> = None;
    for item in tree.child_items(list) {
        let runs = tree.runs_within(item);
        match tree.tag(item) {
            Tag::Dt => term = Some(term.map_or(runs.start, |term| term.start)..runs.end),
            Tag::Dd => match (term.take(), entries.last_mut()) {
                (Some(term), _) => entries.push(Entry { term, definition: runs }),
                (None, Some(last)) => last.definition.end = runs.end,
                (None, None) => {}
            },
            _ => term = None,
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, NodeKind, Profile};
    use crate::dom;
    use crate::limits::Limits;

    /// The texts that are there when those with `kept` in them were kept.
    fn left(html: &str) -> Vec<String> {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(html, &limits), Profile::Modern, &limits);
        let list = tree.ids().find(|id| tree.kind(*id) == NodeKind::HtmlItem && tree.tag(*id) == Tag::Dl).unwrap();
        let texts: Vec<&str> = tree.runs().iter().map(|run| tree.run_text(run)).collect();
        let mut kept: Vec<bool> = texts.iter().map(|text| text.contains("kept")).collect();
        keep_definitions(&tree, list, &mut kept);
        texts.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(text, _)| text.to_owned()).collect()
    }

    #[test]
    fn terms_stay_with_their_definitions() {
        let long = "words of a definition that is longer than all of the others together";
        let two = format!("<dl><dt>mill</dt><dt>sail</dt><dd>kept</dd><dt>corn</dt><dd>{long}</dd></dl>");
        assert_eq!(left(&two), ["mill", "sail", "kept"]);
        let more = two.replace("<dd>kept", "<dd>other</dd><dd>is kept");
        assert_eq!(left(&more), ["mill", "sail", "is kept"]);
        assert!(left("<dl><dt>mill</dt><dd>grinds</dd></dl>").is_empty());
    }

    #[test]
    fn a_list_is_whole_where_most_of_its_definitions_are_kept() {
        let definitions =
            "<dt>mill</dt><dd>kept word</dd><dt>corn</dt><dd>a longer definition</dd><dt>sail</dt><dd>kept word</dd>";
        assert_eq!(left(&format!("<dl>{definitions}</dl>")).len(), 6);
        let long = "<dt>wind</dt><dd>".to_owned() + &"many words ".repeat(20) + "</dd>";
        assert_eq!(
            left(&format!("<dl>{definitions}{long}</dl>")),
            ["mill", "kept word", "sail", "kept word"],
            "most is not kept"
        );
        assert_eq!(left("<dl><dt>mill</dt><dd>all of it is kept</dd><dt>corn</dt><dd>grows</dd></dl>").len(), 4);
    }
}
