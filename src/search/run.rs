//! Answers as runs: lists of blocks without groups, for measuring.

use std::collections::HashMap;

use lopper_index::{BlockQuery, RankedBlock, RankedBlocks};

/// Blocks of one page in a run, so that its first hundred results reach many pages.
pub const RUN_BLOCKS_PER_PAGE_MAX: usize = 3;

/// A query for a run of `query.limit` blocks: it asks for enough that as many are left when pages with many are cut short.
pub fn run_query(query: BlockQuery) -> BlockQuery {
    BlockQuery { limit: query.limit.saturating_mul(RUN_BLOCKS_PER_PAGE_MAX), ..query }
}

/// The blocks of a run: the first `k` with at most [`RUN_BLOCKS_PER_PAGE_MAX`] of a page.
pub fn run_blocks<'a>(ranked: &'a RankedBlocks, k: usize) -> impl Iterator<Item = &'a RankedBlock> {
    let mut of_page: HashMap<&'a str, usize> = HashMap::new();
    let is_shown = move |block: &&'a RankedBlock| {
        let count = of_page.entry(&block.document.page_id).or_default();
        *count += 1;
        *count <= RUN_BLOCKS_PER_PAGE_MAX
    };
    ranked.blocks.iter().filter(is_shown).take(k)
}
