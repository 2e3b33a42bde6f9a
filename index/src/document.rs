//! The unit that is indexed and found: one block of one page.

use serde::{Deserialize, Serialize};

use crate::analysis::Language;

/// A block of a page, ready to be indexed; a search gives it back as it was added.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BlockDocument {
    /// Stable name of the block, unique in the index.
    pub block_id: String,
    /// Name of the page: 32 lower-case hexadecimal digits. Replacing a page deletes by it.
    pub page_id: String,
    /// Where the page was captured.
    pub url: String,
    /// The address the page calls its own.
    pub canonical_url: Option<String>,
    /// Host of `url`.
    pub host: String,
    /// Title of the page.
    pub title: String,
    /// Headings above the block, outermost first.
    pub heading_path: Vec<String>,
    /// The block's own first line: heading, term or signature. Where the body begins with it too, its words count twice.
    pub lead: String,
    /// Visible text of the block.
    pub body: String,
    /// The part of the text inside links; stored, not searched.
    pub link_text: String,
    /// Alternative texts and captions of the block's images.
    pub image_text: String,
    /// Language of the page, in which the block is stemmed.
    pub language: Language,
    /// Type of the page, one of [`PAGE_TYPES`](crate::PAGE_TYPES); empty when unknown.
    pub page_type: String,
    /// Time of the capture in seconds since 1970.
    pub captured_at: Option<i64>,
    /// Place of the block in the content structure tree.
    pub block_path: String,
    /// CSS selector of the block in the page.
    pub css_path: String,
    /// Identifier of the nearest element that has one, for a link to the place.
    pub anchor: Option<String>,
    /// Order of the block in its page, from 0.
    pub ordinal: u32,
    /// Cosine of block and page topic at ingest, in [0, 1].
    pub similarity: f32,
    /// Weight of the block at ingest; unitless, ≥ 0.
    pub weight: f32,
}
