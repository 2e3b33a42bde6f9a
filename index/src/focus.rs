//! Which blocks of a page to keep for a query: pruning by what the index knows, without the page's tree.
//!
//! Each block has its [evidence](page_evidence), a share of that of the blocks beside it, since an answer often stands beside the words that
//! it is found by, and a share of that of its section's best. A block is the answer with a probability that grows with its evidence as `exp`
//! does, and with the pages that link to it; the most probable are kept until little is left for the others, as far as the page's length
//! leaves room. So of a page on which one block says it all little is kept, and of one where nothing stands out as much as there is room for.
//! Headings above a block are evidence for it, so a section whose heading is asked for stays together.

use std::ops::Range;

use serde::Serialize;

use crate::engine::{BlockField, BlockHandle, Candidate, CandidatePart, EngineError};
use crate::rank::{LinkCounts, page_evidence, sections};
use crate::ranked::{Found, RankedState};

/// Blocks of a page that are looked at; those behind go.
const BLOCKS_MAX: usize = 10_000;

/// Pages whose blocks are in memory at the same time.
const PAGES_AT_ONCE: usize = 10;

/// What of its evidence a block adds to those beside it.
const BESIDE_SHARE: f32 = 0.25;

/// What of the evidence of a section's best block each of its blocks has besides.
const SECTION_SHARE: f32 = 0.15;

/// How much more probable an answer is for evidence that is greater by 1: `e` to the power of this.
const SHARPNESS: f32 = 24.0;

/// Probability that what is kept has the answer, from which on no more is.
const PROBABILITY_ENOUGH: f32 = 0.99;

/// Words that are kept at most of a page of `t` words: this, times the square root of `t`.
const ROOM: f32 = 24.0;

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
    /// It has nothing of the query, but pages link to it.
    Linked,
    /// It has nothing of the query, and stands beside what has, or is what room is left for.
    Beside,
}

impl FocusReason {
    /// The reason in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answers => "has most of the query",
            Self::HasWords => "has some of the query",
            Self::Linked => "pages link to it",
            Self::Beside => "beside what has the query",
        }
    }

    fn of(evidence: f32, best: f32, links: f32) -> Self {
        match evidence {
            _ if evidence <= 0.0 && links > 0.0 => Self::Linked,
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

/// The blocks of a page, in page order.
#[derive(Default)]
struct PageBlocks {
    handles: Vec<BlockHandle>,
    /// What each has of the query.
    evidence: Vec<f32>,
    /// Words of each.
    lengths: Vec<f32>,
    /// Pages that link to each.
    links: Vec<f32>,
    /// The section of each, as a number.
    sections: Vec<usize>,
    /// The block that the ranking has as the page's best.
    best: Option<usize>,
}

/// What pages are pruned with.
pub(crate) struct Focus<'a> {
    pub(crate) state: &'a RankedState,
    /// The ranking's blocks, best first: the first of a page stays.
    pub(crate) found: &'a [Found],
    pub(crate) links: &'a dyn LinkCounts,
}

impl Focus<'_> {
    /// What to keep of the pages that `blocks` are of: a page for each, in their order.
    pub(crate) fn pages_of(&self, blocks: &[BlockHandle]) -> Result<Vec<FocusedPage>, EngineError> {
        let mut pages = Vec::with_capacity(blocks.len());
        for some in blocks.chunks(PAGES_AT_ONCE) {
            pages.extend(self.some_pages_of(some)?);
        }
        Ok(pages)
    }

    fn some_pages_of(&self, blocks: &[BlockHandle]) -> Result<Vec<FocusedPage>, EngineError> {
        let state = self.state;
        let candidates = state.prepared.of_pages(&state.words, blocks, BLOCKS_MAX)?;
        let mut pages = Vec::new();
        for part in &candidates.parts {
            let mut begin = 0;
            for page in part.candidates.chunk_by(|a, b| a.standing.page_order == b.standing.page_order) {
                let rows = begin..begin + page.len();
                begin = rows.end;
                pages.push(self.page(part, rows));
            }
        }
        let page_of = |block: &BlockHandle| {
            let found = pages.iter().find(|page| page.handles.contains(block));
            found.map_or_else(FocusedPage::default, PageBlocks::focused)
        };
        Ok(blocks.iter().map(page_of).collect())
    }

    fn page(&self, part: &CandidatePart, rows: Range<usize>) -> PageBlocks {
        let Self { state, found, links } = *self;
        let page = &part.candidates[rows.clone()];
        let links_to =
            |candidate: &Candidate| links.most_linking_to(&part.link_keys[candidate.link_keys.clone()]) as f32;
        let best =
            page.first().and_then(|first| found.iter().find(|found| found.page_order == first.standing.page_order));
        PageBlocks {
            best: best.and_then(|best| page.iter().position(|candidate| candidate.handle == best.handle)),
            handles: page.iter().map(|candidate| candidate.handle).collect(),
            evidence: page_evidence(&state.words, state.snapshot.facts(), part, rows.clone()),
            lengths: rows.clone().map(|row| part.blocks.row(row).length(BlockField::Body as usize)).collect(),
            links: page.iter().map(links_to).collect(),
            sections: sections(state.words.len(), part, rows),
        }
    }
}

