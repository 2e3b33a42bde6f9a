//! An answer as a file: a line, rows or a record for each page, made part by part so that no more than a part is held.

mod blocks;
mod csv;
mod warc;

use std::collections::VecDeque;
use std::str::FromStr;

pub(crate) use blocks::write_blocks;
pub(crate) use csv::field;
use lopper_collection::search::{Cursor, PageHit, SearchEngine, SearchError, SearchRequest, SearchResponse};
use lopper_content::limits::Limits;
use lopper_index::Budget;
use time::OffsetDateTime;

/// Most pages of a file.
pub(crate) const PAGES_MAX: usize = SearchRequest::OFFSET_MAX;

/// Pages that are searched for at once.
const PAGES_AT_ONCE: usize = 250;

/// Bytes of a part of the file; the last page of a part may go beyond that.
const PART_BYTES: usize = 1 << 20;

/// A file's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExportFormat {
    /// A page as JSON a line, as in the answer to a search.
    Ndjson,
    /// A block a row.
    Csv,
    /// The pages' HTML.
    Warc,
}

impl ExportFormat {
    /// Its media type.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Ndjson => "application/x-ndjson",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Warc => "application/warc",
        }
    }

    /// How such a file's name ends.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::Warc => "warc",
        }
    }
}

impl FromStr for ExportFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let formats = [Self::Ndjson, Self::Csv, Self::Warc];
        let found = formats.into_iter().find(|format| format.ending() == text);
        found.ok_or_else(|| format!("no export is called `{text}`; there are `ndjson`, `csv` and `warc`"))
    }
}

/// A file that is being made.
pub(crate) struct Export {
    format: ExportFormat,
    request: SearchRequest,
    /// Pages that are still wanted.
    left: usize,
    /// Pages that were found and are not in the file yet.
    waiting: VecDeque<PageHit>,
    /// Whether the search has more.
    goes_on: bool,
    /// Whether the file's first part was made.
    has_begun: bool,
    /// Pages in the file.
    written: usize,
    begun_at: OffsetDateTime,
    limits: Limits,
}

impl Export {
    /// A file of the first [`SearchRequest::pages`] pages that the request finds, at most [`PAGES_MAX`].
    pub(crate) fn new(format: ExportFormat, request: SearchRequest, limits: Limits, begun_at: OffsetDateTime) -> Self {
        let left = request.pages;
        Self {
            format,
            request,
            left,
            waiting: VecDeque::new(),
            goes_on: true,
            has_begun: false,
            written: 0,
            begun_at,
            limits,
        }
    }

    /// The file's next part, `None` behind its end. `dress` adds what the caller knows of an answer.
    pub(crate) fn part(
        &mut self,
        engine: &SearchEngine,
        budget: &Budget,
        dress: impl Fn(SearchResponse) -> SearchResponse,
    ) -> Result<Option<Vec<u8>>, SearchError> {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        let mut part = if is_first { self.head() } else { Vec::new() };
        if self.waiting.is_empty() {
            self.search(engine, budget, dress)?;
        }
        while part.len() < PART_BYTES {
            let Some(page) = self.waiting.pop_front() else { break };
            self.written += 1;
            self.write(&page, engine, &mut part)?;
            if !budget.has_time() {
                break;
            }
        }
        Ok(Some(part).filter(|part| !part.is_empty() || is_first))
    }

    /// Searches on, where there is more.
    fn search(
        &mut self,
        engine: &SearchEngine,
        budget: &Budget,
        dress: impl Fn(SearchResponse) -> SearchResponse,
    ) -> Result<(), SearchError> {
        if !self.goes_on || self.left == 0 {
            return Ok(());
        }
        let request = SearchRequest { pages: self.left.min(PAGES_AT_ONCE), ..self.request.clone() };
        let found = dress(engine.part_within(&request, budget)?);
        self.left = self.left.saturating_sub(found.pages.len());
        let next: Option<Cursor> = found.next_cursor.filter(|_| !found.pages.is_empty());
        (self.request.cursor, self.goes_on) = (next, next.is_some());
        self.waiting.extend(found.pages);
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        match self.format {
            ExportFormat::Ndjson => Vec::new(),
            ExportFormat::Csv => csv::head(),
            ExportFormat::Warc => warc::head(&self.request.query, self.begun_at),
        }
    }

    fn write(&self, page: &PageHit, engine: &SearchEngine, part: &mut Vec<u8>) -> Result<(), SearchError> {
        match self.format {
            ExportFormat::Ndjson => {
                // Writing to memory cannot fail, and the page is plain data.
                let written = serde_json::to_writer(&mut *part, page);
                debug_assert!(written.is_ok(), "{written:?}");
                part.push(b'\n');
            }
            ExportFormat::Csv => csv::rows(page, self.written, part),
            ExportFormat::Warc => warc::record(page, engine.collection(), &self.limits, self.begun_at, part)?,
        }
        Ok(())
    }
}
