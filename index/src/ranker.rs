//! From a query to its ranking, whatever the engine.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use crate::engine::{
    BlockHandle, BlockSnapshot, Budget, CandidateRequest, CollectionFacts, Dates, EngineError, EngineQuery,
    QueryLanguage, RankWord, Standing, TopAndTotal, rank_words,
};
use crate::highlight::QueryTerms;
use crate::query::{BlockQuery, Order, ParsedQuery, QueryNote, Ranking, ResolvedQuery, ResolvedWord, resolve};
use crate::rank::{LinkCounts, RankingWeights, Scored, ScoredBlock, Scorer};
use crate::ranked::{Basis, Found, QueryWord, Ranked, RankedState, WordForm};
use lopper_analysis::Analyzer;

/// Sum of the words' block frequencies up to which matches are counted exactly.
const COUNTED_MAX: u64 = 20_000;

/// Blocks that the head of a ranking is made of at most, whatever is asked for: it bounds time and memory.
const DEPTH_MAX: usize = 5_000;

/// Blocks by BM25 over the joined field that become candidates, at least.
const BLOCKS_MIN: usize = 400;

/// Pages whose best blocks become candidates.
const PAGES: usize = 150;

/// Words that are told to be nowhere, at most.
const ABSENT_WORDS_MAX: usize = 10;

/// Share of the best score from which on a block answers, where the newest of those that do are wanted.
const ANSWERS_SHARE: f32 = 0.5;

/// Blocks of such a page.
const BLOCKS_A_PAGE: usize = 2;

/// Ranks the blocks of one query.
pub(crate) struct Ranker<'a> {
    /// Where the engine is, for messages.
    pub(crate) location: &'a Path,
    pub(crate) snapshot: &'a Arc<dyn BlockSnapshot>,
    pub(crate) query: &'a BlockQuery,
    pub(crate) links: &'a dyn LinkCounts,
    pub(crate) weights: &'a RankingWeights,
    pub(crate) budget: &'a Budget,
}

/// A query against one state of an engine.
struct Ready<'a> {
    facts: &'a CollectionFacts,
    resolved: &'a ResolvedQuery,
    prepared: &'a dyn EngineQuery,
    words: &'a [RankWord],
    query_language: Option<&'a QueryLanguage>,
    /// The block that is left out.
    without: Option<BlockHandle>,
}

/// The part of a ranking that was asked for.
#[derive(Default)]
struct Placing {
    found: Vec<Found>,
    head: usize,
    /// How many match, and whether that is exact.
    total: (u64, bool),
    failed_parts: usize,
}

