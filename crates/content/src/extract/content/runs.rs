//! What is known of runs by those around them.

use crate::cst::{ContentStructureTree, RunId};

/// The nearest runs with text.
pub(super) struct Neighbours {
    /// Before each run.
    pub(super) before: Vec<Option<RunId>>,
    /// At or behind each run, and behind the last.
    pub(super) behind: Vec<Option<RunId>>,
}

impl Neighbours {
    pub(super) fn of(tree: &ContentStructureTree) -> Self {
        Self::among(tree, |_| true)
    }

    /// The nearest of those that `counts` says.
    pub(super) fn among(tree: &ContentStructureTree, counts: impl Fn(RunId) -> bool) -> Self {
        let runs = tree.runs();
        let counts = |run: RunId| !runs[run].text.is_empty() && counts(run);
        let (mut before, mut behind) = (vec![None; runs.len() + 1], vec![None; runs.len() + 1]);
        for run in 0..runs.len() {
            before[run + 1] = if counts(run) { Some(run) } else { before[run] };
        }
        for run in (0..runs.len()).rev() {
            behind[run] = if counts(run) { Some(run) } else { behind[run + 1] };
        }
        Self { before, behind }
    }
}

/// Share of the text of some runs that is kept.
pub(super) fn kept_share(tree: &ContentStructureTree, runs: impl Iterator<Item = RunId>, kept: &[bool]) -> f64 {
    let (mut all, mut of_kept) = (0, 0);
    for run in runs {
        let bytes = tree.runs()[run].text.len();
        all += bytes;
        of_kept += if kept[run] { bytes } else { 0 };
    }
    of_kept as f64 / all.max(1) as f64
}
