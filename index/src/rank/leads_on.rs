//! What a list of links says is left to the pages that it leads to.
//!
//! A table of contents or a page of links has the words of a question in a link's text: in the title of the page that answers. It would stand
//! before that page, since it has the words close together, and many link to it. So what such a block has by a link is no evidence for it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::feature::Feature;
use super::links::LinkWords;
use super::scorer::{Scored, ScoredBlock};
use crate::engine::PointerWords;

/// Share of a block's words in links from which on it is a list of links.
const LINK_SHARE_MIN: f32 = 0.5;

/// What a link leads to, as far as it is among the candidates.
#[derive(Default)]
struct Target {
    page_order: u64,
    /// The words of the query that its page, or the headings above it, have.
    words: u64,
}

/// Sets [`Feature::LeadsOn`] of the first blocks, whose links are `pointers`.
pub(super) fn leave_to_targets(scored: &mut Scored, pointers: &[Vec<PointerWords>], words: &LinkWords) {
    let lists: Vec<usize> = (0..pointers.len()).filter(|place| is_list(&scored.blocks[*place])).collect();
    let wanted: FxHashSet<u64> = lists.iter().flat_map(|place| &pointers[*place]).map(|(key, _)| *key).collect();
    let targets = targets(scored, &wanted);
    for place in lists {
        let block = &mut scored.blocks[place];
        let left = pointers[place].iter().map(|(key, text)| {
            let target = targets.get(key).filter(|target| target.page_order != block.standing.page_order);
            target.map_or(0, |target| left_to(block, words.of_text(*text) & target.words))
        });
        let most = left.map(|left| words.share_of(left)).fold(0.0, f32::max);
        block.features.set(Feature::LeadsOn, -most * block.features.of(Feature::Bm25f));
    }
}

fn is_list(block: &ScoredBlock) -> bool {
    1.0 - block.features.of(Feature::Prose) >= LINK_SHARE_MIN
}

/// The words that a block leaves to a page that has them as well as the link to it does: none where they all name the block. Who asks for
/// `bluetooth` wants the list that is headed so.
fn left_to(block: &ScoredBlock, words: u64) -> u64 {
    if words & !block.words.names == 0 { 0 } else { words }
}

fn targets(scored: &Scored, wanted: &FxHashSet<u64>) -> FxHashMap<u64, Target> {
    let mut targets: FxHashMap<u64, Target> = FxHashMap::default();
    for block in &scored.blocks {
        let keys = scored.link_keys[block.link_keys.clone()].iter().copied().chain(block.page_link_key);
        for key in keys.filter(|key| wanted.contains(key)) {
            let target = targets.entry(key).or_default();
            target.page_order = block.standing.page_order;
            target.words |= block.words.page | block.words.names;
        }
    }
    targets
}
