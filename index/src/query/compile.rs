//! From a query's tree to the engine's queries.

use std::collections::{HashMap, HashSet};

use lopper_analysis::{Analyzer, Language};
use tantivy::TantivyError;
use tantivy::query::{BooleanQuery, ConstScoreQuery, EmptyQuery, Occur, Query};
use tantivy::schema::Field as IndexField;

use super::ast::{Field, Node};
use super::filter::{language, value};
use super::note::QueryNote;
use super::parse::ParsedQuery;
use super::steady::SteadyQuery;
use super::vocabulary::Vocabulary;
use super::words::{ScoringWord, WordQueries};
use crate::highlight::QueryTerms;
use crate::lexicon::Lexicon;
use crate::schema::Fields;

/// A query ready for the engine.
#[derive(Default)]
pub(crate) struct CompiledQuery {
    /// What a block must meet, whatever its score. The engine gives it the score 0.
    pub(crate) constraint: Option<Box<dyn Query>>,
    /// Whether a block must besides have one of the words in `scoring`; so it is in a query of plain words.
    pub(crate) needs_word: bool,
    /// The words by which blocks are ranked. None where the query only lists, excludes or finds nothing.
    pub(crate) scoring: Vec<ScoringWord>,
    /// The words to highlight.
    pub(crate) terms: QueryTerms,
    pub(crate) notes: Vec<QueryNote>,
}

impl CompiledQuery {
    /// Whether blocks are not ranked but listed.
    pub(crate) fn is_listing(&self) -> bool {
        self.scoring.is_empty()
    }
}

/// Compiles queries against one state of the index.
pub(crate) struct QueryCompiler<'a> {
    pub(crate) lexicon: &'a Lexicon<'a>,
    pub(crate) fields: &'a Fields,
    /// Languages to try every word in.
    pub(crate) languages: &'a [Language],
    pub(crate) analyzer: &'a mut Analyzer,
}

impl QueryCompiler<'_> {
    pub(crate) fn compile(&mut self, parsed: ParsedQuery) -> Result<CompiledQuery, TantivyError> {
        let ParsedQuery { root, notes } = parsed;
        let languages = languages_of(root.as_ref(), self.languages);
        let words = WordQueries {
            lexicon: self.lexicon,
            language: self.fields.language,
            languages: &languages,
            analyzer: self.analyzer,
        };
        let vocabulary = Vocabulary::new(self.lexicon.searcher, self.fields);
        let mut compilation = Compilation {
            fields: self.fields,
            words,
            vocabulary,
            compiled: CompiledQuery { notes, ..CompiledQuery::default() },
            known: HashMap::new(),
            scored: HashSet::new(),
            met: HashSet::new(),
            ignored: 0,
            lookups: 0,
            families: 0,
        };
        let is_empty = match root {
            Some(root) => !compilation.root(&root)?,
            None => true,
        };
        Ok(compilation.finish(is_empty))
    }

    /// The one query of today's ranking: the constraint, and any of the words in the joined field by its score.
    pub(crate) fn single_query(&mut self, compiled: &CompiledQuery) -> Result<Option<Box<dyn Query>>, TantivyError> {
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for word in &compiled.scoring {
            if let Some(query) = self.word_query(word)? {
                clauses.push((Occur::Should, query));
            }
        }
        if compiled.needs_word && clauses.is_empty() {
            return Ok(None);
        }
        let Some(constraint) = &compiled.constraint else {
            return Ok((!clauses.is_empty()).then(|| Box::new(BooleanQuery::new(clauses)) as Box<dyn Query>));
        };
        let constraint = (Occur::Must, constraint.box_clone());
        if compiled.needs_word {
            let any_word: Box<dyn Query> = Box::new(BooleanQuery::new(clauses));
            return Ok(Some(Box::new(BooleanQuery::new(vec![constraint, (Occur::Must, any_word)]))));
        }
        clauses.push(constraint);
        Ok(Some(Box::new(BooleanQuery::new(clauses))))
    }

    /// Blocks with a word that ranks, by its score in its field.
    pub(crate) fn word_query(&mut self, word: &ScoringWord) -> Result<Option<Box<dyn Query>>, TantivyError> {
        let words = WordQueries {
            lexicon: self.lexicon,
            language: self.fields.language,
            languages: self.languages,
            analyzer: self.analyzer,
        };
        words.any_form(word.field.unwrap_or(self.fields.all), &word.forms)
    }
}

/// The languages to try words in: those of the index with most blocks, and those the query asks for.
fn languages_of(root: Option<&Node>, most: &[Language]) -> Vec<Language> {
    let mut languages = most.to_vec();
    let mut open: Vec<(&Node, bool)> = root.map(|root| (root, false)).into_iter().collect();
    while let Some((node, is_language)) = open.pop() {
        match node {
            Node::Word { .. } | Node::Phrase { .. } if is_language => {
                languages.extend(language(&value(node).0).filter(Language::has_stemmer));
            }
            Node::Word { .. } | Node::Phrase { .. } | Node::Not(_) => {}
            Node::Require(part) => open.push((part, is_language)),
            Node::Field(field, part) => open.push((part, *field == Field::Language)),
            Node::And(parts) | Node::Or(parts) | Node::List(parts) => {
                open.extend(parts.iter().map(|part| (part, is_language)));
            }
        }
    }
    let mut seen = HashSet::new();
    languages.retain(|language| seen.insert(*language));
    languages.truncate(most.len() + QUERY_LANGUAGES_ADDED_MAX);
    languages
}