impl Ranker<'_> {
    pub(crate) fn rank(&self, parsed: ParsedQuery, analyzer: &mut Analyzer) -> Result<Ranked, EngineError> {
        let snapshot = &**self.snapshot;
        let facts = snapshot.facts();
        let languages = facts.stemmed_languages();
        let (mut resolved, mut notes) = resolve(parsed, snapshot, &languages, analyzer, self.budget)?;
        resolved.without.clone_from(&self.query.without);
        let without = self.query.without.as_deref().map(|block_id| snapshot.find(block_id)).transpose()?.flatten();
        let prepared = snapshot.prepare(&resolved, self.budget)?;
        let query_language = QueryLanguage::of(&resolved.words, prepared.known_forms(), facts);
        let most = || facts.languages.first().map(|count| count.language);
        if let Some(language) = query_language.as_ref().map_or_else(most, QueryLanguage::likeliest) {
            resolved.weigh_as_asked_in(language);
        }
        let words = rank_words(&resolved.words, prepared.known_forms(), facts, query_language.as_ref());
        let query_language = query_language.as_ref();
        let ready = Ready { facts, resolved: &resolved, prepared: &*prepared, words: &words, query_language, without };
        let Placing { found, head, total: (total, total_is_exact), failed_parts } = self.placing(&ready)?;
        let is_cut_short = self.budget.is_spent();
        let total_is_exact = total_is_exact && !is_cut_short;
        // Where blocks were not counted one by one, the one that is left out may be among them.
        let left_out = u64::from(self.query.without.is_some() && !total_is_exact);
        let total = total.saturating_sub(left_out);
        let is_complete = total_is_exact && found.len() as u64 >= total;
        let query_words: Vec<QueryWord> =
            resolved.words.iter().zip(&words).map(|(word, rank)| query_word(word, rank)).collect();
        notes.extend(absent_words(&query_words, &self.query.text, &notes));
        let mut terms = QueryTerms::of_words(resolved.words.iter().map(|word| &word.forms[..]));
        terms.weigh(query_words.iter().map(|word| word.idf));
        let weights = self.weights(&resolved);
        let (location, snapshot) = (self.location.to_owned(), Arc::clone(self.snapshot));
        let state = RankedState { location, snapshot, prepared, words, weights };
        Ok(Ranked {
            found,
            head,
            is_complete,
            is_cut_short,
            total,
            total_is_exact,
            failed_parts,
            query: resolved,
            terms,
            words: query_words,
            notes,
            state,
        })
    }

    fn weights(&self, resolved: &ResolvedQuery) -> RankingWeights {
        if self.query.ranking == Ranking::Cosine {
            RankingWeights::cosine()
        } else {
            self.weights.for_query(resolved.shape())
        }
    }

    fn placing(&self, ready: &Ready<'_>) -> Result<Placing, EngineError> {
        let wanted = self.query.offset.saturating_add(self.query.limit);
        let depth = if self.query.depth == 0 { wanted } else { self.query.depth }.min(DEPTH_MAX);
        if ready.resolved.is_listing() {
            let by_date = self.query.order == Order::Date;
            let dates = if by_date { Dates::BeforeScore } else { Dates::AfterScore };
            return Ok(Placing::of(&ready.prepared.top(wanted, dates)?, 0));
        }
        if self.query.order == Order::Date {
            return self.newest(ready, wanted, depth);
        }
        if self.query.ranking == Ranking::Bm25 {
            return Ok(Placing::of(&ready.prepared.top(wanted.max(depth), Dates::Ignored)?, depth));
        }
        let mut placing = self.blended(ready, depth)?;
        let (total, is_exact) = placing.total;
        let is_all = is_exact && placing.found.len() as u64 >= total;
        if placing.found.len() < wanted && !is_all && !self.budget.is_spent() {
            placing.follow(&ready.prepared.top(wanted, Dates::Ignored)?);
        }
        Ok(placing)
    }

    /// The newest of what answers best, then the newest of all others that match.
    fn newest(&self, ready: &Ready<'_>, wanted: usize, depth: usize) -> Result<Placing, EngineError> {
        let mut placing = match self.query.ranking {
            Ranking::Bm25 => Placing::of(&ready.prepared.top(depth.max(BLOCKS_MIN), Dates::Ignored)?, depth),
            Ranking::Blend | Ranking::Cosine => self.blended(ready, depth)?,
        };
        let least = placing.found.first().map_or(0.0, |best| best.score * ANSWERS_SHARE);
        placing.found.retain(|found| found.score >= least);
        let mut dated = Vec::with_capacity(placing.found.len());
        for found in &placing.found {
            let captured_at = self.snapshot.captured_at(found.handle)?;
            dated.push((Reverse(captured_at.unwrap_or(i64::MIN)), found.page_order, found.ordinal, *found));
        }
        dated.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.3.score.total_cmp(&a.3.score)).then(a.2.cmp(&b.2)));
        placing.found = dated.into_iter().map(|(_, _, _, found)| found).collect();
        placing.head = 0;
        if placing.found.len() < wanted && !self.budget.is_spent() {
            placing.follow(&ready.prepared.top(wanted, Dates::BeforeScore)?);
        }
        Ok(placing)
    }

    /// Candidates, features, scores.
    fn blended(&self, ready: &Ready<'_>, depth: usize) -> Result<Placing, EngineError> {
        let Ready { facts, resolved, prepared: query, words, query_language, without } = *ready;
        let has_constraint = resolved.constraint.is_some();
        // Pages know nothing of constraints on blocks, so only their own blocks among the candidates profit from them then.
        let pages = if has_constraint { 0 } else { PAGES };
        let request = CandidateRequest::new(words, depth.saturating_mul(2).max(BLOCKS_MIN), pages, BLOCKS_A_PAGE);
        let candidates = query.candidates(&request)?;
        let (weights, links, needs_word) = (&self.weights(resolved), self.links, resolved.needs_word);
        // What links lead to knows nothing of constraints.
        let follows_links = !has_constraint;
        let scorer = Scorer { query, words, query_language, facts, links, weights, needs_word, follows_links };
        let Scored { blocks, failed_parts, .. } = scorer.score(candidates)?;
        let found: Vec<Found> =
            blocks.iter().filter(|block| Some(block.handle) != without).map(Found::scored).collect();
        let (matching, is_exact) = ready.total()?;
        // Blocks that their pages or links brought here are found as well.
        Ok(Placing { head: found.len(), total: (matching.max(found.len() as u64), is_exact), found, failed_parts })
    }
}

