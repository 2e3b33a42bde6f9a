//! A block as others can be pointed to it, checked against the page's own HTML.

use lopper_analysis::bare_words;
use lopper_content::blocks::MainBlock;
use lopper_content::limits::Limits;
use lopper_content::pipeline::{ParsedPage, StoredTree};
use lopper_index::BlockDocument;
use lopper_store::{BodyPlace, StoredPage};
use serde::Serialize;

use super::history::PageHistory;
use super::{Locator, NewerCapture, SearchEngine, SearchError};
use crate::{CollectionError, PageSource, rfc_3339};

/// Where a quote is from, and whether it is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// Identity of the block.
    pub block_id: String,
    /// Identity of its page.
    pub page_id: String,
    /// URL as the archive has it.
    pub url: String,
    /// Title of the page.
    pub title: String,
    /// Capture time, RFC 3339.
    pub captured_at: Option<String>,
    /// When the address last gave the same HTML, where that is later, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_captured_at: Option<String>,
    /// The newest capture of the address, where it is later and gave other HTML.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer_capture: Option<NewerCapture>,
    /// The record that the page was read from.
    pub source: PageSource,
    /// The block's text, the cells of a table's row apart by ` | `.
    pub quote: String,
    /// URL with a text fragment, CSS path, element id, block path.
    pub locator: Locator,
    /// Where a replay shows the capture, where somebody has told of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_url: Option<String>,
    /// What became of the check.
    pub verification: Verification,
    /// Where the HTML was that it was checked against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked_in: Option<&'static str>,
}

/// What became of a check.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Verification {
    /// The HTML has the digest of the capture, and the quote at that place.
    Verified,
    /// The HTML is there and the quote is not where it was: the page is cut in another way by now.
    Differs,
    /// Neither the data folder nor the archive has the HTML any more.
    NotAtHand,
}

impl SearchEngine {
    /// The citation of a block; `None` where there is none of that name.
    ///
    /// # Errors
    ///
    /// [`SearchError`] when the collection cannot be read.
    pub fn cite(&self, block_id: &str, limits: &Limits) -> Result<Option<Citation>, SearchError> {
        let Some(block) = self.searcher().get_block(block_id)? else { return Ok(None) };
        let Ok(page_id) = block.page_id.parse() else { return Ok(None) };
        let Some(page) = self.collection().page(page_id)? else {
            return Ok(None);
        };
        let PageHistory { last_captured_at, newer_capture } = self.history(&page)?;
        let verification = self.verified(&page, &block, limits)?;
        let checked_in = match (verification, page.body) {
            (Verification::NotAtHand, _) => None,
            (_, BodyPlace::Kept) => Some("data_folder"),
            _ => Some("archive"),
        };
        Ok(Some(Citation {
            locator: Locator::of(&block),
            source: PageSource::from(&page),
            page_id: page.id.to_string(),
            url: page.url,
            title: page.title,
            captured_at: page.captured_at.and_then(rfc_3339),
            last_captured_at,
            newer_capture,
            block_id: block.block_id,
            quote: block.body,
            replay_url: None,
            verification,
            checked_in,
        }))
    }

    /// Looks the quote up in the page's HTML, which is only given when its digest is that of the capture.
    fn verified(&self, page: &StoredPage, block: &BlockDocument, limits: &Limits) -> Result<Verification, SearchError> {
        let folder = self.collection();
        let body = folder.body(page, limits).map_err(CollectionError::from)?;
        let (Some(body), Some(tree)) = (body, folder.tree(page.id)?) else { return Ok(Verification::NotAtHand) };
        let parsed = ParsedPage::with_profile(body.source(), tree.tree.profile(), limits);
        let is_there = gives(&parsed, &tree) && holds(&parsed, &tree.blocks(&folder.params()), block);
        Ok(if is_there { Verification::Verified } else { Verification::Differs })
    }
}

/// Whether the HTML gives the same tree as it did.
fn gives(parsed: &ParsedPage<'_>, stored: &StoredTree) -> bool {
    let (now, then) = (&parsed.tree, &stored.tree);
    now.len() == then.len() && now.runs() == then.runs() && now.visible_text() == then.visible_text()
}

/// Whether the block is among those of the tree. A page without text stands in the index by its title and description.
fn holds(parsed: &ParsedPage<'_>, blocks: &[MainBlock], block: &BlockDocument) -> bool {
    let head = [&parsed.metadata().title, &parsed.metadata().description];
    let is_head = || block.body.lines().all(|line| head.iter().any(|text| text.contains(line)));
    // By words: earlier versions had each cell of a table's row on a line of its own.
    let is_block =
        |known: &MainBlock| known.path == block.block_path && bare_words(&known.text).eq(bare_words(&block.body));
    if blocks.is_empty() { is_head() } else { blocks.iter().any(is_block) }
}
