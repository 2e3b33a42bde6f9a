//! A ranking before its blocks are fetched: where they stand, what speaks for them, what else matches.

use std::path::PathBuf;
use std::sync::Arc;

use lopper_analysis::{Analyzer, Language};
use serde::Serialize;

use crate::coverage::coverage;
use crate::document::BlockDocument;
use crate::engine::{BlockHandle, BlockSnapshot, EngineError, EngineQuery, RankWord, WordRow};
use crate::facets::Facets;
use crate::focus::{Focus, FocusedPage};
use crate::highlight::QueryTerms;
use crate::passage::{Passage, passage, words_in};
use crate::query::{QueryNote, ResolvedQuery};
use crate::rank::{Features, FieldCounts, LinkCounts, RankingWeights};
use crate::reading::TextReading;
use crate::searcher::SearchError;

/// Name of the feature that is BM25 over the joined field.
const BM25_FEATURE: &str = "bm25";

/// What a word of the user's own weighs, but for rounding.
const OWN_WEIGHT_MIN: f32 = 0.999;

/// What a query found, best first. It stays with the state of the index that it was made from, whatever is committed later.
#[derive(Debug)]
pub struct Ranked {
    /// The blocks: the head of the ranking whole, then what follows it as far as it was asked for.
    pub found: Vec<Found>,
    /// How many of them are the head: all that were ranked by what is known of candidates. It does not depend on
    /// [`BlockQuery::limit`](crate::BlockQuery::limit) and `offset`, but on `depth`. Behind it blocks follow by BM25, or by date.
    pub head: usize,
    /// Whether `found` holds every block that matches.
    pub is_complete: bool,
    /// Whether the query's budget was spent before all was looked at: what is found is not all that there is.
    pub is_cut_short: bool,
    /// Number of blocks that match.
    pub total: u64,
    /// Whether `total` is exact, or at least so many match.
    pub total_is_exact: bool,
    /// Parts of the engine that did not answer; with any, what is found is not all that there is.
    pub failed_parts: usize,
    /// What the engine was asked.
    pub query: ResolvedQuery,
    /// What was searched for, to highlight texts with.
    pub terms: QueryTerms,
    /// The words by which blocks are ranked, by their numbers in `terms`.
    pub words: Vec<QueryWord>,
    /// How the query was understood, where that needs telling.
    pub notes: Vec<QueryNote>,
    pub(crate) state: RankedState,
}

/// What a ranking keeps to answer further questions.
pub(crate) struct RankedState {
    /// Where the engine is, for messages.
    pub(crate) location: PathBuf,
    pub(crate) snapshot: Arc<dyn BlockSnapshot>,
    pub(crate) prepared: Box<dyn EngineQuery>,
    pub(crate) words: Vec<RankWord>,
    pub(crate) weights: RankingWeights,
}

impl std::fmt::Debug for RankedState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RankedState").field("words", &self.words).finish_non_exhaustive()
    }
}

impl RankedState {
    fn error(&self, error: EngineError) -> SearchError {
        SearchError::of(&self.location, error)
    }
}

/// A word of a query as the index knows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryWord {
    /// The word as it was written or corrected; of a prefix, the prefix.
    pub surface: String,
    /// What it counts in the ranking; 1 for a word of the user's, less for a compound, a part of a name, and the words that a question begins
    /// with.
    pub weight: f32,
    /// Inverse document frequency over the blocks in the query's language, times `weight`.
    pub idf: f32,
    /// The same over pages, for the cosine.
    pub page_idf: f32,
    /// The terms that it is looked up by.
    pub forms: Vec<WordForm>,
}

impl QueryWord {
    /// Whether the user wrote it to find it: it is no word that only helps to find others, nor one that a question begins with.
    pub fn is_own(&self) -> bool {
        self.weight >= OWN_WEIGHT_MIN
    }

    /// Whether nothing in the collection has it, in any form.
    pub fn is_absent(&self) -> bool {
        self.idf <= 0.0
    }
}

/// A term that a word of a query is looked up by.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WordForm {
    /// The term.
    pub term: String,
    /// Languages that it is the stem in; none for all.
    pub languages: Vec<Language>,
    /// What it counts, in (0, 1].
    pub factor: f32,
    /// Whether it is another spelling, a part of a name, or a compound: a term that pages are not weighed by.
    pub is_further: bool,
}

/// What a score was made by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Basis {
    /// The weighed sum of these features.
    Features(Features),
    /// BM25 over the joined field, times a weight.
    Bm25 {
        /// The engine's score.
        value: f32,
        /// What it is multiplied by.
        weight: f32,
    },
}

/// A block of a ranking, not yet fetched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// The block, as its engine names it.
    pub handle: BlockHandle,
    /// The same for all blocks of a page, in the order of the pages' names.
    pub page_order: u64,
    /// The same for all captures of a page.
    pub page_key: u64,
    /// Place of the block in its page.
    pub ordinal: u64,
    /// The score of the query's [`Ranking`](crate::Ranking); unitless, comparable within a query.
    pub score: f32,
    /// What the score is made of.
    pub basis: Basis,
}

