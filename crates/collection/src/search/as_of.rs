//! The collection as it was at a time: of each page the newest capture that is not later.
//!
//! A capture with a text of its own is a page of its own in the index, so nothing is lost by a later one. What stood at a time is told by the
//! store's list of captures, which also has the records that only repeat a page: a page may have come back. Therefore the pages of a ranking
//! are asked for one by one, and more is ranked until enough of them stood. Captures without a time stood at none.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use lopper_index::{Budget, Found, QueryNote, Ranked, last_second_of};
use serde::Deserialize;

use super::SearchError;
use super::history::Histories;
use crate::{parse_rfc_3339, rfc_3339};

/// A time, in seconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct AsOf(pub i64);

impl FromStr for AsOf {
    type Err = String;

    /// Reads an RFC 3339 time, or the beginning of one, which is meant up to its end: `2008` is the last second of 2008.
    fn from_str(text: &str) -> Result<Self, String> {
        let time = last_second_of(text).or_else(|| parse_rfc_3339(text)).map(Self);
        time.ok_or_else(|| "this is no time: write 2008, 2008-05, 2008-05-17 or 2008-05-17T12:00:00Z".to_owned())
    }
}

impl TryFrom<String> for AsOf {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for AsOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&rfc_3339(self.0).unwrap_or_else(|| self.0.to_string()))
    }
}

/// Which pages of a ranking stood at a time.
pub(super) struct Standing<'a> {
    /// Up to that time.
    histories: &'a Histories<'a>,
    /// By the pages' order.
    known: HashMap<u64, bool>,
    /// Pages without a time.
    undated: u64,
}

impl<'a> Standing<'a> {
    pub(super) fn new(histories: &'a Histories<'a>) -> Self {
        Self { histories, known: HashMap::new(), undated: 0 }
    }

    /// Leaves the blocks of pages that stood, and tells of pages that have no time. When the budget is spent, the rest of the ranking is left out as not looked at.
    pub(super) fn retain(&mut self, ranked: &mut Ranked, budget: &Budget) -> Result<(), SearchError> {
        let (mut kept, mut head): (Vec<Found>, usize) = (Vec::new(), 0);
        for (place, found) in ranked.found.iter().enumerate() {
            if !budget.has_time() {
                ranked.is_cut_short = true;
                break;
            }
            let stood = match self.known.get(&found.page_order) {
                Some(stood) => Some(*stood),
                None => self.stood(ranked, found)?,
            };
            let Some(stood) = stood else {
                ranked.is_cut_short = true;
                break;
            };
            self.known.insert(found.page_order, stood);
            if stood {
                kept.push(*found);
                head += usize::from(place < ranked.head);
            }
        }
        if self.undated > 0 {
            ranked.notes.push(QueryNote::UndatedLeftOut { pages: self.undated });
        }
        // What was not ranked was not asked for: it may have more.
        ranked.total = kept.len() as u64;
        ranked.total_is_exact = ranked.is_complete && !ranked.is_cut_short;
        (ranked.found, ranked.head) = (kept, head);
        Ok(())
    }

    /// Whether the page of a block stood; `None` where the time was spent before that was known.
    fn stood(&mut self, ranked: &Ranked, found: &Found) -> Result<Option<bool>, SearchError> {
        let document = ranked.fetch(found)?;
        let Some(history) = self.histories.of(&document.url)? else { return Ok(None) };
        let stood = history.newest.is_some_and(|(_, page)| page.to_string() == document.page_id);
        // A page without a time stood where a dated capture gave the same.
        self.undated += u64::from(!stood && document.captured_at.is_none());
        Ok(Some(stood))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_meant_up_to_their_end() {
        for (text, time) in [
            ("2008", "2008-12-31T23:59:59Z"),
            ("2008-02", "2008-02-29T23:59:59Z"),
            ("2008-05-17", "2008-05-17T23:59:59Z"),
            ("2008-05-17T12:30", "2008-05-17T12:30:59Z"),
            ("2008-05-17T12:30:05Z", "2008-05-17T12:30:05Z"),
            ("2008-05-17T12:30:05+02:00", "2008-05-17T10:30:05Z"),
        ] {
            assert_eq!(text.parse::<AsOf>().unwrap().to_string(), time, "{text}");
        }
        for text in ["", "..2008", "yesterday", "2008-13", "2008-05-17 12:00"] {
            assert!(text.parse::<AsOf>().is_err(), "{text}");
        }
    }
}
