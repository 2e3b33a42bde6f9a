//! One state of a generation: the commits up to one of them.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use lopper_analysis::Language;
use lopper_index::engine::{
    BlockHandle, BlockSnapshot, CollectionFacts, EngineError, EngineQuery, TermCount, TermPattern, TermScope,
};
use lopper_index::{BlockDocument, Budget, Filter, LanguageCount, ResolvedQuery, TextField};
use serde_json::{Value, json};

use crate::at_once::{AT_ONCE, ask_at_once};
use crate::client::Client;
use crate::commits::Log;
use crate::document::{Sums, handle, handle_digits};
use crate::error::RemoteError;
use crate::fetched::{FetchedBlock, FetchedPage, Reader};
use crate::filters::{asked, field_name};
use crate::hits::{Found, HITS_MAX, Hit, Search, any_of, term};
use crate::languages::TermLanguages;
use crate::layout::{BLOCKS, IndexLayout, PAGES};
use crate::query::RemoteQuery;

/// Counts that a state remembers; a query may be some kilobytes.
pub(crate) const COUNTS_MAX: usize = 4096;

/// Blocks that a snapshot remembers; some 40 MB.
const BLOCKS_MAX: usize = 4096;

/// Former batches and deleted pages that an engine is told to leave out. Those beyond are left out here, and totals count them.
const EXCLUDED_MAX: usize = 100;

/// Pages that are asked for at once.
const PAGES_AT_ONCE: usize = 500;

/// Blocks beside one that are fetched with it.
const BESIDE: i64 = 4;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Asking {
    Blocks,
    Pages,
}

impl Asking {
    fn layout(self) -> &'static IndexLayout {
        match self {
            Self::Blocks => &BLOCKS,
            Self::Pages => &PAGES,
        }
    }
}

/// What is known of a state. Clones share all but the client.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) client: Client,
    pub(crate) log: Arc<Log>,
    pub(crate) facts: Arc<CollectionFacts>,
    /// By what was asked.
    counts: Arc<Mutex<HashMap<(Asking, String), u64>>>,
    pub(crate) languages: Arc<TermLanguages>,
    blocks: Arc<Mutex<HashMap<u64, Arc<FetchedBlock>>>>,
    readers: Arc<Mutex<Vec<Reader>>>,
}

impl State {
    pub(crate) fn new(client: Client, log: Log) -> Self {
        let facts = Arc::new(facts(&log.sums));
        let (counts, languages, blocks, readers) = (Arc::default(), Arc::default(), Arc::default(), Arc::default());
        Self { client, log: Arc::new(log), facts, counts, languages, blocks, readers }
    }

    /// The same, which waits no longer than a query may take.
    pub(crate) fn within(&self, budget: &Budget) -> Self {
        Self { client: self.client.within(budget), ..self.clone() }
    }

    pub(crate) fn index(&self, layout: &IndexLayout) -> String {
        self.client.settings.index(layout.part)
    }

    /// What matches a query and counts in this state, as far as the engine can tell.
    pub(crate) fn live(&self, query: &Value) -> Value {
        let left = self.log.left.iter().take(EXCLUDED_MAX).map(|batch| json!({"term": {"batch": {"value": batch}}}));
        let gone = self.log.gone.iter().take(EXCLUDED_MAX).map(
            |(page, before)| json!({"bool": {"filter": [term("page_id", page), {"range": {"batch": {"lt": before}}}]}}),
        );
        let excluded: Vec<Value> = left.chain(gone).collect();
        let mut live = json!({"bool": {"must": [query], "filter": [{"range": {"batch": {"lte": self.log.last}}}]}});
        if !excluded.is_empty() {
            live["bool"]["must_not"] = Value::Array(excluded);
        }
        live
    }

    /// Lends a reader.
    pub(crate) fn with_reader<T>(&self, work: impl FnOnce(&mut Reader) -> T) -> T {
        let lent = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut reader = lent.unwrap_or_default();
        let result = work(&mut reader);
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
        result
    }

    /// Counts what was not counted before, some at the same time.
    pub(crate) fn count_all(&self, queries: Vec<(Asking, Value)>) -> Result<(), RemoteError> {
        let counts = || self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut new: Vec<(Asking, String, Value)> = Vec::new();
        for (of, query) in queries {
            let key = query.to_string();
            if !counts().contains_key(&(of, key.clone()))
                && !new.iter().any(|(own, text, _)| *own == of && *text == key)
            {
                new.push((of, key, query));
            }
        }
        for some in new.chunks(AT_ONCE) {
            let counted = ask_at_once(some, |(of, _, query)| self.client.count(&self.index(of.layout()), query));
            for ((of, key, _), count) in some.iter().zip(counted) {
                self.remember((*of, key.clone()), count?);
            }
        }
        Ok(())
    }

