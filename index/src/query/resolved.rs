//! A query as engines are asked it: finished terms in clauses, and the words that rank. Nothing in it belongs to one engine.

use serde::{Deserialize, Serialize};

use super::question::OPENING_WEIGHT;
use lopper_analysis::{Language, TermForm};

/// What is asked of an engine. It is made from a query's text by [`parse_query`](crate::parse_query) and the words that the engine
/// knows; it can be stored, sent, and compared.
///
/// A block matches where it meets `constraint`, and, if `needs_word`, holds one of `words` besides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResolvedQuery {
    /// What a block must meet, whatever its score.
    pub constraint: Option<Clause>,
    /// Whether a block must besides have one of `words`; so it is in a query of plain words.
    pub needs_word: bool,
    /// The words by which blocks are ranked. None where the query only lists, excludes or finds nothing.
    pub words: Vec<ResolvedWord>,
    /// Whether it asks what something is: `what is a mutex`.
    pub asks_definition: bool,
    /// Name of a block that is left out.
    pub without: Option<String>,
}

impl ResolvedQuery {
    /// Whether blocks are not ranked but listed.
    pub fn is_listing(&self) -> bool {
        self.words.is_empty()
    }

    /// Number of words of the user's, and of names that are made of them; the parts that a word is made of do not count, nor the words
    /// that a question begins with. Pairs of characters that lie across two words count what they weigh.
    pub fn own_words(&self) -> usize {
        let own = self.words.iter().filter(|word| !word.is_of_opening && !word.is_part());
        own.map(|word| word.weight).sum::<f32>().round() as usize
    }

    /// Lets words that only ask in queries of this language count as those that a question begins with.
    pub(crate) fn weigh_as_asked_in(&mut self, language: Language) {
        for word in self.words.iter_mut().filter(|word| word.asks_in.contains(&language)) {
            word.weight *= OPENING_WEIGHT;
            word.is_of_opening = true;
        }
    }

    /// What it is, as far as weights depend on it.
    pub fn shape(&self) -> QueryShape {
        QueryShape { words: self.own_words(), asks_definition: self.asks_definition }
    }
}

/// What a query is, as far as weights depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueryShape {
    /// Words of the user's own, without those that a question begins with.
    pub words: usize,
    /// Whether it asks what something is: `what is a mutex`.
    pub asks_definition: bool,
}

impl QueryShape {
    /// Words that ask for no definition.
    pub fn of(words: usize) -> Self {
        Self { words, asks_definition: false }
    }
}

/// A word of a query with all terms that it is looked up by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResolvedWord {
    /// The word as the user wrote it, or as it was corrected; of a prefix, the prefix.
    pub surface: String,
    /// The terms it may stand as, the plain one first.
    pub forms: Vec<TermForm>,
    /// What it counts in the ranking; 1 for a word of the user's, less for those that a question begins with, and for pairs of
    /// characters that lie across two words.
    pub weight: f32,
    /// Whether a question begins or ends with it, or asks by it.
    #[serde(default)]
    pub is_of_opening: bool,
    /// The languages in whose queries it only asks, as the first word alone does: `comment imprimer`. In others it is a word like others.
    #[serde(default)]
    pub asks_in: Vec<Language>,
    /// Where it is looked for.
    pub field: TextField,
}

impl ResolvedWord {
    /// Most that a form counts.
    pub fn factor_max(&self) -> f32 {
        self.forms.iter().map(|form| form.factor).fold(0.0, f32::max)
    }

    /// Whether it is a part of a word of the query, as `csv` is of `read_csv`: it stands as a word, and counts less than one.
    fn is_part(&self) -> bool {
        self.forms.first().is_some_and(|form| form.factor < 1.0 && !form.is_further())
    }
}

/// A searched text of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextField {
    /// Title, heading path, image text, lead and body together.
    #[default]
    All,
    /// The title of the page.
    Title,
    /// The headings above the block.
    Headings,
    /// The words of host and path, unstemmed.
    Url,
}

/// What a block must meet. Every part tells only whether it does; it scores nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Clause {
    /// Clauses together. It matches where all of `must`, none of `must_not`, and, if there are any, one of `should` match.
    Bool {
        /// All of these.
        #[serde(default)]
        must: Vec<Clause>,
        /// At least one of these, where there are any.
        #[serde(default)]
        should: Vec<Clause>,
        /// None of these.
        #[serde(default)]
        must_not: Vec<Clause>,
    },
    /// One of the forms of one of these words, in the word's field.
    AnyWord(Vec<ResolvedWord>),
    /// One of these rows of terms.
    Phrase(Phrase),
    /// What says nothing of the text.
    Filter(Filter),
}

/// Terms in a row, or near it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phrase {
    /// Where they stand.
    pub field: TextField,
    /// The rows; one of them is enough, and without any nothing matches.
    pub sequences: Vec<TermSequence>,
    /// By how much the greatest and the least move of a term from its place may differ; 0 for terms in their places.
    pub slop: u32,
}

/// The terms of a phrase in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermSequence {
    /// Each with its place, from 0.
    pub terms: Vec<(usize, String)>,
    /// Languages that blocks must be of; none for all.
    pub languages: Vec<Language>,
}

/// A restriction by what is known of a block's page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Filter {
    /// The host, or a domain above it, in lower case.
    Site(String),
    /// `http` and `https` URLs of a host, with or without `www.` and a port, whose path is this or goes on behind it.
    UrlUnder {
        /// The host in lower case.
        host: String,
        /// The path; it begins with a slash.
        path: String,
    },
    /// The page's language.
    Language(Language),
    /// The page's type, one of [`PAGE_TYPES`](crate::PAGE_TYPES).
    PageType(String),
    /// The time of the capture in seconds since 1970, both ends included; blocks without one are in no range.
    Captured {
        /// The first second.
        from: Option<i64>,
        /// The last second.
        to: Option<i64>,
    },
    /// What no block can meet.
    Nothing,
}

impl Clause {
    /// All of some clauses.
    pub fn all(must: Vec<Self>) -> Self {
        Self::Bool { must, should: Vec::new(), must_not: Vec::new() }
    }

    /// Any of some clauses, of which there is at least one.
    pub fn any(should: Vec<Self>) -> Self {
        debug_assert!(!should.is_empty());
        Self::Bool { must: Vec::new(), should, must_not: Vec::new() }
    }
}
