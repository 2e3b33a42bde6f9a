//! From request to response.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lopper_archive::page::PageId;
use lopper_content::statistics::StatisticsSnapshot;
use lopper_content::weigh::Weigher;
use lopper_index::{
    BlockQuery, BlockSearcher, Budget, Found, LinkCounts, Order, QueryLimits, QueryNote, Ranked, RankedBlock,
    RankedBlocks, Ranking, RankingWeights,
};
use lopper_store::StoredPage;
use tracing::debug_span;

use super::as_of::Standing;
use super::block_language::page_language;
use super::copies::{without_copies, without_similar};
use super::cursor::{Cursor, DRIFT_MAX};
use super::explain::QueryExplanation;
use super::focused::focused_page;
use super::groups::{PageGroup, group};
use super::history::{Histories, PageHistory};
use super::hits::Hits;
use super::like::query_like;
use super::memory::{Memories, Memory};
use super::pruned::{PageFacts, prune_page};
use super::similarity::Similarities;
use super::{Collapse, PrunedPage, QueryPruning, SearchError, SearchRequest, SearchResponse};
use crate::links::CountedLinks;
use crate::{DataFolder, STAGES};

/// Blocks, at least, that the head of every ranking is made of, so that all parts of an answer are of one ranking.
const DEPTH: usize = 100;

/// How many times more blocks are ranked when too few pages were among them.
const GROWTH: usize = 4;

/// What the captures of one page's address may take to be read.
const HISTORY_DURATION_MAX: Duration = Duration::from_secs(2);

/// Answers searches over one collection. Share one among threads.
pub struct SearchEngine {
    collection: Arc<DataFolder>,
    searcher: BlockSearcher,
    /// Of the features, for [`search`](Self::search).
    weights: RankingWeights,
    memories: Memories,
}

/// The pages of an answer.
struct Listing {
    ranked: Ranked,
    pages: Vec<PageGroup>,
    /// How far the whole is to be trusted.
    coverage: Option<f32>,
    /// Pages before these.
    offset: usize,
    /// Whether others follow.
    goes_on: bool,
}

impl SearchEngine {
    /// An engine over what is committed now.
    ///
    /// # Errors
    ///
    /// [`SearchError::Index`] when the index cannot be read.
    pub fn new(collection: Arc<DataFolder>) -> Result<Self, SearchError> {
        let searcher = collection.searcher();
        searcher.reload()?;
        Ok(Self { collection, searcher, weights: RankingWeights::default(), memories: Memories::default() })
    }

    /// The same with other weights than those that are built in. The collection stays as it is.
    #[must_use]
    pub fn with_weights(self, weights: RankingWeights) -> Self {
        Self { weights, ..self }
    }

    pub(super) fn searcher(&self) -> &BlockSearcher {
        &self.searcher
    }

    /// The weights that [`search`](Self::search) ranks by.
    pub fn weights(&self) -> &RankingWeights {
        &self.weights
    }

    /// The collection.
    pub fn collection(&self) -> &DataFolder {
        &self.collection
    }

    /// The same, to be kept.
    pub fn folder(&self) -> Arc<DataFolder> {
        Arc::clone(&self.collection)
    }

    /// Goes on to the newest commit.
    ///
    /// # Errors
    ///
    /// [`SearchError::Index`]; the former commit stays searchable.
    pub fn reload(&self) -> Result<(), SearchError> {
        self.collection.refresh()?;
        Ok(self.searcher.reload()?)
    }

    /// The blocks that match a query, best first, in the ranking that it asks for, with these weights where that is the blend.
    ///
    /// # Errors
    ///
    /// [`SearchError::Query`]; [`SearchError::Index`] when the index cannot be read.
    pub fn ranked(&self, query: &BlockQuery, weights: &RankingWeights) -> Result<RankedBlocks, SearchError> {
        let links = self.collection.statistics();
        Ok(self.searcher.search_with(query, &CountedLinks(&links), weights)?)
    }

