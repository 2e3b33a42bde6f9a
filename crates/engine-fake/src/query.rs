//! Queries: what is understood, strictly, and which documents of a split match.

use serde_json::Value;

use crate::answer::Failure;
use crate::definition::{Definition, Field, list};
use crate::split::{B, Column, K1, Split, coarse, tokens};

/// All that Quickwit knows by name.
const VARIANTS: [&str; 16] = [
    "query_string",
    "bool",
    "term",
    "terms",
    "match_all",
    "match_none",
    "match",
    "match_bool_prefix",
    "match_phrase",
    "match_phrase_prefix",
    "multi_match",
    "range",
    "exists",
    "regexp",
    "wildcard",
    "prefix",
];

/// Documents with their scores, by number.
pub(crate) type Matches = Vec<(u32, f32)>;

/// A query that was understood.
#[derive(Debug)]
pub(crate) enum Query {
    All,
    None,
    Term {
        field: String,
        value: String,
        boost: f32,
    },
    Number {
        field: String,
        values: Vec<i64>,
    },
    AnyOf {
        field: String,
        values: Vec<String>,
    },
    Range {
        field: String,
        from: i64,
        to: i64,
    },
    Phrase {
        field: String,
        terms: Vec<String>,
        slop: u32,
    },
    /// Two words and more in a field with places: it cannot be scored.
    Unscorable,
    Bool {
        must: Vec<Self>,
        should: Vec<Self>,
        filter: Vec<Self>,
        must_not: Vec<Self>,
        least: usize,
    },
}

/// The one key of an object with its value.
fn only<'v>(value: &'v Value, what: &str) -> Result<(&'v str, &'v Value), Failure> {
    let entry = value.as_object().filter(|object| object.len() == 1).and_then(|object| object.iter().next());
    entry.map(|(key, value)| (key.as_str(), value)).ok_or_else(|| Failure::parsing(format!("invalid {what}: {value}")))
}

fn known(value: &Value, keys: &[&str]) -> Result<(), Failure> {
    let unknown = value.as_object().into_iter().flat_map(|own| own.keys()).find(|key| !keys.contains(&key.as_str()));
    let message = |key: &String| Failure::parsing(format!("unknown field `{key}`, expected one of {}", list(keys)));
    unknown.map_or(Ok(()), |key| Err(message(key)))
}

impl Query {
    pub(crate) fn parse(definition: &Definition, value: &Value) -> Result<Self, Failure> {
        let (name, body) = only(value, "query")?;
        match name {
            "match_all" => Ok(Self::All),
            "match_none" => Ok(Self::None),
            "term" => Self::term(definition, body),
            "terms" => {
                let (field, values) = only(body, "terms")?;
                let values = values.as_array().ok_or_else(|| Failure::parsing("terms: no list"))?;
                let own = field_of(definition, field)?;
                if own.is_text {
                    let words = values.iter().map(|value| value.as_str().map(str::to_owned));
                    let words: Option<Vec<String>> = words.collect();
                    let values = words.ok_or_else(|| Failure::parsing("terms: no text"))?;
                    return Ok(Self::AnyOf { field: field.to_owned(), values });
                }
                Ok(Self::Number { field: field.to_owned(), values: values.iter().filter_map(Value::as_i64).collect() })
            }
            "range" => Self::range(definition, body),
            "match_phrase" => Self::phrase(definition, body),
            "match" => Self::words(definition, body),
            "multi_match" => {
                let fields = body["fields"].as_array().cloned().unwrap_or_default();
                let boosted = fields.iter().filter_map(Value::as_str).find(|field| field.contains('^'));
                let message = "Quickwit does not support field boosting in the multi match query fields";
                Err(Failure::parsing(boosted.map_or_else(
                    || "multi_match is not part of the fake".to_owned(),
                    |field| format!("{message} (got `{field}`)"),
                )))
            }
            "bool" => Self::bool(definition, body),
            name if VARIANTS.contains(&name) => Err(Failure::parsing(format!("`{name}` is not part of the fake"))),
            name => Err(Failure::parsing(format!("unknown variant `{name}`, expected one of {}", list(&VARIANTS)))),
        }
    }

    fn term(definition: &Definition, body: &Value) -> Result<Self, Failure> {
        let (field, value) = only(body, "term")?;
        let own = field_of(definition, field)?;
        let (value, boost) = if value.is_object() {
            known(value, &["value", "boost"])?;
            (&value["value"], value["boost"].as_f64().unwrap_or(1.0) as f32)
        } else {
            (value, 1.0)
        };
        let field = field.to_owned();
        match value {
            Value::String(value) if own.is_text => Ok(Self::Term { field, value: value.clone(), boost }),
            Value::Number(number) if !own.is_text => {
                Ok(Self::Number { field, values: number.as_i64().into_iter().collect() })
            }
            value => Err(Failure::parsing(format!("`{value}` is no value of `{field}`"))),
        }
    }

