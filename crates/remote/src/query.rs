//! A query of one snapshot: candidates from the engine, features from what came back.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use lopper_index::engine::{
    BlockHandle, CandidateRequest, Candidates, Dates, EngineError, EngineQuery, KnownForm, MatchCount, PointerWords,
    RankWord, TopAndTotal, TopBlock, WordPlace, WordRow,
};
use lopper_index::{BlockPart, Budget, Facet, FacetCounts, Facets, ResolvedQuery, pointer_words, year_of};
use serde_json::{Value, json};

use crate::clauses::{has_word, meets};
use crate::counting::{forms, part, standing, weight_in};
use crate::document::handle_digits;
use crate::error::RemoteError;
use crate::fetched::{FetchedBlock, FetchedPage};
use crate::filters::{Asked, any, asked, word_queries};
use crate::hits::{HITS_MAX, Search, any_of};
use crate::snapshot::{Asking, State, by_score};
use crate::words::{block_words, known_forms, own_words, page_words};

/// Blocks that are fetched for each page of which the best are wanted.
const BLOCKS_A_PAGE: usize = 4;

/// Values of a facet that are counted at most.
const FACET_VALUES_MAX: usize = 1000;

/// Keys of links that are asked for at once.
const KEYS_AT_ONCE: usize = 500;

/// A query that is ready to be asked.
pub(crate) struct RemoteQuery {
    state: Arc<State>,
    query: ResolvedQuery,
    forms: Vec<Vec<KnownForm>>,
    constraint: Option<Asked>,
    budget: Budget,
    /// All that came back.
    seen: Mutex<HashMap<u64, Arc<FetchedBlock>>>,
    pages: Mutex<HashMap<String, Arc<FetchedPage>>>,
}

impl RemoteQuery {
    pub(crate) fn new(state: Arc<State>, query: ResolvedQuery, budget: Budget) -> Result<Self, RemoteError> {
        let forms = known_forms(&state, &query)?;
        let constraint = query.constraint.as_ref().map(asked);
        Ok(Self { state, query, forms, constraint, budget, seen: Mutex::default(), pages: Mutex::default() })
    }

    fn meets_constraint(&self, block: &FetchedBlock) -> bool {
        self.query.constraint.as_ref().is_none_or(|clause| meets(block, clause))
    }

    fn needs_word(&self) -> bool {
        self.query.needs_word || self.query.constraint.is_none()
    }

    /// Whether a block is an answer at all.
    fn matches(&self, block: &FetchedBlock) -> bool {
        let has_any = || self.query.words.iter().any(|word| has_word(block, word));
        let is_left_out = self.query.without.as_deref() == Some(block.document.block_id.as_str());
        !is_left_out && self.meets_constraint(block) && (!self.needs_word() || has_any())
    }

    /// What finds all that match, and whether it finds nothing else.
    fn matching(&self) -> (Value, bool) {
        let mut filter: Vec<Value> = self.constraint.iter().map(|asked| asked.query.clone()).collect();
        if self.needs_word() {
            filter.push(any(&self.query.words.iter().flat_map(word_queries).collect::<Vec<_>>()));
        }
        let mut query = json!({"bool": {"filter": filter}});
        if let Some(without) = &self.query.without {
            let own = handle_digits(crate::document::handle(without));
            query["bool"]["must_not"] = json!([crate::hits::term("handle", &own)]);
        }
        (query, self.constraint.as_ref().is_none_or(|asked| asked.is_exact))
    }

    /// Scoring clauses under the constraint. `is_needed` where one of them must hold.
    fn scoring(&self, words: &[Value], is_needed: bool, further: Option<Value>) -> Value {
        let constraint = self.constraint.as_ref().map(|asked| asked.query.clone());
        let filter: Vec<Value> = constraint.into_iter().chain(further).collect();
        let mut query = json!({"bool": {"should": words}});
        if is_needed {
            query["bool"]["minimum_should_match"] = json!(1);
        }
        if !filter.is_empty() {
            query["bool"]["filter"] = Value::Array(filter);
        } else if !is_needed {
            query["bool"]["filter"] = json!([{"match_all": {}}]);
        }
        query
    }

    fn best_blocks(&self, request: &CandidateRequest<'_>) -> Result<Vec<Arc<FetchedBlock>>, RemoteError> {
        let words = block_words(request.words, self.state.facts.blocks);
        if words.is_empty() && self.query.needs_word {
            return Ok(Vec::new());
        }
        let query = self.scoring(&words, self.query.needs_word, None);
        let wanted = request.blocks.min(HITS_MAX);
        let best = self.state.best_blocks(&query, wanted, &by_score(), |block| self.meets_constraint(block))?;
        Ok(best.blocks.into_iter().map(|(block, _)| block).collect())
    }

