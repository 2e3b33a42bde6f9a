//! What the script in the page is told, so that it can decide anew without asking: a list of numbers for every run and item.

use std::collections::BTreeMap;

use lopper_content::cst::{NodeId, NodeKind, RunId};
use lopper_content::extract::methods::Method;
use lopper_content::prune::PruneReason;
use serde::Serialize;

use super::reasons::in_words;
use super::{Choice, Kept, Viewed};

/// Runs whose reasons are told.
const TOLD_RUNS_MAX: usize = 2000;

/// The judge keeps the run.
const KEPT: u8 = 1;
/// The run is a reader's comment.
const COMMENT: u8 = 2;
/// The run is in the index.
const INDEXED: u8 = 4;

/// The stored verdicts of a page.
#[derive(Debug, Serialize)]
pub(crate) struct Verdicts {
    /// Of each run: probability in per cent (-1 where no judge was asked), flags, words, place of its item, block (-1 for none).
    runs: Vec<(i16, u8, u32, u32, i32)>,
    /// Of each item, in document order: place of the item around it (-1 for the root), first run, one past the last run, tag, similarity,
    /// best similarity beside it, whether it competes, whether it was kept, reason, template score.
    items: Vec<Item>,
    /// Of each block of the index: similarity and weight.
    blocks: Vec<(f32, f32)>,
    /// Of some runs: what was looked at, its value, and what it added.
    reasons: BTreeMap<RunId, Vec<(String, f32, f32)>>,
    /// What methods keep, by name: a digit a run. Those that are missing are asked for at `methods_at`.
    methods: BTreeMap<&'static str, String>,
    /// Where they can be had.
    #[serde(skip_serializing_if = "Option::is_none")]
    methods_at: Option<String>,
}

type Item = (i32, usize, usize, &'static str, f32, f32, u8, u8, &'static str, f32);

impl Verdicts {
    /// All that is stored. What published methods keep is in it, unless it can be asked for at `methods_at`.
    pub(crate) fn new(viewed: &Viewed<'_>, methods_at: Option<String>) -> Self {
        let (items, places) = items(viewed);
        let methods = if methods_at.is_some() || viewed.parsed().is_none() { BTreeMap::new() } else { methods(viewed) };
        Self {
            runs: runs(viewed, &places),
            items,
            blocks: viewed.blocks.iter().map(|block| (rounded(block.similarity), rounded(block.weight))).collect(),
            reasons: reasons(viewed),
            methods,
            methods_at,
        }
    }
}

/// What the published methods keep of a page that is at hand.
pub(crate) fn methods(viewed: &Viewed<'_>) -> BTreeMap<&'static str, String> {
    let view = viewed.view();
    let kept = |method| {
        let choice = Choice::Published(method);
        (choice.name(), digits(&choice.kept(viewed.stored, view.as_ref())))
    };
    Method::ALL.into_iter().map(kept).collect()
}

fn digits(kept: &Kept) -> String {
    kept.iter().map(|kept| if *kept { '1' } else { '0' }).collect()
}

/// The items, and the place of each node among them.
fn items(viewed: &Viewed<'_>) -> (Vec<Item>, Vec<u32>) {
    let (stored, tree) = (viewed.stored, &viewed.stored.tree);
    let mut places = vec![0; tree.len()];
    let mut items = Vec::new();
    for id in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        places[id.index()] = items.len() as u32;
        let above = tree.parent(id).map_or(-1, |parent: NodeId| places[parent.index()] as i32);
        let runs = tree.runs_within(id);
        let item = stored.decision(id).map_or((0.0, 0.0, 0, 1, "not judged", 0.0), |decision| {
            let competes = !matches!(decision.reason, PruneReason::Root | PruneReason::OnlyChild | PruneReason::Part);
            let (similarity, best) = (rounded(decision.similarity), rounded(decision.best));
            let reason = decision.reason.as_str();
            (similarity, best, u8::from(competes), u8::from(decision.kept), reason, rounded(decision.template))
        });
        let (similarity, best, competes, kept, reason, template) = item;
        let tag = tree.tag(id).name();
        items.push((above, runs.start, runs.end, tag, similarity, best, competes, kept, reason, template));
    }
    (items, places)
}

fn runs(viewed: &Viewed<'_>, places: &[u32]) -> Vec<(i16, u8, u32, u32, i32)> {
    let stored = viewed.stored;
    let indexed = stored.surviving_runs();
    let mut blocks = vec![-1; indexed.len()];
    for (block, runs) in viewed.block_runs.iter().enumerate() {
        for run in runs {
            blocks[*run] = block as i32;
        }
    }
    let run = |(id, run): (RunId, &lopper_content::cst::Run)| {
        let judged = stored.judged.as_ref().and_then(|judged| judged.run(id));
        let flags = judged.map_or(0, |run| if run.kept { KEPT } else { 0 } | if run.comment { COMMENT } else { 0 });
        let flags = flags | if indexed[id] { INDEXED } else { 0 };
        let probability = judged.map_or(-1, |run| (run.probability * 100.0).round() as i16);
        (probability, flags, viewed.words[id], places[run.item.index()], blocks[id])
    };
    stored.tree.runs().iter().enumerate().map(run).collect()
}

fn reasons(viewed: &Viewed<'_>) -> BTreeMap<RunId, Vec<(String, f32, f32)>> {
    let Some(judged) = &viewed.stored.judged else { return BTreeMap::new() };
    let told = (0..viewed.stored.tree.runs().len()).map(|run| (run, judged.reasons(run)));
    let told = told.filter(|(_, reasons)| !reasons.is_empty()).take(TOLD_RUNS_MAX);
    let in_words = |reason: lopper_content::judge::RunReason| {
        (in_words(&reason.feature), rounded(reason.value), rounded(reason.contribution))
    };
    told.map(|(run, reasons)| (run, reasons.into_iter().map(in_words).collect())).collect()
}

/// To three places, which is what is shown; `f32` in full would double the page.
fn rounded(value: f32) -> f32 {
    if value.is_finite() { (value * 1000.0).round() / 1000.0 } else { 0.0 }
}
