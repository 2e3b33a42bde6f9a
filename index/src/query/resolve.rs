//! From a query's tree to what engines are asked.
//!
//! The tree is walked once. Words become the terms that the collection has for them, corrected where it has none, and operators
//! become clauses. A part of a list *should* match, *must* match, or *must not*.

use std::collections::{HashMap, HashSet};

use super::ast::{Field, Node};
use super::beside::plain_words;
use super::definition::asks_definition;
use super::filter::{language, value};
use super::note::QueryNote;
use super::parse::ParsedQuery;
use super::question::Opening;
use super::resolved::{Clause, ResolvedQuery, ResolvedWord, TextField};
use super::vocabulary::Vocabulary;
use super::words::WordForms;
use crate::engine::{BlockSnapshot, Budget, EngineError};
use lopper_analysis::{Analyzer, Language, TermForm};

/// Resolves a query against one state of an engine. `languages` are those that every word is tried in. Where `budget` is spent, words
/// are taken as they are.
///
/// # Errors
/// When the engine cannot be read.
pub(crate) fn resolve(
    parsed: ParsedQuery,
    snapshot: &dyn BlockSnapshot,
    languages: &[Language],
    analyzer: &mut Analyzer,
    budget: &Budget,
) -> Result<(ResolvedQuery, Vec<QueryNote>), EngineError> {
    let ParsedQuery { root, notes } = parsed;
    let languages = languages_of(root.as_ref(), languages);
    let mut resolution = Resolution {
        words: WordForms { snapshot, languages: &languages, analyzer },
        vocabulary: Vocabulary::new(snapshot, budget),
        resolved: ResolvedQuery { asks_definition: asks_definition(root.as_ref()), ..ResolvedQuery::default() },
        notes,
        known: HashMap::new(),
        scored: HashSet::new(),
        met: HashSet::new(),
        ignored: 0,
        lookups: 0,
        families: 0,
        pairs: 0,
        neighbours: HashMap::new(),
        plain: plain_words(root.as_ref()),
        opening: Opening::of(root.as_ref()),
    };
    let is_empty = match root {
        Some(root) => !resolution.root(&root)?,
        None => true,
    };
    Ok(resolution.finish(is_empty))
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
    /// It may match, and one of those that may must.
    Should,
    /// It must match.
    Must,
    /// It must not match.
    MustNot,
}

/// What a part matches.
pub(super) enum Matching {
    /// Blocks with any of these words.
    AnyOf(Vec<ResolvedWord>),
    /// Blocks that meet this.
    Clause(Clause),
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
    /// Whether an operator, sign or field works on it: it must match then, and several words in it stand in a row.
    pub(super) is_operand: bool,
    /// Whether its words count in the ranking; not within an exclusion.
    pub(super) scored: bool,
    /// Whether its words are found as one with those beside them too: no operator, sign or field is around them.
    pub(super) joins: bool,
}

/// The state of one resolution.
pub(super) struct Resolution<'a> {
    pub(super) words: WordForms<'a>,
    pub(super) vocabulary: Vocabulary<'a>,
    pub(super) resolved: ResolvedQuery,
    pub(super) notes: Vec<QueryNote>,
    /// Words already looked up.
    pub(super) known: HashMap<(TextField, String), ResolvedWord>,
    /// Words already counting in the ranking, in lower case.
    pub(super) scored: HashSet<(TextField, String)>,
    /// Different words met, up to [`QUERY_TERMS_MAX`].
    pub(super) met: HashSet<String>,
    pub(super) ignored: usize,
    /// Words whose spelling was looked into.
    pub(super) lookups: usize,
    /// Prefixes whose stems were looked for.
    pub(super) families: usize,
    /// Neighbouring words that were looked into as one.
    pub(super) pairs: usize,
    /// What words are as one with those beside them, by the word.
    pub(super) neighbours: HashMap<String, Vec<TermForm>>,
    /// The query's words, to tell what was meant by one of them.
    pub(super) plain: Vec<String>,
    /// What it begins with as a question.
    pub(super) opening: Opening,
}

