//! Runs of surviving blocks that go all the same.

use super::{PruneRule, PrunedTree};
use crate::cst::{NodeId, NodeKind, Run, RunId};
use crate::judge::{JudgedRuns, RunJudgement};

/// Probability below which a run without any of the topic's words goes by itself.
const RUN_NOISE_MAX: f32 = 0.05;

/// Share of the text of surviving blocks that may go by single runs.
const DROPPED_SHARE_MAX: f32 = 0.3;

/// Links over the page's menus at most, and words of each of them.
const SKIPS_MAX: usize = 3;
const SKIP_WORDS_MAX: usize = 6;

/// Runs of surviving items that go by themselves.
pub(super) fn dropped_runs(pruned: &PrunedTree, judged: &JudgedRuns) -> Vec<u32> {
    match pruned.rule() {
        PruneRule::Main if judged.keeps_any() => {
            let surviving = surviving_with(pruned, judged);
            surviving.filter(|(.., said)| !said.kept).map(|(id, ..)| id as u32).collect()
        }
        PruneRule::Balanced => with_heads(pruned, with_skips(pruned, noise_runs(pruned, judged))),
        _ => Vec::new(),
    }
}

/// With the links that a page begins with and that lead over its menus: `Skip to content`. More of them are the page's contents, and a title
/// that links to its own place is one all the same.
fn with_skips(pruned: &PrunedTree, mut dropped: Vec<u32>) -> Vec<u32> {
    let tree = pruned.tree();
    let is_skip = |run: &Run| {
        let text = tree.run_text(run);
        let leads_down = |node: NodeId| {
            let target = tree.link(node).and_then(|link| tree.attribute_text(link.href).strip_prefix('#'));
            target.is_some_and(|name| {
                !name.is_empty() && tree.ancestors(run.item).all(|item| tree.element_id(item) != Some(name))
            })
        };
        !text.is_empty()
            && !tree.is_in_heading(run)
            && tree.linked_bytes(run) == text.len()
            && run.nodes.clone().map(NodeId).filter(|node| tree.kind(*node) == NodeKind::Link).all(leads_down)
            && text.split_whitespace().nth(SKIP_WORDS_MAX).is_none()
    };
    let skips = tree.runs().iter().take_while(|run| is_skip(run)).take(SKIPS_MAX + 1).count();
    if (1..=SKIPS_MAX).contains(&skips) && (skips..tree.runs().len()).any(|run| stays(pruned, &dropped, run)) {
        dropped.extend((0..skips as u32).filter(|run| pruned.survives(tree.runs()[*run as usize].item)));
        dropped.sort_unstable();
        dropped.dedup();
    }
    dropped
}

/// Whether a run survives and is not dropped by itself, of which these are, ascending.
fn stays(pruned: &PrunedTree, dropped: &[u32], run: RunId) -> bool {
    pruned.survives(pruned.tree().runs()[run].item) && dropped.binary_search(&(run as u32)).is_err()
}

/// With the headings and labels of lists of links of which nothing stayed.
fn with_heads(pruned: &PrunedTree, mut dropped: Vec<u32>) -> Vec<u32> {
    let heads = pruned.tree().heads_of_nothing(|run| stays(pruned, &dropped, run));
    if !heads.is_empty() {
        dropped.extend(heads.into_iter().map(|run| run as u32));
        dropped.sort_unstable();
    }
    dropped
}

/// Runs that are passed over, and those that judge and cosine both hold for noise. None of the latter where they are much of the page, since
/// the judge does not know such a page, and none at all where nothing would be left.
fn noise_runs(pruned: &PrunedTree, judged: &JudgedRuns) -> Vec<u32> {
    let (mut passed_over, mut noise) = (Vec::new(), Vec::new());
    let (mut noise_bytes, mut all_bytes) = (0, 0);
    for (id, run, said) in surviving_with(pruned, judged) {
        if judged.is_passed_over(id) {
            passed_over.push(id as u32);
            continue;
        }
        all_bytes += run.text.len();
        if said.probability < RUN_NOISE_MAX && pruned.similarity(run.nodes.clone().map(NodeId)) == 0.0 {
            noise_bytes += run.text.len();
            noise.push(id as u32);
        }
    }
    if noise_bytes as f32 > DROPPED_SHARE_MAX * all_bytes as f32 {
        noise.clear();
    }
    if all_bytes > 0 {
        noise.append(&mut passed_over);
        noise.sort_unstable();
    }
    noise
}

/// The runs of surviving items, each with what the judge said of it.
fn surviving_with<'a>(
    pruned: &'a PrunedTree,
    judged: &'a JudgedRuns,
) -> impl Iterator<Item = (RunId, &'a Run, RunJudgement)> {
    let runs = pruned.tree().runs().iter().enumerate().filter(|(_, run)| pruned.survives(run.item));
    runs.filter_map(|(id, run)| Some((id, run, judged.run(id)?)))
}
