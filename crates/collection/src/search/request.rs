//! What is asked for, and what can be wrong with it.

use lopper_index::{Order, QueryError, QueryNote, Ranking};
use serde::Deserialize;

use super::{AsOf, Collapse, Cursor, Documents, QueryPruning};
use crate::CollectionError;

/// A search. A text without words finds nothing.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchRequest {
    /// What is searched for, in the query language: words, and parts in quotes, with signs, operators and fields.
    pub query: String,
    /// Name of a block: asks for more like it, itself left out. The query's demands hold besides.
    pub like: Option<String>,
    /// Asks for the pages as they stood at a time: of each the newest capture that is not later.
    pub as_of: Option<AsOf>,
    /// Pages wanted, at most [`SearchRequest::PAGES_MAX`]. Default 10.
    pub pages: usize,
    /// Pages to pass over, at most [`SearchRequest::OFFSET_MAX`]. Default 0. A page comes on exactly one of the parts of an answer.
    pub offset: usize,
    /// Where an earlier answer to the same search goes on; then `offset` counts nothing.
    pub cursor: Option<Cursor>,
    /// Blocks shown of a page, at most [`SearchRequest::BLOCKS_PER_PAGE_MAX`]. Default 3.
    pub blocks_per_page: usize,
    /// Characters of a snippet, at most [`SearchRequest::SNIPPET_CHARS_MAX`]. Default 240.
    pub snippet_chars: usize,
    /// How blocks are ranked. Default the blend.
    pub ranking: Ranking,
    /// How pages are scored by their blocks.
    pub documents: Documents,
    /// What comes first. Default the most relevant.
    pub sort: Order,
    /// What is shown once. Default captures of a page.
    pub collapse: Collapse,
    /// The least [`coverage`](super::SearchResponse::coverage) of an answer, in [0, 1]; one with less has no pages. Default 0.
    pub coverage_min: f32,
    /// Whether hosts, languages, years and types are counted over all that matches.
    pub facets: bool,
    /// How the pages of the answer are pruned by the query; without it they are not.
    pub prune: Option<QueryPruning>,
    /// Whether scores are explained.
    pub explain: bool,
}

impl SearchRequest {
    /// Most pages of one answer.
    pub const PAGES_MAX: usize = 1000;
    /// Most pages passed over. Memory and time grow with them: some 300 bytes for each block up to there.
    pub const OFFSET_MAX: usize = 10_000;
    /// Most blocks shown of one page.
    pub const BLOCKS_PER_PAGE_MAX: usize = 50;
    /// Longest snippet, in characters.
    pub const SNIPPET_CHARS_MAX: usize = 10_000;

    /// A search for `query` with the defaults.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), ..Self::default() }
    }

    /// Checks the figures.
    ///
    /// # Errors
    ///
    /// [`SearchError::OutOfRange`] names the figure and its range; [`SearchError::OtherCursor`]; [`SearchError::FacetsAsOf`];
    /// [`SearchError::NoCoverage`].
    pub fn check(&self) -> Result<(), SearchError> {
        if self.cursor.is_some_and(|cursor| !cursor.is_of(self)) {
            return Err(SearchError::OtherCursor);
        }
        if self.facets && self.as_of.is_some() {
            return Err(SearchError::FacetsAsOf);
        }
        if !(0.0..=1.0).contains(&self.coverage_min) {
            return Err(SearchError::NoShare { name: "min_coverage", value: self.coverage_min });
        }
        let has_coverage = self.ranking == Ranking::Blend && self.sort == Order::Relevance && self.like.is_none();
        if self.coverage_min > 0.0 && !has_coverage {
            return Err(SearchError::NoCoverage);
        }
        let figures = [
            ("pages", self.pages, Self::PAGES_MAX),
            ("blocks_per_page", self.blocks_per_page, Self::BLOCKS_PER_PAGE_MAX),
            ("snippet_chars", self.snippet_chars, Self::SNIPPET_CHARS_MAX),
        ];
        let wrong = figures.into_iter().find(|(_, value, max)| !(1..=*max).contains(value));
        let offset = ("offset", self.offset, Self::OFFSET_MAX);
        match wrong.or_else(|| Some(offset).filter(|(_, value, max)| value > max)) {
            Some((name, value, max)) => {
                Err(SearchError::OutOfRange { name, value, min: usize::from(name != "offset"), max })
            }
            None => Ok(()),
        }
    }
}

impl Default for SearchRequest {
    fn default() -> Self {
        Self {
            query: String::new(),
            like: None,
            as_of: None,
            pages: 10,
            offset: 0,
            cursor: None,
            blocks_per_page: 3,
            snippet_chars: 240,
            ranking: Ranking::default(),
            documents: Documents::default(),
            sort: Order::default(),
            collapse: Collapse::default(),
            coverage_min: 0.0,
            facets: false,
            prune: None,
            explain: false,
        }
    }
}

/// Why a search gives no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// A figure of the request is out of its range.
    #[error("{name} is {value}; it must be from {min} to {max}")]
    OutOfRange {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: usize,
        /// The lowest allowed.
        min: usize,
        /// The highest allowed.
        max: usize,
    },
    /// A share of the request is none.
    #[error("{name} is {value}; it must be from 0 to 1")]
    NoShare {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f32,
    },
    /// The cursor is of another search.
    #[error(
        "the cursor is of another search: the query, `like`, `as_of`, `ranking`, `documents`, `sort` and `collapse` must be the same"
    )]
    OtherCursor,
    /// Facets count what matches at any time.
    #[error("facets are not counted as of a time: leave `facets` or `as_of` out")]
    FacetsAsOf,
    /// How far an answer is to be trusted is known of the blend's alone, best first.
    #[error(
        "a least coverage needs `ranking` blend, `sort` relevance and no `like`, of which alone coverage is known: leave it or these out"
    )]
    NoCoverage,
    /// The whole answer was wanted, and the search's time or work was spent before its end.
    #[error("the search was cut short before its end: ask for less, for instance by `site:` or `date:`")]
    CutShort,
    /// There is no block to search more like.
    #[error("there is no block `{block_id}`")]
    UnknownBlock {
        /// Its name.
        block_id: String,
    },
    /// The collection cannot be read.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// The query cannot be understood.
    #[error("cannot understand the query: {0}")]
    Query(#[from] QueryError),
    /// The query can be understood in another way than it is written, and the pages are wanted that match it to the letter.
    #[error("this needs a query that means what it says: {note}")]
    NotToTheLetter {
        /// What is in doubt.
        note: QueryNote,
    },
    /// The index cannot be read.
    #[error(transparent)]
    Index(lopper_index::SearchError),
}

impl From<lopper_index::SearchError> for SearchError {
    fn from(error: lopper_index::SearchError) -> Self {
        match error {
            lopper_index::SearchError::Query(error) => Self::Query(error),
            other => Self::Index(other),
        }
    }
}