/// Languages that a query adds to those every word is tried in.
const QUERY_LANGUAGES_ADDED_MAX: usize = 8;

/// How a part takes part in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// May match.
    Wish,
    /// Must match.
    Demand,
    /// Must not match.
    Exclusion,
}

/// What a part matches.
pub(super) enum Matching {
    /// Blocks with any of these words.
    AnyOf(Vec<ScoringWord>),
    Query(Box<dyn Query>),
}

pub(super) struct Part {
    pub(super) matching: Matching,
    pub(super) role: Role,
    /// Whether it asks for something in the text, so that what matches it is an answer without any other word.
    pub(super) is_textual: bool,
}

/// Where a part stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within {
    /// The field asked for.
    pub(super) field: Option<Field>,
    /// Whether an operator, sign or field works on it: it is a demand then, and several words in it stand in a row.
    pub(super) demanded: bool,
    /// Whether its words count in the ranking; not within an exclusion.
    pub(super) scored: bool,
}

/// The state of one compilation.
pub(super) struct Compilation<'a> {
    pub(super) fields: &'a Fields,
    pub(super) words: WordQueries<'a>,
    pub(super) vocabulary: Vocabulary<'a>,
    pub(super) compiled: CompiledQuery,
    /// Words already looked up.
    pub(super) known: HashMap<(IndexField, String), ScoringWord>,
    /// Words already counting in the ranking, in lower case.
    pub(super) scored: HashSet<(IndexField, String)>,
    /// Different words met, up to [`QUERY_TERMS_MAX`].
    pub(super) met: HashSet<String>,
    pub(super) ignored: usize,
    /// Words whose spelling was looked into.
    pub(super) lookups: usize,
    /// Prefixes whose stems were looked for.
    pub(super) families: usize,
}

