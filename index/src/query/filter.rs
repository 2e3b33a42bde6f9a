//! Fields that restrict without scoring.

use std::ops::Bound;
use std::sync::Arc;

use lopper_analysis::Language;
use tantivy::Term;
use tantivy::query::{AutomatonWeight, EmptyQuery, EnableScoring, Query, RangeQuery, TermQuery, Weight};
use tantivy::schema::IndexRecordOption;

use super::PAGE_TYPES;
use super::ast::{Field, Node, Place};
use super::automata::UrlsUnder;
use super::date::DateRange;
use super::error::{QueryError, QueryErrorKind};
use super::site::Site;
use crate::schema::Fields;

/// Checks the value of a field.
pub(super) fn check(field: Field, leaf: &Node) -> Result<(), QueryError> {
    let (value, place) = value(leaf);
    check_value(field, &value).map_err(|kind| QueryError::at(place.0, kind))
}

fn check_value(field: Field, value: &str) -> Result<(), QueryErrorKind> {
    let value_of = || value.to_owned();
    match field {
        Field::Title | Field::Heading | Field::InUrl => Ok(()),
        Field::Site => Site::parse(value).map(|_| ()).ok_or_else(|| QueryErrorKind::BadSite { value: value_of() }),
        Field::Language => language(value).map(|_| ()).ok_or_else(|| QueryErrorKind::BadLanguage { value: value_of() }),
        Field::Date => DateRange::parse(value).map(|_| ()),
        Field::Type => page_type(value).map(|_| ()).ok_or_else(|| QueryErrorKind::BadType { value: value_of() }),
    }
}

/// The text of a leaf.
pub(super) fn value(leaf: &Node) -> (String, Place) {
    match leaf {
        Node::Word { text, is_prefix: true, place } => (format!("{text}*"), *place),
        Node::Word { text, place, .. } | Node::Phrase { text, place, .. } => (text.trim().to_owned(), *place),
        // Leaves are words and phrases.
        _ => (String::new(), Place(0)),
    }
}

/// The language of a code; `und` is one.
pub(super) fn language(value: &str) -> Option<Language> {
    let language = Language::from_code(value);
    (language != Language::UNDETERMINED || value.eq_ignore_ascii_case("und")).then_some(language)
}

fn page_type(value: &str) -> Option<&'static str> {
    PAGE_TYPES.into_iter().find(|name| name.eq_ignore_ascii_case(value))
}

/// The terms one of which a block must have, or what else it must meet.
pub(super) enum Filter {
    Term(Term),
    Other(Box<dyn Query>),
}

/// The filter of a value that [`check`] has passed. `inurl:` is none of these.
pub(super) fn filter(fields: &Fields, field: Field, value: &str) -> Filter {
    let text = |field, text: &str| Filter::Term(Term::from_field_text(field, text));
    match field {
        Field::Site => Site::parse(value).map_or_else(nothing, |site| match site.path.as_str() {
            "" => text(fields.site, &site.host),
            path => Filter::Other(Box::new(UrlQuery {
                field: fields.url,
                urls: Arc::new(UrlsUnder::new(&site.host, path)),
            })),
        }),
        Field::Language => language(value).map_or_else(nothing, |language| text(fields.language, language.code())),
        Field::Type => page_type(value).map_or_else(nothing, |name| text(fields.page_type, name)),
        Field::Date => DateRange::parse(value).map_or_else(|_| nothing(), |range| Filter::Other(dates(fields, range))),
        Field::Title | Field::Heading | Field::InUrl => nothing(),
    }
}

fn nothing() -> Filter {
    Filter::Other(Box::new(EmptyQuery))
}

impl Filter {
    pub(super) fn into_query(self) -> Box<dyn Query> {
        match self {
            Self::Term(term) => Box::new(TermQuery::new(term, IndexRecordOption::Basic)),
            Self::Other(query) => query,
        }
    }
}

/// Blocks captured within `range`; those without a date are in none.
fn dates(fields: &Fields, range: DateRange) -> Box<dyn Query> {
    let bound = |end: Option<i64>| match end {
        Some(seconds) => Bound::Included(Term::from_field_i64(fields.captured_at, seconds)),
        None => Bound::Unbounded,
    };
    Box::new(RangeQuery::new(bound(range.from), bound(range.to)))
}

/// Blocks of the URLs that an automaton accepts.
#[derive(Debug, Clone)]
struct UrlQuery {
    field: tantivy::schema::Field,
    urls: Arc<UrlsUnder>,
}

impl Query for UrlQuery {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(AutomatonWeight::<UrlsUnder>::new(self.field, Arc::clone(&self.urls))))
    }
}
