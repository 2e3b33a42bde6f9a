//! What is asked for, and what can be wrong with it.

use lopper_index::QueryError;
use serde::Deserialize;

use crate::ingest::CollectionError;

/// A search. A text without words finds nothing.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchRequest {
    /// What is searched for, in the query language: words, and parts in quotes, with signs, operators and fields.
    pub query: String,
    /// Pages wanted, at most [`SearchRequest::PAGES_MAX`]. Default 10.
    pub pages: usize,
    /// Blocks shown of a page, at most [`SearchRequest::BLOCKS_PER_PAGE_MAX`]. Default 3.
    pub blocks_per_page: usize,
    /// Characters of a snippet, at most [`SearchRequest::SNIPPET_CHARS_MAX`]. Default 240.
    pub snippet_chars: usize,
}

impl SearchRequest {
    /// Most pages of one answer.
    pub const PAGES_MAX: usize = 1000;
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
    /// [`SearchError::OutOfRange`] names the figure and its range.
    pub fn check(&self) -> Result<(), SearchError> {
        let figures = [
            ("pages", self.pages, Self::PAGES_MAX),
            ("blocks_per_page", self.blocks_per_page, Self::BLOCKS_PER_PAGE_MAX),
            ("snippet_chars", self.snippet_chars, Self::SNIPPET_CHARS_MAX),
        ];
        match figures.into_iter().find(|(_, value, max)| !(1..=*max).contains(value)) {
            Some((name, value, max)) => Err(SearchError::OutOfRange { name, value, max }),
            None => Ok(()),
        }
    }
}

impl Default for SearchRequest {
    fn default() -> Self {
        Self { query: String::new(), pages: 10, blocks_per_page: 3, snippet_chars: 240 }
    }
}

/// Why a search gives no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// A figure of the request is out of its range.
    #[error("{name} is {value}; it must be from 1 to {max}")]
    OutOfRange {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: usize,
        /// The highest allowed.
        max: usize,
    },
    /// The collection cannot be read.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// The query cannot be understood.
    #[error("cannot understand the query: {0}")]
    Query(#[from] QueryError),
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