/// What one feature adds to a score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FeatureScore {
    /// Name of the feature, as of [`Feature::name`](crate::Feature::name), or `bm25`.
    pub name: &'static str,
    /// The feature's value.
    #[serde(rename = "evidence")]
    pub value: f32,
    /// What it is multiplied by.
    pub weight: f32,
    /// What it adds: `value · weight`.
    pub contribution: f32,
}

impl Ranked {
    /// The block itself.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn fetch(&self, found: &Found) -> Result<BlockDocument, SearchError> {
        self.state.snapshot.fetch(found.handle).map_err(|error| self.state.error(error))
    }

    /// When the page of a block was captured, in seconds since 1970.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn captured_at(&self, found: &Found) -> Result<Option<i64>, SearchError> {
        self.state.snapshot.captured_at(found.handle).map_err(|error| self.state.error(error))
    }

    /// A block of any kind, found or not.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn fetch_block(&self, handle: BlockHandle) -> Result<BlockDocument, SearchError> {
        self.state.snapshot.fetch(handle).map_err(|error| self.state.error(error))
    }

    /// The block of a name; `None` where there is none.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn find(&self, block_id: &str) -> Result<Option<BlockHandle>, SearchError> {
        self.state.snapshot.find(block_id).map_err(|error| self.state.error(error))
    }

    /// What to keep of the pages that some blocks are of: a page for each block, in their order. The best block of a page in this
    /// ranking stays, and blocks that `links` lead to are likelier to.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn focus(&self, links: &dyn LinkCounts, blocks: &[BlockHandle]) -> Result<Vec<FocusedPage>, SearchError> {
        Focus { state: &self.state, found: &self.found, links }
            .pages_of(blocks)
            .map_err(|error| self.state.error(error))
    }

    /// Reads a block's body for the query.
    pub fn read(&self, analyzer: &mut Analyzer, document: &BlockDocument) -> TextReading {
        TextReading::new(analyzer, &document.body, document.language, &self.terms)
    }

    /// What of a block answers: see [`Passage`]. `document` is the block that [`fetch`](Self::fetch) gave, `reading` is that of
    /// [`read`](Self::read).
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn passage(
        &self,
        analyzer: &mut Analyzer,
        found: &Found,
        document: &BlockDocument,
        reading: &TextReading,
    ) -> Result<Passage, SearchError> {
        let weights: Vec<f32> = self.words.iter().map(|word| word.idf).collect();
        let answer = passage(analyzer, document, &self.terms, reading.found(), &weights);
        let passage = Passage::of(answer, document, |distance| self.beside(found, document, distance));
        let words_in = |text: &str| words_in(analyzer, text, document.language, &self.terms);
        Ok(passage.map_err(|error| self.state.error(error))?.found_beside(&self.terms, words_in))
    }

    /// The block that stands `distance` blocks after one on its page, or before it; an engine need not know it.
    fn beside(
        &self,
        found: &Found,
        document: &BlockDocument,
        distance: i32,
    ) -> Result<Option<BlockDocument>, EngineError> {
        let beside = self.state.snapshot.beside(found.handle, distance)?;
        let ordinal = document.ordinal.checked_add_signed(distance);
        Ok(beside.filter(|other| other.page_id == document.page_id && Some(other.ordinal) == ordinal))
    }

    /// The share of queries with such an answer whose first page is right, in [0, 1]: `first` is its best block, `rival` that of another
    /// page. Nothing where it is not known: for other weights than those built in, other rankings, and queries without a word.
    pub fn coverage(&self, first: &Found, rival: Option<&Found>) -> Option<f32> {
        let blocks = self.state.snapshot.facts().blocks;
        let rival = rival.map_or(0.0, |rival| rival.score);
        self.state.weights.is_built_in().then(|| coverage(&self.words, blocks, first, rival)).flatten()
    }

    /// What a block's score is the sum of, in the order in which it is summed, in `f64`. Features that add nothing are left out.
    pub fn parts(&self, found: &Found) -> Vec<FeatureScore> {
        match found.basis {
            Basis::Bm25 { value, weight } => {
                vec![FeatureScore { name: BM25_FEATURE, value, weight, contribution: found.score }]
            }
            Basis::Features(features) => {
                let weights = &self.state.weights;
                let score = |(feature, contribution): (crate::Feature, f32)| FeatureScore {
                    name: feature.name(),
                    value: features.of(feature),
                    weight: weights.of(feature),
                    contribution,
                };
                weights.contributions(&features).map(score).collect()
            }
        }
    }

    /// How often the query's words stand in each field of some blocks and their pages, for each block in their order.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn field_counts(&self, blocks: &[BlockHandle]) -> Result<Vec<Vec<FieldCounts>>, SearchError> {
        let mut counts = vec![Vec::new(); blocks.len()];
        let RankedState { prepared, words, .. } = &self.state;
        let mut visit = |place: usize, block: WordRow<'_>, page: Option<WordRow<'_>>| {
            counts[place] = FieldCounts::of(block, page);
        };
        prepared.field_counts(words, blocks, &mut visit).map_err(|error| self.state.error(error))?;
        Ok(counts)
    }

    /// Hosts, languages, years and types of all blocks that match, counted one by one.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn facets(&self) -> Result<Facets, SearchError> {
        self.state.prepared.facets().map_err(|error| self.state.error(error))
    }
}
