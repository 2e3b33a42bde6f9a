//! All blocks of a collection, for who puts them elsewhere: passages with where they come from.

use std::vec;

use lopper_archive::page::PageId;
use lopper_content::page_type::PageType;
use lopper_content::text::url;
use serde::Serialize;

use super::block_language::{block_language, page_language};
use super::{Locator, SearchEngine, SearchError};
use crate::{CollectionError, PageSource, rfc_3339};

/// A block with its page and provenance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockRecord {
    /// Identity of the block.
    pub block_id: String,
    /// Identity of its page.
    pub page_id: String,
    /// URL of the page as the archive has it.
    pub url: String,
    /// Host of the URL.
    pub host: String,
    /// Title of the page.
    pub title: String,
    /// ISO 639-1 code of the page.
    pub language: Option<String>,
    /// What kind of page it is, where that was told.
    pub page_type: Option<PageType>,
    /// Capture time, RFC 3339.
    pub captured_at: Option<String>,
    /// Place among the page's main blocks, from 0.
    pub ordinal: u32,
    /// Its language, where that is another than the page's: ISO 639-1 code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_language: Option<String>,
    /// Headings above, outermost first.
    pub heading_path: Vec<String>,
    /// Where it begins within a table: the rows that head its columns, a row a line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub table_head: String,
    /// Its text.
    pub text: String,
    /// Words of its links.
    pub link_text: String,
    /// Cosine similarity to the page's topic, in [0, 1].
    pub similarity: f32,
    /// Where to find it.
    pub locator: Locator,
    /// The record that the page was read from.
    pub source: PageSource,
    /// Where a replay shows the capture, where somebody has told of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_url: Option<String>,
}

/// Which pages' blocks are still to be read, in the order of their ids. A page that is deleted meanwhile is passed over.
#[derive(Debug)]
pub struct AllBlocks {
    pages: vec::IntoIter<PageId>,
    host: Option<String>,
}

impl AllBlocks {
    /// The pages that are there now; with `host`, those of that host alone. 16 bytes a page are held.
    ///
    /// # Errors
    ///
    /// [`SearchError`] when the store cannot be read.
    pub fn new(engine: &SearchEngine, host: Option<&str>) -> Result<Self, SearchError> {
        let pages: Vec<PageId> =
            engine.collection().store().page_ids().collect::<Result<_, _>>().map_err(CollectionError::from)?;
        let host = host.map(|written| {
            let written = written.trim_end_matches('.');
            url::host(&format!("http://{written}/")).unwrap_or_else(|| written.to_lowercase())
        });
        Ok(Self { pages: pages.into_iter(), host })
    }

    /// The blocks of the next page that has some; `None` behind the last.
    ///
    /// # Errors
    ///
    /// [`SearchError`] when the page cannot be read; the next call goes on behind it.
    pub fn next_page(&mut self, engine: &SearchEngine) -> Result<Option<Vec<BlockRecord>>, SearchError> {
        for id in self.pages.by_ref() {
            let Some(page) = engine.collection().page(id)? else { continue };
            if self.host.as_ref().is_some_and(|host| *host != page.host) {
                continue;
            }
            let blocks = engine.searcher().blocks_of_page(&id.to_string())?;
            if blocks.is_empty() {
                continue;
            }
            let captured_at = page.captured_at.and_then(rfc_3339);
            let language = page_language(&page);
            let source = PageSource::from(&page);
            let record = |block: lopper_index::BlockDocument| BlockRecord {
                locator: Locator::of(&block),
                block_language: block_language(&block, language),
                block_id: block.block_id,
                page_id: id.to_string(),
                url: page.url.clone(),
                host: page.host.clone(),
                title: page.title.clone(),
                language: page.language.clone(),
                page_type: page.page_type,
                captured_at: captured_at.clone(),
                ordinal: block.ordinal,
                heading_path: block.heading_path,
                table_head: block.table_head,
                text: block.body,
                link_text: block.link_text,
                similarity: block.similarity,
                source: source.clone(),
                replay_url: None,
            };
            return Ok(Some(blocks.into_iter().map(record).collect()));
        }
        Ok(None)
    }
}