    fn range(definition: &Definition, body: &Value) -> Result<Self, Failure> {
        let (field, bounds) = only(body, "range")?;
        let own = field_of(definition, field)?;
        known(bounds, &["gt", "gte", "lt", "lte", "boost", "format"])?;
        if own.is_text {
            return Err(Failure::searching(400, format!("range queries need numbers: `{field}`")));
        }
        let bound = |key: &str| bounds[key].as_i64();
        let from = bound("gte").or_else(|| bound("gt").map(|own| own.saturating_add(1))).unwrap_or(i64::MIN);
        let to = bound("lte").or_else(|| bound("lt").map(|own| own.saturating_sub(1))).unwrap_or(i64::MAX);
        Ok(Self::Range { field: field.to_owned(), from, to })
    }

    fn phrase(definition: &Definition, body: &Value) -> Result<Self, Failure> {
        let (field, value) = only(body, "match_phrase")?;
        let own = field_of(definition, field)?;
        let (text, slop) = match value {
            Value::String(text) => (text.as_str(), 0),
            value => {
                known(value, &["query", "slop", "analyzer", "zero_terms_query"])?;
                (value["query"].as_str().unwrap_or_default(), value["slop"].as_u64().unwrap_or(0) as u32)
            }
        };
        if !own.has_positions {
            let message = format!("applied phrase query on field which does not have positions indexed: `{field}`");
            return Err(Failure::searching(400, message));
        }
        Ok(Self::Phrase { field: field.to_owned(), terms: tokens(own.tokens, text), slop })
    }

    fn words(definition: &Definition, body: &Value) -> Result<Self, Failure> {
        let (field, value) = only(body, "match")?;
        let own = field_of(definition, field)?;
        if value.is_object() {
            known(value, &["query", "operator", "zero_terms_query", "lenient"])?;
        }
        let text = value.as_str().or_else(|| value["query"].as_str()).unwrap_or_default();
        let terms = tokens(own.tokens, text);
        let field = field.to_owned();
        match &terms[..] {
            [] => Ok(Self::None),
            [value] => Ok(Self::Term { field, value: value.clone(), boost: 1.0 }),
            _ if own.has_positions => Ok(Self::Unscorable),
            _ => {
                let term = |value: String| Self::Term { field: field.clone(), value, boost: 1.0 };
                let should = terms.into_iter().map(term).collect();
                let (must, filter, must_not) = (Vec::new(), Vec::new(), Vec::new());
                Ok(Self::Bool { must, should, filter, must_not, least: 1 })
            }
        }
    }

    fn bool(definition: &Definition, body: &Value) -> Result<Self, Failure> {
        known(body, &["must", "should", "filter", "must_not", "minimum_should_match", "boost"])?;
        let clauses = |key: &str| -> Result<Vec<Self>, Failure> {
            match &body[key] {
                Value::Null => Ok(Vec::new()),
                Value::Array(clauses) => clauses.iter().map(|own| Self::parse(definition, own)).collect(),
                one => Ok(vec![Self::parse(definition, one)?]),
            }
        };
        let (must, should, filter, must_not) =
            (clauses("must")?, clauses("should")?, clauses("filter")?, clauses("must_not")?);
        let default = usize::from(must.is_empty() && filter.is_empty());
        let least = body["minimum_should_match"].as_u64().map_or(default, |least| least as usize);
        Ok(Self::Bool { must, should, filter, must_not, least })
    }

    /// Documents that match, with their scores.
    pub(crate) fn matches(&self, definition: &Definition, split: &Split) -> Result<Matches, Failure> {
        let column = |field: &String| &split.columns[field];
        let every = || (0..split.len() as u32).filter(|doc| split.is_live(*doc));
        Ok(match self {
            Self::All => every().map(|doc| (doc, 1.0)).collect(),
            Self::None => Vec::new(),
            Self::Term { field, value, boost } => {
                let norms = definition.fields.get(field).is_some_and(|own| own.has_norms);
                term_matches(split, column(field), value, *boost, norms)
            }
            Self::Number { field, values } => {
                let is_one = |doc: &u32| column(field).numbers[*doc as usize].is_some_and(|own| values.contains(&own));
                every().filter(is_one).map(|doc| (doc, 1.0)).collect()
            }
            Self::AnyOf { field, values } => any_of(split, column(field), values),
            Self::Range { field, from, to } => {
                let numbers = &column(field).numbers;
                let is_within = |doc: &u32| numbers[*doc as usize].is_some_and(|own| *from <= own && own <= *to);
                every().filter(is_within).map(|doc| (doc, 1.0)).collect()
            }
            Self::Phrase { field, terms, slop } => phrase_matches(split, column(field), terms, *slop),
            Self::Unscorable => {
                let message = "internal error: `search failed for the following splits: 01M7. For instance, split 01M7 \
                    failed with the following error message: internal error: `tantivy error: An IO error occurred: \
                    'unsupported operation: `StorageDirectory` only supports async reads: 6c05.pos'``";
                return Err(Failure::searching(500, message));
            }
            Self::Bool { must, should, filter, must_not, least } => {
                let all = |queries: &[Self]| -> Result<Vec<Matches>, Failure> {
                    queries.iter().map(|query| query.matches(definition, split)).collect()
                };
                let (must, should, filter, must_not) = (all(must)?, all(should)?, all(filter)?, all(must_not)?);
                combined(split.len(), &must, &should, &filter, &must_not, *least)
            }
        })
    }
}

