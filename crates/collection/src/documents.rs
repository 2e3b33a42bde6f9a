//! From main blocks to the documents of the index.

use lopper_analysis::Language;
use lopper_archive::page::PageId;
use lopper_content::blocks::{BlockId, BlockLink, MainBlock};
use lopper_content::cst::ContentStructureTree;
use lopper_content::page_type::PageType;
use lopper_content::pipeline::{LinkResolver, PageAnalyser, words};
use lopper_index::{BlockDocument, EncodedPage, PageDocument, PageEncoder, Pointer};
use lopper_store::StoredPage;
use serde::{Deserialize, Serialize};

/// Block path of what stands in for the text of a page that has none.
const HEAD_PATH: &str = "head";

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
    /// Description of the page by itself.
    pub description: &'a str,
    /// ISO 639-1 code; empty when unknown.
    pub language: &'a str,
    /// Type of the page; empty when not told.
    pub page_type: &'a str,
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
            description: &page.description,
            language: page.language.as_deref().unwrap_or(""),
            page_type: page.page_type.map_or("", PageType::name),
            captured_at: page.captured_at,
        }
    }
}

/// What the index takes of a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageDocuments {
    /// The page as a whole.
    pub page: PageDocument,
    /// Its blocks, in page order.
    pub blocks: Vec<BlockDocument>,
}

impl PageDocuments {
    /// What the index's writer takes, with the stems of the analysis still at hand.
    pub fn encoded(&self, encoder: &mut PageEncoder, analyser: &mut PageAnalyser) -> EncodedPage {
        encoder.encode(analyser.analyzer(), &self.page, &self.blocks)
    }
}

/// The documents of a page. One without any text, whose scripts would write it, can still be found by what its head says. `links` are those
/// of the page's URL.
pub fn page_documents(page: &PageFacts<'_>, mut blocks: Vec<MainBlock>, links: &mut LinkResolver) -> PageDocuments {
    if blocks.is_empty() {
        blocks.extend(head_block(page));
    }
    PageDocuments {
        page: PageDocument {
            page_id: page.id.to_string(),
            title: page.title.to_owned(),
            description: page.description.to_owned(),
            url: page.url.to_owned(),
            language: Language::from_code(page.language),
            link_key: links.own().page_key(),
        },
        blocks: blocks.into_iter().map(|block| block_document(page, links, block)).collect(),
    }
}

/// Title and description in place of a page's text.
fn head_block(page: &PageFacts<'_>) -> Option<MainBlock> {
    let texts = [page.title, page.description].map(str::trim);
    let lines: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    (!lines.is_empty()).then(|| MainBlock {
        ordinal: 0,
        path: HEAD_PATH.to_owned(),
        css_path: "head".to_owned(),
        anchor: None,
        names: Vec::new(),
        places: Vec::new(),
        item: ContentStructureTree::ROOT,
        heading_path: Vec::new(),
        table_head: String::new(),
        landmark: None,
        lead: lines[0].to_owned(),
        text: lines.join("\n"),
        link_text: String::new(),
        links: Vec::new(),
        image_text: String::new(),
        similarity: 0.0,
        weight: 0.0,
        norm: 0.0,
        content: 1.0,
    })
}

/// What links lead to, each once with the texts of all that do; nothing of what has one of the keys `own`.
fn pointers(links: &[BlockLink], own: &[u64], resolver: &mut LinkResolver) -> Vec<Pointer> {
    let mut pointers: Vec<Pointer> = Vec::new();
    for BlockLink { href, text } in links {
        let target = resolver.target(href);
        let keys = target.into_iter().flat_map(|target| [target.page, target.element]).flatten();
        for key in keys.filter(|key| !own.contains(key)) {
            match pointers.iter_mut().find(|known| known.key == key) {
                Some(known) => known.text.extend([" ", text]),
                None => pointers.push(Pointer { key, text: text.clone() }),
            }
        }
    }
    pointers
}

fn block_document(page: &PageFacts<'_>, links: &mut LinkResolver, block: MainBlock) -> BlockDocument {
    let words = |text: &str| words(text).count() as f32;
    let link_keys: Vec<u64> = block.names.iter().chain(&block.places).map(|name| links.own().block_key(name)).collect();
    let pointers = pointers(&block.links, &link_keys, links);
    BlockDocument {
        block_id: BlockId::of(page.id, &block.path).to_string(),
        page_id: page.id.to_string(),
        url: page.url.to_owned(),
        canonical_url: (page.canonical_url != page.url).then(|| page.canonical_url.to_owned()),
        host: page.host.to_owned(),
        title: page.title.to_owned(),
        heading_path: block.heading_path,
        lead: block.lead,
        table_head: block.table_head,
        landmark: block.landmark,
        link_share: (words(&block.link_text) / words(&block.text).max(1.0)).min(1.0),
        body: block.text,
        link_text: block.link_text,
        image_text: block.image_text,
        language: Language::from_code(page.language),
        captured_at: page.captured_at,
        block_path: block.path,
        css_path: block.css_path,
        anchor: block.anchor,
        names: block.names,
        ordinal: block.ordinal,
        similarity: block.similarity,
        weight: block.weight,
        norm: block.norm,
        content: block.content,
        page_type: page.page_type.to_owned(),
        link_keys,
        pointers,
    }
}