impl PageBlocks {
    fn focused(&self) -> FocusedPage {
        let best = self.evidence.iter().copied().fold(0.0, f32::max);
        let keeps = self.kept();
        let mut page = FocusedPage::default();
        for (place, handle) in self.handles.iter().enumerate() {
            let evidence = self.evidence[place];
            if keeps[place] {
                let reason = FocusReason::of(evidence, best, self.links[place]);
                page.kept.push(KeptBlock { handle: *handle, evidence, reason });
            } else {
                page.dropped_blocks += 1;
                page.dropped_words += self.lengths[place] as usize;
            }
        }
        page
    }

    /// Whether each block stays: the page's best, then the most probable as far as there is room for them, until they are probable enough;
    /// the first of equals first, and at least one.
    fn kept(&self) -> Vec<bool> {
        let room = ROOM * self.lengths.iter().sum::<f32>().sqrt();
        let likelihoods = self.likelihoods();
        let mut order: Vec<usize> = (0..likelihoods.len()).collect();
        let is_other = |place: usize| Some(place) != self.best;
        order.sort_by(|a, b| {
            let by_likelihood = likelihoods[*b].total_cmp(&likelihoods[*a]);
            is_other(*a).cmp(&is_other(*b)).then(by_likelihood).then(a.cmp(b))
        });
        let mut keeps = vec![false; likelihoods.len()];
        let enough = PROBABILITY_ENOUGH * likelihoods.iter().sum::<f32>();
        let (mut words, mut sum) = (0.0, 0.0);
        for (rank, place) in order.into_iter().enumerate() {
            if sum >= enough {
                break;
            }
            sum += likelihoods[place];
            if rank == 0 || words + self.lengths[place] <= room {
                keeps[place] = true;
                words += self.lengths[place];
            }
        }
        keeps
    }

    /// How probable each block is as the answer, beside the most probable one: exp(24 · evidence) · (1 + links).
    fn likelihoods(&self) -> Vec<f32> {
        let logs =
            self.spread().into_iter().zip(&self.links).map(|(evidence, links)| SHARPNESS * evidence + links.ln_1p());
        let logs: Vec<f32> = logs.collect();
        let most = logs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        logs.into_iter().map(|log| (log - most).exp()).collect()
    }

    /// The evidence of each block, with a share of that of the blocks before and behind it, and of its section's best.
    fn spread(&self) -> Vec<f32> {
        let of_section = self.best_of_sections();
        let at = |place: Option<usize>| place.and_then(|place| self.evidence.get(place)).copied().unwrap_or(0.0);
        let spread = |place: usize| {
            let beside = at(place.checked_sub(1)) + at(place.checked_add(1));
            self.evidence[place] + BESIDE_SHARE * beside + SECTION_SHARE * of_section[self.sections[place]]
        };
        (0..self.evidence.len()).map(spread).collect()
    }

