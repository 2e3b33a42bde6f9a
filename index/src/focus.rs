//! Which blocks of a page to keep for a query: pruning by what the index knows, without the page's tree.
//!
//! Each block has its [evidence](page_evidence), and a share of that of the blocks beside it, since an answer often stands beside the words
//! that it is found by. A block is the answer with a probability that grows with its evidence as `exp` does; the most probable are kept
//! until little is left for the others, as far as the page's length leaves room. So of a page on which one block says it all little is
//! kept, and of one where nothing stands out as much as there is room for. Headings above a block are evidence for it, so a section
//! whose heading is asked for stays together.

use serde::Serialize;

use crate::engine::{BlockField, BlockHandle, EngineError};
use crate::rank::page_evidence;
use crate::ranked::RankedState;

/// Blocks of a page that are looked at; those behind go.
const BLOCKS_MAX: usize = 10_000;

/// Pages whose blocks are in memory at the same time.
const PAGES_AT_ONCE: usize = 10;

/// What of its evidence a block adds to those beside it.
const BESIDE_SHARE: f32 = 0.3;

/// How much more probable an answer is for evidence that is greater by 1: `e` to the power of this.
const SHARPNESS: f32 = 15.0;

/// Probability that what is kept has the answer, from which on no more is.
const PROBABILITY_ENOUGH: f32 = 0.99;

/// Words that are kept at most of a page of `t` words: this, times the square root of `t`.
const ROOM: f32 = 22.0;

/// Share of the best block's evidence from which on a block answers.
const ANSWERS_SHARE: f32 = 0.5;

/// Why a block is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FocusReason {
    /// It has at least half as much of the query as the best block of its page.
    Answers,
    /// It has some of the query.
    HasWords,
    /// It has nothing of the query, and stands beside what has, or is what room is left for.
    Beside,
}

impl FocusReason {
    /// The reason in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answers => "has most of the query",
            Self::HasWords => "has some of the query",
            Self::Beside => "beside what has the query",
        }
    }

    fn of(evidence: f32, best: f32) -> Self {
        match evidence {
            _ if evidence <= 0.0 => Self::Beside,
            _ if evidence >= ANSWERS_SHARE * best => Self::Answers,
            _ => Self::HasWords,
        }
    }
}

/// A block that is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeptBlock {
    /// The block.
    pub handle: BlockHandle,
    /// What it has of the query, as a share of the most that a block could have.
    pub evidence: f32,
    /// Why.
    pub reason: FocusReason,
}

/// What is kept of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FocusedPage {
    /// The blocks, in page order.
    pub kept: Vec<KeptBlock>,
    /// Blocks that went.
    pub dropped_blocks: usize,
    /// Their words.
    pub dropped_words: usize,
}

/// What to keep of the pages that `blocks` are of: a page for each, in their order.
pub(crate) fn focus(state: &RankedState, blocks: &[BlockHandle]) -> Result<Vec<FocusedPage>, EngineError> {
    let mut pages = Vec::with_capacity(blocks.len());
    for some in blocks.chunks(PAGES_AT_ONCE) {
        pages.extend(focus_some(state, some)?);
    }
    Ok(pages)
}

fn focus_some(state: &RankedState, blocks: &[BlockHandle]) -> Result<Vec<FocusedPage>, EngineError> {
    let candidates = state.prepared.of_pages(&state.words, blocks, BLOCKS_MAX)?;
    let mut pages = Vec::new();
    for part in &candidates.parts {
        let mut begin = 0;
        for page in part.candidates.chunk_by(|a, b| a.standing.page_order == b.standing.page_order) {
            let rows = begin..begin + page.len();
            begin = rows.end;
            let evidence = page_evidence(&state.words, state.snapshot.facts(), part, rows.clone());
            let lengths: Vec<f32> =
                rows.clone().map(|row| part.blocks.row(row).length(BlockField::Body as usize)).collect();
            let handles: Vec<BlockHandle> = page.iter().map(|candidate| candidate.handle).collect();
            pages.push((handles, evidence, lengths));
        }
    }
    let page_of = |block: &BlockHandle| {
        let found = pages.iter().find(|(handles, ..)| handles.contains(block));
        found.map_or_else(FocusedPage::default, |(handles, evidence, lengths)| page(handles, evidence, lengths))
    };
    Ok(blocks.iter().map(page_of).collect())
}