    /// The blocks of the best [`SearchRequest::pages`] pages for a request, best block first, at most
    /// [`SearchRequest::blocks_per_page`] of a page. Its `offset`, and how pages are scored and shown, count nothing.
    /// `weights` are those of the blend.
    ///
    /// # Errors
    ///
    /// As [`search`](Self::search).
    pub fn run(&self, request: &SearchRequest, weights: &RankingWeights) -> Result<Vec<RankedBlock>, SearchError> {
        let statistics = self.collection.statistics();
        let depth = DEPTH.max(request.pages);
        let query = BlockQuery { depth, limit: depth, ..self.query(request, &statistics)? };
        let (links, budget) = (&CountedLinks(&statistics), &Budget::unlimited());
        let histories = self.histories(request, budget);
        let growing = Growing { query, links, weights, budget, standing: standing(request, &histories) };
        let (ranked, shown) = growing.until(&self.searcher, |ranked| {
            let (shown, is_full) = blocks_of_pages(&ranked.found, request);
            Ok((shown.into_iter().copied().collect::<Vec<Found>>(), is_full))
        })?;
        shown.iter().map(|found| Ok(self.searcher.ranked_block(&ranked, found)?)).collect()
    }

    /// Answers a request: pages, scored by their blocks, with their best blocks. Its work is bounded by [`QueryLimits::WORK_MAX`].
    ///
    /// # Errors
    ///
    /// [`SearchError`] for figures out of range, for queries that cannot be understood, or when the collection cannot be read.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchResponse, SearchError> {
        self.search_within(request, &Budget::new(QueryLimits::default()))
    }

    /// The same within a budget. What was found when it is spent is the answer: see [`SearchResponse::is_complete`].
    ///
    /// # Errors
    ///
    /// As [`search`](Self::search).
    pub fn search_within(&self, request: &SearchRequest, budget: &Budget) -> Result<SearchResponse, SearchError> {
        Ok(self.answer(request, budget)?.0)
    }

    /// The same for those who want all of an answer, part by part: a ranking that was cut short is an error. A part may have fewer pages
    /// than were asked for; [`SearchResponse::next_cursor`] goes on.
    ///
    /// # Errors
    ///
    /// [`SearchError::CutShort`], else as [`search`](Self::search).
    pub fn part_within(&self, request: &SearchRequest, budget: &Budget) -> Result<SearchResponse, SearchError> {
        match self.answer(request, budget)? {
            (response, false) => Ok(response),
            (_, true) => Err(SearchError::CutShort),
        }
    }

    /// The answer, and whether its ranking was cut short.
    fn answer(&self, request: &SearchRequest, budget: &Budget) -> Result<(SearchResponse, bool), SearchError> {
        request.check()?;
        let started = Instant::now();
        let statistics = self.collection.statistics();
        let histories = &self.histories(request, budget);
        let (listing, pages) = self.memories.with(&statistics, |memory| {
            let ranking = debug_span!(target: STAGES, "rank");
            let listing = ranking.in_scope(|| self.listing(request, &statistics, memory, histories, budget))?;
            let _showing = debug_span!(target: STAGES, "show").entered();
            let pages = self.searcher.with_analyzer(|analyzer| {
                let (collection, statistics, ranked) = (self.collection(), &statistics, &listing.ranked);
                let similarities = Similarities(memory);
                let explained = Vec::new();
                let mut hits =
                    Hits { collection, request, histories, ranked, statistics, similarities, analyzer, explained };
                hits.pages(&listing.pages, budget)
            })?;
            Ok::<_, SearchError>((listing, pages))
        })?;
        let Listing { ranked, pages: listed, coverage, offset, goes_on } = listing;
        let are_all_shown = pages.len() == listed.len();
        let next = (goes_on || !are_all_shown).then_some(offset + pages.len());
        let next = next.filter(|next| *next <= SearchRequest::OFFSET_MAX);
        let last = pages.len().checked_sub(1).map(|last| &listed[last]);
        let is_complete = are_all_shown && !ranked.is_cut_short && !histories.is_cut_short();
        let facets = if request.facets { Some(ranked.facets()?) } else { None };
        let response = SearchResponse {
            query: request.query.clone(),
            total_blocks: ranked.total,
            total_is_exact: ranked.total_is_exact,
            is_complete,
            coverage,
            offset,
            next_offset: next,
            next_cursor: next.zip(last).map(|(next, last)| Cursor::behind(request, next, last)),
            facets,
            explanation: request.explain.then(|| QueryExplanation::new(request, &ranked)),
            notes: ranked
                .notes
                .into_iter()
                .filter(|note| request.like.is_none() || matches!(note, QueryNote::UndatedLeftOut { .. }))
                .collect(),
            pages,
            duration_ms: started.elapsed().as_secs_f64() * 1000.0,
        };
        Ok((response, ranked.is_cut_short))
    }

    /// A page pruned by a query, whether the query finds it or not; `None` where there is none of that identity, or no block of it.
    ///
    /// # Errors
    ///
    /// As [`search`](Self::search).
    pub fn prune_page(
        &self,
        query: &str,
        page: PageId,
        pruning: QueryPruning,
    ) -> Result<Option<PrunedPage>, SearchError> {
        // Rules by element need the query's words alone.
        let ranking = if pruning == QueryPruning::Focus { Ranking::Blend } else { Ranking::Bm25 };
        let ranked = self.ranked_as_is(&BlockQuery { ranking, ..BlockQuery::new(query, 1) })?;
        let blocks = self.searcher.blocks_of_page(&page.to_string())?;
        let Some(first) = blocks.first() else { return Ok(None) };
        let Some(rule) = pruning.rule() else {
            let focused = match ranked.find(&first.block_id)? {
                Some(handle) => ranked.focus(&CountedLinks(&self.collection.statistics()), &[handle])?,
                None => Vec::new(),
            };
            return focused.first().map(|focused| focused_page(&ranked, focused)).transpose();
        };
        let Some(tree) = self.collection.tree(page)? else { return Ok(None) };
        let (statistics, params) = (self.collection.statistics(), self.collection.params());
        let language = self.collection.page(page)?.as_ref().map_or(first.language, page_language);
        let facts = PageFacts::of(first, language);
        Ok(Some(self.searcher.with_analyzer(|analyzer| {
            let mut weigher = Weigher::with_analyzer(std::mem::take(analyzer));
            let pruned = prune_page(&mut weigher, tree, &facts, &ranked.words, &statistics, &params, rule);
            *analyzer = weigher.into_analyzer();
            pruned
        })))
    }

    /// A query's ranking by the built-in weights, with nothing added.
    pub(super) fn ranked_as_is(&self, query: &BlockQuery) -> Result<Ranked, SearchError> {
        let statistics = self.collection.statistics();
        Ok(self.searcher.rank(query, &CountedLinks(&statistics), &self.weights, &Budget::unlimited())?)
    }

    /// What became of a page's address after the page; nothing where reading its captures takes longer than [`HISTORY_DURATION_MAX`].
    pub(super) fn history(&self, page: &StoredPage) -> Result<PageHistory, SearchError> {
        let budget = Budget::new(QueryLimits { duration_max: Some(HISTORY_DURATION_MAX), ..QueryLimits::default() });
        Ok(Histories::new(&self.collection, i64::MAX, &budget).of_page(page)?)
    }

    fn histories<'a>(&'a self, request: &SearchRequest, budget: &'a Budget) -> Histories<'a> {
        Histories::new(&self.collection, request.as_of.map_or(i64::MAX, |at| at.0), budget)
    }

    fn query(&self, request: &SearchRequest, statistics: &StatisticsSnapshot) -> Result<BlockQuery, SearchError> {
        let mut text = request.query.clone();
        if let Some(block_id) = &request.like {
            let unknown = || SearchError::UnknownBlock { block_id: block_id.clone() };
            let block = self.searcher.get_block(block_id)?.ok_or_else(unknown)?;
            let words = self.searcher.with_analyzer(|analyzer| query_like(analyzer, &block, statistics));
            text = format!("{text} {words}");
        }
        Ok(BlockQuery {
            text,
            ranking: request.ranking,
            depth: DEPTH,
            order: request.sort,
            without: request.like.clone(),
            apart: true,
            ..BlockQuery::default()
        })
    }

    /// Ranks until the wanted pages are found. One page more than is wanted tells whether another part of the answer follows.
    fn listing(
        &self,
        request: &SearchRequest,
        statistics: &StatisticsSnapshot,
        memory: &Memory,
        histories: &Histories<'_>,
        budget: &Budget,
    ) -> Result<Listing, SearchError> {
        // An answer may have more pages before the cursor's now.
        let passed = request.cursor.map_or(request.offset, |cursor| cursor.pages + DRIFT_MAX);
        let wanted = passed + request.pages;
        let query = BlockQuery { limit: DEPTH.max(wanted + 1), ..self.query(request, statistics)? };
        let growing =
            Growing { query, links: memory, weights: &self.weights, budget, standing: standing(request, histories) };
        let (ranked, (mut pages, offset)) = growing.until(&self.searcher, |ranked| {
            let mut pages = group(ranked, request, histories, wanted + 1)?;
            if request.collapse != Collapse::None {
                pages = without_copies(ranked, pages, wanted + 1)?;
            }
            if request.collapse == Collapse::Similar {
                pages = without_similar(&self.searcher, ranked, pages, wanted + 1, budget)?;
            }
            let offset = request.cursor.map_or(request.offset, |cursor| cursor.place_in(&pages));
            let is_enough = pages.len() > wanted.max(offset + request.pages);
            Ok(((pages, offset), is_enough))
        })?;
        let coverage = coverage(request, &ranked, &pages);
        if coverage.unwrap_or(1.0) < request.coverage_min {
            pages.clear();
        }
        let goes_on = pages.len() > offset + request.pages;
        let pages = pages.into_iter().skip(offset).take(request.pages).collect();
        Ok(Listing { ranked, pages, coverage, offset, goes_on })
    }
}

