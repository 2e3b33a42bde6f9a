//! A page pruned by the query, from the blocks that the index keeps of it.

use lopper_index::{BlockDocument, FocusedPage, KeptBlock, Ranked};

use super::SearchError;
use super::pruned::{KeptReason, PrunedBlock, PrunedPage, own_words};

/// Fetches what is kept of a page.
pub(super) fn focused_page(ranked: &Ranked, page: &FocusedPage) -> Result<PrunedPage, SearchError> {
    let blocks = page.kept.iter().zip(0..).map(|(kept, ordinal)| {
        let block = ranked.fetch_block(kept.handle)?;
        Ok(pruned_block(kept, ordinal, block))
    });
    Ok(PrunedPage {
        rule: super::QueryPruning::Focus.to_string(),
        words: own_words(&ranked.words),
        blocks: blocks.collect::<Result<_, SearchError>>()?,
        eliminated: page.dropped_blocks,
        dropped_words: page.dropped_words,
    })
}

fn pruned_block(kept: &KeptBlock, ordinal: u32, block: BlockDocument) -> PrunedBlock {
    PrunedBlock {
        ordinal,
        block_path: block.block_path,
        css_path: block.css_path,
        heading_path: block.heading_path,
        text: block.body,
        similarity: kept.evidence,
        reason_code: KeptReason::Focus(kept.reason),
        reason: kept.reason.as_str(),
    }
}
