//! Finding blocks: by a query, by name, by page.

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use lopper_analysis::{Analyzer, Language};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::document::BlockDocument;
use crate::engine::{BlockEngine, BlockSnapshot, Budget, Capabilities, EngineError, OutOfTime, without_panic};
use crate::highlight::{FoundWords, QueryTerms, joined_ranges};
use crate::passage::Passage;
use crate::query::{
    BlockQuery, ParsedQuery, QueryError, QueryNode, QueryNote, QueryShape, parse, words_beginning_with,
};
use crate::rank::{Features, LinkCounts, NoLinks, RankingWeights};
use crate::ranked::{Basis, Found, QueryWord, Ranked};
use crate::ranker::Ranker;

/// Entries of the stem caches of a searcher's analyzers.
const CACHE_ENTRIES: usize = 1 << 14;

/// Words that one note tells at most.
const WORDS_TOLD_MAX: usize = 10;

/// A search that failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The query cannot be understood.
    #[error("cannot understand the query: {0}")]
    Query(#[from] QueryError),
    /// The index could not be read.
    #[error("{}", cannot_read(dir))]
    Read {
        /// Directory of the index.
        dir: PathBuf,
        /// What the engine said.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The engine did not answer in the time that the search may take.
    #[error(transparent)]
    OutOfTime(OutOfTime),
}

impl SearchError {
    /// What an engine at `location` said.
    pub(crate) fn of(location: &Path, EngineError(source): EngineError) -> Self {
        match source.downcast::<OutOfTime>() {
            Ok(late) => Self::OutOfTime(*late),
            Err(source) => Self::Read { dir: location.to_owned(), source },
        }
    }
}

/// What is said of an index that cannot be read, with what helps: an engine elsewhere has an address in place of a directory.
fn cannot_read(dir: &Path) -> String {
    let place = dir.display();
    if dir.to_string_lossy().contains("://") {
        return format!("cannot read the blocks at {place}; `lopper engine check` tells what the engine does");
    }
    format!(
        "cannot read the block index in {place}; `lopper verify` tells what is damaged, and `lopper rebuild` makes the index anew \
         from the stored trees"
    )
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
    /// How the query was understood, where that needs telling.
    pub notes: Vec<QueryNote>,
    /// What was searched for, to highlight other texts with.
    pub terms: QueryTerms,
    /// What the query is, as far as weights depend on it.
    pub shape: QueryShape,
}

/// A block with its place in a ranking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankedBlock {
    /// The block.
    pub document: BlockDocument,
    /// The score of the query's [`Ranking`](crate::Ranking); unitless, comparable within a query.
    pub score: f32,
    /// What the score is made of, where it is a blend.
    #[serde(skip)]
    pub features: Option<Features>,
    /// Where the query's words stand.
    pub highlights: Highlights,
    /// What of it answers.
    pub passage: Passage,
}

impl RankedBlock {
    /// The text of the passage.
    pub fn shown(&self) -> String {
        self.passage.text(&self.document.body)
    }
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

/// Searches what is newest in an engine when it was made or last reloaded. Share one among threads.
#[derive(Clone)]
pub struct BlockSearcher {
    engine: Arc<dyn BlockEngine>,
    /// What threads lend each other; the lock is held for moments only.
    analyzers: Arc<Mutex<Vec<Analyzer>>>,
}

impl std::fmt::Debug for BlockSearcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockSearcher").field("location", &self.engine.location()).finish_non_exhaustive()
    }
}

impl BlockSearcher {
    /// A searcher of any engine.
    pub fn new(engine: Arc<dyn BlockEngine>) -> Self {
        Self { engine, analyzers: Arc::default() }
    }

    /// What the engine can do.
    pub fn capabilities(&self) -> Capabilities {
        self.engine.capabilities()
    }

    /// Goes on to the newest commit, for this searcher, its clones and the others of the same engine.
    ///
    /// # Errors
    /// [`SearchError::Read`]; the former commit stays searchable.
    pub fn reload(&self) -> Result<(), SearchError> {
        self.engine.refresh().map_err(|error| self.error(error))
    }

    /// Ranks the blocks that match `query`; equal scores go by page name, then by place in the page.
    ///
    /// # Errors
    /// [`SearchError::Query`] tells where the text cannot be understood; [`SearchError::Read`].
    pub fn search(&self, query: &BlockQuery) -> Result<RankedBlocks, SearchError> {
        self.search_with(query, &NoLinks, &RankingWeights::default())
    }

