//! From main blocks to the documents of the index.

use lopper_index::BlockDocument;
use lopper_index::analysis::Language;

use crate::blocks::{BlockId, MainBlock};
use crate::page::PageId;
use crate::store::StoredPage;

/// What every block of a page shares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFacts<'a> {
    /// The page.
    pub id: PageId,
    /// URL as the archive has it.
    pub url: &'a str,
    /// Canonical form of the URL.
    pub canonical_url: &'a str,
    /// Host of the URL.
    pub host: &'a str,
    /// Title.
    pub title: &'a str,
    /// ISO 639-1 code; empty when unknown.
    pub language: &'a str,
    /// Capture time, seconds since 1970.
    pub captured_at: Option<i64>,
}

impl<'a> From<&'a StoredPage> for PageFacts<'a> {
    fn from(page: &'a StoredPage) -> Self {
        Self {
            id: page.id,
            url: &page.url,
            canonical_url: &page.canonical_url,
            host: &page.host,
            title: &page.title,
            language: page.language.as_deref().unwrap_or(""),
            captured_at: page.captured_at,
        }
    }
}

/// The documents of a page's blocks, in page order.
pub fn block_documents(page: &PageFacts<'_>, blocks: Vec<MainBlock>) -> Vec<BlockDocument> {
    let language = Language::from_code(page.language);
    let document = |block: MainBlock| BlockDocument {
        block_id: BlockId::of(page.id, &block.path).to_string(),
        page_id: page.id.to_string(),
        url: page.url.to_owned(),
        canonical_url: (page.canonical_url != page.url).then(|| page.canonical_url.to_owned()),
        host: page.host.to_owned(),
        title: page.title.to_owned(),
        heading_path: block.heading_path,
        lead: block.lead,
        body: block.text,
        link_text: block.link_text,
        image_text: block.image_text,
        language,
        page_type: String::new(),
        captured_at: page.captured_at,
        block_path: block.path,
        css_path: block.css_path,
        anchor: block.anchor,
        ordinal: block.ordinal,
        similarity: block.similarity,
        weight: block.weight,
    };
    blocks.into_iter().map(document).collect()
}
