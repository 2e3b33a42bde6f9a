//! What is answered.

use std::ops::Range;

use lopper_index::{Facets, QueryNote, Snippet};
use serde::Serialize;

use super::{BlockExplanation, Cursor, Locator, PageExplanation, PrunedPage, QueryExplanation};
use crate::PageSource;

/// The answer to a search: pages, best first, each with its best blocks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchResponse {
    /// The query as it was given.
    pub query: String,
    /// Number of blocks that match, over all pages.
    pub total_blocks: u64,
    /// Whether that is exact, or at least so many match.
    pub total_is_exact: bool,
    /// Whether the search came to its end. If not, its time or work was spent, or the answer grew too large: what was found until then is
    /// shown.
    pub is_complete: bool,
    /// How far the answer is to be trusted: the share of queries with such an answer whose first page is right, in [0, 1]. Absent where it
    /// is not known: see [`Ranked::coverage`](lopper_index::Ranked::coverage).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f32>,
    /// Pages passed over before the first.
    pub offset: usize,
    /// The `offset` that goes on behind the last page; absent where none follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// The [`cursor`](super::SearchRequest::cursor) that does, whatever is committed meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
    /// How the query was understood, where that needs telling.
    pub notes: Vec<QueryNote>,
    /// Counts over all that matches, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets>,
    /// What was ranked by, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<QueryExplanation>,
    /// The pages.
    pub pages: Vec<PageHit>,
    /// Wall time of the search in milliseconds.
    pub duration_ms: f64,
}

impl SearchResponse {
    /// Coverage below which an answer is doubtful: most such answers are to queries that the collection cannot answer.
    const DOUBTFUL_COVERAGE: f32 = 0.2;

    /// Whether the collection probably has no answer.
    pub fn is_doubtful(&self) -> bool {
        self.coverage.is_some_and(|coverage| coverage < Self::DOUBTFUL_COVERAGE)
    }
}

/// A page with its best blocks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageHit {
    /// Identity of the page.
    pub page_id: String,
    /// URL as the archive has it.
    pub url: String,
    /// Canonical form of the URL, where it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical_url: Option<String>,
    /// Host of the URL.
    pub host: String,
    /// Title of the page.
    pub title: String,
    /// ISO 639-1 code of the page; `und` when unknown.
    pub language: String,
    /// Type of the page, one of `type:` in the query language; absent where none was told.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub page_type: String,
    /// Capture time, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured_at: Option<String>,
    /// When the address last gave the same HTML, where that is later, RFC 3339; not with [`as_of`](super::SearchRequest::as_of).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_captured_at: Option<String>,
    /// With [`as_of`](super::SearchRequest::as_of): when the newest capture was taken that is not later, RFC 3339. Captures that repeat a page
    /// are newer than it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stood_at: Option<String>,
    /// The record that the page was read from; absent for a page that was taken out meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<PageSource>,
    /// Where a replay shows the capture, where somebody has told of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_url: Option<String>,
    /// Score made of those of its blocks, as the request's `documents` says.
    pub score: f32,
    /// The best blocks, best first.
    pub blocks: Vec<BlockHit>,
    /// The newest capture of the address, where it is later than the last of this page and gave other HTML, whether that matches or not; not with
    /// [`as_of`](super::SearchRequest::as_of).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer_capture: Option<NewerCapture>,
    /// Other captures of the page that match.
    #[serde(skip_serializing_if = "OtherHits::is_empty")]
    pub captures: OtherHits,
    /// Pages whose best block has nearly the same text, and such blocks of the page itself.
    #[serde(skip_serializing_if = "OtherHits::is_empty")]
    pub similar: OtherHits,
    /// The page pruned by the query, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pruned: Option<PrunedPage>,
    /// How the score is made, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<PageExplanation>,
}

/// A later capture of an address, which gave other HTML.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewerCapture {
    /// Identity of the page that it gave.
    pub page_id: String,
    /// Its time, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured_at: Option<String>,
}

/// Hits that another one stands for.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct OtherHits {
    /// Their number, among what was ranked to make the answer.
    pub count: usize,
    /// The best of them, at most [`OtherHits::LISTED_MAX`].
    pub blocks: Vec<OtherBlock>,
}

impl OtherHits {
    /// Most hits that are listed.
    pub const LISTED_MAX: usize = 20;

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// The best block of a page that another one stands for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtherBlock {
    /// Identity of the block.
    pub block_id: String,
    /// Identity of its page.
    pub page_id: String,
    /// URL as the archive has it.
    pub url: String,
    /// Capture time, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured_at: Option<String>,
    /// The block's score.
    pub score: f32,
}

/// A block that answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockHit {
    /// Identity of the block.
    pub block_id: String,
    /// Place among the page's main blocks, from 0.
    pub ordinal: u32,
    /// The score of the ranking that was asked for; unitless, comparable within one answer.
    pub score: f32,
    /// Cosine similarity of block and query, in [0, 1].
    pub similarity: f32,
    /// Its language, where that is another than the page's: ISO 639-1 code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_language: Option<String>,
    /// Headings above, outermost first.
    pub heading_path: Vec<String>,
    /// The block's first line.
    pub lead: String,
    /// Where it begins within a table: the rows that head its columns, a row a line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub table_head: String,
    /// The parts of the text with most of the query's words, apart by `…`.
    pub snippet: HighlightedText,
    /// What of the text answers: the lines that hold the query's words, or all; after a line that is too short to stand alone, the
    /// text that follows it on the page.
    pub passage: String,
    /// The block's whole text.
    pub text: String,
    /// Words of the query that the collection has, but neither the block nor its headings and title.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_words: Vec<String>,
    /// Where to find it.
    pub locator: Locator,
    /// How the score is made, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<BlockExplanation>,
}

/// A text with marks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HighlightedText {
    /// The text; left-out parts are shown by `…`.
    pub text: String,
    /// Byte ranges of the query's words in it, in order and apart.
    pub highlights: Vec<Range<usize>>,
}

impl From<Vec<Snippet>> for HighlightedText {
    /// Parts of one text, in its order, with `…` for what is left out before, between and behind them.
    fn from(parts: Vec<Snippet>) -> Self {
        let mut joined = Self { text: String::new(), highlights: Vec::new() };
        let last = parts.len().saturating_sub(1);
        for (place, part) in parts.into_iter().enumerate() {
            joined.text += match place {
                0 if part.leading_ellipsis => "… ",
                0 => "",
                _ => " … ",
            };
            let shift = joined.text.len();
            joined.highlights.extend(part.highlights.into_iter().map(|at| at.start + shift..at.end + shift));
            joined.text += &part.text;
            joined.text += if place == last && part.trailing_ellipsis { " …" } else { "" };
        }
        joined
    }
}

impl HighlightedText {
    /// The text with `before` and `after` around every mark; every piece goes through `escape`.
    pub fn marked(&self, before: &str, after: &str, escape: impl Fn(&str) -> String) -> String {
        let mut marked = String::new();
        let mut at = 0;
        for range in &self.highlights {
            marked += &escape(&self.text[at..range.start]);
            marked += before;
            marked += &escape(&self.text[range.clone()]);
            marked += after;
            at = range.end;
        }
        marked + &escape(&self.text[at..])
    }
}
