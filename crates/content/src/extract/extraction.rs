//! One judgement of a page: what is content, how likely, and why.

use std::fmt;
use std::str::FromStr;

use super::content::{ContentOptions, content_of};
use super::forest_judge::{FeatureContribution, ForestVerdict};
use super::judge::ContentJudge;
use super::model::Model;
use super::{Extractor, PageView, forest_judge};
use crate::cst::{ContentStructureTree, NodeId, RunId};
use crate::document::Document;
use crate::judge::{JudgedRuns, RunJudgement};
use crate::prune::competes;

/// Reasons that are kept of a run.
const REASONS_KEPT: usize = 3;

/// Runs of a page whose reasons are kept; later ones have none.
const TOLD_RUNS_MAX: usize = 16;

/// What becomes of readers' comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Comments {
    /// Left out, except where they are the content, as in a forum.
    #[default]
    Auto,
    /// Kept beside the content.
    Keep,
    /// Left out everywhere.
    Drop,
}

impl FromStr for Comments {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "auto" => Ok(Self::Auto),
            "keep" => Ok(Self::Keep),
            "drop" => Ok(Self::Drop),
            other => Err(format!("comments cannot be `{other}`: use `auto`, `keep` or `drop`")),
        }
    }
}

impl fmt::Display for Comments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Keep => "keep",
            Self::Drop => "drop",
        })
    }
}

/// What a [`ContentJudge`] says of a page. Arrays are indexed by run.
#[derive(Debug)]
pub struct ContentVerdict {
    /// Whether the run is kept: comments only where they are the content, as in a forum.
    pub kept: Vec<bool>,
    /// The method's score: for the model the probability of being content, for others on a scale of the method's own.
    pub score: Vec<f32>,
    /// Texts that the page has only in its metadata, to be put behind the kept runs.
    pub hidden_texts: Vec<String>,
    decision: Option<ForestVerdict>,
}

impl ContentJudge for Extractor {
    fn name(&self) -> &'static str {
        Self::name(*self)
    }

    /// Only the model tells comments; the published methods know none.
    fn judge(&self, page: &PageView<'_>) -> ContentVerdict {
        match self {
            Self::Lopper => ContentVerdict::of(forest_judge::decide(page, Model::embedded())),
            Self::Published(method, variant) => {
                let verdict = method.decide(page, *variant);
                ContentVerdict { kept: verdict.kept, score: verdict.score, hidden_texts: Vec::new(), decision: None }
            }
        }
    }
}

impl ContentVerdict {
    fn of(decision: ForestVerdict) -> Self {
        Self {
            kept: decision.kept.clone(),
            score: decision.probability.clone(),
            hidden_texts: decision.hidden_texts().into_iter().map(str::to_owned).collect(),
            decision: Some(decision),
        }
    }

    /// The same with readers' comments kept or left out everywhere.
    #[must_use]
    pub fn with_comments(mut self, comments: Comments) -> Self {
        let Some(decision) = &self.decision else { return self };
        for (run, kept) in self.kept.iter_mut().enumerate() {
            match comments {
                Comments::Auto => {}
                Comments::Keep => *kept |= decision.is_comment(run),
                Comments::Drop => *kept &= !decision.is_comment(run),
            }
        }
        self
    }

    /// Probability of each run of being content: that of the model; of a published method 1 for what it keeps and 0 for the rest.
    pub fn probability(&self) -> Vec<f32> {
        match &self.decision {
            Some(decision) => decision.probability.clone(),
            None => self.kept.iter().map(|kept| if *kept { 1.0 } else { 0.0 }).collect(),
        }
    }

    /// The verdict as it is kept with the tree, without reasons.
    pub(crate) fn judged_runs(&self, judge: &str) -> JudgedRuns {
        let probability = self.probability();
        let run = |(run, kept): (RunId, &bool)| RunJudgement {
            probability: probability[run],
            kept: *kept,
            comment: self.is_comment(run),
        };
        let mut judged = JudgedRuns::new(judge, self.kept.iter().enumerate().map(run));
        judged.pass_over(self.decision.as_ref().map_or(&[], ForestVerdict::passed_over));
        judged
    }

    /// Puts the strongest reasons for some runs to what is kept: of each passage and each eliminated block the longest run.
    pub(crate) fn give_reasons(&self, tree: &ContentStructureTree, judged: &mut JudgedRuns) {
        if self.decision.is_none() {
            return;
        }
        for run in told_runs(tree) {
            let reasons = self.reasons(run, REASONS_KEPT);
            judged.push_reasons(run, reasons.iter().map(|reason| (reason.feature, reason.value, reason.contribution)));
        }
    }

    /// Whether the run is a reader's comment, as far as the method can tell.
    pub fn is_comment(&self, run: RunId) -> bool {
        self.decision.as_ref().is_some_and(|decision| decision.is_comment(run))
    }

    /// The strongest reasons for a run's score, where the method gives reasons.
    pub fn reasons(&self, run: RunId, count: usize) -> Vec<FeatureContribution> {
        self.decision.as_ref().map_or_else(Vec::new, |decision| decision.explain(run, Model::embedded(), count))
    }

    /// The kept runs, and the texts of the metadata, as a document.
    pub fn content(&self, page: &PageView<'_>) -> Document {
        self.content_with(page, ContentOptions::default())
    }

    /// The same without links or images, as `options` say.
    pub fn content_with(&self, page: &PageView<'_>, options: ContentOptions) -> Document {
        let mut document = content_of(page.dom, page.tree, page.url, &self.kept, options);
        for text in &self.hidden_texts {
            document.push_paragraph(text);
        }
        document
    }
}

/// The runs whose reasons are kept, ascending: the longest of each container whose fate is its own, without those of containers in it.
fn told_runs(tree: &ContentStructureTree) -> Vec<RunId> {
    let containers = containers(tree);
    let mut longest: Vec<(NodeId, RunId)> = Vec::new();
    for (id, run) in tree.runs().iter().enumerate().filter(|(_, run)| !run.text.is_empty()) {
        let container = containers[run.item.index()].unwrap_or(run.item);
        match longest.last_mut() {
            Some((last, of)) if *last == container => {
                if tree.runs()[*of].text.len() < run.text.len() {
                    *of = id;
                }
            }
            _ => longest.push((container, id)),
        }
    }
    let mut runs: Vec<RunId> = longest.into_iter().map(|(_, run)| run).collect();
    runs.sort_by_key(|run| std::cmp::Reverse(tree.runs()[*run].text.len()));
    runs.truncate(TOLD_RUNS_MAX);
    runs.sort_unstable();
    runs
}

/// By node the nearest container at or around it whose fate is its own. Each node is asked once: to ask for every run would be
/// quadratic on a page of headings.
fn containers(tree: &ContentStructureTree) -> Vec<Option<NodeId>> {
    let mut containers: Vec<Option<NodeId>> = vec![None; tree.len()];
    for id in tree.ids() {
        containers[id.index()] =
            if competes(tree, id) { Some(id) } else { tree.parent(id).and_then(|parent| containers[parent.index()]) };
    }
    containers
}
