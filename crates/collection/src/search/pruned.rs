//! Query-time pruning: figure 5 of the CST paper with the query that it was meant for.

use lopper_analysis::Language;
use lopper_content::blocks::{self, MainBlock};
use lopper_content::cst::{NodeId, NodeKind};
use lopper_content::page_type::PageType;
use lopper_content::pipeline::{ExtractParams, StoredTree};
use lopper_content::prune::{
    BlockEvidence, NavigationBounds, PruneDecision, PruneReason, PruneRule, PrunedTree, QueryVector, prune,
};
use lopper_content::weigh::{TermStatistics, Weigher};
use lopper_index::{BlockDocument, FocusReason, QueryWord};
use serde::Serialize;

/// A page pruned by the user's query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PrunedPage {
    /// The rule.
    pub rule: String,
    /// The words that it was pruned by.
    pub words: String,
    /// The blocks that stayed, in page order.
    pub blocks: Vec<PrunedBlock>,
    /// Elements that were eliminated beside their siblings, each with all that is in it; of `focus`, blocks.
    pub eliminated: usize,
    /// Words of visible text that went with them.
    pub dropped_words: usize,
}

/// Why a block stayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum KeptReason {
    /// Why the container around it did, beside its siblings.
    Tree(PruneReason),
    /// What speaks for it, beside the page's other blocks.
    Focus(FocusReason),
}

/// A block that stayed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PrunedBlock {
    /// Place among those that stayed, from 0.
    pub ordinal: u32,
    /// Place in the content structure tree.
    pub block_path: String,
    /// CSS selector of the element that the block begins in.
    pub css_path: String,
    /// Headings above, outermost first.
    pub heading_path: Vec<String>,
    /// The whole text.
    pub text: String,
    /// Cosine similarity of block and query, eq. (1), in [0, 1].
    pub similarity: f32,
    /// Why it stayed, for programs.
    pub reason_code: KeptReason,
    /// Why, in words.
    pub reason: &'static str,
}

/// What is known of a page besides its tree.
pub(super) struct PageFacts {
    language: Language,
    page_type: Option<PageType>,
}

impl PageFacts {
    /// What a block says of its page, which is in that language.
    pub(super) fn of(block: &BlockDocument, language: Language) -> Self {
        Self { language, page_type: PageType::from_name(&block.page_type) }
    }
}

/// Prunes a stored page by the words of a query.
pub(super) fn prune_page(
    weigher: &mut Weigher,
    stored: StoredTree,
    page: &PageFacts,
    words: &[QueryWord],
    statistics: &dyn TermStatistics,
    params: &ExtractParams,
    rule: PruneRule,
) -> PrunedPage {
    let templates: Vec<f32> =
        stored.tree.ids().map(|id| stored.decision(id).map_or(0.0, |decision| decision.template)).collect();
    let judged = stored.judged;
    let weighted = weigher.weigh(stored.tree, page.language, statistics, params.weigh);
    let words = own_words(words);
    let query = QueryVector::new(weigher, &weighted, &words);
    let pruned = prune(
        weighted,
        query,
        rule,
        BlockEvidence {
            templates: &templates,
            judged: judged.as_ref(),
            navigation: NavigationBounds::of(page.page_type),
        },
    );
    let blocks = blocks::cut(&pruned, None, params.blocks);
    let blocks = blocks.into_iter().map(|block| pruned_block(&pruned, block)).collect();
    let (eliminated, dropped_words) = dropped(&pruned);
    PrunedPage { rule: rule.to_string(), words, blocks, eliminated, dropped_words }
}

/// The words of the user's, corrected ones as corrected, without what only helps to find them: compounds and parts of names.
pub(super) fn own_words(words: &[QueryWord]) -> String {
    let own: Vec<&str> = words.iter().filter(|word| word.weight >= 1.0).map(|word| word.surface.as_str()).collect();
    own.join(" ")
}

fn pruned_block(pruned: &PrunedTree, block: MainBlock) -> PrunedBlock {
    let reason = container_decision(pruned, block.item).map_or(PruneReason::Root, |decision| decision.reason);
    PrunedBlock {
        ordinal: block.ordinal,
        block_path: block.path,
        css_path: block.css_path,
        heading_path: block.heading_path,
        text: block.text,
        similarity: block.similarity,
        reason_code: KeptReason::Tree(reason),
        reason: reason.as_str(),
    }
}

/// The decision about the nearest block at or around `item` that competed.
fn container_decision(pruned: &PrunedTree, item: NodeId) -> Option<PruneDecision> {
    let mut decisions = pruned.tree().ancestors(item).filter_map(|id| pruned.decision(id));
    decisions.find(|decision| decision.reason != PruneReason::Part).copied()
}

/// Eliminated items that are in no other eliminated one, and the words within them.
fn dropped(pruned: &PrunedTree) -> (usize, usize) {
    let tree = pruned.tree();
    let is_item = |id: &NodeId| tree.kind(*id) == NodeKind::HtmlItem;
    let is_outermost =
        |id: &NodeId| !pruned.survives(*id) && tree.parent(*id).is_none_or(|parent| pruned.survives(parent));
    let eliminated: Vec<NodeId> = tree.ids().filter(is_item).filter(is_outermost).collect();
    let words = |id: &NodeId| tree.subtree_text(*id).split_whitespace().count();
    (eliminated.len(), eliminated.iter().map(words).sum())
}