fn standing<'a>(request: &SearchRequest, histories: &'a Histories<'a>) -> Option<Standing<'a>> {
    request.as_of.map(|_| Standing::new(histories))
}

/// A ranking of ever more blocks.
struct Growing<'a> {
    /// With the blocks that are ranked at first.
    query: BlockQuery,
    links: &'a dyn LinkCounts,
    weights: &'a RankingWeights,
    budget: &'a Budget,
    /// What of it stood at a time.
    standing: Option<Standing<'a>>,
}

impl Growing<'_> {
    /// Ranks until what is made of the blocks is enough, or there are no more. An engine may give no more than so many, however many match:
    /// then the ranking is cut short.
    fn until<T>(
        mut self,
        searcher: &BlockSearcher,
        mut made_of: impl FnMut(&Ranked) -> Result<(T, bool), SearchError>,
    ) -> Result<(Ranked, T), SearchError> {
        let mut known = None;
        loop {
            let mut ranked = searcher.rank(&self.query, self.links, self.weights, self.budget)?;
            let looked_at = ranked.found.len();
            ranked.is_cut_short |= !ranked.is_complete && known.replace(looked_at) == Some(looked_at);
            if let Some(standing) = &mut self.standing {
                standing.retain(&mut ranked, self.budget)?;
            }
            let (made, is_enough) = made_of(&ranked)?;
            if is_enough || ranked.is_complete || ranked.is_cut_short {
                return Ok((ranked, made));
            }
            self.query.limit = self.query.limit.max(looked_at).saturating_mul(GROWTH);
        }
    }
}

/// How far the first block of an answer's pages is to be trusted; known where the best come first.
fn coverage(request: &SearchRequest, ranked: &Ranked, pages: &[PageGroup]) -> Option<f32> {
    let first = pages.first().filter(|_| request.sort == Order::Relevance && request.like.is_none())?;
    ranked.coverage(first.best(), pages.get(1).map(PageGroup::best))
}

/// The blocks of the first pages, at most some of each, and whether there are as many pages as wanted.
fn blocks_of_pages<'a>(found: &'a [Found], request: &SearchRequest) -> (Vec<&'a Found>, bool) {
    let mut of_page: HashMap<u64, usize> = HashMap::new();
    let mut shown = Vec::new();
    for block in found {
        let is_full = of_page.len() == request.pages;
        let count = match of_page.entry(block.page_order) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(_) if is_full => continue,
            Entry::Vacant(new) => new.insert(0),
        };
        *count += 1;
        if *count <= request.blocks_per_page {
            shown.push(block);
        }
    }
    (shown, of_page.len() == request.pages)
}
