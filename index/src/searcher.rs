//! Finding blocks: by a query, by name, by page.

use std::error::Error;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lopper_analysis::{Analyzer, Language};
use serde::{Deserialize, Serialize};
use tantivy::collector::{Count, DocSetCollector};
use tantivy::query::{BooleanQuery, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, IndexReader, Searcher, TantivyDocument, TantivyError, Term};
use thiserror::Error;

use crate::block_index::BlockIndex;
use crate::document::BlockDocument;
use crate::engine::engine;
use crate::highlight::{FoundWords, QueryTerms, joined_ranges};
use crate::passage::Passage;
use crate::query::{BlockQuery, QueryError, QueryNote, is_quote, parse};
use crate::rank::{BlendWeights, CommitView, Evidence, LinkCounts, NoLinks};
use crate::ranked::{Basis, Found, Ranked};
use crate::ranker::Ranker;
use crate::schema::{Fields, decode};

/// Entries of the stem caches of a searcher's analyzers.
const CACHE_ENTRIES: usize = 1 << 14;

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
    /// The score of the query's [`Ranking`](crate::Ranking); unitless, comparable within a query.
    pub score: f32,
    /// What the score is made of, where it is a blend.
    #[serde(skip)]
    pub evidence: Option<Evidence>,
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

/// Searches the commit that was newest when it was made or last reloaded. Share one among threads.
#[derive(Clone)]
pub struct BlockSearcher {
    pub(crate) dir: PathBuf,
    pub(crate) fields: Fields,
    pub(crate) reader: IndexReader,
    shared: Arc<Shared>,
}

/// What threads lend each other; locks are held for moments only.
#[derive(Default)]
struct Shared {
    analyzers: Mutex<Vec<Analyzer>>,
    /// By generation of the engine's searcher: of the newest one asked for.
    view: Mutex<Option<(u64, Arc<CommitView>)>>,
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
    /// As [`search`](Self::search).
    pub fn search_with(
        &self,
        query: &BlockQuery,
        links: &dyn LinkCounts,
        weights: BlendWeights,
    ) -> Result<RankedBlocks, SearchError> {
        let ranked = self.rank(query, links, weights)?;
        let wanted = ranked.found.iter().skip(query.offset).take(query.limit);
        let blocks = wanted.map(|found| self.ranked_block(&ranked, found)).collect::<Result<_, _>>()?;
        let Ranked { total, total_is_exact, terms, notes, .. } = ranked;
        Ok(RankedBlocks { blocks, total, total_is_exact, notes, terms })
    }

    /// A block of a ranking with all that belongs to it.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn ranked_block(&self, ranked: &Ranked, found: &Found) -> Result<RankedBlock, SearchError> {
        let document = ranked.fetch(found)?;
        let evidence = match found.basis {
            Basis::Evidence(evidence) => Some(evidence),
            Basis::Bm25 { .. } => None,
        };
        let (highlights, passage) = self.with_analyzer(|analyzer| {
            let reading = ranked.read(analyzer, &document);
            let lead = FoundWords::new(analyzer, &document.lead, document.language, &ranked.terms);
            let highlights = Highlights { lead: joined_ranges(&lead.0), body: joined_ranges(&reading.found().0) };
            (highlights, ranked.passage(analyzer, found, &document, &reading))
        });
        let passage = passage?;
        Ok(RankedBlock { document, score: found.score, evidence, highlights, passage })
    }

    /// Ranks the blocks that match without fetching any: the first `offset + limit`, or more where the ranking's head is longer.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn rank(
        &self,
        query: &BlockQuery,
        links: &dyn LinkCounts,
        weights: BlendWeights,
    ) -> Result<Ranked, SearchError> {
        let _span = tracing::debug_span!("search::query").entered();
        let ranker = Ranker { searcher: self, query, links, weights };
        let rank = |text: &str| {
            let parsed = parse(text)?;
            self.with_analyzer(|analyzer| engine(|| ranker.rank(parsed, analyzer)).map_err(|error| self.error(error)))
        };
        let ranked = rank(&query.text)?;
        if !query.apart || ranked.total > 0 || !ranked.found.is_empty() || !has_plain_quotes(&query.text) {
            return Ok(ranked);
        }
        // Sentences that people paste hold quotation marks, too: rather the words apart than nothing.
        let mut apart = rank(&query.text.replace(is_quote, " "))?;
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
        let blocks = self.documents_with(&self.fields.block_term(block_id))?;
        Ok(blocks.into_iter().find(|block| block.block_id == block_id))
    }

    /// The blocks of a page in page order.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn blocks_of_page(&self, page_id: &str) -> Result<Vec<BlockDocument>, SearchError> {
        self.documents_with(&Term::from_field_text(self.fields.page_id, page_id))
    }

    /// Number of blocks.
    pub fn count(&self) -> u64 {
        let searcher = self.reader.searcher();
        // Deleted blocks count in frequencies until they are merged away, so they are counted one by one.
        engine(|| searcher.search(&self.fields.every_block(), &Count)).map_or(0, |count| count as u64)
    }

    /// Blocks by language, most first, then by code.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn languages(&self) -> Result<Vec<LanguageCount>, SearchError> {
        let view = engine(|| self.view(&self.reader.searcher())).map_err(|error| self.error(error))?;
        Ok(view.languages.clone())
    }

    /// What all queries of a commit share.
    pub(crate) fn view(&self, searcher: &Searcher) -> Result<Arc<CommitView>, TantivyError> {
        let generation = searcher.generation().generation_id();
        let mut known = self.shared.view.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, view)) = &*known
            && *of == generation
        {
            return Ok(Arc::clone(view));
        }
        let view = Arc::new(CommitView::open(searcher, &self.fields)?);
        *known = Some((generation, Arc::clone(&view)));
        Ok(view)
    }

    fn documents_with(&self, term: &Term) -> Result<Vec<BlockDocument>, SearchError> {
        engine(|| self.try_documents_with(term)).map_err(|error| self.error(error))
    }

    fn try_documents_with(&self, term: &Term) -> Result<Vec<BlockDocument>, TantivyError> {
        let searcher = self.reader.searcher();
        let query = TermQuery::new(term.clone(), IndexRecordOption::Basic);
        let mut documents = Vec::new();
        let query = BooleanQuery::intersection(vec![Box::new(query), Box::new(self.fields.every_block())]);
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

/// Whether there are quotation marks, and none of them belongs to a field or a sign.
fn has_plain_quotes(text: &str) -> bool {
    let belongs = |(at, _): (usize, &str)| text[..at].ends_with([':', '+', '-', '(']);
    text.contains(is_quote) && !text.match_indices(is_quote).any(belongs)
}
