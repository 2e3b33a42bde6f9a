//! What is indexed: a page's blocks, which are found, and the page itself, which speaks for them.

use lopper_analysis::Language;
use serde::{Deserialize, Serialize};

/// A block of a page, ready to be indexed; a search gives it back as it was added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Where the block begins within a table: the rows that head its columns, a row a line; stored, not searched.
    pub table_head: String,
    /// Visible text of the block: a paragraph a line, the cells of a table's row on one line, apart by [`CELL_BORDER`](lopper_analysis::CELL_BORDER).
    pub body: String,
    /// The part of the text inside links; stored, not searched.
    pub link_text: String,
    /// Alternative texts and captions of the block's images.
    pub image_text: String,
    /// Language of the block, in which it is stemmed: the page's, or its own where that is plainly another.
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
    /// Identifiers of the elements that open in the block: what it defines.
    pub names: Vec<String>,
    /// Which of its lines and cells is the first whose beginning stands nowhere before the block on the page: a link names that.
    pub landmark: Option<u32>,
    /// Order of the block in its page, from 0.
    pub ordinal: u32,
    /// Cosine of block and page topic at ingest, in [0, 1].
    pub similarity: f32,
    /// Weight of the block at ingest; unitless, ≥ 0.
    pub weight: f32,
    /// Length of the block's vector of term frequencies, `sqrt(Σ tf_i²)`, for the divisor of the cosine.
    pub norm: f32,
    /// Share of the block's words that are inside links, in [0, 1].
    pub link_share: f32,
    /// Probability that the block is content and not what stands around it, in [0, 1]; 1 where nobody judged it.
    pub content: f32,
    /// Keys under which [`LinkCounts`](crate::LinkCounts) knows the links to the block itself, one a name.
    pub link_keys: Vec<u64>,
    /// What the block's links point to, pages and blocks, each once; itself is not among them. A search does not give them back.
    pub pointers: Vec<Pointer>,
}

impl Default for BlockDocument {
    fn default() -> Self {
        Self {
            block_id: String::new(),
            page_id: String::new(),
            url: String::new(),
            canonical_url: None,
            host: String::new(),
            title: String::new(),
            heading_path: Vec::new(),
            lead: String::new(),
            table_head: String::new(),
            body: String::new(),
            link_text: String::new(),
            image_text: String::new(),
            language: Language::default(),
            page_type: String::new(),
            captured_at: None,
            block_path: String::new(),
            css_path: String::new(),
            anchor: None,
            names: Vec::new(),
            landmark: None,
            ordinal: 0,
            similarity: 0.0,
            weight: 0.0,
            norm: 0.0,
            link_share: 0.0,
            content: 1.0,
            link_keys: Vec::new(),
            pointers: Vec::new(),
        }
    }
}

/// What a link points to, and by which words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pointer {
    /// The key of the page or block, as in [`BlockDocument::link_keys`].
    pub key: u64,
    /// The link's text.
    pub text: String,
}

/// A page as a whole: what its blocks share, and evidence for them. It is never a result itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageDocument {
    /// Name of the page, as in its blocks.
    pub page_id: String,
    /// Title of the page.
    pub title: String,
    /// Description of the page by itself.
    pub description: String,
    /// Where the page was captured.
    pub url: String,
    /// Language of the page.
    pub language: Language,
    /// Key under which [`LinkCounts`](crate::LinkCounts) knows the links to the page; 0 for none.
    pub link_key: u64,
}
