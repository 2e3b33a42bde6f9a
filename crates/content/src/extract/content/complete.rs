//! Structure that is kept whole: a table without some of its cells, or code without some of its lines, is another one.
//!
//! Methods decide about runs. Here what they kept is completed, and nothing is taken away:
//!
//! 1. A table of data of which more than a quarter is kept, and code and quotations of which more than half is kept, are kept whole;
//!    lists of definitions too, and terms with their definitions ([`definitions`](super::definitions)).
//! 2. Code, also in tabs, tables with heads and formulas are kept when the text before and behind them is.
//! 3. Code and lists that the text around them calls for are kept ([`called_for`](super::called_for)).
//! 4. A heading is kept when what it heads is: what comes next, or half of its section. So are the summary of details, the title of a note
//!    and the caption of code.
//! 5. An image whose caption is not kept is kept when the text before and behind its figure is.

use std::collections::HashSet;

use super::super::steps::is_table_of_steps;
use super::aria::{GridRole, grid_role};
use super::called_for::keep_called_for;
use super::definitions::keep_definitions;
use super::formula::is_marked;
use super::furniture::{is_summary_table, is_title};
use super::headings::keep_headings;
use super::runs::{Neighbours, kept_share};
use super::table::TableShape;
use super::tabs::is_label_list;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{Dom, DomId, Tag};

/// Share of a table's text above which it is kept whole.
const TABLE_SHARE: f64 = 0.25;

/// The same for code and quotations.
const BLOCK_SHARE: f64 = 0.5;

/// `kept`, by run, completed. O(nodes).
pub(super) fn completed(dom: &Dom, tree: &ContentStructureTree, kept: &[bool]) -> Vec<bool> {
    let mut kept = kept.to_vec();
    kept.resize(tree.runs().len(), false);
    // Runs of code, of tables with heads, of headings, and of labels of tabs.
    let mut solid = vec![false; kept.len()];
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        match tree.tag(item) {
            Tag::Pre => {
                complete(tree, item, BLOCK_SHARE, &mut kept);
                solid[tree.runs_within(item)].fill(true);
            }
            Tag::Blockquote => complete(tree, item, BLOCK_SHARE, &mut kept),
            Tag::Dl => keep_definitions(tree, item, &mut kept),
            tag @ Tag::Div if tree.source(item).is_some_and(|division| is_table(dom, division, tag)) => {
                complete(tree, item, TABLE_SHARE, &mut kept);
            }
            Tag::Table => {
                let Some(shape) = tree.source(item).map(|table| TableShape::of(dom, table)) else { continue };
                if shape.is_data() {
                    complete(tree, item, TABLE_SHARE, &mut kept);
                    if shape.has_heads() && !is_table_of_steps(dom, tree, item) {
                        solid[tree.runs_within(item)].fill(true);
                    }
                }
            }
            Tag::Div | Tag::P if tree.source(item).is_some_and(|element| is_marked(dom, element)) => {
                solid[tree.runs_within(item)].fill(true);
            }
            tag if tag.heading_level().is_some() => solid[tree.runs_within(item)].fill(true),
            _ if tree.source(item).is_some_and(|element| is_label_list(dom, element)) => {
                solid[tree.runs_within(item)].fill(true);
            }
            _ => {}
        }
    }
    bridge(tree, &solid, &mut kept);
    let neighbours = Neighbours::of(tree);
    keep_called_for(tree, &neighbours, &mut kept);
    keep_headings(dom, tree, &mut kept);
    let mut titled = HashSet::new();
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        let is_title = || tree.source(item).is_some_and(|element| is_title(dom, element));
        match tree.tag(item) {
            tag @ (Tag::Summary | Tag::P | Tag::Div) if tag == Tag::Summary || is_title() => {
                keep_title(tree, item, &mut titled, &mut kept);
            }
            Tag::Figure => keep_images(tree, item, &neighbours, &mut kept),
            _ => {}
        }
    }
    kept
}

/// Whether a division is a table.
fn is_table(dom: &Dom, division: DomId, tag: Tag) -> bool {
    is_summary_table(dom, division) || grid_role(dom, division, tag) == Some(GridRole::Table)
}

/// Keeps the title of what is around it, of whose other text more than half is kept. Only the first title is one; `titled` has what had its own.
fn keep_title(tree: &ContentStructureTree, title: NodeId, titled: &mut HashSet<NodeId>, kept: &mut [bool]) {
    let around = tree.parent(title).filter(|id| *id != ContentStructureTree::ROOT && titled.insert(*id));
    let Some(around) = around else { return };
    let own = tree.runs_within(title);
    let others = tree.runs_within(around).filter(|run| !own.contains(run));
    if kept_share(tree, others, kept) > BLOCK_SHARE {
        kept[own].fill(true);
    }
}

/// Keeps the runs without text of a figure that stands within kept text, and its caption if that tells of them.
fn keep_images(tree: &ContentStructureTree, figure: NodeId, neighbours: &Neighbours, kept: &mut [bool]) {
    let own = tree.runs_within(figure);
    let is_kept = |run: Option<RunId>| run.is_some_and(|run| kept[run]);
    if is_kept(neighbours.before[own.start]) && is_kept(neighbours.behind[own.end]) {
        kept[own].fill(true);
    }
}

/// Keeps all runs of an item if more than `share` of its text is kept.
fn complete(tree: &ContentStructureTree, item: NodeId, share: f64, kept: &mut [bool]) {
    let runs = tree.runs_within(item);
    let of_kept = kept_share(tree, runs.clone(), kept);
    if of_kept > share && of_kept < 1.0 {
        kept[runs].fill(true);
    }
}

/// Keeps stretches of solid runs between two runs with text that are kept.
fn bridge(tree: &ContentStructureTree, solid: &[bool], kept: &mut [bool]) {
    // The last run with text that is kept, while only solid ones have come since.
    let mut from: Option<RunId> = None;
    for run in 0..kept.len() {
        if tree.runs()[run].text.is_empty() {
            continue;
        }
        if kept[run] {
            if let Some(from) = from {
                kept[from..run].fill(true);
            }
            from = Some(run);
        } else if !solid[run] {
            from = None;
        }
    }
}
