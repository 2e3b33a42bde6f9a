//! Code and lists that the kept text around them calls for.
//!
//! 1. Code is kept when the text right before it in the same container is: the sentence that leads to it, or other code, whatever
//!    [button or title](super::beside_code) stands between. A figure with code in it, and
//!    a caption, goes with the code. Elements that hold nothing but code are no containers: the cells of notebooks. A few words that
//!    lead from kept code to other code are kept with that: `Output:`.
//! 2. A list is kept when the text right before it in the same container is and ends with a colon.
//!    So is a list of definitions that are numbered entries ([`signed_definitions`](super::signed_definitions)).
//! 3. A list of which some is kept is kept whole: more than half when the text right before or behind it in the same container is kept,
//!    more than a quarter when both are.
//!
//! Lists that hold headings, tables or sections are cards, posts or menus, whose entries stand for themselves.

use std::collections::HashSet;
use std::ops::Range;

use super::runs::{Neighbours, kept_share};
use super::signed_definitions::signed_list;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, Run, RunId};
use crate::dom::{Dom, Tag};

/// Share of a list above which it is kept whole with kept text on one side.
const ONE_SIDE_SHARE: f64 = 0.5;

/// The same with kept text on both sides.
const BOTH_SIDES_SHARE: f64 = 0.25;

/// Elements around code or a list that are looked at for one that holds more.
const LEVELS: usize = 6;

/// Runs of an entry that are looked at for words beside those of its division.
const ENTRY_RUNS_MAX: usize = 64;

/// Bytes of words that lead from code to code.
const BETWEEN_BYTES_MAX: usize = 80;

/// Keeps code and lists that are called for. `beside` has the runs that part no code from the text. O(runs · depth of lists).
pub(super) fn keep_called_for(
    dom: &Dom,
    tree: &ContentStructureTree,
    beside: &[bool],
    neighbours: &Neighbours,
    kept: &mut [bool],
) {
    let is_code = code_runs(tree);
    let mut figures = HashSet::new();
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        let is_signed = || tree.source(item).is_some_and(|list| signed_list(dom, list).is_some());
        let is_list = match tree.tag(item) {
            Tag::Ul | Tag::Ol => true,
            Tag::Dl if is_signed() => true,
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
        let is_of_code = |run: RunId| is_code[run] || beside[run] || tree.runs()[run].text.is_empty();
        let holds_code_alone = |runs: &Range<RunId>| !is_list && runs.clone().all(is_of_code);
        let Some(container) = container(tree, item, &own, holds_code_alone) else { continue };
        if !is_list && let Some(words) = neighbours.before[own.start].filter(|run| container.contains(run)) {
            let before = neighbours.before[words].filter(|run| kept[*run] && is_code[*run] && container.contains(run));
            let are_few = tree.runs()[words].text.len() <= BETWEEN_BYTES_MAX;
            kept[words] |= before.is_some() && are_few && leads_on(tree, words);
        }
        let is_kept = |run: &RunId| kept[*run] && container.contains(run);
        let before = neighbours.before[own.start].filter(is_kept);
        let behind = neighbours.behind[own.end].filter(is_kept);
        let is_called_for = match (is_list, before, behind) {
            (_, None, None) => false,
            (false, before, _) => before.is_some(),
            (true, Some(run), _) if leads_on(tree, run) || tree.tag(item) == Tag::Dl => true,
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

/// The runs of the nearest element that holds more than an item and is not passed over.
fn container(
    tree: &ContentStructureTree,
    item: NodeId,
    own: &Range<RunId>,
    is_passed: impl Fn(&Range<RunId>) -> bool,
) -> Option<Range<RunId>> {
    let around = std::iter::successors(tree.parent(item), |id| tree.parent(*id)).take(LEVELS);
    around.map(|id| tree.runs_within(id)).find(|runs| runs != own && !is_passed(runs))
}

/// The runs that are in code.
fn code_runs(tree: &ContentStructureTree) -> Vec<bool> {
    let mut is_code = vec![false; tree.runs().len()];
    for item in tree.ids().filter(|id| tree.tag(*id) == Tag::Pre && tree.kind(*id) == NodeKind::HtmlItem) {
        is_code[tree.runs_within(item)].fill(true);
    }
    is_code
}

/// Whether a list holds nothing but words, code and lists. A division that is all that an entry has beside further lists is its words.
fn is_plain(tree: &ContentStructureTree, own: &Range<RunId>) -> bool {
    let stands_for_itself = |run: &Run| match tree.tag(run.item) {
        Tag::Td | Tag::Th | Tag::Section | Tag::Article => true,
        Tag::Div => !is_all_of_entry(tree, run.item),
        tag => tag.heading_level().is_some(),
    };
    !tree.runs()[own.clone()].iter().any(stands_for_itself)
}

fn is_all_of_entry(tree: &ContentStructureTree, division: NodeId) -> bool {
    let entry = tree.parent(division).filter(|around| matches!(tree.tag(*around), Tag::Li | Tag::Dd));
    let Some(entry) = entry else { return false };
    let is_in_list = |run: RunId| {
        let around = std::iter::successors(Some(tree.runs()[run].item), |id| tree.parent(*id)).take(LEVELS);
        around.take_while(|id| *id != entry).any(|id| matches!(tree.tag(id), Tag::Ul | Tag::Ol | Tag::Dl))
    };
    let mut own = 0;
    tree.runs_within(entry).take(ENTRY_RUNS_MAX).all(|run| {
        own += usize::from(!is_in_list(run));
        own <= 1
    })
}

/// Whether a run announces what comes next.
pub(in crate::extract) fn leads_on(tree: &ContentStructureTree, run: RunId) -> bool {
    tree.run_text(&tree.runs()[run]).trim_end().ends_with([':', '：'])
}
