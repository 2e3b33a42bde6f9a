//! From ranked pages to what is shown of them: only here are blocks fetched.

use lopper_analysis::{Analyzer, Language};
use lopper_archive::page::PageId;
use lopper_content::pipeline::{PageOutline, StoredTree};
use lopper_content::prune::PruneRule;
use lopper_content::simhash::SimHash;
use lopper_content::statistics::StatisticsSnapshot;
use lopper_content::weigh::Weigher;
use lopper_index::engine::BlockHandle;
use lopper_index::{
    BlockDocument, Budget, FocusedPage, Found, Ranked, SearchError as IndexError, TextReading, fragments,
};
use lopper_store::StoredPage;

use super::bare::is_bare;
use super::block_language::{block_language, page_language};
use super::explain::{BlockExplanation, PageExplanation};
use super::focused::focused_page;
use super::groups::PageGroup;
use super::history::{Histories, PageHistory};
use super::pruned::{PageFacts, PrunedPage, prune_page};
use super::similarity::Similarities;
use super::{
    BlockHit, Collapse, HighlightedText, Locator, OtherBlock, OtherHits, PageHit, QueryPruning, SearchError,
    SearchRequest,
};
use crate::{DataFolder, PageSource, rfc_3339};

/// What the hits of one answer are made from.
pub(super) struct Hits<'a> {
    pub(super) collection: &'a DataFolder,
    pub(super) request: &'a SearchRequest,
    pub(super) histories: &'a Histories<'a>,
    pub(super) ranked: &'a Ranked,
    pub(super) statistics: &'a StatisticsSnapshot,
    pub(super) similarities: Similarities<'a>,
    pub(super) analyzer: &'a mut Analyzer,
    /// Blocks that are shown with an explanation, in their order.
    pub(super) explained: Vec<BlockHandle>,
}

/// The blocks to show of a page.
#[derive(Default)]
struct Shown {
    /// At least one, each as the query reads it.
    blocks: Vec<(Found, BlockDocument, TextReading)>,
    /// Those that are left out since one of these is nearly the same.
    alike: Vec<Found>,
}

/// Bytes of text that an answer has at most, but for its first page.
const ANSWER_BYTES_MAX: usize = 8 << 20;

