//! Runs of surviving blocks that go all the same.

use super::{PruneRule, PrunedTree};
use crate::cst::{NodeId, Run, RunId};
use crate::judge::{JudgedRuns, RunJudgement};

/// Probability below which a run without any of the topic's words goes by itself.
const RUN_NOISE_MAX: f32 = 0.05;

/// Share of the text of surviving blocks that may go by single runs.
const DROPPED_SHARE_MAX: f32 = 0.3;

/// Runs of surviving items that go by themselves.
pub(super) fn dropped_runs(pruned: &PrunedTree, judged: &JudgedRuns) -> Vec<u32> {
    match pruned.rule() {
        PruneRule::Main if judged.keeps_any() => {
            let surviving = surviving_with(pruned, judged);
            surviving.filter(|(.., said)| !said.kept).map(|(id, ..)| id as u32).collect()
        }
        PruneRule::Balanced => noise_runs(pruned, judged),
        _ => Vec::new(),
    }
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
