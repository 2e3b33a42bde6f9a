//! Code and lists that the kept text around them calls for.
//!
//! 1. Code is kept when the text right before it in the same container is: the sentence that leads to it, whatever
//!    [button or title](super::beside_code) stands between. A figure with code in it, and
//!    a caption, goes with the code.
//! 2. A list is kept when the text right before it in the same container is and ends with a colon.
//! 3. A list of which some is kept is kept whole: more than half when the text right before or behind it in the same container is kept,
//!    more than a quarter when both are.
//!
//! Lists that hold headings, tables or sections are cards, posts or menus, whose entries stand for themselves.

use std::collections::HashSet;
use std::ops::Range;

use super::runs::{Neighbours, kept_share};
use crate::cst::{ContentStructureTree, NodeId, NodeKind, Run, RunId};
use crate::dom::Tag;

/// Share of a list above which it is kept whole with kept text on one side.
const ONE_SIDE_SHARE: f64 = 0.5;

/// The same with kept text on both sides.
const BOTH_SIDES_SHARE: f64 = 0.25;

/// Elements around code or a list that are looked at for one that holds more.
const LEVELS: usize = 6;

/// Keeps code and lists that are called for. O(runs · depth of lists).
pub(super) fn keep_called_for(tree: &ContentStructureTree, neighbours: &Neighbours, kept: &mut [bool]) {
    let mut figures = HashSet::new();
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        let is_list = match tree.tag(item) {
            Tag::Ul | Tag::Ol => true,
            Tag::Pre => false,
            _ => continue,
        };
        let item = if is_list { item } else { figure_around(tree, item) };
        if !is_list && !figures.insert(item) {
            continue; // Another code in the same figure.
        }
        let own = tree.runs_within(item);
        if own.clone().all(|run| kept[run] || tree.runs()[run].text.is_empty()) || (is_list && !is_plain(tree, &own)) {
            continue;
        }
        let Some(container) = container(tree, item, &own) else { continue };
        let is_kept = |run: &RunId| kept[*run] && container.contains(run);
        let before = neighbours.before[own.start].filter(is_kept);
        let behind = neighbours.behind[own.end].filter(is_kept);
        let is_called_for = match (is_list, before, behind) {
            (_, None, None) => false,
            (false, before, _) => before.is_some(),
            (true, Some(run), _) if leads_on(tree, run) => true,
            (true, Some(_), Some(_)) => kept_share(tree, own.clone(), kept) > BOTH_SIDES_SHARE,
            (true, _, _) => kept_share(tree, own.clone(), kept) > ONE_SIDE_SHARE,
        };
        if is_called_for {
            kept[own].fill(true);
        }
    }
}

/// The figure that code is in; the code where it is in none.
fn figure_around(tree: &ContentStructureTree, code: NodeId) -> NodeId {
    /// Elements around the code that are looked at.
    const LEVELS: usize = 2;
    let mut around = std::iter::successors(tree.parent(code), |id| tree.parent(*id)).take(LEVELS);
    around.find(|id| tree.tag(*id) == Tag::Figure).unwrap_or(code)
}

/// The runs of the nearest element that holds more than an item.
fn container(tree: &ContentStructureTree, item: NodeId, own: &Range<RunId>) -> Option<Range<RunId>> {
    let around = std::iter::successors(tree.parent(item), |id| tree.parent(*id)).take(LEVELS);
    around.map(|id| tree.runs_within(id)).find(|runs| runs != own)
}

/// Whether a list holds nothing but words, code and lists. A division that is all that an entry has is its words.
fn is_plain(tree: &ContentStructureTree, own: &Range<RunId>) -> bool {
    let stands_for_itself = |run: &Run| match tree.tag(run.item) {
        Tag::Td | Tag::Th | Tag::Section | Tag::Article => true,
        Tag::Div => !is_all_of_entry(tree, run.item),
        tag => tag.heading_level().is_some(),
    };
    !tree.runs()[own.clone()].iter().any(stands_for_itself)
}

fn is_all_of_entry(tree: &ContentStructureTree, division: NodeId) -> bool {
    let entry = tree.parent(division).filter(|around| tree.tag(*around) == Tag::Li);
    entry.is_some_and(|entry| tree.runs_within(entry).len() == 1)
}

/// Whether a run announces what comes next.
pub(in crate::extract) fn leads_on(tree: &ContentStructureTree, run: RunId) -> bool {
    tree.run_text(&tree.runs()[run]).trim_end().ends_with([':', '：'])
}
