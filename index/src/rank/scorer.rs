//! From candidates to scored blocks.

use std::collections::HashMap;

use tantivy::{DocAddress, DocId, Searcher, SegmentOrdinal, TantivyError};

use super::fields::{BlockField, PageField};
use super::frequencies::{Frequencies, Probe};
use super::gather::Candidates;
use super::places::Closeness;
use super::segment::{Columns, RankWord, total_idf};
use super::view::CommitView;
use super::{BlendWeights, Evidence, LinkCounts, Part};
use crate::schema::Fields;

/// Saturation of the block's term frequencies.
const BLOCK_K1: f32 = 1.2;

/// How much a field's length counts, for the block's fields.
const BLOCK_B: f32 = 0.75;

/// Saturation of the page's term frequencies.
const PAGE_K1: f32 = 0.9;

/// How much a page's length counts.
const PAGE_B: f32 = 0.4;

/// Blocks whose words' places are looked at: the best without that.
const CLOSE_LOOKS: usize = 64;

/// Weights of the [`BlockField`]s in BM25F.
const BLOCK_FIELD_WEIGHTS: [f32; BlockField::ALL.len()] = [1.0, 1.0, 2.0, 1.0, 0.5, 1.0];

/// Typical lengths of the [`BlockField`]s, in words. Blocks are cut to much the same size in every collection, so these do not follow it, and a
/// score does not change with what is added.
const BLOCK_FIELD_LENGTHS: [f32; BlockField::ALL.len()] = [9.0, 3.0, 7.0, 95.0, 3.0, 2.0];

/// Weights of the [`PageField`]s in the BM25F of the page's blocks; its text is for the page's own BM25.
const PAGE_FIELD_WEIGHTS: [f32; PageField::ALL.len()] = [0.0, 2.0, 0.5, 0.5];

/// Typical lengths of the [`PageField`]s, in words; its text is not weighed by it.
const PAGE_FIELD_LENGTHS: [f32; PageField::ALL.len()] = [1.0, 8.0, 25.0, 8.0];

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
        let total_idf = total_idf(self.words);
        for (place, doc) in docs.iter().enumerate() {
            let page = page_of[place].and_then(|page| page_docs.binary_search(&page).ok());
            let counted = Counted { scorer: self, total_idf, blocks: &blocks, pages: &pages, block: place, page };
            let mut evidence = counted.evidence();
            if self.needs_word && evidence.of(Part::Bm25f) + evidence.of(Part::Page) <= 0.0 {
                continue;
            }
            counted.add_columns(&mut evidence, columns, *doc, page_of[place]);
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

/// One block's counts.
struct Counted<'a> {
    scorer: &'a BlendScorer<'a>,
    /// Of all words.
    total_idf: f32,
    blocks: &'a Frequencies,
    pages: &'a Frequencies,
    block: usize,
    page: Option<usize>,
}