    /// The best pages, and of each the best blocks.
    fn best_of_pages(&self, request: &CandidateRequest<'_>) -> Result<Vec<Arc<FetchedBlock>>, RemoteError> {
        let words = page_words(request.words, self.state.facts.pages);
        if request.pages == 0 || words.is_empty() {
            return Ok(Vec::new());
        }
        let query = self.state.live(&any(&words));
        // Pages that are there twice, or no more, do not count.
        let search = Search::new(query, (request.pages * 2).min(HITS_MAX), by_score());
        let found = self.state.search(Asking::Pages, &search)?;
        let pages = self.state.read_pages(&found.hits);
        let mut ids: Vec<String> = Vec::new();
        for hit in &found.hits {
            let id = hit.text("page_id");
            if ids.len() < request.pages && pages.contains_key(id) && !ids.iter().any(|known| known == id) {
                ids.push(id.to_owned());
            }
        }
        self.pages.lock().unwrap_or_else(PoisonError::into_inner).extend(pages);
        self.best_blocks_of(&ids, request)
    }

    fn best_blocks_of(
        &self,
        pages: &[String],
        request: &CandidateRequest<'_>,
    ) -> Result<Vec<Arc<FetchedBlock>>, RemoteError> {
        let words = block_words(request.words, self.state.facts.blocks);
        if words.is_empty() || pages.is_empty() {
            return Ok(Vec::new());
        }
        let query = self.scoring(&words, true, Some(any_of("page_id", pages)));
        let size = (pages.len() * BLOCKS_A_PAGE).min(HITS_MAX);
        let search = Search::new(self.state.live(&query), size, by_score());
        let blocks = self.state.read_blocks(&self.state.search(Asking::Blocks, &search)?.hits);
        let mut by_page: HashMap<String, Vec<(f32, Arc<FetchedBlock>)>> = HashMap::new();
        for (block, _) in blocks {
            let weight = weight_in(request.words, &block);
            by_page.entry(block.document.page_id.clone()).or_default().push((weight, block));
        }
        let mut best = Vec::new();
        for (_, mut blocks) in by_page {
            blocks.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.document.ordinal.cmp(&b.1.document.ordinal)));
            best.extend(blocks.into_iter().take(request.blocks_per_page).map(|(_, block)| block));
        }
        Ok(best)
    }

    /// Candidates of what came back, with their pages.
    fn candidates_of(&self, words: &[RankWord], mut blocks: Vec<Arc<FetchedBlock>>) -> Result<Candidates, RemoteError> {
        blocks.sort_by_key(|block| (standing(block).page_order, block.document.ordinal, block.handle));
        blocks.dedup_by_key(|block| block.handle);
        self.budget.spend(blocks.len() as u64);
        self.see(&blocks);
        let pages = self.pages_of(&blocks)?;
        Ok(Candidates { parts: vec![part(words, &blocks, &pages)], failed_parts: 0 })
    }

    fn see(&self, blocks: &[Arc<FetchedBlock>]) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.extend(blocks.iter().map(|block| (block.handle, Arc::clone(block))));
    }

    fn pages_of(&self, blocks: &[Arc<FetchedBlock>]) -> Result<HashMap<String, Arc<FetchedPage>>, RemoteError> {
        let mut known = self.pages.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut new: Vec<String> = blocks.iter().map(|block| block.document.page_id.clone()).collect();
        new.sort();
        new.dedup();
        new.retain(|id| !known.contains_key(id));
        if !new.is_empty() {
            known.extend(self.state.pages(&new)?);
            self.pages.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&known);
        }
        Ok(known)
    }

    fn block(&self, handle: BlockHandle) -> Result<Arc<FetchedBlock>, EngineError> {
        let known = self.seen.lock().unwrap_or_else(PoisonError::into_inner).get(&handle.number()).cloned();
        let block = if known.is_some() { known } else { self.state.block(handle)? };
        let gone = || EngineError::new(format!("block {} is not there any more", handle_digits(handle.number())));
        block.ok_or_else(gone)
    }

    /// Facets of what matches, counted one by one, since the engine finds more than that.
    fn counted_facets(&self, query: &Value) -> Result<Facets, EngineError> {
        let in_order = crate::snapshot::in_order();
        let best = self.state.best_blocks(query, HITS_MAX, &in_order, |block| self.matches(block))?;
        let count = |value: &dyn Fn(&FetchedBlock) -> String| {
            let mut counts = FacetCounts::new();
            for value in best.blocks.iter().map(|(block, _)| value(block)).filter(|value| !value.is_empty()) {
                *counts.entry(value).or_default() += 1;
            }
            Facet::of(counts)
        };
        let year = |at: Option<i64>| at.map_or(String::new(), |at| year_of(at).to_string());
        Ok(Facets {
            is_exact: best.is_all,
            host: count(&|block| block.document.host.clone()),
            language: count(&|block| block.document.language.code().to_owned()),
            year: count(&|block| year(block.document.captured_at)),
            page_type: count(&|block| block.document.page_type.clone()),
        })
    }

    /// Facets of all that match, one by its field.
    fn facet(aggregations: &Value, name: &str) -> Facet {
        let buckets = aggregations[name]["buckets"].as_array().map(Vec::as_slice).unwrap_or_default();
        let counts = buckets.iter().filter_map(|bucket| {
            let value = bucket["key"].as_str().filter(|value| !value.is_empty())?;
            Some((value.to_owned(), bucket["doc_count"].as_u64()?))
        });
        Facet::of(counts.collect::<FacetCounts>())
    }
}