impl Hits<'_> {
    /// The first pages that may still be shown: the first whatever the budget, the others while there is time and the answer is not too
    /// large.
    pub(super) fn pages(&mut self, groups: &[PageGroup], budget: &Budget) -> Result<Vec<PageHit>, SearchError> {
        let (mut hits, mut bytes) = (Vec::with_capacity(groups.len()), 0);
        let mut focused = self.focused(groups)?.into_iter();
        for group in groups {
            if !hits.is_empty() && (bytes > ANSWER_BYTES_MAX || !budget.has_time()) {
                break;
            }
            let mut hit = match self.page(group) {
                Err(SearchError::Index(IndexError::OutOfTime(_))) if !hits.is_empty() => break,
                hit => hit?,
            };
            if let Some(focused) = focused.next() {
                hit.pruned = Some(focused_page(self.ranked, &focused)?);
            }
            bytes += text_bytes(&hit);
            hits.push(hit);
        }
        self.count_fields(&mut hits)?;
        Ok(hits)
    }

    /// Counts the query's words in the fields of the blocks that are explained.
    fn count_fields(&self, hits: &mut [PageHit]) -> Result<(), SearchError> {
        if self.explained.is_empty() {
            return Ok(());
        }
        let counts = self.ranked.field_counts(&self.explained)?;
        let blocks = hits.iter_mut().flat_map(|hit| &mut hit.blocks);
        for (explanation, fields) in blocks.filter_map(|block| block.explanation.as_mut()).zip(counts) {
            explanation.fields = fields;
        }
        Ok(())
    }

    /// What to keep of each page, where pages are pruned by the blocks of the index.
    fn focused(&self, groups: &[PageGroup]) -> Result<Vec<FocusedPage>, SearchError> {
        if self.request.prune != Some(QueryPruning::Focus) {
            return Ok(Vec::new());
        }
        let best: Vec<BlockHandle> = groups.iter().map(|group| group.best().handle).collect();
        Ok(self.ranked.focus(self.similarities.0, &best)?)
    }

    fn page(&mut self, group: &PageGroup) -> Result<PageHit, SearchError> {
        let Shown { blocks, alike } = self.shown(group)?;
        let first = &blocks[0].1;
        let id = first.page_id.parse::<PageId>().ok();
        let stored = id.map(|id| self.collection.page(id)).transpose()?.flatten();
        // A page that was taken out meanwhile is what its best block is.
        let language = stored.as_ref().map_or(first.language, page_language);
        let facts = PageFacts::of(first, language);
        let PageHistory { last_captured_at, newer_capture } = self.history(stored.as_ref())?;
        let mut hit = PageHit {
            page_id: first.page_id.clone(),
            url: first.url.clone(),
            canonical_url: first.canonical_url.clone(),
            host: first.host.clone(),
            title: first.title.clone(),
            language: language.to_string(),
            page_type: first.page_type.clone(),
            captured_at: first.captured_at.and_then(rfc_3339),
            last_captured_at,
            stood_at: self.stood_at(&first.url)?,
            source: stored.as_ref().map(PageSource::from),
            replay_url: None,
            score: group.score,
            blocks: Vec::with_capacity(blocks.len()),
            newer_capture,
            captures: self.others(group.captures.iter().map(PageGroup::best))?,
            similar: self.others(alike.iter().chain(group.similar.iter().map(PageGroup::best)))?,
            pruned: None,
            explanation: self.request.explain.then(|| PageExplanation::new(group)),
        };
        let outline = self.outline(id)?;
        for (found, document, reading) in blocks {
            hit.blocks.push(self.block(&found, document, &reading, language, outline.as_ref())?);
        }
        hit.pruned = self.tree(id)?.and_then(|tree| self.pruned(tree, &facts));
        Ok(hit)
    }

    fn stood_at(&self, url: &str) -> Result<Option<String>, SearchError> {
        if self.request.as_of.is_none() {
            return Ok(None);
        }
        let newest = self.histories.of(url)?.and_then(|history| history.newest);
        Ok(newest.and_then(|(time, _)| rfc_3339(time)))
    }

    /// Where the answer is of a time, what came later counts nothing.
    fn history(&self, page: Option<&StoredPage>) -> Result<PageHistory, SearchError> {
        match page.filter(|_| self.request.as_of.is_none()) {
            Some(page) => Ok(self.histories.of_page(page)?),
            None => Ok(PageHistory::default()),
        }
    }

    fn shown(&mut self, group: &PageGroup) -> Result<Shown, SearchError> {
        let mut shown = Shown::default();
        let mut hashes: Vec<SimHash> = Vec::new();
        for found in &group.blocks {
            if shown.blocks.len() == self.request.blocks_per_page {
                break;
            }
            let document = self.ranked.fetch(found)?;
            let reading = self.ranked.read(self.analyzer, &document);
            if self.request.collapse == Collapse::Similar {
                let hash = SimHash::of_terms(reading.hashes());
                if hashes.iter().any(|known| known.is_near(hash)) {
                    shown.alike.push(*found);
                    continue;
                }
                hashes.push(hash);
            }
            shown.blocks.push((*found, document, reading));
        }
        Ok(shown)
    }

    /// The page's stored tree, where the answer is pruned by it; nothing for a page that was taken out meanwhile.
    fn tree(&self, page: Option<PageId>) -> Result<Option<StoredTree>, SearchError> {
        match page.filter(|_| self.rule().is_some()) {
            Some(id) => Ok(self.collection.tree(id)?),
            None => Ok(None),
        }
    }

    /// The outline of the page's stored tree, where the answer is explained.
    fn outline(&self, page: Option<PageId>) -> Result<Option<PageOutline>, SearchError> {
        match page.filter(|_| self.request.explain) {
            Some(id) => Ok(self.collection.outline(id)?),
            None => Ok(None),
        }
    }

    /// The rule by which the pages' trees are pruned.
    fn rule(&self) -> Option<PruneRule> {
        self.request.prune.and_then(QueryPruning::rule)
    }

    fn pruned(&mut self, tree: StoredTree, page: &PageFacts) -> Option<PrunedPage> {
        let rule = self.rule()?;
        let params = self.collection.params();
        let mut weigher = Weigher::with_analyzer(std::mem::take(self.analyzer));
        let pruned = prune_page(&mut weigher, tree, page, &self.ranked.words, self.statistics, &params, rule);
        *self.analyzer = weigher.into_analyzer();
        Some(pruned)
    }

    fn others<'f>(&self, found: impl Iterator<Item = &'f Found>) -> Result<OtherHits, SearchError> {
        let mut others = OtherHits::default();
        for found in found {
            others.count += 1;
            if others.blocks.len() < OtherHits::LISTED_MAX {
                others.blocks.push(other(self.ranked.fetch(found)?, found.score));
            }
        }
        Ok(others)
    }

    fn block(
        &mut self,
        found: &Found,
        document: BlockDocument,
        reading: &TextReading,
        page: Language,
        outline: Option<&PageOutline>,
    ) -> Result<BlockHit, SearchError> {
        let explain = || BlockExplanation::new(self.ranked, found, outline, &document.block_path);
        let explanation = self.request.explain.then(explain);
        if explanation.is_some() {
            self.explained.push(found.handle);
        }
        let similarity = self.similarities.of_query(self.ranked, reading);
        let passage = self.ranked.passage(self.analyzer, found, &document, reading)?;
        let missing = passage.missing.iter().filter_map(|word| self.ranked.words.get(*word as usize));
        let missing = missing.filter(|word| word.is_own() && !word.is_absent());
        let snippet = self.snippet(&document, reading, &passage.following);
        Ok(BlockHit {
            block_id: document.block_id.clone(),
            block_language: block_language(&document, page),
            ordinal: document.ordinal,
            score: found.score,
            similarity,
            snippet,
            locator: Locator::of(&document),
            heading_path: document.heading_path,
            lead: document.lead,
            table_head: document.table_head,
            passage: passage.text(&document.body),
            text: document.body,
            missing_words: missing.map(|word| word.surface.clone()).collect(),
            explanation,
        })
    }

    /// The parts of a block with the query's words; where it says no more than its headings do, it is read with what follows it on its page.
    fn snippet(&mut self, document: &BlockDocument, reading: &TextReading, following: &str) -> HighlightedText {
        let chars = self.request.snippet_chars;
        if following.is_empty() || !is_bare(document) {
            return fragments(&document.body, reading.found(), chars).into();
        }
        let mut shown = document.clone();
        shown.body.extend(["\n", following]);
        let reading = self.ranked.read(self.analyzer, &shown);
        fragments(&shown.body, reading.found(), chars).into()
    }
}

/// Bytes of the texts of a page, about; those of its explanation are no more than some kilobytes a block.
fn text_bytes(page: &PageHit) -> usize {
    /// Of a block's places, scores and reasons.
    const FIGURES_BYTES: usize = 500;
    /// Of the same, explained.
    const EXPLANATION_BYTES: usize = 8 << 10;
    let block = |block: &BlockHit| {
        let explanation = if block.explanation.is_some() { EXPLANATION_BYTES } else { 0 };
        let headings: usize = block.heading_path.iter().map(String::len).sum();
        block.text.len()
            + block.passage.len()
            + block.snippet.text.len()
            + headings
            + block.table_head.len()
            + explanation
            + FIGURES_BYTES
    };
    let pruned = page.pruned.iter().flat_map(|pruned| &pruned.blocks).map(|block| block.text.len() + FIGURES_BYTES);
    page.blocks.iter().map(block).sum::<usize>() + pruned.sum::<usize>()
}

fn other(document: BlockDocument, score: f32) -> OtherBlock {
    OtherBlock {
        block_id: document.block_id,
        page_id: document.page_id,
        url: document.url,
        captured_at: document.captured_at.and_then(rfc_3339),
        score,
    }
}
