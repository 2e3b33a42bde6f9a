//! Finding blocks: by a query, by name, by page.

use std::error::Error;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tantivy::collector::{Count, DocSetCollector};
use tantivy::query::{BooleanQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, IndexReader, Searcher, TantivyDocument, TantivyError, Term};
use thiserror::Error;

use crate::analysis::{Analyzer, Language};
use crate::block_index::BlockIndex;
use crate::document::BlockDocument;
use crate::guard::engine;
use crate::highlight::{QueryTerms, joined_ranges, matches};
use crate::query::{BlockQuery, CompiledQuery, ParsedQuery, QueryCompiler, QueryError, QueryNote, Ranking, parse};
use crate::rank::{
    BlendScorer, BlendWeights, Evidence, Gathering, IndexCounts, LinkCounts, NoLinks, RankWord, ScoredBlock,
};
use crate::schema::{BLOCK, Fields, PAGE, decode};
use crate::top_blocks::{TopAndTotal, TopBlocks};

/// Languages that every query word is tried in: those with most blocks.
const QUERY_LANGUAGES_MAX: usize = 8;

/// Sum of the words' block frequencies up to which matches are counted exactly.
const COUNTED_MAX: u64 = 200_000;

/// Entries of the stem caches of a searcher's analyzers.
const CACHE_ENTRIES: usize = 1 << 10;

/// A search that failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The query cannot be understood.
    #[error("cannot understand the query: {0}")]
    Query(#[from] QueryError),
    /// The index could not be read.
    #[error("cannot read the block index in {}; `lopper verify` tells what is damaged, and `lopper rebuild` makes the index anew from the stored trees", dir.display())]
    Read {
        /// Directory of the index.
        dir: PathBuf,
        /// What the engine said.
        source: Box<dyn Error + Send + Sync>,
    },
}

/// The answer to a [`BlockQuery`].
#[derive(Debug, Clone, Default)]
pub struct RankedBlocks {
    /// The blocks of the wanted part of the ranking, best first.
    pub blocks: Vec<RankedBlock>,
    /// Number of blocks that match.
    pub total: u64,
    /// Whether `total` is exact, or at least so many match.
    pub total_is_exact: bool,
    /// Inverse document frequency of each scored word, by its number in `terms`.
    pub word_weights: Vec<f32>,
    /// How the query was understood, where that needs telling.
    pub notes: Vec<QueryNote>,
    /// What was searched for, to highlight other texts with.
    pub terms: QueryTerms,
}

/// A block with its place in a ranking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankedBlock {
    /// The block.
    pub document: BlockDocument,
    /// The score of the query's [`Ranking`]; unitless, comparable within a query.
    pub score: f32,
    /// What the score is made of, where it is a blend.
    #[serde(skip)]
    pub evidence: Option<Evidence>,
    /// Where the query's words stand.
    pub highlights: Highlights,
}

/// Byte ranges of a query's words, increasing and apart, on character borders.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Highlights {
    /// Ranges in [`BlockDocument::lead`].
    pub lead: Vec<Range<usize>>,
    /// Ranges in [`BlockDocument::body`].
    pub body: Vec<Range<usize>>,
}

/// How many blocks a language has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageCount {
    /// The language.
    pub language: Language,
    /// Its blocks.
    pub blocks: u64,
}

/// Searches the commit that was newest when it was made or last reloaded. Share one among threads.
#[derive(Clone)]
pub struct BlockSearcher {
    dir: PathBuf,
    pub(crate) fields: Fields,
    pub(crate) reader: IndexReader,
    shared: Arc<Shared>,
}

/// What threads lend each other; locks are held for moments only.
#[derive(Default)]
struct Shared {
    analyzers: Mutex<Vec<Analyzer>>,
    /// Counts by generation of the engine's searcher.
    languages: Mutex<Option<(u64, Arc<[LanguageCount]>)>>,
}