impl Compilation<'_> {
    /// Compiles the whole tree; tells whether there is anything to match.
    fn root(&mut self, root: &Node) -> Result<bool, TantivyError> {
        let within = Within { field: None, demanded: false, scored: true };
        let parts = match root {
            Node::List(parts) => parts.as_slice(),
            part => std::slice::from_ref(part),
        };
        let mut compiled = Vec::with_capacity(parts.len());
        let mut has_other_words = false;
        for part in parts {
            let words_before = self.compiled.scoring.len();
            if let Some(part) = self.part(part, within)? {
                has_other_words |= part.role != Role::Wish && self.compiled.scoring.len() > words_before;
                compiled.push(part);
            }
        }
        let is_textual = compiled.iter().any(Part::is_textual_demand);
        let (wishes, demands): (Vec<Part>, Vec<Part>) = compiled.into_iter().partition(|part| part.role == Role::Wish);
        let is_empty = wishes.is_empty() && demands.is_empty();
        let needs_wish = !wishes.is_empty() && !is_textual;
        self.compiled.needs_word = needs_wish && !has_other_words;
        let constraint = if needs_wish && has_other_words {
            self.list_query(wishes.into_iter().chain(demands).collect())?
        } else {
            self.list_query(demands)?
        };
        self.compiled.constraint = constraint.map(|query| Box::new(ConstScoreQuery::new(query, 0.0)) as Box<dyn Query>);
        Ok(!is_empty)
    }

    fn finish(mut self, is_empty: bool) -> CompiledQuery {
        if is_empty && self.ignored == 0 {
            self.compiled.notes.push(QueryNote::NoWords);
        }
        if self.ignored > 0 {
            self.compiled.notes.push(QueryNote::WordsIgnored { count: self.ignored });
        }
        self.compiled
    }

    /// Nothing for a part without words.
    fn part(&mut self, node: &Node, within: Within) -> Result<Option<Part>, TantivyError> {
        let demanded = Within { demanded: true, ..within };
        match node {
            Node::Word { .. } | Node::Phrase { .. } => self.leaf(node, within),
            Node::Require(part) => Ok(self.part(part, demanded)?.map(Part::demanded)),
            Node::Not(part) => Ok(self.part(part, Within { scored: false, ..demanded })?.map(Part::negated)),
            Node::Field(field, part) => {
                Ok(self.part(part, Within { field: Some(*field), ..demanded })?.map(Part::demanded))
            }
            Node::And(parts) => self.and(parts, demanded),
            Node::Or(parts) => self.or(parts, demanded),
            Node::List(parts) => self.list(parts, Within { demanded: false, ..within }),
        }
    }

    fn parts(&mut self, nodes: &[Node], within: Within) -> Result<Vec<Part>, TantivyError> {
        let mut parts = Vec::with_capacity(nodes.len());
        for node in nodes {
            parts.extend(self.part(node, within)?);
        }
        Ok(parts)
    }

    fn and(&mut self, nodes: &[Node], within: Within) -> Result<Option<Part>, TantivyError> {
        let parts: Vec<Part> = self.parts(nodes, within)?.into_iter().map(Part::demanded).collect();
        let is_textual = parts.iter().any(Part::is_textual_demand);
        let query = self.list_query(parts)?;
        Ok(query.map(|query| Part { matching: Matching::Query(query), role: Role::Demand, is_textual }))
    }

    fn or(&mut self, nodes: &[Node], within: Within) -> Result<Option<Part>, TantivyError> {
        let parts = self.parts(nodes, within)?;
        if parts.is_empty() {
            return Ok(None);
        }
        let is_textual = parts.iter().all(|part| part.is_textual && part.role != Role::Exclusion);
        let mut queries = Vec::with_capacity(parts.len());
        for part in parts {
            let query = match part.role {
                Role::Exclusion => self.list_query(vec![part])?,
                Role::Wish | Role::Demand => Some(self.query_of(part.matching)?),
            };
            queries.extend(query);
        }
        let query: Box<dyn Query> = Box::new(BooleanQuery::union(queries));
        Ok(Some(Part { matching: Matching::Query(query), role: Role::Demand, is_textual }))
    }

    fn list(&mut self, nodes: &[Node], within: Within) -> Result<Option<Part>, TantivyError> {
        let parts = self.parts(nodes, within)?;
        if parts.is_empty() {
            return Ok(None);
        }
        // The wishes of one list all ask for texts, or none does.
        let is_textual = parts.iter().any(|part| part.is_textual && part.role != Role::Exclusion);
        let only_wishes = parts.iter().all(|part| part.role == Role::Wish);
        if only_wishes && parts.iter().all(|part| matches!(part.matching, Matching::AnyOf(_))) {
            let words = parts.into_iter().flat_map(|part| match part.matching {
                Matching::AnyOf(words) => words,
                Matching::Query(_) => Vec::new(),
            });
            return Ok(Some(Part { matching: Matching::AnyOf(words.collect()), role: Role::Wish, is_textual }));
        }
        let role = if only_wishes { Role::Wish } else { Role::Demand };
        let query = self.list_query(parts)?;
        Ok(query.map(|query| Part { matching: Matching::Query(query), role, is_textual }))
    }

    /// What a list of parts matches: all demands, no exclusion, and one of the wishes unless a demand asks for something in the
    /// text.
    fn list_query(&mut self, parts: Vec<Part>) -> Result<Option<Box<dyn Query>>, TantivyError> {
        let needs_wish = !parts.iter().any(Part::is_textual_demand);
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        let mut wishes = Vec::new();
        for part in parts {
            match part.role {
                Role::Wish if needs_wish => wishes.push(self.query_of(part.matching)?),
                Role::Wish => {}
                Role::Demand => clauses.push((Occur::Must, self.query_of(part.matching)?)),
                Role::Exclusion => {
                    let excluded = SteadyQuery(self.query_of(part.matching)?);
                    clauses.push((Occur::MustNot, Box::new(excluded)));
                }
            }
        }
        if !wishes.is_empty() {
            clauses.push((Occur::Must, Box::new(BooleanQuery::union(wishes))));
        }
        if clauses.is_empty() {
            return Ok(None);
        }
        if clauses.iter().all(|(occur, _)| *occur == Occur::MustNot) {
            clauses.push((Occur::Must, Box::new(self.fields.every_block())));
        }
        Ok(Some(Box::new(BooleanQuery::new(clauses))))
    }

    pub(super) fn query_of(&mut self, matching: Matching) -> Result<Box<dyn Query>, TantivyError> {
        let words = match matching {
            Matching::Query(query) => return Ok(query),
            Matching::AnyOf(words) => words,
        };
        let mut queries = Vec::with_capacity(words.len());
        for word in words {
            queries.extend(self.words.any_form(word.field.unwrap_or(self.fields.all), &word.forms)?);
        }
        Ok(match queries.len() {
            0 => Box::new(EmptyQuery),
            1 => queries.swap_remove(0),
            _ => Box::new(BooleanQuery::union(queries)),
        })
    }
}

impl Part {
    fn is_textual_demand(&self) -> bool {
        self.role == Role::Demand && self.is_textual
    }

    pub(super) fn has_words(&self) -> bool {
        !matches!(&self.matching, Matching::AnyOf(words) if words.is_empty())
    }

    fn demanded(self) -> Self {
        let role = if self.role == Role::Wish { Role::Demand } else { self.role };
        Self { role, ..self }
    }

    fn negated(self) -> Self {
        let role = if self.role == Role::Exclusion { Role::Demand } else { Role::Exclusion };
        Self { role, ..self }
    }
}