    fn best_of_sections(&self) -> Vec<f32> {
        let mut best = vec![0.0; self.sections.last().map_or(0, |last| last + 1)];
        for (section, evidence) in self.sections.iter().zip(&self.evidence) {
            best[*section] = evidence.max(best[*section]);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is kept of blocks that nothing links to, each a section of its own.
    fn kept_places(evidence: &[f32], lengths: &[f32]) -> Vec<usize> {
        kept_linked(evidence, lengths, &vec![0.0; evidence.len()], &(0..evidence.len()).collect::<Vec<_>>())
    }

    fn kept_linked(evidence: &[f32], lengths: &[f32], links: &[f32], sections: &[usize]) -> Vec<usize> {
        let (evidence, lengths) = (evidence.to_vec(), lengths.to_vec());
        let (links, sections) = (links.to_vec(), sections.to_vec());
        let keeps = PageBlocks { evidence, lengths, links, sections, ..PageBlocks::default() }.kept();
        (0..keeps.len()).filter(|place| keeps[*place]).collect()
    }

    #[test]
    fn a_short_page_is_kept_whole_and_of_a_long_one_what_stands_out() {
        assert_eq!(kept_places(&[0.0, 0.1, 0.0], &[100.0; 3]), [0, 1, 2]);
        let mut evidence = vec![0.0; 100];
        evidence[50] = 0.8;
        assert_eq!(kept_places(&evidence, &[200.0; 100]), [50]);
        // Each has a share of the others' evidence: 1.05, 1.02 and 1.05.
        (evidence[51], evidence[52]) = (0.5, 0.8);
        assert_eq!(kept_places(&evidence, &[200.0; 100]), [50, 51, 52]);
        evidence[50..53].fill(0.1);
        assert_eq!(kept_places(&evidence, &[200.0; 100]).len(), 16, "nothing stands out");
    }

    #[test]
    fn where_nothing_stands_out_the_room_is_filled() {
        // 24 · √20,000 = 3,394 words are room for 16 blocks.
        assert_eq!(kept_places(&[0.0; 100], &[200.0; 100]), (0..16).collect::<Vec<_>>());
    }

    #[test]
    fn what_pages_link_to_is_likelier() {
        let mut links = vec![0.0; 100];
        links[70] = 50_000.0;
        let alone: Vec<usize> = (0..100).collect();
        assert_eq!(kept_linked(&[0.1; 100], &[200.0; 100], &links, &alone), [70]);
        let mut evidence = vec![0.0; 100];
        evidence[50] = 0.8;
        assert_eq!(kept_linked(&evidence, &[200.0; 100], &links, &alone), [50], "what has the query's words is still");
    }

    #[test]
    fn the_rankings_best_block_stays() {
        let mut evidence = vec![0.0; 100];
        evidence[50] = 0.8;
        let page = PageBlocks {
            evidence,
            lengths: vec![200.0; 100],
            links: vec![0.0; 100],
            sections: (0..100).collect(),
            best: Some(7),
            ..PageBlocks::default()
        };
        let keeps = page.kept();
        assert_eq!((0..100).filter(|place| keeps[*place]).collect::<Vec<_>>(), [7, 50]);
    }

    #[test]
    fn a_section_gains_by_its_best_block() {
        let mut evidence = vec![0.0; 100];
        evidence[50] = 0.5;
        let section = |place: usize| usize::from(place >= 48) + usize::from(place >= 54);
        let sections: Vec<usize> = (0..100).map(section).collect();
        let spread = PageBlocks { evidence, sections, ..PageBlocks::default() }.spread();
        assert!((spread[53] - 0.075).abs() < 1e-6 && (spread[50] - 0.575).abs() < 1e-6, "{spread:?}");
        assert!((spread[49] - 0.2).abs() < 1e-6 && spread[54].abs() < 1e-6, "{spread:?}");
    }

    #[test]
    fn a_block_that_is_too_long_is_kept_if_it_is_the_best() {
        assert_eq!(kept_places(&[0.1, 0.9], &[100.0, 50_000.0]), [1]);
        assert_eq!(kept_places(&[], &[]), [0; 0]);
    }

    #[test]
    fn reasons_by_hand() {
        use FocusReason::{Answers, Beside, HasWords, Linked};
        let reasons = [0.0, 0.1, 0.5, 1.0].map(|evidence| FocusReason::of(evidence, 1.0, 0.0));
        assert_eq!(reasons, [Beside, HasWords, Answers, Answers]);
        assert_eq!(FocusReason::of(0.0, 0.0, 0.0), Beside);
        assert_eq!([0.0, 0.1].map(|evidence| FocusReason::of(evidence, 1.0, 2.0)), [Linked, HasWords]);
    }
}
