//! What is answered.

use std::ops::Range;

use lopper_index::{QueryNote, Snippet};
use serde::Serialize;

use super::Locator;

/// The answer to a search: pages, best first, each with its best blocks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchResponse {
    /// The query as it was given.
    pub query: String,
    /// Exact number of blocks that match, over all pages.
    pub total_blocks: u64,
    /// How the query was understood, where that needs telling.
    pub notes: Vec<QueryNote>,
    /// The pages.
    pub pages: Vec<PageHit>,
    /// Wall time of the search in milliseconds.
    pub duration_ms: f64,
}

/// A page with its best blocks. Its score is that of the best one.
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
    /// ISO 639-1 code; `und` when unknown.
    pub language: String,
    /// Capture time, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured_at: Option<String>,
    /// Score of the best block.
    pub score: f32,
    /// The best blocks, best first.
    pub blocks: Vec<BlockHit>,
}

/// A block that answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockHit {
    /// Identity of the block.
    pub block_id: String,
    /// Place among the page's main blocks, from 0.
    pub ordinal: u32,
    /// BM25 over title, headings, lead line, text and image text; unitless, comparable within one answer.
    pub score: f32,
    /// Cosine similarity of block and query, in [0, 1].
    pub similarity: f32,
    /// Headings above, outermost first.
    pub heading_path: Vec<String>,
    /// The block's first line.
    pub lead: String,
    /// The part of the text with most of the query's words.
    pub snippet: HighlightedText,
    /// The block's whole text.
    pub text: String,
    /// Where to find it.
    pub locator: Locator,
}

/// A text with marks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HighlightedText {
    /// The text; left-out parts are shown by `…`.
    pub text: String,
    /// Byte ranges of the query's words in it, in order and apart.
    pub highlights: Vec<Range<usize>>,
}

impl From<Snippet> for HighlightedText {
    fn from(snippet: Snippet) -> Self {
        let lead = if snippet.leading_ellipsis { "… " } else { "" };
        let tail = if snippet.trailing_ellipsis { " …" } else { "" };
        let shift = lead.len();
        let highlights = snippet.highlights.into_iter().map(|range| range.start + shift..range.end + shift).collect();
        Self { text: format!("{lead}{}{tail}", snippet.text), highlights }
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