impl Resolution<'_> {
    /// Resolves the whole tree; tells whether there is anything to match.
    fn root(&mut self, root: &Node) -> Result<bool, EngineError> {
        let within = Within { field: None, is_operand: false, scored: true, joins: true };
        let parts = root.side_by_side();
        self.note_neighbours(parts)?;
        let mut compiled = Vec::with_capacity(parts.len());
        let mut has_other_words = false;
        let mut rest = parts;
        while let Some((part, behind)) = rest.split_first() {
            let joined = self.joined(rest)?;
            rest = if joined.is_some() { &behind[1..] } else { behind };
            let part = joined.as_ref().unwrap_or(part);
            let words_before = self.resolved.words.len();
            if let Some(part) = self.part(part, within)? {
                has_other_words |= part.role != Role::Should && self.resolved.words.len() > words_before;
                compiled.push(part);
            }
        }
        let is_textual = compiled.iter().any(Part::is_textual_must);
        let (should, must): (Vec<Part>, Vec<Part>) = compiled.into_iter().partition(|part| part.role == Role::Should);
        let is_empty = should.is_empty() && must.is_empty();
        let needs_should = !should.is_empty() && !is_textual;
        self.resolved.needs_word = needs_should && !has_other_words;
        self.resolved.constraint = if needs_should && has_other_words {
            list_clause(should.into_iter().chain(must).collect())
        } else {
            list_clause(must)
        };
        Ok(!is_empty)
    }

    fn finish(mut self, is_empty: bool) -> (ResolvedQuery, Vec<QueryNote>) {
        if is_empty && self.ignored == 0 {
            self.notes.push(QueryNote::NoWords);
        }
        if self.ignored > 0 {
            self.notes.push(QueryNote::WordsIgnored { count: self.ignored });
        }
        (self.resolved, self.notes)
    }

    /// Nothing for a part without words.
    fn part(&mut self, node: &Node, within: Within) -> Result<Option<Part>, EngineError> {
        let operand = Within { is_operand: true, joins: false, ..within };
        match node {
            Node::Word { .. } | Node::Phrase { .. } => self.leaf(node, within),
            Node::Require(part) => Ok(self.part(part, operand)?.map(Part::required)),
            Node::Not(part) if within.field.is_none() => match self.option(part)? {
                Some(option) => self.part(&option, within),
                None => Ok(self.part(part, Within { scored: false, ..operand })?.map(Part::negated)),
            },
            Node::Not(part) => Ok(self.part(part, Within { scored: false, ..operand })?.map(Part::negated)),
            Node::Field(field, part) => {
                Ok(self.part(part, Within { field: Some(*field), ..operand })?.map(Part::required))
            }
            Node::And(parts) => self.and(parts, operand),
            Node::Or(parts) => self.or(parts, operand),
            Node::List(parts) => self.list(parts, Within { is_operand: false, ..within }),
        }
    }

    fn parts(&mut self, nodes: &[Node], within: Within) -> Result<Vec<Part>, EngineError> {
        let mut parts = Vec::with_capacity(nodes.len());
        for node in nodes {
            parts.extend(self.part(node, within)?);
        }
        Ok(parts)
    }

    fn and(&mut self, nodes: &[Node], within: Within) -> Result<Option<Part>, EngineError> {
        let parts: Vec<Part> = self.parts(nodes, within)?.into_iter().map(Part::required).collect();
        let is_textual = parts.iter().any(Part::is_textual_must);
        let clause = list_clause(parts);
        Ok(clause.map(|clause| Part { matching: Matching::Clause(clause), role: Role::Must, is_textual }))
    }

    fn or(&mut self, nodes: &[Node], within: Within) -> Result<Option<Part>, EngineError> {
        let parts = self.parts(nodes, within)?;
        if parts.is_empty() {
            return Ok(None);
        }
        let is_textual = parts.iter().all(|part| part.is_textual && part.role != Role::MustNot);
        let clauses = parts.into_iter().filter_map(|part| match part.role {
            Role::MustNot => list_clause(vec![part]),
            Role::Should | Role::Must => Some(part.matching.into_clause()),
        });
        let clause = Clause::any(clauses.collect());
        Ok(Some(Part { matching: Matching::Clause(clause), role: Role::Must, is_textual }))
    }

    fn list(&mut self, nodes: &[Node], within: Within) -> Result<Option<Part>, EngineError> {
        let parts = self.parts(nodes, within)?;
        if parts.is_empty() {
            return Ok(None);
        }
        // What should match in one list asks for texts in all of its parts, or in none.
        let is_textual = parts.iter().any(|part| part.is_textual && part.role != Role::MustNot);
        let only_should = parts.iter().all(|part| part.role == Role::Should);
        if only_should && parts.iter().all(|part| matches!(part.matching, Matching::AnyOf(_))) {
            let words = parts.into_iter().flat_map(|part| match part.matching {
                Matching::AnyOf(words) => words,
                Matching::Clause(_) => Vec::new(),
            });
            return Ok(Some(Part { matching: Matching::AnyOf(words.collect()), role: Role::Should, is_textual }));
        }
        let role = if only_should { Role::Should } else { Role::Must };
        let clause = list_clause(parts);
        Ok(clause.map(|clause| Part { matching: Matching::Clause(clause), role, is_textual }))
    }
}

/// What a list of parts matches: all that must, nothing that must not, and one of those that should unless a part that must match
/// asks for something in the text.
fn list_clause(parts: Vec<Part>) -> Option<Clause> {
    let needs_should = !parts.iter().any(Part::is_textual_must);
    let (mut must, mut should, mut must_not) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        let clauses = match part.role {
            Role::Should if !needs_should => continue,
            Role::Should => &mut should,
            Role::Must => &mut must,
            Role::MustNot => &mut must_not,
        };
        let clause = part.matching.into_clause();
        // What is asked twice is looked up once. There are few different ones: see the limits of a query.
        if !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    let is_empty = must.is_empty() && should.is_empty() && must_not.is_empty();
    (!is_empty).then_some(Clause::Bool { must, should, must_not })
}

impl Matching {
    fn into_clause(self) -> Clause {
        match self {
            Self::AnyOf(words) => Clause::AnyWord(words),
            Self::Clause(clause) => clause,
        }
    }
}

impl Part {
    fn is_textual_must(&self) -> bool {
        self.role == Role::Must && self.is_textual
    }

    pub(super) fn has_words(&self) -> bool {
        !matches!(&self.matching, Matching::AnyOf(words) if words.is_empty())
    }

    fn required(self) -> Self {
        let role = if self.role == Role::Should { Role::Must } else { self.role };
        Self { role, ..self }
    }

    fn negated(self) -> Self {
        let role = if self.role == Role::MustNot { Role::Must } else { Role::MustNot };
        Self { role, ..self }
    }
}
