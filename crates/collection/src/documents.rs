//! From main blocks to the documents of the index.

use lopper_analysis::Language;
use lopper_content::blocks::{BlockId, BlockLink, MainBlock};
use lopper_content::cst::ContentStructureTree;
use lopper_content::page_type::PageType;
use lopper_content::pipeline::{ExtractParams, LinkResolver, PageAnalyser, StoredTree, words};
use lopper_content::text::block_language;
use lopper_index::{BlockDocument, EncodedPage, PageDocument, PageEncoder, Pointer};
use lopper_store::StoredPage;
use serde::{Deserialize, Serialize};

/// Block path of what stands in for the text of a page that has none.
const HEAD_PATH: &str = "head";

/// What the index takes of a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageDocuments {
    /// The page as a whole.
    pub page: PageDocument,
    /// Its blocks, in page order.
    pub blocks: Vec<BlockDocument>,
}

impl PageDocuments {
    /// The documents of a page of the store. Each has a tree: what has none is not there any more, and nothing of it is in an index.
    pub fn of(page: &StoredPage, tree: &StoredTree, params: &ExtractParams) -> Self {
        Self::of_blocks(page, tree.blocks(params), &mut LinkResolver::new(&page.url))
    }

    /// The documents of a page with these blocks. One without any text, whose scripts would write it, can still be found by what its head
    /// says. `links` are those of the page's URL.
    pub(crate) fn of_blocks(page: &StoredPage, mut blocks: Vec<MainBlock>, links: &mut LinkResolver) -> Self {
        if blocks.is_empty() {
            blocks.extend(head_block(page));
        }
        Self {
            page: PageDocument {
                page_id: page.id.to_string(),
                title: page.title.clone(),
                description: page.description.clone(),
                url: page.url.clone(),
                language: language(page),
                link_key: links.own().page_key(),
            },
            blocks: blocks.into_iter().map(|block| block_document(page, links, block)).collect(),
        }
    }

    /// What the index's writer takes, with the stems of the analysis still at hand.
    pub fn encoded(&self, encoder: &mut PageEncoder, analyser: &mut PageAnalyser) -> EncodedPage {
        encoder.encode(analyser.analyzer(), &self.page, &self.blocks)
    }
}

fn language(page: &StoredPage) -> Language {
    Language::from_code(page.language.as_deref().unwrap_or_default())
}

/// The language that a block's elements declare, else the page's; or the block's own where that is plainly another.
fn block_language(page: &StoredPage, block: &MainBlock) -> Language {
    let declared = block.language.unwrap_or_else(|| page.language.as_deref().unwrap_or_default());
    Language::from_code(block_language::detect(&block.text, declared).unwrap_or(declared))
}

/// Title and description in place of a page's text.
fn head_block(page: &StoredPage) -> Option<MainBlock> {
    let texts = [&page.title, &page.description].map(|text| text.trim());
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
        language: None,
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

fn block_document(page: &StoredPage, links: &mut LinkResolver, block: MainBlock) -> BlockDocument {
    let words = |text: &str| words(text).count() as f32;
    let link_keys: Vec<u64> = block.names.iter().chain(&block.places).map(|name| links.own().block_key(name)).collect();
    let pointers = pointers(&block.links, &link_keys, links);
    let language = block_language(page, &block);
    BlockDocument {
        block_id: BlockId::of(page.id, &block.path).to_string(),
        page_id: page.id.to_string(),
        url: page.url.clone(),
        canonical_url: (page.canonical_url != page.url).then(|| page.canonical_url.clone()),
        host: page.host.clone(),
        title: page.title.clone(),
        heading_path: block.heading_path,
        lead: block.lead,
        table_head: block.table_head,
        landmark: block.landmark,
        link_share: (words(&block.link_text) / words(&block.text).max(1.0)).min(1.0),
        language,
        body: block.text,
        link_text: block.link_text,
        image_text: block.image_text,
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
        page_type: page.page_type.map_or("", PageType::name).to_owned(),
        link_keys,
        pointers,
    }
}
