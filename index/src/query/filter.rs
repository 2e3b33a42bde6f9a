//! Fields that restrict without scoring.

use super::PAGE_TYPES;
use super::ast::{Field, Node, Place};
use super::date::DateRange;
use super::error::{QueryError, QueryErrorKind};
use super::resolved::Filter;
use super::site::Site;
use lopper_analysis::Language;

/// Checks the value of a field.
pub(super) fn check(field: Field, leaf: &Node) -> Result<(), QueryError> {
    let (value, place) = value(leaf);
    check_value(field, &value).map_err(|kind| QueryError::at(place.start, kind))
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
        _ => (String::new(), Place::default()),
    }
}

/// The language of a code of two or three letters, with or without a region; `und` is one.
pub(super) fn language(value: &str) -> Option<Language> {
    let primary = value.split(['-', '_']).next().filter(|primary| primary.len() <= 3)?;
    let language = Language::from_code(primary);
    (language != Language::UNDETERMINED || primary.eq_ignore_ascii_case("und")).then_some(language)
}

fn page_type(value: &str) -> Option<&'static str> {
    PAGE_TYPES.into_iter().find(|name| name.eq_ignore_ascii_case(value))
}

/// The filter of a value that [`check`] has passed. `inurl:` is none of these.
pub(super) fn filter(field: Field, value: &str) -> Filter {
    let found = match field {
        Field::Site => Site::parse(value).map(|Site { host, path }| match path.as_str() {
            "" => Filter::Site(host),
            _ => Filter::UrlUnder { host, path },
        }),
        Field::Language => language(value).map(Filter::Language),
        Field::Type => page_type(value).map(|name| Filter::PageType(name.to_owned())),
        Field::Date => DateRange::parse(value).ok().map(|DateRange { from, to }| Filter::Captured { from, to }),
        Field::Title | Field::Heading | Field::InUrl => None,
    };
    found.unwrap_or(Filter::Nothing)
}
