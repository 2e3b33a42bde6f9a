//! A page and what is indexed of it.

use lopper_analysis::Language;
use lopper_archive::page::PageId;
use lopper_content::page_type::PageType;
use lopper_index::BlockDocument;
use lopper_store::StoredPage;
use serde::Serialize;

use super::block_language::{block_language, page_language};
use super::history::PageHistory;
use super::{Locator, NewerCapture, SearchEngine, SearchError};
use crate::{PageSource, rfc_3339};

/// A page with its main blocks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageView {
    /// Identity of the page.
    pub page_id: String,
    /// URL as the archive has it.
    pub url: String,
    /// Canonical form of the URL.
    pub canonical_url: String,
    /// Host of the URL.
    pub host: String,
    /// Title of the page.
    pub title: String,
    /// As the page declares it.
    pub description: String,
    /// ISO 639-1 code.
    pub language: Option<String>,
    /// What kind of page it is, where that was told.
    pub page_type: Option<PageType>,
    /// Capture time, RFC 3339.
    pub captured_at: Option<String>,
    /// When the address last gave the same HTML, where that is later, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_captured_at: Option<String>,
    /// The newest capture of the address, where it is later and gave other HTML.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer_capture: Option<NewerCapture>,
    /// HTTP status of the capture.
    pub status: u16,
    /// Encoding of the capture.
    pub charset: String,
    /// The record that the page was read from.
    pub source: PageSource,
    /// Where a replay shows the capture, where somebody has told of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_url: Option<String>,
    /// Bytes of its HTML.
    pub html_bytes: u64,
    /// Runs of text of the page.
    pub runs: u32,
    /// Number of its main blocks.
    pub main_blocks: u32,
    /// The main blocks, in page order.
    pub blocks: Vec<BlockView>,
}

/// A main block.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockView {
    /// Identity of the block.
    pub block_id: String,
    /// Place among the page's main blocks, from 0.
    pub ordinal: u32,
    /// Its language, where that is another than the page's: ISO 639-1 code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_language: Option<String>,
    /// Headings above, outermost first.
    pub heading_path: Vec<String>,
    /// Its first line.
    pub lead: String,
    /// Where it begins within a table: the rows that head its columns, a row a line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub table_head: String,
    /// Its text.
    pub text: String,
    /// Words of its links.
    pub link_text: String,
    /// Words of its images.
    pub image_text: String,
    /// Cosine similarity to the page's topic, in [0, 1].
    pub similarity: f32,
    /// Its weight.
    pub weight: f32,
    /// Where to find it.
    pub locator: Locator,
}

impl SearchEngine {
    /// A page with its main blocks; `None` where there is none of that identity.
    ///
    /// # Errors
    ///
    /// [`SearchError`] when the collection cannot be read.
    pub fn page_view(&self, id: PageId) -> Result<Option<PageView>, SearchError> {
        let Some(page) = self.collection().page(id)? else { return Ok(None) };
        let blocks = self.searcher().blocks_of_page(&id.to_string())?;
        let language = page_language(&page);
        let blocks = blocks.into_iter().map(|block| BlockView::of(block, language)).collect();
        let history = self.history(&page)?;
        Ok(Some(PageView::new(page, history, blocks)))
    }
}

impl PageView {
    fn new(page: StoredPage, history: PageHistory, blocks: Vec<BlockView>) -> Self {
        Self {
            source: PageSource::from(&page),
            page_id: page.id.to_string(),
            url: page.url,
            canonical_url: page.canonical_url,
            host: page.host,
            title: page.title,
            description: page.description,
            language: page.language,
            page_type: page.page_type,
            captured_at: page.captured_at.and_then(rfc_3339),
            last_captured_at: history.last_captured_at,
            newer_capture: history.newer_capture,
            status: page.status,
            charset: page.charset,
            replay_url: None,
            html_bytes: page.html_bytes,
            runs: page.runs,
            main_blocks: page.main_blocks,
            blocks,
        }
    }
}

impl BlockView {
    /// A block of a page in that language.
    fn of(block: BlockDocument, page: Language) -> Self {
        Self {
            block_language: block_language(&block, page),
            locator: Locator::of(&block),
            block_id: block.block_id,
            ordinal: block.ordinal,
            heading_path: block.heading_path,
            lead: block.lead,
            table_head: block.table_head,
            text: block.body,
            link_text: block.link_text,
            image_text: block.image_text,
            similarity: block.similarity,
            weight: block.weight,
        }
    }
}