    fn remember(&self, query: (Asking, String), count: u64) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= COUNTS_MAX {
            counts.clear();
        }
        counts.insert(query, count);
    }

    /// How many documents match.
    pub(crate) fn count(&self, of: Asking, query: &Value) -> Result<u64, RemoteError> {
        let asked = (of, query.to_string());
        let known = self.counts.lock().unwrap_or_else(PoisonError::into_inner).get(&asked).copied();
        if let Some(count) = known {
            return Ok(count);
        }
        let count = self.client.count(&self.index(of.layout()), query)?;
        self.remember(asked, count);
        Ok(count)
    }

    /// Documents whose field has a term; those of former batches may count.
    pub(crate) fn frequency(&self, of: Asking, field: &str, own: &str) -> Result<u64, RemoteError> {
        self.count(of, &term(field, own))
    }

    pub(crate) fn search(&self, of: Asking, search: &Search) -> Result<Found, RemoteError> {
        self.client.search(&self.index(of.layout()), search)
    }

    /// The blocks of what was found that count, each once, with their scores, in the order in which they were found.
    pub(crate) fn read_blocks(&self, hits: &[Hit]) -> Vec<(Arc<FetchedBlock>, f32)> {
        let mut places: HashMap<u64, usize> = HashMap::new();
        let mut blocks: Vec<(Arc<FetchedBlock>, f32)> = Vec::with_capacity(hits.len());
        let live = hits.iter().filter(|hit| self.log.is_live(hit.text("page_id"), hit.batch()));
        for hit in live {
            let Some(block) = self.read_block(hit) else { continue };
            match places.get(&block.handle) {
                // Of what is there twice the newer counts.
                Some(place) if blocks[*place].0.batch < block.batch => blocks[*place].0 = block,
                Some(_) => {}
                None => {
                    places.insert(block.handle, blocks.len());
                    blocks.push((block, hit.score as f32));
                }
            }
        }
        blocks
    }

    fn read_block(&self, hit: &Hit) -> Option<Arc<FetchedBlock>> {
        let number = u64::from_str_radix(hit.text("handle"), 16).ok();
        let known = number.and_then(|number| self.remembered(number)).filter(|known| known.batch == hit.batch());
        if known.is_some() {
            return known;
        }
        let block = Arc::new(self.with_reader(|reader| reader.block(hit))?);
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if blocks.len() >= BLOCKS_MAX {
            blocks.clear();
        }
        blocks.insert(block.handle, Arc::clone(&block));
        Some(block)
    }

    fn remembered(&self, handle: u64) -> Option<Arc<FetchedBlock>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).get(&handle).cloned()
    }

    /// The best `wanted` blocks of a query that pass `keep`, with how many the engine found.
    pub(crate) fn best_blocks(
        &self,
        query: &Value,
        wanted: usize,
        sort: &Value,
        keep: impl Fn(&FetchedBlock) -> bool,
    ) -> Result<Best, RemoteError> {
        let mut size = wanted;
        loop {
            let found = self.search(Asking::Blocks, &Search::new(self.live(query), size, sort.clone()))?;
            let is_all = found.hits.len() < size.min(HITS_MAX);
            let mut blocks = self.read_blocks(&found.hits);
            blocks.retain(|(block, _)| keep(block));
            if blocks.len() >= wanted || is_all || size >= HITS_MAX {
                blocks.truncate(wanted);
                return Ok(Best { blocks, is_all });
            }
            size = size.saturating_mul(3).min(HITS_MAX);
        }
    }

    /// A block by its handle.
    pub(crate) fn block(&self, handle: BlockHandle) -> Result<Option<Arc<FetchedBlock>>, RemoteError> {
        if let Some(known) = self.remembered(handle.number()) {
            return Ok(Some(known));
        }
        let query = term("handle", &handle_digits(handle.number()));
        let found = self.search(Asking::Blocks, &Search::new(query, HITS_MAX, in_order()))?;
        Ok(self.read_blocks(&found.hits).into_iter().next().map(|(block, _)| block))
    }

    /// Pages by their names.
    pub(crate) fn pages(&self, ids: &[String]) -> Result<HashMap<String, Arc<FetchedPage>>, RemoteError> {
        let mut pages = HashMap::new();
        for some in ids.chunks(PAGES_AT_ONCE) {
            let query = self.live(&any_of("page_id", some));
            let found = self.search(Asking::Pages, &Search::new(query, HITS_MAX, in_order()))?;
            pages.extend(self.read_pages(&found.hits));
        }
        Ok(pages)
    }

    /// The pages of what was found that count, each once.
    pub(crate) fn read_pages(&self, hits: &[Hit]) -> HashMap<String, Arc<FetchedPage>> {
        let mut pages: HashMap<String, Arc<FetchedPage>> = HashMap::new();
        for hit in hits.iter().filter(|hit| self.log.is_live(hit.text("page_id"), hit.batch())) {
            let is_known = pages.get(hit.text("page_id")).is_some_and(|known| known.batch >= hit.batch());
            let page = if is_known { None } else { self.with_reader(|reader| reader.page(hit)) };
            if let Some(page) = page {
                pages.insert(page.document.page_id.clone(), Arc::new(page));
            }
        }
        pages
    }

    /// Calls `visit` with each page that counts, once, in the order of their names.
    pub(crate) fn for_each_page(&self, mut visit: impl FnMut(&FetchedPage)) -> Result<(), RemoteError> {
        let mut behind = -1;
        loop {
            let query = self.live(&json!({"range": {"block_order": {"gt": behind}}}));
            let found = self.search(Asking::Pages, &Search::new(query, 1000, in_order()))?;
            let is_all = found.hits.len() < 1000;
            // Those of the last number may not be all of it.
            let last = found.hits.last().map_or(behind, |hit| hit.number("block_order"));
            let whole =
                found.hits.iter().position(|hit| hit.number("block_order") == last).filter(|at| !is_all && *at > 0);
            let hits = &found.hits[..whole.unwrap_or(found.hits.len())];
            let mut pages: Vec<Arc<FetchedPage>> = self.read_pages(hits).into_values().collect();
            pages.sort_by(|a, b| a.document.page_id.cmp(&b.document.page_id));
            for page in &pages {
                visit(page);
            }
            if is_all {
                return Ok(());
            }
            behind = if whole.is_some() { last - 1 } else { last };
        }
    }
}

