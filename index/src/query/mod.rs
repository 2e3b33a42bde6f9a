//! The query language: text to a tree of parts ([`parse`]), the tree to what engines are asked ([`resolve`]).
//!
//! A bare word *should* match: any may, and more and rarer ones rank higher. What is written with an operator, a sign, quotes or a
//! field *must* match, or *must not*. Filters (`site:`, `lang:`, `inurl:`, `date:`, `type:`) must match, but say nothing of the text,
//! so where only they must, one of the words that should match must do so all the same.

mod asking;
mod ast;
mod beside;
mod complete;
mod compound;
mod date;
mod definition;
mod error;
mod filter;
mod joined;
#[cfg(test)]
mod laws;
mod leaves;
mod lexer;
#[cfg(test)]
mod meaning;
mod meant;
mod note;
mod options;
mod pairs;
mod parse;
mod parted;
mod question;
mod resolve;
mod resolved;
mod site;
mod spelling;
mod vocabulary;
mod words;

use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use ast::{Field as QueryField, Node as QueryNode, Place as QueryPlace};
pub(crate) use complete::words_beginning_with;
pub use date::{last_second_of, year_of};
pub use error::{QueryError, QueryErrorKind};
pub use note::{Correction, QueryNote};
pub(crate) use parse::parse;
pub use parse::{ParsedQuery, parse as parse_query};
pub(crate) use question::OPENING_WEIGHT;
pub(crate) use resolve::resolve;
pub use resolved::{Clause, Filter, Phrase, QueryShape, ResolvedQuery, ResolvedWord, TermSequence, TextField};
pub use site::host_and_parents;

/// Bytes of a query's text that are read; the rest is ignored and reported.
pub const QUERY_BYTES_MAX: usize = 10_000;

/// Different words of a query that are searched for; the rest are ignored and reported.
pub const QUERY_TERMS_MAX: usize = 256;

/// How deep parentheses may be nested.
pub const QUERY_DEPTH_MAX: usize = 64;

/// Phrases, prefixes and values of filters in one query: each may look through much of the index.
pub const QUERY_PARTS_MAX: usize = 64;

/// The most that the words of a phrase may be moved: less than the gap between the parts of a block.
pub const QUERY_SLOP_MAX: u32 = 50;

/// Words of a phrase that must stand in a row; those behind only rank.
pub const QUERY_PHRASE_WORDS_MAX: usize = 50;

/// Terms of the index that one prefix stands for.
pub const PREFIX_TERMS_MAX: usize = 50;

/// The values of `type:`.
pub const PAGE_TYPES: [&str; 7] = ["article", "forum", "product", "collection", "listing", "documentation", "service"];

/// What to search for.
///
/// `text` is in the query language: any of its words may match, more and rarer ones rank higher; parts in double quotes, with
/// signs, operators and fields are demands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BlockQuery {
    /// The user's words.
    pub text: String,
    /// Blocks wanted; 0 gives the total only.
    pub limit: usize,
    /// Blocks of the ranking to skip.
    pub offset: usize,
    /// How blocks are ranked.
    pub ranking: Ranking,
    /// Whether quoted words are searched one by one where no block has them in a row.
    pub apart: bool,
    /// Blocks, at least, that the ranking's head is made of; see [`Ranked::head`](crate::Ranked::head). Answers of one depth
    /// are parts of one ranking, whatever `limit` and `offset`. 0 takes `offset + limit`.
    pub depth: usize,
    /// What comes first.
    pub order: Order,
    /// Name of a block that is left out.
    pub without: Option<String>,
}

/// What comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// What ranks highest.
    #[default]
    Relevance,
    /// What was captured last; what has no date comes last. Blocks of a page go by BM25.
    Date,
}

/// How blocks are ranked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ranking {
    /// The paper's: cosine of the TF-IDF vectors of query and block, eq. (1).
    Cosine,
    /// BM25 (k1 1.2, b 0.75) over title, heading path, lead, body and image text joined.
    Bm25,
    /// All that is known: see [`RankingWeights`](crate::RankingWeights).
    #[default]
    Blend,
}

impl Ranking {
    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cosine => "cosine",
            Self::Bm25 => "bm25",
            Self::Blend => "blend",
        }
    }
}

impl Order {
    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Date => "date",
        }
    }
}

impl FromStr for Ranking {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = [Self::Cosine, Self::Bm25, Self::Blend].into_iter().find(|ranking| ranking.name() == name);
        known.ok_or_else(|| format!("no ranking is called `{name}`: use `cosine`, `bm25` or `blend`"))
    }
}

impl FromStr for Order {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = [Self::Relevance, Self::Date].into_iter().find(|order| order.name() == name);
        known.ok_or_else(|| format!("no order is called `{name}`: use `relevance` or `date`"))
    }
}

impl BlockQuery {
    /// A query for the first `limit` blocks.
    pub fn new(text: impl Into<String>, limit: usize) -> Self {
        Self { text: text.into(), limit, ..Self::default() }
    }
}
