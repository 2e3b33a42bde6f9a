//! From candidates to scored blocks.

use std::collections::HashMap;

use tantivy::{DocAddress, DocId, Searcher, SegmentOrdinal, TantivyError};

use super::counted::Counted;
use super::frequencies::Probe;
use super::gather::Candidates;
use super::places::Closeness;
use super::segment::{Columns, RankWord};
use super::view::CommitView;
use super::{BlendWeights, Evidence, LinkCounts, Part};
use crate::schema::Fields;

/// Blocks whose words' places are looked at: the best without that.
const CLOSE_LOOKS: usize = 64;

/// A block with its score.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScoredBlock {
    pub(crate) address: DocAddress,
    pub(crate) page_order: u64,
    pub(crate) ordinal: u64,
    pub(crate) evidence: Evidence,
    pub(crate) score: f32,
    /// Whether the places of the words in it are known.
    is_looked_at: bool,
}

/// Scores candidates by [`BlendWeights`].
pub(crate) struct BlendScorer<'a> {
    pub(crate) searcher: &'a Searcher,
    pub(crate) fields: &'a Fields,
    pub(crate) view: &'a CommitView,
    pub(crate) words: &'a [RankWord],
    pub(crate) links: &'a dyn LinkCounts,
    pub(crate) weights: BlendWeights,
    /// Whether a block without any of the words is no answer, whatever else brought it here.
    pub(crate) needs_word: bool,
    /// Whether blocks may be found by what points to them.
    pub(crate) follows_links: bool,
}

impl BlendScorer<'_> {
    /// The candidates that hold a word of the query, best first; equal scores by page name, then by place in the page.
    pub(crate) fn score(&self, candidates: &Candidates) -> Result<Vec<ScoredBlock>, TantivyError> {
        let mut scored = Vec::new();
        for (segment, docs) in candidates {
            self.score_segment(*segment, docs, &mut scored)?;
        }
        self.rank(&mut scored)?;
        self.follow_links(&mut scored)?;
        self.rank(&mut scored)?;
        Ok(scored)
    }

    /// Puts the best first.
    fn rank(&self, scored: &mut [ScoredBlock]) -> Result<(), TantivyError> {
        self.add_best_of_page(scored);
        sort(scored);
        self.look_closely(scored)?;
        sort(scored);
        Ok(())
    }

    pub(super) fn score_segment(
        &self,
        segment: SegmentOrdinal,
        docs: &[DocId],
        scored: &mut Vec<ScoredBlock>,
    ) -> Result<(), TantivyError> {
        let reader = self.searcher.segment_reader(segment);
        let Self { fields, words, .. } = *self;
        let columns = &self.view.columns[segment as usize];
        let probe = Probe { segment: reader, ord: segment, fields, words, columns, docs };
        let blocks = probe.blocks()?;
        let page_of: Vec<Option<DocId>> = docs.iter().map(|doc| columns.page_of(*doc)).collect();
        let mut page_docs: Vec<DocId> = page_of.iter().flatten().copied().collect();
        page_docs.dedup();
        let pages = Probe { docs: &page_docs, ..probe }.pages()?;
        let counted = Counted::new(self.words, self.view);
        for (place, doc) in docs.iter().enumerate() {
            let page = page_of[place].and_then(|page| page_docs.binary_search(&page).ok());
            let (block, page) = (blocks.of(place), page.map(|page| pages.of(page)));
            let mut evidence = counted.evidence(block, page, columns.norm(*doc));
            if self.needs_word && evidence.of(Part::Bm25f) + evidence.of(Part::Page) <= 0.0 {
                continue;
            }
            self.add_columns(&mut evidence, columns, *doc, page_of[place]);
            scored.push(ScoredBlock {
                address: DocAddress::new(segment, *doc),
                page_order: columns.page_order(*doc),
                ordinal: columns.ordinal(*doc).unwrap_or(0),
                evidence,
                // Known when all blocks are.
                score: 0.0,
                is_looked_at: false,
            });
        }
        Ok(())
    }

    fn add_columns(&self, evidence: &mut Evidence, columns: &Columns, block: DocId, page: Option<DocId>) {
        let links = |doc: DocId| {
            let counts = columns.link_keys(doc).map(|key| self.links.pages_linking_to(key));
            (counts.max().unwrap_or(0) as f32).ln_1p() / 10.0
        };
        let page_links = page.map_or(0.0, links);
        evidence.set(Part::PageLinks, page_links);
        evidence.set(Part::BlockLinks, links(block));
        evidence.set(Part::LinkedPage, page_links * evidence.of(Part::Page));
        evidence.set(Part::Prose, 1.0 - columns.link_share(block));
    }

    fn add_best_of_page(&self, scored: &mut [ScoredBlock]) {
        let mut best: HashMap<u64, f32> = HashMap::new();
        for block in scored.iter() {
            let of_page = best.entry(block.page_order).or_default();
            *of_page = of_page.max(block.evidence.of(Part::Bm25f));
        }
        for block in scored {
            block.evidence.set(Part::BestOfPage, best[&block.page_order]);
            block.score = self.weights.score(&block.evidence);
        }
    }

    /// Adds the parts that need the places of words, for the best blocks; for the others they count nothing, so none of them
    /// can pass one of the best by it.
    fn look_closely(&self, scored: &mut [ScoredBlock]) -> Result<(), TantivyError> {
        let mut by_segment: HashMap<SegmentOrdinal, Vec<(DocId, usize)>> = HashMap::new();
        for (place, block) in scored.iter_mut().take(CLOSE_LOOKS).enumerate().filter(|(_, block)| !block.is_looked_at) {
            block.is_looked_at = true;
            by_segment.entry(block.address.segment_ord).or_default().push((block.address.doc_id, place));
        }
        for (segment, mut wanted) in by_segment {
            wanted.sort_unstable();
            let reader = self.searcher.segment_reader(segment);
            let docs: Vec<DocId> = wanted.iter().map(|(doc, _)| *doc).collect();
            let Self { fields, words, .. } = *self;
            let columns = &self.view.columns[segment as usize];
            let close = Probe { segment: reader, ord: segment, fields, words, columns, docs: &docs }.closeness()?;
            for ((_, place), Closeness { window, pairs }) in wanted.into_iter().zip(close) {
                let ScoredBlock { evidence, score, .. } = &mut scored[place];
                evidence.set(Part::Window, window);
                evidence.set(Part::Pairs, pairs);
                evidence.set(Part::PageBeyondBlock, evidence.of(Part::Page) * (1.0 - window));
                *score = self.weights.score(evidence);
            }
        }
        Ok(())
    }
}

fn sort(scored: &mut [ScoredBlock]) {
    scored.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then_with(|| (a.page_order, a.ordinal, a.address).cmp(&(b.page_order, b.ordinal, b.address)))
    });
}