impl EngineQuery for RemoteQuery {
    fn known_forms(&self) -> &[Vec<KnownForm>] {
        &self.forms
    }

    fn candidates(&self, request: &CandidateRequest<'_>) -> Result<Candidates, EngineError> {
        let (blocks, of_pages) = std::thread::scope(|scope| {
            let of_pages = scope.spawn(|| self.best_of_pages(request));
            (self.best_blocks(request), of_pages.join())
        });
        let mut blocks = blocks?;
        blocks.extend(of_pages.map_err(|_| EngineError::new("the search for pages was not ended"))??);
        Ok(self.candidates_of(request.words, blocks)?)
    }

    fn linked(
        &self,
        words: &[RankWord],
        keys: &[u64],
        known: &HashSet<BlockHandle>,
    ) -> Result<Candidates, EngineError> {
        let mut targets = Vec::new();
        for some in keys.chunks(KEYS_AT_ONCE) {
            let keys: Vec<String> = some.iter().map(|key| handle_digits(*key)).collect();
            let query = any_of("targets", &keys);
            let best = self.state.best_blocks(&query, HITS_MAX, &crate::snapshot::in_order(), |_| true)?;
            targets.extend(best.blocks.into_iter().map(|(block, _)| block));
        }
        targets.retain(|block| !known.contains(&BlockHandle::new(block.handle)));
        Ok(self.candidates_of(words, targets)?)
    }

    fn of_pages(
        &self,
        words: &[RankWord],
        blocks: &[BlockHandle],
        blocks_max: usize,
    ) -> Result<Candidates, EngineError> {
        let mut pages = Vec::with_capacity(blocks.len());
        for block in blocks {
            pages.push(self.block(*block)?.document.page_id.clone());
        }
        pages.sort();
        pages.dedup();
        let mut found = Vec::new();
        // Some are there twice; an answer has room for them.
        for some in pages.chunks((HITS_MAX / 2 / blocks_max.max(1)).max(1)) {
            let first = json!({"range": {"ordinal": {"lt": blocks_max}}});
            let query = json!({"bool": {"filter": [any_of("page_id", some), first]}});
            let best = self.state.best_blocks(&query, HITS_MAX, &crate::snapshot::in_order(), |_| true)?;
            found.extend(best.blocks.into_iter().map(|(block, _)| block));
        }
        found.sort_by_key(|block| (standing(block).page_order, block.document.ordinal, block.handle));
        self.budget.spend(found.len() as u64);
        self.see(&found);
        Ok(Candidates { parts: vec![part(words, &found, &HashMap::new())], failed_parts: 0 })
    }

    fn places(&self, words: &[RankWord], blocks: &[BlockHandle]) -> Result<Vec<Vec<WordPlace>>, EngineError> {
        let places = |handle: &BlockHandle| {
            let block = self.block(*handle)?;
            let title_end = block.layout.starts[BlockPart::Headings as usize];
            let mut places = Vec::new();
            for (w, known, _) in forms(words).filter(|(_, known, _)| known.form.allows(block.document.language)) {
                let behind_title = block.joined.positions(&known.form.term).filter(|at| *at >= title_end);
                places.extend(behind_title.map(|position| WordPlace { position, word: w as u32 }));
            }
            Ok(places)
        };
        blocks.iter().map(places).collect()
    }

    fn pointers(&self, blocks: &[BlockHandle]) -> Result<Vec<Vec<PointerWords>>, EngineError> {
        let pointers = |handle: &BlockHandle| {
            let block = self.block(*handle)?;
            Ok(self.state.with_reader(|reader| pointer_words(&mut reader.analyzer, &block.document)))
        };
        blocks.iter().map(pointers).collect()
    }

