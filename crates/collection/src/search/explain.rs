//! Why a hit stands where it stands: numbers that add up.

use lopper_content::cst::{BlockPaths, ContentStructureTree, NodeId, NodeKind};
use lopper_content::judge::RunReason;
use lopper_content::pipeline::StoredTree;
use lopper_content::prune::PruneReason;
use lopper_index::{FeatureScore, FieldCounts, Found, QueryWord, Ranked};
use serde::Serialize;

use super::groups::PageGroup;
use super::{SearchError, SearchRequest};

/// Siblings that are listed of one floor: the most similar.
const SIBLINGS_MAX: usize = 12;

/// How the query was ranked by.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryExplanation {
    /// `cosine`, `bm25` or `blend`.
    pub ranking: &'static str,
    /// `relevance` or `date`.
    pub sort: &'static str,
    /// The words that rank, in the order of the counts in [`BlockExplanation::fields`].
    pub words: Vec<QueryWord>,
}

impl QueryExplanation {
    pub(super) fn new(request: &SearchRequest, ranked: &Ranked) -> Self {
        Self { ranking: request.ranking.name(), sort: request.sort.name(), words: ranked.words.clone() }
    }
}

/// How a page's score is made of those of its blocks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageExplanation {
    /// `max`, `sum:K` or `blend`.
    pub documents: String,
    /// The blocks that count; their contributions add up to the page's score.
    pub blocks: Vec<BlockShare>,
}

/// What a block adds to its page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BlockShare {
    /// Place of the block in its page.
    pub ordinal: u64,
    /// The block's score.
    pub score: f32,
    /// What it is multiplied by.
    pub share: f32,
    /// What it adds: `score · share`.
    pub contribution: f32,
}

impl PageExplanation {
    pub(super) fn new(page: &PageGroup) -> Self {
        let share = |(block, share): (&Found, f32)| {
            let Found { ordinal, score, .. } = *block;
            BlockShare { ordinal, score, share, contribution: score * share }
        };
        let blocks = page.blocks.iter().zip(page.documents.shares()).map(share).collect();
        Self { documents: page.documents.to_string(), blocks }
    }
}

/// How a block's score is made, and what is known of the block.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockExplanation {
    /// What the score is the sum of, summed in this order in `f64`.
    pub parts: Vec<FeatureScore>,
    /// How often the query's words stand in each field.
    pub fields: Vec<FieldCounts>,
    /// Mean probability of its runs of being content, by the judge of the index; absent where nobody judged the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<f32>,
    /// Why, where that was kept: of the run of its container that says most.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub content_reasons: Vec<RunReason>,
    /// How the block came through pruning when the page was ingested, from the root down.
    pub survival: Vec<Floor>,
}

/// The page's stored tree with the paths of all its elements, which are made once for all blocks.
pub(super) struct PageTree<'t> {
    stored: &'t StoredTree,
    paths: BlockPaths,
}

impl<'t> PageTree<'t> {
    pub(super) fn new(stored: &'t StoredTree) -> Self {
        Self { stored, paths: BlockPaths::new(&stored.tree) }
    }
}

impl BlockExplanation {
    pub(super) fn new(
        ranked: &Ranked,
        found: &Found,
        tree: Option<&PageTree<'_>>,
        block_path: &str,
    ) -> Result<Self, SearchError> {
        let survival = tree.map(|tree| survival(tree, block_path)).unwrap_or_default();
        let (content, content_reasons) = tree.map(|tree| content(tree.stored, block_path)).unwrap_or_default();
        Ok(Self { parts: ranked.parts(found), fields: ranked.field_counts(found)?, content, content_reasons, survival })
    }
}

/// An element around the block, or the block's own, among its siblings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Floor {
    /// The element.
    #[serde(flatten)]
    pub own: Judged,
    /// Its siblings, the most similar first, at most twelve.
    pub siblings: Vec<Judged>,
    /// Siblings beyond those.
    pub siblings_left_out: usize,
}

/// What pruning said of an element.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// Places among siblings from the root down, as `0.3.1`; empty for the root.
    pub path: String,
    /// Its tag.
    pub tag: &'static str,
    /// Cosine similarity to the page's topic, in [0, 1].
    pub similarity: f32,
    /// Mean probability of being content; absent where nobody judged the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<f32>,
    /// Whether it stayed.
    pub kept: bool,
    /// Why, for programs.
    pub reason_code: Option<PruneReason>,
    /// Why, in words.
    pub reason: &'static str,
}

/// The floors from the root down to the item at `block_path`.
fn survival(PageTree { stored, paths }: &PageTree<'_>, block_path: &str) -> Vec<Floor> {
    let tree = &stored.tree;
    let Some(item) = item_at(tree, block_path) else { return Vec::new() };
    let mut line: Vec<NodeId> = tree.ancestors(item).filter(|id| tree.kind(*id) == NodeKind::HtmlItem).collect();
    line.reverse();
    line.into_iter().map(|id| floor(stored, paths, id)).collect()
}

/// What the judge said of the container of a block, and why.
fn content(stored: &StoredTree, block_path: &str) -> (Option<f32>, Vec<RunReason>) {
    let Some((item, judged)) = item_at(&stored.tree, block_path).zip(stored.judged.as_ref()) else {
        return Default::default();
    };
    let with_reasons = stored.tree.ancestors(item).find_map(|item| judged.told_run(stored.tree.runs_within(item)));
    (content_of(stored, item), with_reasons.map(|run| judged.reasons(run)).unwrap_or_default())
}

fn content_of(stored: &StoredTree, item: NodeId) -> Option<f32> {
    let tree = &stored.tree;
    stored.judged.as_ref().map(|judged| judged.mean(tree, tree.runs_within(item)))
}

/// The item of a block path such as `1.0.3:0`.
fn item_at(tree: &ContentStructureTree, block_path: &str) -> Option<NodeId> {
    let places = block_path.split(':').next().unwrap_or_default();
    let mut item = ContentStructureTree::ROOT;
    for place in places.split('.').filter(|place| !place.is_empty()) {
        item = tree.child_items(item).nth(place.parse().ok()?)?;
    }
    Some(item)
}

fn floor(stored: &StoredTree, paths: &BlockPaths, id: NodeId) -> Floor {
    let tree = &stored.tree;
    let siblings = tree.parent(id).into_iter().flat_map(|parent| tree.child_items(parent));
    let similarity = |id: NodeId| stored.decision(id).map_or(0.0, |decision| decision.similarity);
    let mut siblings: Vec<(f32, NodeId)> =
        siblings.filter(|sibling| *sibling != id).map(|sibling| (similarity(sibling), sibling)).collect();
    siblings.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let siblings_left_out = siblings.len().saturating_sub(SIBLINGS_MAX);
    let listed = siblings.into_iter().take(SIBLINGS_MAX);
    let siblings = listed.map(|(_, sibling)| judged(stored, paths, sibling)).collect();
    Floor { own: judged(stored, paths, id), siblings, siblings_left_out }
}

fn judged(stored: &StoredTree, paths: &BlockPaths, id: NodeId) -> Judged {
    let decision = stored.decision(id);
    Judged {
        path: paths.path(&stored.tree, id),
        tag: stored.tree.tag(id).name(),
        similarity: decision.map_or(0.0, |decision| decision.similarity),
        content: content_of(stored, id),
        kept: decision.is_none_or(|decision| decision.kept),
        reason_code: decision.map(|decision| decision.reason),
        reason: decision.map_or("not judged", |decision| decision.reason.as_str()),
    }
}
