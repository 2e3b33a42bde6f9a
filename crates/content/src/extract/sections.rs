//! Lists of links that are decided with what stands around them.
//!
//! To the model a list of links looks like a menu wherever it stands. What it belongs to says more:
//!
//! 1. *A list in a section*: a list behind a heading, as "See also", is kept where most of the text before the heading in the same
//!    element is, unless the model is surer than [`LIST_PROBABILITY_MIN`] that it is no content.
//! 2. *A block of lists*: where an element holds nothing but lists of links and their headings, and less than half of it is kept, none
//!    of it is.

use std::ops::Range;

use super::repeated::WordedRuns;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::Tag;

/// Least probability, the mean over its text, of a list that is kept with its section.
const LIST_PROBABILITY_MIN: f64 = 0.2;

/// Share of a section's text before the list that is kept, above which the list is.
const SECTION_SHARE: f64 = 0.5;

/// Share of a block's text, without headings, that is links, from which it is one of lists.
const LINKS_SHARE: f64 = 0.8;

/// Fewest lists of a block of lists.
const LISTS_MIN: usize = 2;

/// Share of a block of lists that must be kept.
const BLOCK_SHARE: f64 = 0.5;

/// Elements around a list that are looked at for one that holds more.
const LEVELS: usize = 6;

/// Keeps lists with the sections that they stand in. `kept` and `probability` are by run. O(nodes).
pub(super) fn keep_with_sections(
    tree: &ContentStructureTree,
    units: WordedRuns<'_>,
    probability: &[f32],
    kept: &mut [bool],
) {
    let sums = Sums::new(tree, units, probability, kept);
    for list in lists(tree) {
        let own = tree.runs_within(list);
        let Some(container) = container(tree, list, &own) else { continue };
        if let Some(heading) = sums.heading_before(own.start).filter(|heading| container.contains(heading))
            && sums.belongs(&own, &(container.start..heading))
        {
            kept[heading..own.end].fill(true);
        }
    }
}

/// Drops blocks of lists of which less than half is kept; nothing where nothing would be left. O(nodes).
pub(super) fn drop_blocks(tree: &ContentStructureTree, units: WordedRuns<'_>, kept: &mut Vec<bool>) {
    let sums = Sums::new(tree, units, &[], kept);
    let mut blocks: Vec<(Range<RunId>, usize)> = Vec::new();
    for list in lists(tree) {
        let Some(container) = container(tree, list, &tree.runs_within(list)) else { continue };
        match blocks.last_mut() {
            Some((last, lists)) if *last == container => *lists += 1,
            _ => blocks.push((container, 1)),
        }
    }
    let mut left = kept.clone();
    for (block, lists) in blocks {
        if lists >= LISTS_MIN && sums.is_mostly_dropped(&block) {
            left[block].fill(false);
        }
    }
    units.keep_unless_nothing(kept, left);
}

/// The lists that are in no other list.
pub(super) fn lists(tree: &ContentStructureTree) -> Vec<NodeId> {
    let mut lists: Vec<NodeId> = Vec::new();
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        let is_within = lists.last().is_some_and(|last| item < tree.subtree_end(*last));
        if matches!(tree.tag(item), Tag::Ul | Tag::Ol) && !is_within {
            lists.push(item);
        }
    }
    lists
}

/// The runs of the nearest element that holds more than an item.
pub(super) fn container(tree: &ContentStructureTree, item: NodeId, own: &Range<RunId>) -> Option<Range<RunId>> {
    let around = std::iter::successors(tree.parent(item), |id| tree.parent(*id)).take(LEVELS);
    around.filter(|id| *id != ContentStructureTree::ROOT).map(|id| tree.runs_within(id)).find(|runs| runs != own)
}

/// Bytes of the text of some runs, without headings.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Text {
    pub(super) all: f64,
    pub(super) kept: f64,
    pub(super) links: f64,
    /// Times their probability.
    pub(super) probable: f64,
}

/// Sums over the runs, so that those of any stretch are a difference.
pub(super) struct Sums {
    /// Over the runs before each.
    before: Vec<Text>,
    /// The last run with text before each, if that is a heading below the page's own.
    heading: Vec<Option<RunId>>,
}

impl Sums {
    pub(super) fn new(tree: &ContentStructureTree, units: WordedRuns<'_>, probability: &[f32], kept: &[bool]) -> Self {
        let runs = tree.runs().len();
        let (mut before, mut heading) = (vec![Text::default(); runs + 1], vec![None; runs + 1]);
        let mut worded = units.runs.iter().peekable();
        for run in 0..runs {
            (before[run + 1], heading[run + 1]) = (before[run], heading[run]);
            if worded.next_if(|unit| **unit == run).is_none() {
                continue;
            }
            let level = tree.tag(tree.runs()[run].item).heading_level();
            heading[run + 1] = level.filter(|level| *level > 1).map(|_| run);
            if level.is_none() {
                add(&mut before[run + 1], tree, run, probability.get(run).copied().unwrap_or_default(), kept[run]);
            }
        }
        Self { before, heading }
    }