impl std::fmt::Debug for BlockSearcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockSearcher").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl BlockSearcher {
    pub(crate) fn new(index: &BlockIndex) -> Self {
        Self { dir: index.dir.clone(), fields: index.fields, reader: index.reader.clone(), shared: Arc::default() }
    }

    /// Goes on to the newest commit, for this searcher, its clones and the others of the same [`BlockIndex`].
    ///
    /// # Errors
    /// [`SearchError::Read`]; the former commit stays searchable.
    pub fn reload(&self) -> Result<(), SearchError> {
        engine(|| self.reader.reload()).map_err(|error| self.error(error))
    }

    /// Ranks the blocks that match `query`; equal scores go by page name, then by place in the page.
    ///
    /// # Errors
    /// [`SearchError::Query`] tells where the text cannot be understood; [`SearchError::Read`].
    pub fn search(&self, query: &BlockQuery) -> Result<RankedBlocks, SearchError> {
        self.search_with(query, &NoLinks, BlendWeights::default())
    }

    /// The same, with what is known of links between pages, and other weights of the blend.
    ///
    /// # Errors
    /// [`SearchError::Read`]. No text of a query is an error.
    pub fn search_with(
        &self,
        query: &BlockQuery,
        links: &dyn LinkCounts,
        weights: BlendWeights,
    ) -> Result<RankedBlocks, SearchError> {
        let _span = tracing::debug_span!("search::query").entered();
        let parsed = parse(&query.text)?;
        let mut analyzer = self.take_analyzer();
        let ranked = engine(|| self.try_search(query, parsed, links, weights, &mut analyzer));
        self.give_analyzer(analyzer);
        ranked.map_err(|error| self.error(error))
    }

    fn try_search(
        &self,
        query: &BlockQuery,
        parsed: ParsedQuery,
        links: &dyn LinkCounts,
        weights: BlendWeights,
        analyzer: &mut Analyzer,
    ) -> Result<RankedBlocks, TantivyError> {
        let searcher = self.reader.searcher();
        let counts = self.language_counts(&searcher)?;
        let stemmed = counts.iter().map(|count| count.language).filter(Language::has_stemmer);
        let languages: Vec<Language> = stemmed.take(QUERY_LANGUAGES_MAX).collect();
        let fields = &self.fields;
        let mut compiler =
            QueryCompiler { searcher: &searcher, fields, languages: &languages, analyzer: &mut *analyzer };
        let compiled = compiler.compile(parsed)?;
        let Some(matching) = compiler.single_query(&compiled)? else {
            let CompiledQuery { terms, notes, .. } = compiled;
            return Ok(RankedBlocks { notes, terms, total_is_exact: true, ..RankedBlocks::default() });
        };
        let words = self.rank_words(&searcher, &compiled)?;
        let limit = query.offset.saturating_add(query.limit);
        let found = if compiled.is_listing() || query.ranking == Ranking::Bm25 {
            listed(&searcher, &*matching, TopBlocks { limit, newest_first: compiled.is_listing() })?
        } else {
            let constraint = compiled.constraint.as_deref();
            let gathering = Gathering {
                searcher: &searcher,
                fields,
                words: &words,
                constraint,
                needs_word: compiled.needs_word,
                limit,
            };
            let weights = if query.ranking == Ranking::Cosine { BlendWeights::cosine() } else { weights };
            let scorer = BlendScorer {
                searcher: &searcher,
                fields,
                words: &words,
                links,
                weights,
                needs_word: compiled.needs_word,
            };
            scorer.score(&gathering.candidates()?)?.into_iter().map(Found::from).collect()
        };
        let mut blocks = Vec::new();
        for found in found.into_iter().skip(query.offset).take(query.limit) {
            let document = self.document(&searcher, found.address)?;
            let highlights = highlights(analyzer, &document, &compiled.terms);
            blocks.push(RankedBlock { document, score: found.score, evidence: found.evidence, highlights });
        }
        let (total, total_is_exact) = self.total(&searcher, &compiled, &*matching)?;
        let CompiledQuery { terms, notes, .. } = compiled;
        let word_weights = words.iter().map(|word| word.idf).collect();
        Ok(RankedBlocks { blocks, total, total_is_exact, word_weights, notes, terms })
    }

    /// The words by which blocks are scored, in the order of the query's; one that the index lacks has the weight 0.
    fn rank_words(&self, searcher: &Searcher, compiled: &CompiledQuery) -> Result<Vec<RankWord>, TantivyError> {
        let of_kind = |kind| searcher.doc_freq(&Term::from_field_text(self.fields.kind, kind));
        let counts = IndexCounts { blocks: of_kind(BLOCK)?, pages: of_kind(PAGE)? };
        let word = |word| RankWord::new(searcher, &self.fields, counts, word);
        compiled.scoring.iter().map(word).collect()
    }

    /// Blocks that match: counted where that is quick, else the most that one word alone matches.
    fn total(
        &self,
        searcher: &Searcher,
        compiled: &CompiledQuery,
        matching: &dyn Query,
    ) -> Result<(u64, bool), TantivyError> {
        let (mut sum, mut most) = (0, 0);
        for form in compiled.scoring.iter().flat_map(|word| &word.forms) {
            let frequency = searcher.doc_freq(&Term::from_field_text(self.fields.all, &form.term))?;
            (sum, most) = (sum + frequency, most.max(frequency));
        }
        if sum <= COUNTED_MAX || compiled.constraint.is_some() {
            return Ok((searcher.search(matching, &Count)? as u64, true));
        }
        Ok((most, false))
    }

    /// The block of that name.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn get_block(&self, block_id: &str) -> Result<Option<BlockDocument>, SearchError> {
        let blocks = self.documents_with(self.fields.block_id, block_id)?;
        Ok(blocks.into_iter().next())
    }

    /// The blocks of a page in page order.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn blocks_of_page(&self, page_id: &str) -> Result<Vec<BlockDocument>, SearchError> {
        self.documents_with(self.fields.page_id, page_id)
    }

    /// Number of blocks.
    pub fn count(&self) -> u64 {
        let searcher = self.reader.searcher();
        // Deleted blocks count in frequencies until they are merged away, so they are counted one by one.
        let blocks = TermQuery::new(Term::from_field_text(self.fields.kind, BLOCK), IndexRecordOption::Basic);
        engine(|| searcher.search(&blocks, &Count)).map_or(0, |count| count as u64)
    }

    /// Blocks by language, most first, then by code.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn languages(&self) -> Result<Vec<LanguageCount>, SearchError> {
        let counts = engine(|| self.language_counts(&self.reader.searcher())).map_err(|error| self.error(error))?;
        Ok(counts.to_vec())
    }

    fn language_counts(&self, searcher: &Searcher) -> Result<Arc<[LanguageCount]>, TantivyError> {
        let generation = searcher.generation().generation_id();
        let mut cached = self.shared.languages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((counted, counts)) = &*cached
            && *counted == generation
        {
            return Ok(Arc::clone(counts));
        }
        let counts: Arc<[LanguageCount]> = count_languages(searcher, self.fields.language)?.into();
        *cached = Some((generation, Arc::clone(&counts)));
        Ok(counts)
    }

    fn documents_with(&self, field: Field, value: &str) -> Result<Vec<BlockDocument>, SearchError> {
        engine(|| self.try_documents_with(field, value)).map_err(|error| self.error(error))
    }

    fn try_documents_with(&self, field: Field, value: &str) -> Result<Vec<BlockDocument>, TantivyError> {
        let searcher = self.reader.searcher();
        let query = TermQuery::new(Term::from_field_text(field, value), IndexRecordOption::Basic);
        let mut documents = Vec::new();
        let blocks = TermQuery::new(Term::from_field_text(self.fields.kind, BLOCK), IndexRecordOption::Basic);
        let query = BooleanQuery::intersection(vec![Box::new(query), Box::new(blocks)]);
        for address in searcher.search(&query, &DocSetCollector)? {
            documents.push(self.document(&searcher, address)?);
        }
        documents.sort_by(|a, b| (a.ordinal, &a.block_id).cmp(&(b.ordinal, &b.block_id)));
        Ok(documents)
    }

    fn document(&self, searcher: &Searcher, address: DocAddress) -> Result<BlockDocument, TantivyError> {
        let encoded: TantivyDocument = searcher.doc(address)?;
        Ok(decode(&self.fields, &encoded))
    }

    fn take_analyzer(&self) -> Analyzer {
        let mut analyzers = self.shared.analyzers.lock().unwrap_or_else(PoisonError::into_inner);
        analyzers.pop().unwrap_or_else(|| Analyzer::with_cache_entries(CACHE_ENTRIES))
    }

    fn give_analyzer(&self, analyzer: Analyzer) {
        self.shared.analyzers.lock().unwrap_or_else(PoisonError::into_inner).push(analyzer);
    }

    pub(crate) fn error(&self, error: TantivyError) -> SearchError {
        SearchError::Read { dir: self.dir.clone(), source: error.into() }
    }
}

