//! The filters in a query's text, so that they can be shown one by one and taken away.

use std::ops::Range;

/// Fields whose values are offered to be chosen.
const FIELDS: [&str; 4] = ["site", "lang", "date", "type"];

/// A filter of a query: `site:example.org`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Filter {
    pub(super) field: &'static str,
    pub(super) value: String,
    /// Where it stands in the query's text.
    place: Range<usize>,
}

/// The filters that stand alone in a query: not in quotes or parentheses, without a sign.
pub(super) fn filters(query: &str) -> Vec<Filter> {
    let mut filters = Vec::new();
    let (mut depth, mut in_quotes) = (0usize, false);
    let mut start = 0;
    for (at, char) in query.char_indices().chain([(query.len(), ' ')]) {
        match char {
            '"' => in_quotes = !in_quotes,
            '(' if !in_quotes => depth += 1,
            ')' if !in_quotes => depth = depth.saturating_sub(1),
            char if char.is_whitespace() => {
                if !in_quotes && depth == 0 {
                    filters.extend(filter(query, start..at));
                }
                start = at + char.len_utf8();
            }
            _ => {}
        }
    }
    filters
}

fn filter(query: &str, place: Range<usize>) -> Option<Filter> {
    let (field, value) = query[place.clone()].split_once(':')?;
    let field = FIELDS.into_iter().find(|known| known.eq_ignore_ascii_case(field))?;
    let is_plain = !value.is_empty() && !value.contains(['"', '(', ')']);
    is_plain.then(|| Filter { field, value: value.to_owned(), place })
}

/// The query without one of its filters.
pub(super) fn without(query: &str, filter: &Filter) -> String {
    joined(&[&query[..filter.place.start], &query[filter.place.end..]])
}

/// The query with no filter of that field, and with that value if any.
pub(in crate::http) fn with_only(query: &str, field: &str, value: Option<&str>) -> String {
    let mut query = query.to_owned();
    while let Some(filter) = filters(&query).into_iter().find(|filter| filter.field == field) {
        query = without(&query, &filter);
    }
    let added = value.map(|value| format!("{field}:{value}")).unwrap_or_default();
    joined(&[&query, &added])
}

fn joined(parts: &[&str]) -> String {
    let words: Vec<&str> = parts.iter().flat_map(|part| part.split(' ')).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_found_and_taken_away() {
        let query = "mill site:e.org \"a site:no b\" (lang:en OR lang:de) -type:forum Date:2008..2010 lang:fr";
        let found = filters(query);
        let names: Vec<_> = found.iter().map(|filter| (filter.field, &*filter.value)).collect();
        assert_eq!(names, [("site", "e.org"), ("date", "2008..2010"), ("lang", "fr")]);
        assert_eq!(without("a site:x b", &filters("a site:x b")[0]), "a b");
        assert_eq!(with_only("a date:2008 date:2010 b", "date", Some("2009..")), "a b date:2009..");
        assert_eq!(with_only("site:x", "site", None), "");
    }
}
