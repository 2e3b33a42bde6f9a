//! From a query to its ranking.

use std::collections::HashSet;

use lopper_analysis::{Analyzer, Language, is_further_form};
use tantivy::collector::Count;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Searcher, TantivyError};

use crate::lexicon::Lexicon;
use crate::query::{BlockQuery, CompiledQuery, Order, ParsedQuery, QueryCompiler, Ranking, ScoringWord};
use crate::rank::{BlendScorer, BlendWeights, CommitView, Gathering, LinkCounts, RankWord};
use crate::ranked::{Basis, Found, QueryWord, Ranked, RankedState, WordForm};
use crate::schema::Fields;
use crate::searcher::BlockSearcher;
use crate::top_blocks::{Dates, TopAndTotal, TopBlocks};

/// Languages that every query word is tried in: those with most blocks.
const QUERY_LANGUAGES_MAX: usize = 8;

/// Sum of the words' block frequencies up to which matches are counted exactly.
const COUNTED_MAX: u64 = 20_000;

/// Blocks that the head of a ranking is made of at most, whatever is asked for: it bounds time and memory.
const DEPTH_MAX: usize = 5_000;

/// Ranks the blocks of one query.
pub(crate) struct Ranker<'a> {
    pub(crate) searcher: &'a BlockSearcher,
    pub(crate) query: &'a BlockQuery,
    pub(crate) links: &'a dyn LinkCounts,
    pub(crate) weights: BlendWeights,
}

/// A query against one state of the index.
struct Ready<'a> {
    searcher: &'a Searcher,
    fields: &'a Fields,
    view: &'a CommitView,
    compiled: &'a CompiledQuery,
    /// All that matches.
    matching: &'a dyn Query,
    words: &'a [RankWord],
}

/// The part of a ranking that was asked for.
struct Placing {
    scored: Vec<(DocAddress, f32, Basis)>,
    head: usize,
    /// How many match, and whether that is exact.
    total: (u64, bool),
}

impl Ranker<'_> {
    pub(crate) fn rank(&self, parsed: ParsedQuery, analyzer: &mut Analyzer) -> Result<Ranked, TantivyError> {
        let searcher = self.searcher.reader.searcher();
        let fields = &self.searcher.fields;
        let view = self.searcher.view(&searcher)?;
        let languages = query_languages(&view);
        let lexicon = Lexicon::new(&searcher, &view.terms);
        let mut compiler = QueryCompiler { lexicon: &lexicon, fields, languages: &languages, analyzer };
        let compiled = compiler.compile(parsed)?;
        let matching = compiler.single_query(&compiled)?.map(|matching| self.restricted(matching));
        let word = |word| RankWord::new(&lexicon, fields, view.counts, word);
        let words = compiled.scoring.iter().map(word).collect::<Result<Vec<_>, _>>()?;
        let placing = match matching.as_deref() {
            None => Placing { scored: Vec::new(), head: 0, total: (0, true) },
            Some(matching) => {
                let (compiled, view, words) = (&compiled, &*view, &words[..]);
                self.placing(&Ready { searcher: &searcher, fields, view, compiled, matching, words })?
            }
        };
        let Placing { scored, head, total: (total, total_is_exact) } = placing;
        // Where blocks were not counted one by one, the one that is left out may be among them.
        let left_out = u64::from(self.query.without.is_some() && !total_is_exact);
        let total = total.saturating_sub(left_out);
        let found: Vec<Found> = scored.into_iter().map(|scored| found(&view, scored)).collect();
        let is_complete = total_is_exact && found.len() as u64 >= total;
        let query_words = compiled.scoring.iter().zip(&words).map(|(word, rank)| query_word(word, rank)).collect();
        let dir = self.searcher.dir.clone();
        let CompiledQuery { terms, notes, .. } = compiled;
        let weights = self.blend_weights();
        let state = RankedState { dir, searcher, fields: *fields, view, words, weights, matching };
        Ok(Ranked { found, head, is_complete, total, total_is_exact, terms, words: query_words, notes, state })
    }

    /// `matching` without the block that is to be left out.
    fn restricted(&self, matching: Box<dyn Query>) -> Box<dyn Query> {
        let Some(block_id) = &self.query.without else { return matching };
        let term = self.searcher.fields.block_term(block_id);
        let without: Box<dyn Query> = Box::new(TermQuery::new(term, IndexRecordOption::Basic));
        Box::new(BooleanQuery::new(vec![(Occur::Must, matching), (Occur::MustNot, without)]))
    }

    fn blend_weights(&self) -> BlendWeights {
        if self.query.ranking == Ranking::Cosine { BlendWeights::cosine() } else { self.weights }
    }

    fn placing(&self, ready: &Ready<'_>) -> Result<Placing, TantivyError> {
        let wanted = self.query.offset.saturating_add(self.query.limit);
        let depth = if self.query.depth == 0 { wanted } else { self.query.depth }.min(DEPTH_MAX);
        if self.query.order == Order::Date {
            return Ok(Placing::of(ready.top(wanted, Dates::BeforeScore)?, 0));
        }
        if ready.compiled.is_listing() {
            return Ok(Placing::of(ready.top(wanted, Dates::AfterScore)?, 0));
        }
        if self.query.ranking == Ranking::Bm25 {
            return Ok(Placing::of(ready.top(wanted.max(depth), Dates::Ignored)?, depth));
        }
        let mut placing = self.blended(ready, depth)?;
        let (total, is_exact) = placing.total;
        let is_all = is_exact && placing.scored.len() as u64 >= total;
        if placing.scored.len() < wanted && !is_all {
            placing.follow(&ready.top(wanted, Dates::Ignored)?);
        }
        Ok(placing)
    }

    fn blended(&self, ready: &Ready<'_>, depth: usize) -> Result<Placing, TantivyError> {
        let Ready { searcher, fields, view, words, .. } = *ready;
        let constraint = ready.compiled.constraint.as_deref();
        let needs_word = ready.compiled.needs_word;
        let gathering = Gathering { searcher, fields, view, words, constraint, needs_word, limit: depth };
        let candidates = gathering.candidates()?;
        let (weights, links) = (self.blend_weights(), self.links);
        // What links lead to knows nothing of constraints.
        let follows_links = constraint.is_none();
        let scorer = BlendScorer { searcher, fields, view, words, links, weights, needs_word, follows_links };
        let without = self.without(searcher)?;
        let blocks = scorer.score(&candidates)?.into_iter().filter(|block| Some(block.address) != without);
        let scored: Vec<_> =
            blocks.map(|block| (block.address, block.score, Basis::Evidence(block.evidence))).collect();
        let head = scored.len();
        Ok(Placing { scored, head, total: ready.total()? })
    }

    fn without(&self, searcher: &Searcher) -> Result<Option<DocAddress>, TantivyError> {
        let Some(block_id) = &self.query.without else { return Ok(None) };
        let term = self.searcher.fields.block_term(block_id);
        let found =
            searcher.search(&TermQuery::new(term, IndexRecordOption::Basic), &tantivy::collector::DocSetCollector)?;
        Ok(found.into_iter().next())
    }
}