/// Blocks that were found.
pub(crate) struct Best {
    pub(crate) blocks: Vec<(Arc<FetchedBlock>, f32)>,
    /// Whether the engine had no more.
    pub(crate) is_all: bool,
}

/// By the engine's score, equals by page and place.
pub(crate) fn by_score() -> Value {
    json!(["_score", {"block_order": "asc"}])
}

/// By page and place.
pub(crate) fn in_order() -> Value {
    json!([{"block_order": "asc"}])
}

fn facts(sums: &Sums) -> CollectionFacts {
    let mean = |terms: u64, documents: u64| (terms as f32 / documents.max(1) as f32).max(1.0);
    let languages = sums.languages.iter();
    let mut languages: Vec<LanguageCount> = languages
        .map(|(code, blocks)| LanguageCount { language: Language::from_code(code), blocks: *blocks })
        .collect();
    languages.sort_by(|a, b| b.blocks.cmp(&a.blocks).then_with(|| a.language.code().cmp(b.language.code())));
    CollectionFacts {
        blocks: sums.blocks,
        pages: sums.pages,
        block_length_mean: mean(sums.block_terms, sums.blocks),
        page_length_mean: mean(sums.page_terms, sums.pages),
        languages,
    }
}

/// The state as the ranking sees it.
pub(crate) struct RemoteSnapshot(pub(crate) Arc<State>);

impl RemoteSnapshot {
    /// A block that a handle of ours names must be there.
    fn known(&self, block: BlockHandle) -> Result<Arc<FetchedBlock>, EngineError> {
        let gone =
            || EngineError::new(format!("block {} is not in the engine any more", handle_digits(block.number())));
        self.0.block(block)?.ok_or_else(gone)
    }

    /// How many blocks have a term, at most `limit`, by a search for them.
    pub(crate) fn any_with(&self, own: &str, limit: usize) -> Result<usize, EngineError> {
        Ok(self.0.best_blocks(&term("terms", own), limit, &in_order(), |_| true)?.blocks.len())
    }

    fn given(block: &FetchedBlock) -> BlockDocument {
        // A search gives back what a block is, not what its links lead to.
        BlockDocument { pointers: Vec::new(), ..block.document.clone() }
    }

