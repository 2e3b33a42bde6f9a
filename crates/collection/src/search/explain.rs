//! Why a hit stands where it stands: numbers that add up.

use lopper_content::judge::RunReason;
use lopper_content::pipeline::{ItemId, PageOutline};
use lopper_content::prune::PruneReason;
use lopper_index::{FeatureScore, FieldCounts, Found, QueryWord, Ranked};
use serde::Serialize;

use super::SearchRequest;
use super::groups::PageGroup;

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

impl BlockExplanation {
    /// Without the counts in its fields, which are counted for all blocks of an answer at once.
    pub(super) fn new(ranked: &Ranked, found: &Found, outline: Option<&PageOutline>, block_path: &str) -> Self {
        let (parts, fields) = (ranked.parts(found), Vec::new());
        let line = outline.and_then(|outline| Some((outline, outline.line(block_path)?)));
        let Some((outline, line)) = line else {
            return Self { parts, fields, content: None, content_reasons: Vec::new(), survival: Vec::new() };
        };
        let content = line.last().and_then(|item| outline.content(*item));
        Self { parts, fields, content, content_reasons: outline.reasons(&line), survival: survival(outline, &line) }
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

/// The floors of a line of items from the root down.
fn survival(outline: &PageOutline, line: &[ItemId]) -> Vec<Floor> {
    let root = judged(outline, ItemId::ROOT, String::new());
    let mut floors = vec![Floor { own: root, siblings: Vec::new(), siblings_left_out: 0 }];
    let mut path = String::new();
    for pair in line.windows(2) {
        let (floor, own_path) = floor(outline, pair[0], &path, pair[1]);
        floors.push(floor);
        path = own_path;
    }
    floors
}

/// An item among the children of its parent, and its path.
fn floor(outline: &PageOutline, parent: ItemId, parent_path: &str, own: ItemId) -> (Floor, String) {
    let similarity = |id: ItemId| outline.decision(id).map_or(0.0, |decision| decision.similarity);
    let path = |place: usize| if parent_path.is_empty() { place.to_string() } else { format!("{parent_path}.{place}") };
    let mut own_path = String::new();
    let mut siblings = Vec::new();
    for (place, item) in outline.child_items(parent).enumerate() {
        if item == own {
            own_path = path(place);
        } else {
            siblings.push((similarity(item), place, item));
        }
    }
    siblings.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    let siblings_left_out = siblings.len().saturating_sub(SIBLINGS_MAX);
    let listed = siblings.into_iter().take(SIBLINGS_MAX);
    let siblings = listed.map(|(_, place, sibling)| judged(outline, sibling, path(place))).collect();
    (Floor { own: judged(outline, own, own_path.clone()), siblings, siblings_left_out }, own_path)
}

fn judged(outline: &PageOutline, id: ItemId, path: String) -> Judged {
    let decision = outline.decision(id);
    Judged {
        path,
        tag: outline.tag(id).name(),
        similarity: decision.map_or(0.0, |decision| decision.similarity),
        content: outline.content(id),
        kept: decision.is_none_or(|decision| decision.kept),
        reason_code: decision.map(|decision| decision.reason),
        reason: decision.map_or("not judged", |decision| decision.reason.as_str()),
    }
}
