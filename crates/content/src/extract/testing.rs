//! What tests of decisions after the cut share.

use super::content::{ContentOptions, content_of};
use super::repeated::WordedRuns;
use crate::cst::{self, ContentStructureTree, Profile, RunId};
use crate::document::to_markdown;
use crate::dom::{self, Dom};
use crate::limits::Limits;

/// The texts that stay of a page whose runs with `plain` are kept, all at one probability, after `keep` has decided.
pub(super) fn left(
    html: &str,
    probability: f32,
    keep: impl Fn(&Dom, &ContentStructureTree, WordedRuns<'_>, &[f32], &mut [bool]),
) -> Vec<String> {
    let limits = Limits::default();
    let dom = dom::parse(html, &limits);
    let tree = cst::build(&dom, Profile::Modern, &limits);
    let runs: Vec<RunId> = (0..tree.runs().len()).collect();
    let words = vec![5.0; runs.len()];
    let text = |run: RunId| tree.run_text(&tree.runs()[run]).to_owned();
    let mut kept: Vec<bool> = runs.iter().map(|run| text(*run).contains("plain")).collect();
    let units = WordedRuns { runs: &runs, words: &words };
    keep(&dom, &tree, units, &vec![probability; runs.len()], &mut kept);
    runs.into_iter().filter(|run| kept[*run]).map(text).collect()
}

/// The Markdown of a page of which the texts with `kept` in them were kept.
pub(super) fn written(html: &str) -> String {
    let limits = Limits::default();
    let dom = dom::parse(html, &limits);
    let tree = cst::build(&dom, Profile::Modern, &limits);
    let kept: Vec<bool> = tree.runs().iter().map(|run| tree.run_text(run).contains("kept")).collect();
    to_markdown(&content_of(&dom, &tree, "", &kept, ContentOptions::default()))
}