    fn heading_before(&self, run: RunId) -> Option<RunId> {
        self.heading[run]
    }

    pub(super) fn of(&self, runs: &Range<RunId>) -> Text {
        let (from, to) = (self.before[runs.start], self.before[runs.end]);
        Text {
            all: to.all - from.all,
            kept: to.kept - from.kept,
            links: to.links - from.links,
            probable: to.probable - from.probable,
        }
    }

    /// Share of the text of some nodes, none within another, that is kept.
    pub(super) fn kept_share(&self, tree: &ContentStructureTree, nodes: &[NodeId]) -> f64 {
        let (mut all, mut kept) = (0.0, 0.0);
        for node in nodes {
            let text = self.of(&tree.runs_within(*node));
            (all, kept) = (all + text.all, kept + text.kept);
        }
        if all > 0.0 { kept / all } else { 0.0 }
    }

    /// Whether a list belongs to the text before its heading, and that is content.
    fn belongs(&self, list: &Range<RunId>, before: &Range<RunId>) -> bool {
        let (list, before) = (self.of(list), self.of(before));
        list.probable > list.all * LIST_PROBABILITY_MIN
            && before.all - before.links > list.all
            && before.kept > before.all * SECTION_SHARE
    }

    /// Whether there is nothing but links, of which most are dropped.
    fn is_mostly_dropped(&self, block: &Range<RunId>) -> bool {
        let block = self.of(block);
        block.links >= block.all * LINKS_SHARE && block.kept < block.all * BLOCK_SHARE
    }
}

fn add(text: &mut Text, tree: &ContentStructureTree, run: RunId, probability: f32, is_kept: bool) {
    let of_run = &tree.runs()[run];
    let bytes = of_run.text.len() as f64;
    text.all += bytes;
    text.links += tree.linked_bytes(of_run) as f64;
    text.kept += if is_kept { bytes } else { 0.0 };
    text.probable += bytes * f64::from(probability);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    /// The texts of the runs that are kept of those for which `kept` says so, each of the same probability.
    fn decided(html: &str, probability: f32, kept: impl Fn(&str) -> bool) -> Vec<String> {
        let limits = Limits::default();
        let dom = dom::parse(html, &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        let text = |run: RunId| tree.run_text(&tree.runs()[run]).to_owned();
        let runs: Vec<RunId> = (0..tree.runs().len()).filter(|run| !text(*run).is_empty()).collect();
        let words = vec![1.0; runs.len()];
        let units = WordedRuns { runs: &runs, words: &words };
        let mut decided: Vec<bool> = (0..tree.runs().len()).map(|run| kept(&text(run))).collect();
        keep_with_sections(&tree, units, &vec![probability; tree.runs().len()], &mut decided);
        drop_blocks(&tree, units, &mut decided);
        runs.iter().filter(|run| decided[**run]).map(|run| text(*run)).collect()
    }

    const LIST: &str = "<ul><li><a href=a>Sails</a><li><a href=b>Stones</a></ul>";
    const PROSE: &str = "<p>A mill turns the wind into flour.</p>";

    #[test]
    fn a_list_is_kept_with_the_text_of_its_section() {
        let section =
            |before: &str, heading: &str| format!("<div><div>{before}{heading}{LIST}</div><p>Later</p></div>");
        let prose = |text: &str| text.starts_with("A mill");
        let html = section(PROSE, "<h3>See also</h3>");
        assert_eq!(decided(&html, 0.3, prose).len(), 4);
        assert_eq!(decided(&html, 0.1, prose).len(), 1, "the model is sure of it");
        assert_eq!(decided(&html, 0.3, |_| false).len(), 0, "its section is dropped");
        assert_eq!(decided(&section(PROSE, ""), 0.3, prose).len(), 1, "no heading");
        assert_eq!(decided(&section("<p>Mills", "<h3>See also</h3>"), 0.3, |text| text == "Mills").len(), 1, "no text");
        assert_eq!(
            decided(&format!("<div>{PROSE}</div><h3>See also</h3>{LIST}"), 0.3, prose).len(),
            1,
            "not its section"
        );
    }

    #[test]
    fn a_block_of_lists_goes_when_most_of_it_does() {
        let block =
            format!("<div><h3>Topics</h3>{LIST}<h3>See also</h3>{}</div>{PROSE}", LIST.replace("Sails", "Wings"));
        assert_eq!(
            decided(&block, 0.1, |text| text.contains("mill") || text == "Sails"),
            ["A mill turns the wind into flour."]
        );
        assert_eq!(decided(&block, 0.1, |text| text == "Sails"), ["Sails"], "nothing would be left");
        assert_eq!(decided(&block, 0.1, |text| text != "Wings").len(), 6, "most is kept");
        let said = block.replace("<h3>See", "<p>Of mills and millers, their sails and stones</p><h3>See");
        assert_eq!(
            decided(&said, 0.1, |text| text.contains("mill turns") || text == "Sails").len(),
            2,
            "not only lists"
        );
    }
}
