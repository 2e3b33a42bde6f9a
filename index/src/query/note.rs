//! What is told of how a query was understood.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::shortened;
use super::{PREFIX_TERMS_MAX, QUERY_BYTES_MAX, QUERY_PHRASE_WORDS_MAX, QUERY_SLOP_MAX, QUERY_TERMS_MAX};

/// What a searcher tells about how it understood a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum QueryNote {
    /// The text holds no word, only spaces and punctuation, so nothing is found.
    NoWords,
    /// No block has the quoted words in a row; they were searched for one by one.
    NotInARow,
    /// The text is longer than [`QUERY_BYTES_MAX`]; its end was ignored.
    TextCut {
        /// Bytes ignored.
        ignored_bytes: usize,
    },
    /// There are more than [`QUERY_TERMS_MAX`] different words; later ones were ignored.
    WordsIgnored {
        /// How many, counting repeated ones.
        count: usize,
    },
    /// A quote is never closed; the words behind it count as words.
    UnclosedQuote {
        /// Where it stands, in bytes of the query's text.
        position_bytes: usize,
    },
    /// A parenthesis is never closed or was never opened, in a query of words alone; it was ignored.
    LoneParenthesis {
        /// Where it stands, in bytes of the query's text.
        position_bytes: usize,
    },
    /// `AND`, `OR` or `NOT` has nothing to work on and was taken as a word.
    OperatorAsWord {
        /// Where it stands, in bytes of the query's text.
        position_bytes: usize,
    },
    /// `AND`, `OR` or `NOT` stands in a sentence that is all in capitals, and was taken as a word.
    ShoutedOperator {
        /// Where it stands, in bytes of the query's text.
        position_bytes: usize,
    },
    /// The slop of a phrase is more than [`QUERY_SLOP_MAX`], which was taken instead.
    SlopCut {
        /// Where the phrase stands, in bytes of the query's text.
        position_bytes: usize,
    },
    /// A phrase has more words than [`QUERY_PHRASE_WORDS_MAX`]; those behind need not stand in a row.
    PhraseCut {
        /// Where the phrase stands, in bytes of the query's text.
        position_bytes: usize,
        /// Words behind.
        left_out: usize,
    },
    /// More terms begin with a prefix than [`PREFIX_TERMS_MAX`]; the most frequent ones were taken.
    PrefixCut {
        /// Where it stands, in bytes of the query's text.
        position_bytes: usize,
        /// The prefix.
        prefix: String,
        /// Terms that were left out.
        left_out: usize,
    },
    /// The engine cannot look terms up by pattern: words that begin so stand for themselves, and no spelling is mended.
    NoPatterns {
        /// The words.
        words: Vec<String>,
    },
    /// Nothing in the index has what a filter asks for.
    NothingHas {
        /// Where the value stands, in bytes of the query's text.
        position_bytes: usize,
        /// The filter with its value.
        filter: String,
    },
    /// A word is excluded that some blocks have with the hyphen, as the option of a command.
    Excluded {
        /// Where it stands, in bytes of the query's text.
        position_bytes: usize,
        /// The word, without the hyphen.
        word: String,
    },
    /// A word behind a hyphen was searched for as the option of the word that the query begins with, since some block has both.
    Option {
        /// Where it stands, in bytes of the query's text.
        position_bytes: usize,
        /// The word, without the hyphen.
        word: String,
    },
    /// Words that nothing in the index has, in any form, nor another of almost the same spelling: what is found answers the others.
    AbsentWords {
        /// The first ten of them, as they were written.
        words: Vec<String>,
    },
    /// Pages match that have no time, and what is asked for stood at one.
    UndatedLeftOut {
        /// How many of those that were looked at.
        pages: u64,
    },
    /// A word is not in the index, or hardly, and another of almost the same spelling is.
    Correction(Correction),
}

/// Another spelling of a word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// Where the word stands, in bytes of the query's text.
    pub position_bytes: usize,
    /// The word as it stands there.
    pub given: String,
    /// A word that stands in the collection.
    pub suggested: String,
    /// Whether it was searched for instead; else it is a question to the user.
    pub applied: bool,
}

impl fmt::Display for QueryNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInARow => f.write_str("no block has the quoted words in a row; searched for them one by one"),
            Self::NoWords => f.write_str(
                "the query has no word to search for, only spaces, signs or overlong words; nothing can be found",
            ),
            Self::TextCut { ignored_bytes } => {
                write!(f, "the query is longer than {QUERY_BYTES_MAX} bytes; its last {ignored_bytes} were ignored")
            }
            Self::WordsIgnored { count } => {
                write!(f, "the query has more than {QUERY_TERMS_MAX} different words; {count} were ignored")
            }
            Self::UnclosedQuote { .. } => f.write_str("a quote is not closed; what follows was taken as single words"),
            Self::LoneParenthesis { .. } => f.write_str("a parenthesis has no other end; it was ignored"),
            Self::OperatorAsWord { .. } => {
                f.write_str("AND, OR and NOT need something to work on; one without was taken as a word")
            }
            Self::ShoutedOperator { .. } => f.write_str(
                "in a sentence of capitals AND, OR and NOT are words; write the others in small letters to use them",
            ),
            Self::SlopCut { .. } => write!(f, "words of a phrase may be at most {QUERY_SLOP_MAX} apart"),
            Self::PhraseCut { left_out, .. } => write!(
                f,
                "only the first {QUERY_PHRASE_WORDS_MAX} words of a phrase must stand in a row; {left_out} more were taken one by one"
            ),
            Self::PrefixCut { prefix, left_out, .. } => write!(
                f,
                "more than {PREFIX_TERMS_MAX} words begin with “{}”; {left_out} rarer ones were left out",
                shortened(prefix)
            ),
            Self::NoPatterns { words } => {
                let words: Vec<String> = words.iter().map(|word| format!("“{}”", shortened(word))).collect();
                write!(
                    f,
                    "the engine cannot look words up by their beginnings or spellings: {} was taken as it is",
                    words.join(", ")
                )
            }
            Self::NothingHas { filter, .. } => write!(f, "nothing in the index has {}", shortened(filter)),
            Self::Excluded { word, .. } => {
                let word = shortened(word);
                write!(f, "what has “{word}” is left out; to look for the option, put it in quotes: \"-{word}\"")
            }
            Self::Option { word, .. } => {
                let word = shortened(word);
                write!(f, "“-{word}” was searched for as an option; to leave out what has the word: NOT {word}")
            }
            Self::AbsentWords { words } => {
                let words: Vec<String> = words.iter().map(|word| format!("“{}”", shortened(word))).collect();
                write!(f, "nothing in the index has {}", words.join(", "))
            }
            Self::UndatedLeftOut { pages: 1 } => f.write_str("1 page that matches has no date and is left out"),
            Self::UndatedLeftOut { pages } => write!(f, "{pages} pages that match have no date and are left out"),
            Self::Correction(correction) => correction.fmt(f),
        }
    }
}

impl fmt::Display for Correction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { given, suggested, applied, .. } = self;
        match applied {
            true => write!(
                f,
                "nothing has “{given}”; searched for “{suggested}” instead (put it in quotes to keep the spelling)"
            ),
            false => write!(f, "did you mean “{suggested}” instead of “{given}”?"),
        }
    }
}