/// A block of a ranking, by whatever it was ranked.
struct Found {
    address: DocAddress,
    score: f32,
    evidence: Option<Evidence>,
}

impl From<ScoredBlock> for Found {
    fn from(block: ScoredBlock) -> Self {
        Self { address: block.address, score: block.score, evidence: Some(block.evidence) }
    }
}

fn listed(searcher: &Searcher, query: &dyn Query, top: TopBlocks) -> Result<Vec<Found>, TantivyError> {
    let TopAndTotal { top, .. } = searcher.search(query, &top)?;
    let found = top.into_iter().map(|top| Found { address: top.address, score: top.score, evidence: None });
    Ok(found.collect())
}

fn highlights(analyzer: &mut Analyzer, document: &BlockDocument, terms: &QueryTerms) -> Highlights {
    let mut ranges = |text| joined_ranges(&matches(analyzer, text, document.language, terms));
    Highlights { lead: ranges(&document.lead), body: ranges(&document.body) }
}

fn count_languages(searcher: &Searcher, field: Field) -> Result<Vec<LanguageCount>, TantivyError> {
    let mut codes = std::collections::BTreeSet::new();
    for segment in searcher.segment_readers() {
        let inverted = segment.inverted_index(field)?;
        let mut terms = inverted.terms().stream()?;
        while terms.advance() {
            codes.insert(String::from_utf8_lossy(terms.key()).into_owned());
        }
    }
    let mut counts = Vec::with_capacity(codes.len());
    for code in codes {
        let query = TermQuery::new(Term::from_field_text(field, &code), IndexRecordOption::Basic);
        let blocks = searcher.search(&query, &Count)? as u64;
        if blocks > 0 {
            counts.push(LanguageCount { language: Language::from_code(&code), blocks });
        }
    }
    counts.sort_by(|a, b| b.blocks.cmp(&a.blocks).then_with(|| a.language.code().cmp(b.language.code())));
    Ok(counts)
}