fn page(handles: &[BlockHandle], evidence: &[f32], lengths: &[f32]) -> FocusedPage {
    let best = evidence.iter().copied().fold(0.0, f32::max);
    let keeps = kept(evidence, lengths);
    let mut page = FocusedPage::default();
    for (place, handle) in handles.iter().enumerate() {
        let evidence = evidence[place];
        if keeps[place] {
            page.kept.push(KeptBlock { handle: *handle, evidence, reason: FocusReason::of(evidence, best) });
        } else {
            page.dropped_blocks += 1;
            page.dropped_words += lengths[place] as usize;
        }
    }
    page
}

/// Whether each block stays: the most probable as far as there is room for them, until they are probable enough; the first of equals
/// first, and at least one.
fn kept(evidence: &[f32], lengths: &[f32]) -> Vec<bool> {
    let room = ROOM * lengths.iter().sum::<f32>().sqrt();
    let spread = spread(evidence);
    let mut order: Vec<usize> = (0..spread.len()).collect();
    order.sort_by(|a, b| spread[*b].total_cmp(&spread[*a]).then(a.cmp(b)));
    let mut keeps = vec![false; spread.len()];
    let Some(best) = order.first().map(|first| spread[*first]) else { return keeps };
    let likelihood = |place: usize| (SHARPNESS * (spread[place] - best)).exp();
    let enough = PROBABILITY_ENOUGH * (0..spread.len()).map(likelihood).sum::<f32>();
    let (mut words, mut sum) = (0.0, 0.0);
    for (rank, place) in order.into_iter().enumerate() {
        if sum >= enough {
            break;
        }
        sum += likelihood(place);
        if rank == 0 || words + lengths[place] <= room {
            keeps[place] = true;
            words += lengths[place];
        }
    }
    keeps
}

/// The evidence of each block with a share of that of the blocks before and behind it.
fn spread(evidence: &[f32]) -> Vec<f32> {
    let at = |place: Option<usize>| place.and_then(|place| evidence.get(place)).copied().unwrap_or(0.0);
    let spread = |place: usize| evidence[place] + BESIDE_SHARE * (at(place.checked_sub(1)) + at(place.checked_add(1)));
    (0..evidence.len()).map(spread).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept_places(evidence: &[f32], lengths: &[f32]) -> Vec<usize> {
        let keeps = kept(evidence, lengths);
        (0..keeps.len()).filter(|place| keeps[*place]).collect()
    }

    #[test]
    fn a_short_page_is_kept_whole_and_of_a_long_one_what_stands_out() {
        assert_eq!(kept_places(&[0.0, 0.1, 0.0], &[100.0; 3]), [0, 1, 2]);
        let mut evidence = vec![0.0; 100];
        evidence[50] = 0.8;
        assert_eq!(kept_places(&evidence, &[200.0; 100]), [50]);
        // Each has a share of the others' evidence: 0.89, 0.78 and 0.89.
        (evidence[51], evidence[52]) = (0.3, 0.8);
        assert_eq!(kept_places(&evidence, &[200.0; 100]), [50, 51, 52]);
        evidence[50..53].fill(0.1);
        assert_eq!(kept_places(&evidence, &[200.0; 100]).len(), 15, "nothing stands out");
    }

    #[test]
    fn where_nothing_stands_out_the_room_is_filled() {
        // 22 · √20,000 = 3,111 words are room for 15 blocks.
        assert_eq!(kept_places(&[0.0; 100], &[200.0; 100]), (0..15).collect::<Vec<_>>());
    }

    #[test]
    fn a_block_that_is_too_long_is_kept_if_it_is_the_best() {
        assert_eq!(kept_places(&[0.1, 0.9], &[100.0, 50_000.0]), [1]);
        assert_eq!(kept_places(&[], &[]), [0; 0]);
    }

    #[test]
    fn reasons_by_hand() {
        use FocusReason::{Answers, Beside, HasWords};
        let reasons = [0.0, 0.1, 0.5, 1.0].map(|evidence| FocusReason::of(evidence, 1.0));
        assert_eq!(reasons, [Beside, HasWords, Answers, Answers]);
        assert_eq!(FocusReason::of(0.0, 0.0), Beside);
    }
}