impl Placing {
    /// Blocks as the engine ranked them; the first of them, at most `head`, are the head.
    fn of(blocks: TopAndTotal, head: usize) -> Self {
        let TopAndTotal { top, total } = blocks;
        let basis = |value| Basis::Bm25 { value, weight: 1.0 };
        let scored: Vec<_> = top.iter().map(|block| (block.address, block.score, basis(block.score))).collect();
        Self { head: head.min(scored.len()), scored, total: (total, true) }
    }

    /// Lets those of `blocks` follow that are not there yet. Their scores are scaled so that the first has that of the last one
    /// before it.
    fn follow(&mut self, blocks: &TopAndTotal) {
        let known: HashSet<DocAddress> = self.scored.iter().map(|(address, ..)| *address).collect();
        let mut rest = blocks.top.iter().filter(|block| !known.contains(&block.address)).peekable();
        let last = self.scored.last().map_or(f32::INFINITY, |(_, last, _)| *last);
        let weight = match rest.peek() {
            Some(first) if first.score > 0.0 && last.is_finite() => last / first.score,
            _ => 1.0,
        };
        let basis = |value| Basis::Bm25 { value, weight };
        // What is divided and multiplied again may come out a little higher.
        self.scored.extend(rest.map(|block| (block.address, (block.score * weight).min(last), basis(block.score))));
        self.total = (blocks.total, true);
    }
}

impl Ready<'_> {
    fn top(&self, limit: usize, dates: Dates) -> Result<TopAndTotal, TantivyError> {
        self.searcher.search(self.matching, &TopBlocks { limit, dates })
    }

    /// Blocks that match: counted where that is quick, else the most that one word alone matches.
    fn total(&self) -> Result<(u64, bool), TantivyError> {
        let counts = self.words.iter().flat_map(|word| &word.forms).map(|form| form.in_blocks.documents);
        let (sum, most) = counts.fold((0, 0), |(sum, most), count| (sum + count, count.max(most)));
        if sum <= COUNTED_MAX || self.compiled.constraint.is_some() {
            return Ok((self.searcher.search(self.matching, &Count)? as u64, true));
        }
        Ok((most, false))
    }
}

/// The languages that every query word is tried in.
fn query_languages(view: &CommitView) -> Vec<Language> {
    let stemmed = view.languages.iter().map(|count| count.language).filter(Language::has_stemmer);
    stemmed.take(QUERY_LANGUAGES_MAX).collect()
}

fn query_word(word: &ScoringWord, rank: &RankWord) -> QueryWord {
    let form = |form: &crate::highlight::Form| WordForm {
        term: form.term.clone(),
        languages: form.languages.clone(),
        factor: form.factor,
        is_further: is_further_form(&form.term),
    };
    QueryWord {
        surface: word.surface.clone(),
        weight: word.weight * rank.factor_max,
        idf: rank.idf,
        page_idf: rank.page_idf,
        forms: word.forms.iter().map(form).collect(),
    }
}

fn found(view: &CommitView, (address, score, basis): (DocAddress, f32, Basis)) -> Found {
    let standing = view.standing(address);
    Found {
        address,
        page_order: standing.page_order,
        page_key: standing.page_key,
        ordinal: standing.ordinal,
        score,
        basis,
    }
}