fn field_of<'d>(definition: &'d Definition, name: &str) -> Result<&'d Field, Failure> {
    let field = definition.fields.get(name).filter(|field| field.is_indexed);
    field.ok_or_else(|| Failure::searching(400, format!("invalid query: field does not exist: `{name}`")))
}

fn term_matches(split: &Split, column: &Column, value: &str, boost: f32, norms: bool) -> Matches {
    let Some(postings) = column.terms.get(value) else { return Vec::new() };
    let weight = boost * split.idf(postings.len()) * (1.0 + K1);
    let mean = if norms { split.mean_length(column).max(f32::MIN_POSITIVE) } else { 1.0 };
    let score = |doc: u32, times: usize| {
        let length = if norms { coarse(column.lengths[doc as usize]) as f32 } else { 1.0 };
        weight * times as f32 / (times as f32 + K1 * (1.0 - B + B * length / mean))
    };
    let live = postings.iter().filter(|(doc, _)| split.is_live(*doc));
    live.map(|(doc, places)| (doc, score(doc, places.len()))).collect()
}

fn any_of(split: &Split, column: &Column, values: &[String]) -> Matches {
    let mut has = vec![false; split.len()];
    for postings in values.iter().filter_map(|value| column.terms.get(value)) {
        postings.iter().for_each(|(doc, _)| has[doc as usize] = true);
    }
    let docs = (0..split.len() as u32).filter(|doc| has[*doc as usize] && split.is_live(*doc));
    docs.map(|doc| (doc, 1.0)).collect()
}

fn phrase_matches(split: &Split, column: &Column, terms: &[String], slop: u32) -> Matches {
    let lists: Option<Vec<_>> = terms.iter().map(|term| column.terms.get(term)).collect();
    let Some(lists) = lists.filter(|lists| !lists.is_empty()) else { return Vec::new() };
    let weight = lists.iter().map(|list| split.idf(list.len())).sum::<f32>();
    let mut others: Vec<std::collections::HashMap<u32, &[u32]>> = Vec::new();
    for list in &lists[1..] {
        others.push(list.iter().collect());
    }
    let mut matches = Matches::new();
    for (doc, places) in lists[0].iter().filter(|(doc, _)| split.is_live(*doc)) {
        let rows: Option<Vec<&[u32]>> = others.iter().map(|list| list.get(&doc).copied()).collect();
        let Some(rows) = rows else { continue };
        let is_row = |first: &&u32| {
            rows.iter()
                .zip(1..)
                .all(|(row, offset): (_, u32)| row.iter().any(|at| at.abs_diff(**first + offset) <= slop))
        };
        if places.iter().any(|first| is_row(&first)) {
            matches.push((doc, weight));
        }
    }
    matches
}

fn combined(
    documents: usize,
    must: &[Matches],
    should: &[Matches],
    filter: &[Matches],
    must_not: &[Matches],
    least: usize,
) -> Matches {
    let mut needed = vec![0u16; documents];
    let mut chosen = vec![0u16; documents];
    let mut scores = vec![0f32; documents];
    for (doc, score) in must.iter().flatten() {
        needed[*doc as usize] += 1;
        scores[*doc as usize] += score;
    }
    filter.iter().flatten().for_each(|(doc, _)| needed[*doc as usize] += 1);
    for (doc, score) in should.iter().flatten() {
        chosen[*doc as usize] += 1;
        scores[*doc as usize] += score;
    }
    must_not.iter().flatten().for_each(|(doc, _)| needed[*doc as usize] = u16::MAX);
    let wanted = (must.len() + filter.len()) as u16;
    // Of nothing but exclusions nothing is left.
    let is_empty = wanted == 0 && should.is_empty();
    let is_match = |doc: &usize| !is_empty && needed[*doc] == wanted && usize::from(chosen[*doc]) >= least;
    (0..documents).filter(is_match).map(|doc| (doc as u32, scores[doc])).collect()
}
