//! Found blocks by page, pages by rank.

use std::collections::HashSet;

use lopper_index::{Found, NumberMap, Ranked};

use super::{Collapse, Documents};

/// A page's found blocks, best first.
#[derive(Debug, Clone)]
pub(super) struct PageGroup {
    pub(super) blocks: Vec<Found>,
    pub(super) score: f32,
    /// How the score came from those of the blocks.
    pub(super) documents: Documents,
    /// Other captures of the page, best first.
    pub(super) captures: Vec<PageGroup>,
    /// Pages whose best block is nearly the same as this one's.
    pub(super) similar: Vec<PageGroup>,
}

impl PageGroup {
    fn of(block: Found) -> Self {
        Self {
            blocks: vec![block],
            score: block.score,
            documents: Documents::Max,
            captures: Vec::new(),
            similar: Vec::new(),
        }
    }

    /// The best block.
    pub(super) fn best(&self) -> &Found {
        &self.blocks[0]
    }
}

/// The pages of a ranking, best first. Pages with blocks in the ranking's head are scored by `documents`; those behind follow in
/// the order of their best blocks, with their scores.
pub(super) fn group(ranked: &Ranked, documents: Documents, collapse: Collapse) -> Vec<PageGroup> {
    let (head, rest) = ranked.found.split_at(ranked.head.min(ranked.found.len()));
    let mut groups = by_page(head);
    for group in &mut groups {
        group.documents = documents;
        group.score = documents.score(group.blocks.iter().map(|block| block.score));
    }
    groups.sort_by(|a, b| b.score.total_cmp(&a.score));
    let known: HashSet<u64> = groups.iter().map(|group| group.best().page_order).collect();
    let rest: Vec<Found> = rest.iter().filter(|block| !known.contains(&block.page_order)).copied().collect();
    groups.extend(by_page(&rest));
    if collapse == Collapse::None { groups } else { without_captures(groups) }
}

/// Blocks by page, pages in the order of their first block.
fn by_page(blocks: &[Found]) -> Vec<PageGroup> {
    let mut groups: Vec<PageGroup> = Vec::new();
    let mut place: NumberMap<u64, usize> = NumberMap::default();
    for block in blocks {
        if let Some(&at) = place.get(&block.page_order) {
            groups[at].blocks.push(*block);
        } else {
            place.insert(block.page_order, groups.len());
            groups.push(PageGroup::of(*block));
        }
    }
    groups
}

/// Puts captures under the first one of their page.
fn without_captures(groups: Vec<PageGroup>) -> Vec<PageGroup> {
    let mut first: Vec<PageGroup> = Vec::with_capacity(groups.len());
    let mut place: NumberMap<u64, usize> = NumberMap::default();
    for group in groups {
        let key = group.best().page_key;
        if let Some(&at) = place.get(&key) {
            first[at].captures.push(group);
        } else {
            place.insert(key, first.len());
            first.push(group);
        }
    }
    first
}
