//! Clauses as engines are asked for them.

use lopper_analysis::Language;
use lopper_index::{Clause, Filter, Phrase, ResolvedWord, TermSequence, TextField};
use serde_json::{Value, json};

use crate::document::{kept_path, place, token};
use crate::hits::{any_of, term};
use crate::layout::UNDATED;

/// What an engine is asked for in place of a clause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) query: Value,
    /// Whether it finds what meets the clause and nothing else; where not, it finds more.
    pub(crate) is_exact: bool,
}

impl Asked {
    fn exact(query: Value) -> Self {
        Self { query, is_exact: true }
    }
}

/// Name of the field of a text.
pub(crate) fn field_name(field: TextField) -> &'static str {
    match field {
        TextField::All => "terms",
        TextField::Title => "title_terms",
        TextField::Headings => "heading_terms",
        TextField::Url => "url_terms",
    }
}

/// Of some queries any.
pub(crate) fn any(queries: &[Value]) -> Value {
    if queries.is_empty() {
        return json!({"match_none": {}});
    }
    json!({"bool": {"should": queries, "minimum_should_match": 1}})
}

/// What finds all that meet a clause.
pub(crate) fn asked(clause: &Clause) -> Asked {
    match clause {
        Clause::Bool { must, should, must_not } => asked_bool(must, should, must_not),
        Clause::AnyWord(words) => Asked::exact(any(&words.iter().flat_map(word_queries).collect::<Vec<_>>())),
        Clause::Phrase(phrase) => asked_phrase(phrase),
        Clause::Filter(filter) => Asked { query: filter_query(filter), is_exact: !is_beyond_places(filter) },
        _ => Asked { query: json!({"match_all": {}}), is_exact: false },
    }
}

fn asked_bool(must: &[Clause], should: &[Clause], must_not: &[Clause]) -> Asked {
    let must: Vec<Asked> = must.iter().map(asked).collect();
    let should: Vec<Asked> = should.iter().map(asked).collect();
    let must_not: Vec<Asked> = must_not.iter().map(asked).collect();
    let is_exact = must.iter().chain(&should).chain(&must_not).all(|asked| asked.is_exact);
    let mut filter: Vec<Value> = must.into_iter().map(|asked| asked.query).collect();
    if !should.is_empty() {
        filter.push(any(&should.into_iter().map(|asked| asked.query).collect::<Vec<_>>()));
    }
    if filter.is_empty() {
        filter.push(json!({"match_all": {}}));
    }
    // What finds more than it should must not exclude.
    let excluded: Vec<Value> = must_not.into_iter().filter(|asked| asked.is_exact).map(|asked| asked.query).collect();
    let mut query = json!({"bool": {"filter": filter}});
    if !excluded.is_empty() {
        query["bool"]["must_not"] = Value::Array(excluded);
    }
    Asked { query, is_exact }
}

/// A query for each form of a word.
pub(crate) fn word_queries(word: &ResolvedWord) -> Vec<Value> {
    let field = field_name(word.field);
    word.forms.iter().map(|form| in_languages(term(field, &form.term), &form.languages)).collect()
}

/// The same in some languages; in all, where none is named.
pub(crate) fn in_languages(query: Value, languages: &[Language]) -> Value {
    if languages.is_empty() {
        return query;
    }
    let codes: Vec<String> = languages.iter().map(|language| language.code().to_owned()).collect();
    json!({"bool": {"must": [query], "filter": [any_of("lang", &codes)]}})
}

fn asked_phrase(phrase: &Phrase) -> Asked {
    let field = field_name(phrase.field);
    let is_row = |sequence: &TermSequence| {
        phrase.slop == 0 && sequence.terms.iter().enumerate().all(|(place, (offset, _))| place == *offset)
    };
    let sequence = |sequence: &TermSequence| {
        let terms: Vec<&str> = sequence.terms.iter().map(|(_, term)| term.as_str()).collect();
        let query = match terms[..] {
            [only] => term(field, only),
            _ if is_row(sequence) => json!({"match_phrase": {field: {"query": terms.join(" ")}}}),
            _ => json!({"bool": {"filter": terms.iter().map(|own| term(field, own)).collect::<Vec<_>>()}}),
        };
        in_languages(query, &sequence.languages)
    };
    let is_exact = phrase.sequences.iter().all(|sequence| sequence.terms.len() == 1 || is_row(sequence));
    Asked { query: any(&phrase.sequences.iter().map(sequence).collect::<Vec<_>>()), is_exact }
}

/// Whether only a beginning of what it asks for is kept.
fn is_beyond_places(filter: &Filter) -> bool {
    matches!(filter, Filter::UrlUnder { path, .. } if kept_path(path) != path)
}

fn filter_query(filter: &Filter) -> Value {
    match filter {
        Filter::Site(host) => term("sites", &token(host)),
        Filter::UrlUnder { host, path } => term("places", &place(host, kept_path(path))),
        Filter::Language(language) => term("lang", language.code()),
        Filter::PageType(name) => term("page_type", name),
        Filter::Captured { from, to } => {
            let mut range = json!({"gte": from.unwrap_or(UNDATED + 1)});
            if let Some(to) = to {
                range["lte"] = json!(to);
            }
            json!({"range": {"captured_at": range}})
        }
        _ => json!({"match_none": {}}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase(slop: u32, terms: &[(usize, &str)]) -> Clause {
        let terms = terms.iter().map(|(offset, term)| (*offset, (*term).to_owned())).collect();
        let sequences = vec![TermSequence { terms, languages: Vec::new() }];
        Clause::Phrase(Phrase { field: TextField::All, sequences, slop })
    }

    #[test]
    fn what_finds_more_excludes_nothing() {
        let near = phrase(3, &[(0, "old"), (1, "mill")]);
        let clause = Clause::Bool { must: Vec::new(), should: Vec::new(), must_not: vec![near] };
        let expected = Asked { query: json!({"bool": {"filter": [{"match_all": {}}]}}), is_exact: false };
        assert_eq!(asked(&clause), expected);
    }

    #[test]
    fn rows_are_phrases_and_what_is_near_is_not() {
        let row = asked(&phrase(0, &[(0, "old"), (1, "mill")]));
        assert!(row.is_exact && row.query.to_string().contains(r#""match_phrase":{"terms":{"query":"old mill"}}"#));
        for (slop, offset) in [(1, 1), (0, 2)] {
            let near = asked(&phrase(slop, &[(0, "old"), (offset, "mill")]));
            assert!(!near.is_exact && !near.query.to_string().contains("match_phrase"));
        }
    }
}
