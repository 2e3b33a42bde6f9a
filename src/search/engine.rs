//! From request to response.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use lopper_index::analysis::Analyzer;
use lopper_index::{BlendWeights, BlockQuery, BlockSearcher, QueryTerms, RankedBlock, RankedBlocks, snippet};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::similarity::QuerySimilarity;
use super::{BlockHit, Locator, PageHit, SearchError, SearchRequest, SearchResponse};
use crate::ingest::Collection;

/// Blocks fetched for every page wanted, at first.
const BLOCKS_PER_PAGE_FETCHED: usize = 4;

/// Rounds of fetching more blocks when too few pages were among them.
const FETCHES_MAX: usize = 8;

/// Answers searches over one collection. Share one among threads.
pub struct SearchEngine {
    collection: Arc<Collection>,
    searcher: BlockSearcher,
    analyzer: Mutex<Analyzer>,
}

impl SearchEngine {
    /// An engine over what is committed now.
    ///
    /// # Errors
    ///
    /// [`SearchError::Index`] when the index cannot be read.
    pub fn new(collection: Arc<Collection>) -> Result<Self, SearchError> {
        let searcher = collection.index().searcher();
        searcher.reload()?;
        Ok(Self { collection, searcher, analyzer: Mutex::default() })
    }

    /// The collection.
    pub fn collection(&self) -> &Collection {
        &self.collection
    }

    /// Goes on to the newest commit.
    ///
    /// # Errors
    ///
    /// [`SearchError::Index`]; the former commit stays searchable.
    pub fn reload(&self) -> Result<(), SearchError> {
        Ok(self.searcher.reload()?)
    }

    /// The blocks that match a query, best first, up to `limit`.
    ///
    /// # Errors
    ///
    /// [`SearchError::Index`] when the index cannot be read.
    pub fn blocks(&self, query: &str, limit: usize) -> Result<RankedBlocks, SearchError> {
        self.ranked(&BlockQuery::new(query, limit), BlendWeights::default())
    }

    /// The blocks that match a query, best first, in the ranking that it asks for, with these weights where that is the blend.
    ///
    /// # Errors
    ///
    /// [`SearchError::Query`]; [`SearchError::Index`] when the index cannot be read.
    pub fn ranked(&self, query: &BlockQuery, weights: BlendWeights) -> Result<RankedBlocks, SearchError> {
        let links = self.collection.store().snapshot();
        Ok(self.searcher.search_with(query, &*links, weights)?)
    }

    /// The part of a found block that answers the query.
    pub fn shown<'a>(&self, _ranked: &RankedBlocks, block: &'a RankedBlock) -> &'a str {
        &block.document.body
    }

    /// Answers a request: the pages of the best blocks, in the order of their best ones.
    ///
    /// # Errors
    ///
    /// [`SearchError`] for figures out of range, or when the collection cannot be read.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchResponse, SearchError> {
        request.check()?;
        let started = Instant::now();
        let ranked = self.fetch(request)?;
        let statistics = self.collection.store().snapshot();
        let mut analyzer = self.analyzer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut similarity = QuerySimilarity::new(&request.query, &*statistics, &mut analyzer);
        let groups = group(ranked.blocks, request);
        let terms = &ranked.terms;
        let pages = groups.into_iter().map(|blocks| page_hit(blocks, terms, &mut similarity, request)).collect();
        let duration_ms = started.elapsed().as_secs_f64() * 1000.0;
        let (query, total_blocks, notes) = (request.query.clone(), ranked.total, ranked.notes);
        Ok(SearchResponse { query, total_blocks, notes, pages, duration_ms })
    }

    /// Fetches blocks until enough pages are among them, or there are no more.
    fn fetch(&self, request: &SearchRequest) -> Result<RankedBlocks, SearchError> {
        let mut limit = request.pages * BLOCKS_PER_PAGE_FETCHED;
        for _ in 1..FETCHES_MAX {
            let ranked = self.blocks(&request.query, limit)?;
            let mut pages: Vec<&str> = ranked.blocks.iter().map(|block| block.document.page_id.as_str()).collect();
            pages.sort_unstable();
            pages.dedup();
            if pages.len() >= request.pages || ranked.blocks.len() as u64 >= ranked.total {
                return Ok(ranked);
            }
            limit *= 4;
        }
        self.blocks(&request.query, limit)
    }
}

/// Blocks by page, pages in the order of their first block.
fn group(blocks: Vec<RankedBlock>, request: &SearchRequest) -> Vec<Vec<RankedBlock>> {
    let mut groups: Vec<Vec<RankedBlock>> = Vec::new();
    let mut place: HashMap<String, usize> = HashMap::new();
    for block in blocks {
        let page_id = &block.document.page_id;
        if let Some(&at) = place.get(page_id) {
            if groups[at].len() < request.blocks_per_page {
                groups[at].push(block);
            }
        } else if groups.len() < request.pages {
            place.insert(page_id.clone(), groups.len());
            groups.push(vec![block]);
        }
    }
    groups
}

fn page_hit(
    blocks: Vec<RankedBlock>,
    terms: &QueryTerms,
    similarity: &mut QuerySimilarity<'_>,
    request: &SearchRequest,
) -> PageHit {
    let best = &blocks[0];
    let first = &best.document;
    PageHit {
        page_id: first.page_id.clone(),
        url: first.url.clone(),
        canonical_url: first.canonical_url.clone(),
        host: first.host.clone(),
        title: first.title.clone(),
        language: first.language.to_string(),
        captured_at: first.captured_at.and_then(rfc_3339),
        score: best.score,
        blocks: blocks.into_iter().map(|block| block_hit(block, terms, similarity, request)).collect(),
    }
}

fn block_hit(
    block: RankedBlock,
    terms: &QueryTerms,
    similarity: &mut QuerySimilarity<'_>,
    request: &SearchRequest,
) -> BlockHit {
    let RankedBlock { document, score, .. } = block;
    let language = document.language;
    BlockHit {
        block_id: document.block_id.clone(),
        ordinal: document.ordinal,
        score,
        similarity: similarity.of(&document.body, language),
        snippet: snippet(similarity.analyzer(), &document.body, language, terms, request.snippet_chars).into(),
        locator: Locator::of(&document),
        heading_path: document.heading_path,
        lead: document.lead,
        text: document.body,
    }
}

fn rfc_3339(seconds: i64) -> Option<String> {
    OffsetDateTime::from_unix_timestamp(seconds).ok()?.format(&Rfc3339).ok()
}