    /// The blocks of a page from one place on, in order.
    fn range_of(&self, page_id: &str, from: i64, to: i64) -> Result<Vec<Arc<FetchedBlock>>, EngineError> {
        let within = json!({"range": {"ordinal": {"gte": from, "lte": to}}});
        let query = self.0.live(&json!({"bool": {"filter": [term("page_id", page_id), within]}}));
        let found = self.0.search(Asking::Blocks, &Search::new(query, HITS_MAX, in_order()))?;
        let mut blocks: Vec<Arc<FetchedBlock>> =
            self.0.read_blocks(&found.hits).into_iter().map(|(block, _)| block).collect();
        blocks.sort_by_key(|block| block.document.ordinal);
        Ok(blocks)
    }
}

impl BlockSnapshot for RemoteSnapshot {
    fn facts(&self) -> &CollectionFacts {
        &self.0.facts
    }

    fn blocks(&self) -> Result<u64, EngineError> {
        Ok(self.0.count(Asking::Blocks, &self.0.live(&json!({"match_all": {}})))?)
    }

    fn document_frequency(&self, field: TextField, term: &str) -> Result<u64, EngineError> {
        Ok(self.0.frequency(Asking::Blocks, field_name(field), term)?)
    }

    fn document_frequencies(&self, field: TextField, terms: &[String]) -> Result<Vec<u64>, EngineError> {
        self.0.count_all(terms.iter().map(|own| (Asking::Blocks, term(field_name(field), own))).collect())?;
        terms.iter().map(|term| self.document_frequency(field, term)).collect()
    }

    fn terms(
        &self,
        _: TextField,
        _: TermPattern<'_>,
        _: TermScope,
        _: &mut usize,
    ) -> Result<Vec<TermCount>, EngineError> {
        Ok(Vec::new())
    }

    fn may_match(&self, filter: &Filter) -> Result<bool, EngineError> {
        let is_cheap =
            matches!(filter, Filter::Site(_) | Filter::Language(_) | Filter::PageType(_) | Filter::Captured { .. });
        let query = asked(&lopper_index::Clause::Filter(filter.clone())).query;
        Ok(!is_cheap || self.0.count(Asking::Blocks, &self.0.live(&query))? > 0)
    }

    fn prepare(&self, query: &ResolvedQuery, budget: &Budget) -> Result<Box<dyn EngineQuery>, EngineError> {
        Ok(Box::new(RemoteQuery::new(Arc::clone(&self.0), query.clone(), budget.clone())?))
    }

    fn fetch(&self, block: BlockHandle) -> Result<BlockDocument, EngineError> {
        Ok(Self::given(&*self.known(block)?))
    }

    fn beside(&self, block: BlockHandle, distance: i32) -> Result<Option<BlockDocument>, EngineError> {
        let own = self.known(block)?;
        let Some(ordinal) = own.document.ordinal.checked_add_signed(distance) else { return Ok(None) };
        let (place, wanted) = (i64::from(own.document.ordinal), i64::from(ordinal));
        let (from, to) = ((place - BESIDE).min(wanted), (place + BESIDE).max(wanted));
        let (from, to) = if from < place - BESIDE || to > place + BESIDE { (wanted, wanted) } else { (from, to) };
        let blocks = self.range_of(&own.document.page_id, from, to)?;
        Ok(blocks.iter().find(|other| other.document.ordinal == ordinal).map(|block| Self::given(block)))
    }

    fn find(&self, block_id: &str) -> Result<Option<BlockHandle>, EngineError> {
        let block = self.0.block(BlockHandle::new(handle(block_id)))?;
        Ok(block.filter(|block| block.document.block_id == block_id).map(|block| BlockHandle::new(block.handle)))
    }

    fn blocks_of_page(&self, page_id: &str) -> Result<Vec<BlockDocument>, EngineError> {
        let (mut blocks, mut from) = (Vec::new(), 0);
        loop {
            // So that those that are there twice do not fill an answer.
            let to = from + HITS_MAX as i64 / 4;
            let some = self.range_of(page_id, from, to - 1)?;
            if some.is_empty() {
                return Ok(blocks);
            }
            blocks.extend(some.iter().map(|block| Self::given(block)));
            from = to;
        }
    }

    fn documents_by_page(&self) -> Result<BTreeMap<String, u64>, EngineError> {
        let mut counts = BTreeMap::new();
        self.0.for_each_page(|page| {
            counts.insert(page.document.page_id.clone(), 1 + page.blocks);
        })?;
        Ok(counts)
    }
}
