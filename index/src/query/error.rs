//! What is wrong with a query's text, and where.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{PAGE_TYPES, QUERY_DEPTH_MAX, QUERY_PARTS_MAX};

/// A query that cannot be understood. No index is asked for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryError {
    /// Where the trouble begins, in bytes of the query's text; on a character border.
    pub position_bytes: usize,
    /// What it is.
    #[serde(flatten)]
    pub kind: QueryErrorKind,
}

/// The ways in which a query cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum QueryErrorKind {
    /// A parenthesis of a query with operators or fields is not closed.
    UnclosedParenthesis,
    /// A parenthesis of a query with operators or fields was not opened.
    UnopenedParenthesis,
    /// Parentheses are nested deeper than [`QUERY_DEPTH_MAX`].
    TooDeep,
    /// There are more phrases, prefixes and filters than [`QUERY_PARTS_MAX`].
    TooManyParts,
    /// The value of `date:` is neither a date nor a range of dates.
    BadDate {
        /// The value.
        value: String,
    },
    /// The range of `date:` ends before it begins.
    ReversedDates {
        /// The value.
        value: String,
    },
    /// The value of `lang:` is no language code.
    BadLanguage {
        /// The value.
        value: String,
    },
    /// The value of `site:` has no host.
    BadSite {
        /// The value.
        value: String,
    },
    /// The value of `type:` is no type of page.
    BadType {
        /// The value.
        value: String,
    },
}

impl QueryError {
    pub(super) fn at(position_bytes: usize, kind: QueryErrorKind) -> Self {
        Self { position_bytes, kind }
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {} of the query)", self.kind, self.position_bytes)
    }
}

impl fmt::Display for QueryErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnclosedParenthesis => {
                f.write_str("the parenthesis is not closed; add a `)`, or put it in quotes to search for the words")
            }
            Self::UnopenedParenthesis => f.write_str("the parenthesis closes none; remove it, or add a `(` before"),
            Self::TooDeep => write!(f, "parentheses are nested more than {QUERY_DEPTH_MAX} deep; write it flatter"),
            Self::TooManyParts => {
                write!(
                    f,
                    "there are more than {QUERY_PARTS_MAX} phrases, prefixes and filters; ask for fewer at a time"
                )
            }
            Self::BadDate { value } => write!(
                f,
                "`{}` is no date; write date:2008, date:2008-05, date:2008-05-17, date:2008..2010 or date:2008..",
                shortened(value)
            ),
            Self::ReversedDates { value } => {
                write!(f, "the dates `{}` end before they begin; write the earlier one first", shortened(value))
            }
            Self::BadLanguage { value } => {
                write!(f, "`{}` is no language code; write lang:en, lang:de or the like", shortened(value))
            }
            Self::BadSite { value } => {
                write!(f, "`{}` names no host; write site:example.org or site:example.org/path", shortened(value))
            }
            Self::BadType { value } => {
                let types = PAGE_TYPES.join(", ");
                write!(f, "`{}` is no type of page; the types are {types}; quotes ask for the words", shortened(value))
            }
        }
    }
}

impl std::error::Error for QueryError {}

/// The beginning of a value, for a message.
pub(super) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
