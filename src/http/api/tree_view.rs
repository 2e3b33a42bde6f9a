//! A judged tree as JSON: its HtmlItems in document order, each with its depth.

use lopper_archive::page::PageId;
use lopper_content::cst::{BlockPaths, NodeId, NodeKind, RunId};
use lopper_content::judge::{JudgedRuns, RunJudgement, RunReason};
use lopper_content::pipeline::StoredTree;
use lopper_content::prune::PruneReason;
use serde::Serialize;

/// HtmlItems in one answer.
const NODES_MAX: usize = 20_000;

/// Characters of a run's text.
const RUN_CHARS_MAX: usize = 1000;

/// Runs shown of one HtmlItem.
const RUNS_PER_NODE_MAX: usize = 200;

/// A page's tree.
#[derive(Debug, Serialize)]
pub(super) struct TreeView {
    page_id: String,
    /// The rule that the page was pruned by, as `lopper` takes it.
    rule: String,
    /// The text that the page was pruned by.
    topic: String,
    /// Which elements are blocks.
    profile: String,
    /// Who judged what is content; absent where nobody did.
    #[serde(skip_serializing_if = "Option::is_none")]
    judge: Option<String>,
    /// Whether a limit cut the page short when it was read.
    is_truncated: bool,
    /// HtmlItems, in document order; a node's children follow it and are one deeper.
    nodes: Vec<NodeView>,
    /// HtmlItems beyond those.
    nodes_left_out: usize,
}

/// An HtmlItem.
#[derive(Debug, Serialize)]
struct NodeView {
    /// Places among siblings from the root down, as `0.3.1`; empty for the root.
    path: String,
    /// 0 for the root.
    depth: usize,
    tag: &'static str,
    css_path: String,
    /// Cosine similarity to the topic, in [0, 1].
    similarity: f32,
    /// The highest similarity on its floor.
    best_similarity: f32,
    /// Mean probability of being content, in [0, 1]; absent where nobody judged the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<f32>,
    /// Share of its site's pages that hold it, in [0, 1]; 0 where nothing is known of the site.
    template_score: f32,
    /// Whether it stayed beside its siblings.
    kept: bool,
    /// Why, for programs.
    reason_code: Option<PruneReason>,
    /// Why, in words.
    reason: &'static str,
    /// Whether it and every block around it stayed.
    survives: bool,
    /// Texts of its own runs; those of blocks inside are with them.
    runs: Vec<String>,
    /// What was said of these runs, in their order; empty where nobody judged the page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    judgements: Vec<RunView>,
    /// Own runs beyond those.
    runs_left_out: usize,
    /// Its own content nodes.
    contents: Contents,
}

/// What the judge said of a run.
#[derive(Debug, Serialize)]
struct RunView {
    /// Probability of being content, in [0, 1].
    probability: f32,
    /// Whether it is content.
    content: bool,
    /// Whether it is a reader's comment.
    comment: bool,
    /// Whether it is in the index.
    survives: bool,
    /// The strongest reasons, where they were kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<RunReason>,
}

impl RunView {
    fn new(judged: &JudgedRuns, run: RunId, survives: bool) -> Option<Self> {
        let RunJudgement { probability, kept, comment } = judged.run(run)?;
        Some(Self { probability, content: kept, comment, survives, reasons: judged.reasons(run) })
    }
}

/// Content nodes by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct Contents {
    texts: u32,
    links: u32,
    images: u32,
}

/// What is counted of all nodes in one go.
struct Gathered {
    depths: Vec<usize>,
    contents: Vec<Contents>,
    runs: Vec<Vec<RunId>>,
    /// Whether a run is in the index, by run.
    surviving_runs: Vec<bool>,
}

impl TreeView {
    pub(super) fn new(page: PageId, stored: &StoredTree) -> Self {
        let tree = &stored.tree;
        let gathered = Gathered::of(stored);
        let paths = BlockPaths::new(tree);
        let survivors = stored.survivors();
        let items: Vec<NodeId> = tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem).collect();
        let shown = &items[..items.len().min(NODES_MAX)];
        let node = |&id| NodeView::new(stored, id, &gathered, paths.path(tree, id), survivors[id.index()]);
        Self {
            page_id: page.to_string(),
            rule: stored.rule.to_string(),
            topic: stored.topic.clone(),
            profile: tree.profile().to_string(),
            judge: stored.judged.as_ref().map(|judged| judged.judge.clone()),
            is_truncated: tree.is_truncated(),
            nodes: shown.iter().map(node).collect(),
            nodes_left_out: items.len() - shown.len(),
        }
    }
}

impl NodeView {
    fn new(stored: &StoredTree, id: NodeId, gathered: &Gathered, path: String, survives: bool) -> Self {
        let tree = &stored.tree;
        let decision = stored.decision(id);
        let runs = &gathered.runs[id.index()];
        let shown = &runs[..runs.len().min(RUNS_PER_NODE_MAX)];
        let judgements =
            |judged| shown.iter().filter_map(move |run| RunView::new(judged, *run, gathered.surviving_runs[*run]));
        Self {
            path,
            depth: gathered.depths[id.index()],
            tag: tree.tag(id).name(),
            css_path: tree.css_path(id),
            similarity: decision.map_or(0.0, |decision| decision.similarity),
            best_similarity: decision.map_or(0.0, |decision| decision.best),
            content: stored.judged.as_ref().map(|judged| judged.mean(tree, tree.runs_within(id))),
            template_score: decision.map_or(0.0, |decision| decision.template),
            kept: decision.is_none_or(|decision| decision.kept),
            reason_code: decision.map(|decision| decision.reason),
            reason: decision.map_or("not judged", |decision| decision.reason.as_str()),
            survives,
            runs: shown.iter().map(|run| bounded(tree.run_text(&tree.runs()[*run]))).collect(),
            judgements: stored.judged.iter().flat_map(judgements).collect(),
            runs_left_out: runs.len() - shown.len(),
            contents: gathered.contents[id.index()],
        }
    }
}

impl Gathered {
    fn of(stored: &StoredTree) -> Self {
        let tree = &stored.tree;
        let mut depths = vec![0; tree.len()];
        let mut contents = vec![Contents::default(); tree.len()];
        for id in tree.ids() {
            let Some(parent) = tree.parent(id) else { continue };
            depths[id.index()] = depths[parent.index()] + 1;
            let counts = &mut contents[parent.index()];
            match tree.kind(id) {
                NodeKind::Text => counts.texts += 1,
                NodeKind::Link => counts.links += 1,
                NodeKind::Image => counts.images += 1,
                NodeKind::HtmlItem | NodeKind::Element => {}
            }
        }
        let mut runs = vec![Vec::new(); tree.len()];
        for (place, run) in tree.runs().iter().enumerate().filter(|(_, run)| !run.text.is_empty()) {
            runs[run.item.index()].push(place);
        }
        Self { depths, contents, runs, surviving_runs: stored.surviving_runs() }
    }
}

fn bounded(text: &str) -> String {
    match text.char_indices().nth(RUN_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