    /// The same, with what is known of links between pages, and other weights.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn search_with(
        &self,
        query: &BlockQuery,
        links: &dyn LinkCounts,
        weights: &RankingWeights,
    ) -> Result<RankedBlocks, SearchError> {
        let ranked = self.rank(query, links, weights, &Budget::unlimited())?;
        let wanted = ranked.found.iter().skip(query.offset).take(query.limit);
        let blocks = wanted.map(|found| self.ranked_block(&ranked, found)).collect::<Result<_, _>>()?;
        let shape = ranked.query.shape();
        let Ranked { total, total_is_exact, terms, notes, .. } = ranked;
        Ok(RankedBlocks { blocks, total, total_is_exact, notes, terms, shape })
    }

    /// A block of a ranking with all that belongs to it.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn ranked_block(&self, ranked: &Ranked, found: &Found) -> Result<RankedBlock, SearchError> {
        let document = ranked.fetch(found)?;
        let features = match found.basis {
            Basis::Features(features) => Some(features),
            Basis::Bm25 { .. } => None,
        };
        let (highlights, passage) = self.with_analyzer(|analyzer| {
            let reading = ranked.read(analyzer, &document);
            let lead = FoundWords::new(analyzer, &document.lead, document.language, &ranked.terms);
            let highlights = Highlights { lead: joined_ranges(&lead.0), body: joined_ranges(&reading.found().0) };
            (highlights, ranked.passage(analyzer, found, &document, &reading))
        });
        let passage = passage?;
        Ok(RankedBlock { document, score: found.score, features, highlights, passage })
    }

    /// Ranks the blocks that match without fetching any: the first `offset + limit`, or more where the ranking's head is longer. What is
    /// found when `budget` is spent is the answer.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn rank(
        &self,
        query: &BlockQuery,
        links: &dyn LinkCounts,
        weights: &RankingWeights,
        budget: &Budget,
    ) -> Result<Ranked, SearchError> {
        let _span = tracing::debug_span!("search::query").entered();
        let snapshot = &self.engine.snapshot_within(budget).map_err(|error| self.error(error))?;
        let ranker = Ranker { location: self.engine.location(), snapshot, query, links, weights, budget };
        let rank = |parsed: ParsedQuery| {
            let ranked = self.with_analyzer(|analyzer| without_panic(|| ranker.rank(parsed, analyzer)));
            let mut ranked = ranked.map_err(|error| self.error(error))?;
            if !self.engine.capabilities().has_term_patterns {
                ranked.notes.extend(no_patterns(&ranked.words));
            }
            Ok::<_, SearchError>(ranked)
        };
        let parsed = parse(&query.text)?;
        let apart = parsed.root.as_ref().and_then(QueryNode::apart).filter(|_| query.apart);
        let notes = parsed.notes.clone();
        let ranked = rank(parsed)?;
        let has_found = ranked.is_cut_short || ranked.total > 0 || !ranked.found.is_empty();
        let Some(apart) = apart.filter(|_| !has_found) else { return Ok(ranked) };
        // Sentences that people paste hold quotation marks, too: rather the words apart than nothing.
        let mut apart = rank(ParsedQuery { root: Some(apart), notes })?;
        if !apart.found.is_empty() {
            apart.notes.push(QueryNote::NotInARow);
        }
        Ok(apart)
    }

    /// Lends `work` an analyzer, with what it remembers of former queries. Requests do not wait for each other.
    pub fn with_analyzer<T>(&self, work: impl FnOnce(&mut Analyzer) -> T) -> T {
        let mut analyzer = self.take_analyzer();
        let result = work(&mut analyzer);
        self.give_analyzer(analyzer);
        result
    }

    /// The block of that name.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn get_block(&self, block_id: &str) -> Result<Option<BlockDocument>, SearchError> {
        let block = self.read(|snapshot| match snapshot.find(block_id)? {
            Some(handle) => snapshot.fetch(handle).map(Some),
            None => Ok(None),
        })?;
        Ok(block.filter(|block| block.block_id == block_id))
    }

    /// The blocks of a page in page order.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn blocks_of_page(&self, page_id: &str) -> Result<Vec<BlockDocument>, SearchError> {
        self.read(|snapshot| snapshot.blocks_of_page(page_id))
    }

    /// Number of blocks; 0 where they cannot be read.
    pub fn count(&self) -> u64 {
        self.read(|snapshot| snapshot.blocks()).unwrap_or_default()
    }

    /// Blocks by language, most first, then by code.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn languages(&self) -> Result<Vec<LanguageCount>, SearchError> {
        self.read(|snapshot| Ok(snapshot.facts().languages.clone()))
    }

    /// Words of the index that begin with `prefix`, in lower case, those of most pages first.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn words_beginning_with(
        &self,
        prefix: &str,
        limit: usize,
        budget: &Budget,
    ) -> Result<Vec<String>, SearchError> {
        self.read(|snapshot| words_beginning_with(snapshot, prefix, limit, budget))
    }

    /// How many documents each page has: one for each block and one for the page. O(pages) memory.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn documents_by_page(&self) -> Result<BTreeMap<String, u64>, SearchError> {
        self.read(|snapshot| snapshot.documents_by_page())
    }

    fn snapshot(&self) -> Result<Arc<dyn BlockSnapshot>, SearchError> {
        self.engine.snapshot().map_err(|error| self.error(error))
    }

    fn read<T>(&self, read: impl FnOnce(&dyn BlockSnapshot) -> Result<T, EngineError>) -> Result<T, SearchError> {
        let snapshot = self.snapshot()?;
        without_panic(|| read(&*snapshot)).map_err(|error| self.error(error))
    }

    fn take_analyzer(&self) -> Analyzer {
        let mut analyzers = self.analyzers.lock().unwrap_or_else(PoisonError::into_inner);
        analyzers.pop().unwrap_or_else(|| Analyzer::with_cache_entries(CACHE_ENTRIES))
    }

    fn give_analyzer(&self, analyzer: Analyzer) {
        self.analyzers.lock().unwrap_or_else(PoisonError::into_inner).push(analyzer);
    }

    fn error(&self, error: EngineError) -> SearchError {
        SearchError::of(self.engine.location(), error)
    }
}

/// The words of the user's that another engine would look up by their beginnings, or mend.
fn no_patterns(words: &[QueryWord]) -> Option<QueryNote> {
    let is_left = |word: &&QueryWord| word.is_own() && (word.surface.ends_with('*') || word.is_absent());
    let words: Vec<String> =
        words.iter().filter(is_left).map(|word| word.surface.clone()).take(WORDS_TOLD_MAX).collect();
    (!words.is_empty()).then_some(QueryNote::NoPatterns { words })
}