    fn top(&self, limit: usize, dates: Dates) -> Result<TopAndTotal, EngineError> {
        let is_listing = self.query.is_listing();
        let words = if is_listing { Vec::new() } else { own_words(&self.state, &self.query)? };
        // A list of no alternatives is nothing to one engine and everything to another.
        if !is_listing && words.is_empty() && self.needs_word() {
            return Ok(TopAndTotal { top: Vec::new(), total: MatchCount::whole(0) });
        }
        let query = if is_listing { self.matching().0 } else { self.scoring(&words, self.needs_word(), None) };
        let by_date = json!([{"captured_at": "desc"}, {"block_order": "asc"}]);
        let (sort, is_scored) = match dates {
            Dates::Ignored | Dates::AfterScore if !is_listing => (by_score(), true),
            Dates::Ignored => (crate::snapshot::in_order(), false),
            Dates::AfterScore | Dates::BeforeScore => (by_date, false),
        };
        let wanted = limit.clamp(1, HITS_MAX);
        let best = self.state.best_blocks(&query, wanted, &sort, |block| self.matches(block))?;
        let mut found: Vec<(TopBlock, i64)> = Vec::with_capacity(best.blocks.len());
        for (block, score) in &best.blocks {
            let score = if is_scored { *score } else { 0.0 };
            let captured_at = if dates == Dates::Ignored { 0 } else { block.document.captured_at.unwrap_or(i64::MIN) };
            found.push((
                TopBlock { handle: BlockHandle::new(block.handle), standing: standing(block), score },
                captured_at,
            ));
        }
        found.sort_by(|(a, a_date), (b, b_date)| {
            let by_page = Reverse(a_date).cmp(&Reverse(b_date)).then(a.standing.page_order.cmp(&b.standing.page_order));
            let by_score = b.score.total_cmp(&a.score);
            let order = if dates == Dates::BeforeScore { by_page.then(by_score) } else { by_score.then(by_page) };
            order.then(a.standing.ordinal.cmp(&b.standing.ordinal)).then(a.handle.cmp(&b.handle))
        });
        let is_whole = best.is_all && best.blocks.len() < wanted;
        let total = if is_whole { MatchCount::whole(best.blocks.len() as u64) } else { self.count()? };
        self.budget.spend(found.len() as u64);
        Ok(TopAndTotal { top: found.into_iter().take(limit).map(|(block, _)| block).collect(), total })
    }

    fn count(&self) -> Result<MatchCount, EngineError> {
        let (query, is_exact) = self.matching();
        if is_exact {
            return Ok(MatchCount::whole(self.state.count(Asking::Blocks, &self.state.live(&query))?));
        }
        let best =
            self.state.best_blocks(&query, HITS_MAX, &crate::snapshot::in_order(), |block| self.matches(block))?;
        Ok(MatchCount { blocks: best.blocks.len() as u64, is_whole: best.is_all })
    }

    fn facets(&self) -> Result<Facets, EngineError> {
        let (query, is_exact) = self.matching();
        if !is_exact {
            return self.counted_facets(&query);
        }
        let terms = |field: &str| json!({"terms": {"field": field, "size": FACET_VALUES_MAX}});
        let mut search = Search::new(self.state.live(&query), 0, Value::Null);
        search.aggregations = json!({
            "host": terms("host"), "lang": terms("lang"), "year": terms("year"), "page_type": terms("page_type"),
        });
        let found = self.state.search(Asking::Blocks, &search)?;
        let own = &found.aggregations;
        let others = |name: &str| own[name]["sum_other_doc_count"].as_u64().unwrap_or(0);
        let is_whole = ["host", "lang", "year", "page_type"].iter().all(|name| others(name) == 0);
        Ok(Facets {
            is_exact: is_whole,
            host: Self::facet(own, "host"),
            language: Self::facet(own, "lang"),
            year: Self::facet(own, "year"),
            page_type: Self::facet(own, "page_type"),
        })
    }

    fn field_counts(
        &self,
        words: &[RankWord],
        blocks: &[BlockHandle],
        visit: &mut dyn FnMut(usize, WordRow<'_>, Option<WordRow<'_>>),
    ) -> Result<(), EngineError> {
        let blocks = blocks.iter().map(|block| self.block(*block)).collect::<Result<Vec<_>, _>>()?;
        let part = part(words, &blocks, &self.pages_of(&blocks)?);
        for (place, candidate) in part.candidates.iter().enumerate() {
            visit(place, part.blocks.row(place), candidate.page_row.map(|row| part.pages.row(row)));
        }
        Ok(())
    }
}