impl Placing {
    /// Blocks as the engine ranked them; the first of them, at most `head`, are the head.
    fn of(blocks: &TopAndTotal, head: usize) -> Self {
        let TopAndTotal { top, total } = blocks;
        let found = |block: &crate::engine::TopBlock| {
            let basis = Basis::Bm25 { value: block.score, weight: 1.0 };
            Found::new(block.handle, block.standing, block.score, basis)
        };
        let found: Vec<Found> = top.iter().map(found).collect();
        Self { head: head.min(found.len()), found, total: (total.blocks, total.is_whole), failed_parts: 0 }
    }

    /// Lets those of `blocks` follow that are not there yet. Their scores are scaled so that the first has that of the last one
    /// before it.
    fn follow(&mut self, blocks: &TopAndTotal) {
        let known: HashSet<BlockHandle> = self.found.iter().map(|found| found.handle).collect();
        let mut rest = blocks.top.iter().filter(|block| !known.contains(&block.handle)).peekable();
        let last = self.found.last().map_or(f32::INFINITY, |last| last.score);
        let weight = match rest.peek() {
            Some(first) if first.score > 0.0 && last.is_finite() => last / first.score,
            _ => 1.0,
        };
        // What is divided and multiplied again may come out a little higher.
        self.found.extend(rest.map(|block| {
            let basis = Basis::Bm25 { value: block.score, weight };
            Found::new(block.handle, block.standing, (block.score * weight).min(last), basis)
        }));
        self.total = (blocks.total.blocks.max(self.found.len() as u64), blocks.total.is_whole);
    }
}

impl Ready<'_> {
    /// Blocks that match: counted where that is quick, else the most that one word alone matches.
    fn total(&self) -> Result<(u64, bool), EngineError> {
        let counts = self.words.iter().flat_map(|word| &word.forms).map(|form| form.blocks);
        let (sum, most) = counts.fold((0, 0), |(sum, most), count| (sum + count, count.max(most)));
        if sum <= COUNTED_MAX || self.resolved.constraint.is_some() {
            let count = self.prepared.count()?;
            return Ok((count.blocks, count.is_whole));
        }
        Ok((most, false))
    }
}

/// The words of `query` that nothing has, but for those that are asked about already.
fn absent_words(words: &[QueryWord], query: &str, told: &[QueryNote]) -> Option<QueryNote> {
    let is_told = |surface: &str| {
        told.iter().any(|note| matches!(note, QueryNote::Correction(correction) if correction.given == surface))
    };
    let is_absent = |word: &QueryWord| word.is_own() && word.is_absent() && !is_told(&word.surface);
    let (mut absent, mut rest): (Vec<String>, _) = (Vec::new(), words);
    while !rest.is_empty() && absent.len() < ABSENT_WORDS_MAX {
        let (typed, count) = first_typed(rest, query);
        let (of_it, behind) = rest.split_at(count);
        if of_it.iter().any(is_absent) && !absent.contains(&typed) {
            absent.push(typed);
        }
        rest = behind;
    }
    (!absent.is_empty()).then_some(QueryNote::AbsentWords { words: absent })
}

/// The first word as it was typed, and how many of `words` are of it: pairs of characters that overlap, as far as the query has them so.
fn first_typed(words: &[QueryWord], query: &str) -> (String, usize) {
    let mut typed = words[0].surface.clone();
    let pairs = words.iter().take_while(|word| is_pair(&word.surface)).skip(1);
    let mut count = 1;
    for pair in pairs {
        let mut chars = pair.surface.chars();
        let is_next = chars.next() == typed.chars().next_back();
        let longer = typed.clone() + chars.as_str();
        if !is_next || !query.contains(&longer) {
            break;
        }
        (typed, count) = (longer, count + 1);
    }
    (typed, count)
}

/// Whether a word is a pair of characters of a script without word borders.
fn is_pair(word: &str) -> bool {
    let mut is_pair = false;
    lopper_analysis::for_each_surface(word, |surface| is_pair |= surface.is_pair);
    is_pair
}

fn query_word(word: &ResolvedWord, rank: &RankWord) -> QueryWord {
    let form = |form: &lopper_analysis::TermForm| WordForm {
        term: form.term.clone(),
        languages: form.languages.clone(),
        factor: form.factor,
        is_further: form.is_further(),
    };
    QueryWord {
        surface: word.surface.clone(),
        weight: word.weight * rank.factor_max,
        idf: rank.own_idf,
        page_idf: rank.page_idf,
        forms: word.forms.iter().map(form).collect(),
    }
}

impl Found {
    fn new(handle: BlockHandle, standing: Standing, score: f32, basis: Basis) -> Self {
        let Standing { page_order, page_key, ordinal } = standing;
        Self { handle, page_order, page_key, ordinal, score, basis }
    }

    fn scored(block: &ScoredBlock) -> Self {
        Self::new(block.handle, block.standing, block.score, Basis::Features(block.features))
    }
}
