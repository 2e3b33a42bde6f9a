//! From pages to tantivy's documents.

use tantivy::TantivyDocument;
use tantivy::schema::Field;

use super::schema::{BLOCK, Fields, PAGE, bits_of, block_key, schema};
use crate::block_terms::{BlockTerms, page_order, pointer_words};
use crate::document::{BlockDocument, PageDocument};
use crate::query::host_and_parents;
use crate::term_text::TermText;
use lopper_analysis::{Analyzer, Language};

/// A page with its blocks, ready for [`BlockWriter::add_encoded`](crate::BlockWriter::add_encoded).
#[derive(Debug, Default)]
pub struct EncodedPage {
    /// The page, then its blocks in page order.
    pub(crate) documents: Vec<TantivyDocument>,
    /// Names the page in errors.
    pub(crate) page_id: String,
}

impl EncodedPage {
    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.documents.len().saturating_sub(1)
    }
}

/// Analyses pages into tantivy's documents, reusing its buffers; keep one a thread.
#[derive(Debug)]
pub struct PageEncoder {
    fields: Fields,
    terms: BlockTerms,
    page: TermText,
}

impl Default for PageEncoder {
    fn default() -> Self {
        Self { fields: schema().1, terms: BlockTerms::default(), page: TermText::default() }
    }
}

impl PageEncoder {
    /// A page and its blocks, which are its documents in the index. Without blocks there are none.
    pub fn encode(&mut self, analyzer: &mut Analyzer, page: &PageDocument, blocks: &[BlockDocument]) -> EncodedPage {
        if blocks.is_empty() {
            return EncodedPage::default();
        }
        self.terms.begin_page();
        let mut documents = Vec::with_capacity(blocks.len() + 1);
        documents.push(TantivyDocument::default());
        documents.extend(blocks.iter().map(|block| self.encode_block(analyzer, block)));
        documents[0] = self.encode_page_alone(analyzer, page);
        let mut languages: Vec<Language> = blocks.iter().map(|block| block.language).collect();
        languages.push(page.language);
        languages.sort_unstable();
        languages.dedup();
        for language in languages {
            documents[0].add_text(self.fields.page_languages, language.code());
        }
        EncodedPage { documents, page_id: page.page_id.clone() }
    }

    /// A block without its page.
    pub(crate) fn encode_lone_block(&mut self, analyzer: &mut Analyzer, block: &BlockDocument) -> EncodedPage {
        self.terms.begin_page();
        let mut encoded = self.encode_block(analyzer, block);
        self.add_words(&mut encoded);
        EncodedPage { documents: vec![encoded], page_id: block.page_id.clone() }
    }

    /// The words of the page so far.
    fn add_words(&mut self, encoded: &mut TantivyDocument) {
        self.page.clear();
        self.terms.words.for_each(|word| self.page.push_repeated(word, 1));
        add_terms(encoded, self.fields.page.words, &self.page);
    }

    /// The page's own document, after its blocks were encoded.
    fn encode_page_alone(&mut self, analyzer: &mut Analyzer, page: &PageDocument) -> TantivyDocument {
        let Self { fields, terms, page: all } = self;
        let mut encoded = TantivyDocument::default();
        encoded.add_text(fields.kind, PAGE);
        encoded.add_text(fields.page_id, &page.page_id);
        encoded.add_u64(fields.page_order, page_order(&page.page_id));
        encoded.add_u64(fields.link_key, page.link_key);
        terms.read_page(analyzer, page);
        add_terms(&mut encoded, fields.page.head, &terms.all);
        terms.head_layout().numbers().for_each(|number| encoded.add_u64(fields.layout, number.into()));
        all.clear();
        terms.page.for_each(|term, count| all.push_repeated(term, count));
        encoded.add_text(fields.page.all, all.as_str());
        self.add_words(&mut encoded);
        encoded
    }

    fn encode_block(&mut self, analyzer: &mut Analyzer, document: &BlockDocument) -> TantivyDocument {
        let Self { fields, terms, .. } = self;
        let mut encoded = TantivyDocument::default();
        add_stored(&mut encoded, fields, document);
        terms.read_block(analyzer, document);
        add_terms(&mut encoded, fields.title_terms, terms.title.last());
        add_terms(&mut encoded, fields.heading_terms, terms.headings.last());
        terms.layout().numbers().for_each(|number| encoded.add_u64(fields.layout, number.into()));
        encoded.add_text(fields.all, terms.all.as_str());
        add_terms(&mut encoded, fields.name_terms, &terms.names);
        encoded.add_text(fields.url_terms, terms.url.last().as_str());
        for (key, words) in pointer_words(analyzer, document) {
            encoded.add_u64(fields.pointers, key);
            encoded.add_u64(fields.pointer_words, words.bits());
        }
        encoded
    }
}

fn add_terms(encoded: &mut TantivyDocument, field: Field, terms: &TermText) {
    if !terms.is_empty() {
        encoded.add_text(field, terms.as_str());
    }
}

/// Adds what a result gives back and what restricts results; empty values take no room.
fn add_stored(encoded: &mut TantivyDocument, fields: &Fields, document: &BlockDocument) {
    encoded.add_text(fields.kind, BLOCK);
    encoded.add_u64(fields.page_order, page_order(&document.page_id));
    encoded.add_u64(fields.ordinal, document.ordinal.into());
    for key in &document.link_keys {
        encoded.add_u64(fields.link_key, *key);
    }
    for name in &document.names {
        encoded.add_text(fields.names, name);
    }
    encoded.add_u64(fields.block_key, block_key(&document.block_id));
    for (field, number) in [
        (fields.similarity, document.similarity),
        (fields.weight, document.weight),
        (fields.norm, document.norm),
        (fields.link_share, document.link_share),
        (fields.content, document.content),
    ] {
        encoded.add_u64(field, bits_of(number));
    }
    if let Some(landmark) = document.landmark {
        encoded.add_u64(fields.landmark, landmark.into());
    }
    if let Some(captured_at) = document.captured_at {
        encoded.add_i64(fields.captured_at, captured_at);
    }
    for (field, text) in [
        (fields.block_id, document.block_id.as_str()),
        (fields.page_id, &document.page_id),
        (fields.url, &document.url),
        (fields.host, &document.host),
        (fields.language, document.language.code()),
        (fields.page_type, &document.page_type),
        (fields.block_path, &document.block_path),
        (fields.css_path, &document.css_path),
        (fields.stored.title, &document.title),
        (fields.stored.lead, &document.lead),
        (fields.stored.body, &document.body),
        (fields.stored.images, &document.image_text),
        (fields.table_head, &document.table_head),
        (fields.link_text, &document.link_text),
    ] {
        if !text.is_empty() {
            encoded.add_text(field, text);
        }
    }
    for (field, text) in [(fields.canonical_url, &document.canonical_url), (fields.anchor, &document.anchor)] {
        if let Some(text) = text {
            encoded.add_text(field, text);
        }
    }
    for heading in &document.heading_path {
        encoded.add_text(fields.stored.headings, heading);
    }
    for site in host_and_parents(&document.host) {
        encoded.add_text(fields.site, site);
    }
}