impl Counted<'_> {
    fn words(&self) -> &[RankWord] {
        self.scorer.words
    }

    fn in_block(&self, field: BlockField, word: usize) -> f32 {
        self.blocks.counts(self.block, field as usize)[word]
    }

    fn in_page(&self, field: PageField, word: usize) -> f32 {
        self.page.map_or(0.0, |page| self.pages.counts(page, field as usize)[word])
    }

    /// Sum of the idf of the words for which `has` holds, as a share of that of all.
    fn share(&self, has: impl Fn(usize) -> bool) -> f32 {
        let having = self.words().iter().enumerate().filter(|(word, _)| has(*word));
        having.map(|(_, word)| word.idf).sum::<f32>() / self.total_idf
    }

    /// Different words of the query in a field of `length` words, as a share of the field.
    fn precision(&self, length: f32, has: impl Fn(usize) -> bool) -> f32 {
        let found = (0..self.words().len()).filter(|word| has(*word)).count() as f32;
        (found / length.max(1.0)).min(1.0)
    }

    fn evidence(&self) -> Evidence {
        let mut evidence = Evidence::default();
        let in_title = |word| self.in_page(PageField::Title, word) > 0.0;
        let in_url = |word| self.in_page(PageField::Url, word) > 0.0;
        let in_names = |word| self.in_block(BlockField::Names, word) > 0.0;
        let in_heading = |word| self.in_block(BlockField::OwnHeading, word) > 0.0;
        let in_lead = |word| self.in_block(BlockField::Lead, word) > 0.0;
        let block_length = |field: BlockField| self.blocks.length(self.block, field as usize);
        let page_length = |field: PageField| self.page.map_or(0.0, |page| self.pages.length(page, field as usize));
        let page = self.page_bm25();
        for (part, value) in [
            (Part::Bm25f, self.bm25f()),
            (Part::Page, page),
            (Part::Coverage, self.share(|word| self.is_in_block(word))),
            (Part::Headings, self.share(|word| self.in_block(BlockField::Headings, word) > 0.0)),
            (
                Part::OwnHeading,
                self.share(in_heading) * self.precision(block_length(BlockField::OwnHeading), in_heading),
            ),
            (Part::Lead, self.share(in_lead) * self.precision(block_length(BlockField::Lead), in_lead)),
            (Part::TitleCoverage, self.share(in_title)),
            (Part::Title, self.share(in_title) * self.precision(page_length(PageField::Title), in_title)),
            (Part::Description, self.share(|word| self.in_page(PageField::Description, word) > 0.0)),
            (Part::UrlCoverage, self.share(in_url)),
            (Part::Url, self.share(in_url) * self.precision(page_length(PageField::Url), in_url)),
            (Part::Names, self.share(in_names) * self.precision(block_length(BlockField::Names), in_names)),
        ] {
            evidence.set(part, value);
        }
        evidence
    }

    fn is_in_block(&self, word: usize) -> bool {
        [BlockField::Headings, BlockField::Lead, BlockField::Body].into_iter().any(|f| self.in_block(f, word) > 0.0)
    }

    fn add_columns(&self, evidence: &mut Evidence, columns: &Columns, block: DocId, page: Option<DocId>) {
        let links = |doc: DocId| {
            let counts = columns.link_keys(doc).map(|key| self.scorer.links.pages_linking_to(key));
            (counts.max().unwrap_or(0) as f32).ln_1p() / 10.0
        };
        let page_links = page.map_or(0.0, links);
        evidence.set(Part::Cosine, self.cosine(columns.norm(block)));
        evidence.set(Part::PageLinks, page_links);
        evidence.set(Part::BlockLinks, links(block));
        evidence.set(Part::LinkedPage, page_links * evidence.of(Part::Page));
        evidence.set(Part::Prose, 1.0 - columns.link_share(block));
    }

    /// BM25F (Robertson, Zaragoza, Taylor 2004): frequencies are weighed over the fields, each by its length, before they
    /// saturate: `Σ idf · f / (k1 + f)`, `f = Σ_f w_f · tf_f / (1 − b + b · len_f / mean_f)`; divided by `Σ idf`.
    fn bm25f(&self) -> f32 {
        let share = |weight: f32, length: f32, mean: f32| weight / (1.0 - BLOCK_B + BLOCK_B * length / mean);
        let in_block: [f32; BlockField::ALL.len()] = std::array::from_fn(|field| {
            share(BLOCK_FIELD_WEIGHTS[field], self.blocks.length(self.block, field), BLOCK_FIELD_LENGTHS[field])
        });
        let in_page: [f32; PageField::ALL.len()] = std::array::from_fn(|field| {
            let length = self.page.map_or(0.0, |page| self.pages.length(page, field));
            share(PAGE_FIELD_WEIGHTS[field], length, PAGE_FIELD_LENGTHS[field])
        });
        let mut sum = 0.0;
        for (w, word) in self.words().iter().enumerate() {
            let of_block = in_block.iter().enumerate().map(|(f, share)| share * self.blocks.counts(self.block, f)[w]);
            let mut frequency: f32 = of_block.sum();
            if let Some(page) = self.page {
                frequency +=
                    in_page.iter().enumerate().map(|(f, share)| share * self.pages.counts(page, f)[w]).sum::<f32>();
            }
            sum += word.idf * frequency / (BLOCK_K1 + frequency);
        }
        sum / self.total_idf
    }

    /// BM25 of the page over all its text, its title counted once more; divided by `Σ idf`.
    fn page_bm25(&self) -> f32 {
        let Some(page) = self.page else { return 0.0 };
        let length = self.pages.length(page, PageField::All as usize) / self.scorer.view.means.pages;
        let norm = 1.0 - PAGE_B + PAGE_B * length;
        let score = |(w, word): (usize, &RankWord)| {
            let frequency = (self.in_page(PageField::All, w) + self.in_page(PageField::Title, w)) / norm;
            word.idf * frequency / (PAGE_K1 + frequency)
        };
        self.words().iter().enumerate().map(score).sum::<f32>() / self.total_idf
    }

    /// Paper, eq. (1), with `w = tf · idf` over the block's body.
    ///
    /// Differs from the paper: 1) the idf of today's collection is not known for every term of the block when it is indexed, so in
    /// the block's norm all terms have a typical idf, that of a word on √N pages (`ln √N + 1`); 2) the norm is at least that of the
    /// query's own words in the block, so the cosine is at most 1. What an answer shows as similarity is exact.
    fn cosine(&self, frequency_norm: f32) -> f32 {
        let (mut dot, mut query, mut found) = (0.0, 0.0, 0.0);
        for (w, word) in self.words().iter().enumerate() {
            let weight = self.in_block(BlockField::Body, w) * word.page_idf;
            dot += weight * word.page_idf;
            query += word.page_idf * word.page_idf;
            found += weight * weight;
        }
        let typical_idf = (self.scorer.view.counts.pages as f32).max(1.0).sqrt().ln() + 1.0;
        let norms = (frequency_norm * typical_idf).max(found.sqrt()) * query.sqrt();
        if norms > 0.0 { (dot / norms).min(1.0) } else { 0.0 }
    }
}
