//! Where an answer goes on, as a name that says nothing to others.
//!
//! A cursor holds a digest of the search, how many pages were passed, and the last of them by a key that no commit changes. In an answer that
//! has become another one meanwhile, the next part begins behind that page, so that pages which moved from behind to before it, or away, shift
//! nothing. Nothing is kept in the server, and the cost is that of an `offset` as large, with the same bound.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::SearchRequest;
use super::groups::PageGroup;

/// Pages that an answer may have gained before the place where it goes on.
pub(super) const DRIFT_MAX: usize = 100;

/// Hexadecimal digits of a number.
const DIGITS: usize = 16;

/// The place behind a page of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Cursor {
    /// Of the search.
    search: u64,
    /// Pages before the place.
    pub(super) pages: usize,
    /// The last of them.
    last: u64,
}

impl Cursor {
    pub(super) fn behind(request: &SearchRequest, pages: usize, last: &PageGroup) -> Self {
        Self { search: digest(request), pages, last: last.best().page_key }
    }

    /// Whether it is of this search. How much is shown may change from part to part.
    pub(super) fn is_of(&self, request: &SearchRequest) -> bool {
        self.search == digest(request)
    }

    /// Where the answer goes on among `pages`: behind the page, wherever it is now; where it was, if it is gone.
    pub(super) fn place_in(&self, pages: &[PageGroup]) -> usize {
        let behind =
            (1usize..).zip(pages).filter(|(_, page)| page.best().page_key == self.last).map(|(place, _)| place);
        behind.min_by_key(|place| place.abs_diff(self.pages)).unwrap_or(self.pages)
    }
}

/// What an answer's order depends on.
fn digest(request: &SearchRequest) -> u64 {
    let SearchRequest { query, like, as_of, ranking, documents, sort, collapse, .. } = request;
    xxh3_64(format!("{query:?} {like:?} {as_of:?} {ranking:?} {documents:?} {sort:?} {collapse:?}").as_bytes())
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}{:016x}", self.search, self.pages, self.last)
    }
}

impl From<Cursor> for String {
    fn from(cursor: Cursor) -> Self {
        cursor.to_string()
    }
}

impl FromStr for Cursor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "a cursor is what `next_cursor` of an answer gave".to_owned();
        if text.len() != 3 * DIGITS || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let number = |at: usize| u64::from_str_radix(&text[at * DIGITS..(at + 1) * DIGITS], 16).map_err(|_| wrong());
        let pages = usize::try_from(number(1)?).ok().filter(|pages| *pages <= SearchRequest::OFFSET_MAX);
        Ok(Self { search: number(0)?, pages: pages.ok_or_else(wrong)?, last: number(2)? })
    }
}

impl TryFrom<String> for Cursor {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_come_back_and_other_texts_are_none() {
        let cursor = Cursor { search: 7, pages: 10_000, last: u64::MAX };
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
        let long = Cursor { pages: 10_001, ..cursor }.to_string();
        let text = cursor.to_string();
        for wrong in ["", "7", &text[1..], &text.replace('f', "ß"), &format!("+{}", &text[1..]), &long] {
            assert!(wrong.parse::<Cursor>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_cursor_is_of_one_search_however_much_is_shown() {
        let other = SearchRequest { pages: 3, snippet_chars: 7, facets: true, ..SearchRequest::new("mill") };
        let cursor = Cursor { search: digest(&other), pages: 3, last: 1 };
        assert!(cursor.is_of(&SearchRequest::new("mill")));
        assert!(!cursor.is_of(&SearchRequest::new("mills")));
    }
}
