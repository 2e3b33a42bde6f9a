//! Fields of the index, and the way of a block out of them; `encoder` is the way in.
//!
//! A page stands in the index as one document of kind [`PAGE`], followed by one of kind [`BLOCK`] for each of its blocks in page
//! order. They are added together, so they stay neighbours in one segment, also when segments are merged.

use lopper_analysis::Language;
use tantivy::query::TermQuery;
use tantivy::schema::document::Value;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, NumericOptions, STORED, STRING, Schema, SchemaBuilder, TextFieldIndexing,
    TextOptions,
};
use tantivy::{TantivyDocument, Term};
use xxhash_rust::xxh3::xxh3_64;

use crate::document::BlockDocument;

/// Name under which the engine knows [`super::term_tokenizer::TermTokenizer`].
pub(crate) const TERM_TOKENIZER: &str = "lopper_terms";

/// Fast field with the leading 64 bits of the page's name, to break ties by.
pub(crate) const PAGE_ORDER: &str = "page_order";

/// Fast field with the time of the capture.
pub(crate) const CAPTURED_AT: &str = "captured_at";

/// Fast field with the [`Layout`](crate::layout::Layout) of a block's joined field, or of a page's head.
pub(crate) const LAYOUT: &str = "layout";

/// Fast field with the block's order in its page; a page has none.
pub(crate) const ORDINAL: &str = "ordinal";

/// Fast field with the length of the block's vector.
pub(crate) const NORM: &str = "norm";

/// Fast field with the share of words in links.
pub(crate) const LINK_SHARE: &str = "link_share";

/// Fast field with the probability of being content.
pub(crate) const CONTENT: &str = "content";

/// Fast field with the key of the links to a page or block.
pub(crate) const LINK_KEY: &str = "link_key";

/// Fast field with the keys of what a block's links lead to.
pub(crate) const POINTERS: &str = "pointers";

/// Fast field with the [`WordSet`](crate::word_set::WordSet) of the text of each of these links.
pub(crate) const POINTER_WORDS: &str = "pointer_words";

/// Fast field with the code of a block's language.
pub(crate) const LANGUAGE: &str = "language";

/// Fast field with the codes of a page's languages: its own and those of its blocks.
pub(crate) const PAGE_LANGUAGES: &str = "page_languages";

/// Fast field with the host.
pub(crate) const HOST: &str = "host";

/// Fast field with the page's type.
pub(crate) const PAGE_TYPE: &str = "page_type";

/// Value of the field `kind` of a block.
pub(crate) const BLOCK: &str = "block";

/// Value of the field `kind` of a page.
pub(crate) const PAGE: &str = "page";

/// Handles of all fields.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    pub(crate) kind: Field,
    pub(crate) block_id: Field,
    /// What a block is looked up by: [`block_key`] of its name.
    pub(crate) block_key: Field,
    pub(crate) page_id: Field,
    pub(crate) url: Field,
    pub(crate) host: Field,
    /// Host and all domains above it.
    pub(crate) site: Field,
    pub(crate) language: Field,
    pub(crate) page_languages: Field,
    /// Type of the page.
    pub(crate) page_type: Field,
    /// Words of host and path, unstemmed.
    pub(crate) url_terms: Field,
    pub(crate) captured_at: Field,
    pub(crate) page_order: Field,
    pub(crate) ordinal: Field,
    pub(crate) layout: Field,
    pub(crate) similarity: Field,
    pub(crate) weight: Field,
    pub(crate) norm: Field,
    pub(crate) link_share: Field,
    pub(crate) content: Field,
    pub(crate) link_key: Field,
    pub(crate) pointers: Field,
    pub(crate) pointer_words: Field,
    pub(crate) canonical_url: Field,
    pub(crate) block_path: Field,
    pub(crate) css_path: Field,
    pub(crate) anchor: Field,
    pub(crate) names: Field,
    pub(crate) stored: TextParts,
    pub(crate) table_head: Field,
    pub(crate) landmark: Field,
    pub(crate) link_text: Field,
    /// Title, heading path, image text, lead and body joined, with positions; [`LAYOUT`] tells which is which.
    pub(crate) all: Field,
    /// Title and heading path again, for queries that ask for words in them.
    pub(crate) title_terms: Field,
    pub(crate) heading_terms: Field,
    /// Words of the names of what opens in the block.
    pub(crate) name_terms: Field,
    /// Fields of pages.
    pub(crate) page: PageParts,
}

/// One field for each text of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextParts {
    pub(crate) title: Field,
    pub(crate) headings: Field,
    pub(crate) lead: Field,
    pub(crate) body: Field,
    pub(crate) images: Field,
}

/// What a page is searched by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageParts {
    /// Title, description, URL and the bodies of all blocks joined.
    pub(crate) all: Field,
    /// Title, description and URL joined, with positions; [`LAYOUT`] tells which is which.
    pub(crate) head: Field,
    /// Its different words as they are written; see [`PageWords`](crate::page_words::PageWords).
    pub(crate) words: Field,
}

/// The schema and its handles. Any change here is a change of format: see `FORMAT_VERSION`.
pub(crate) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let number = || NumericOptions::default().set_stored().set_fast();
    let frequencies = || analysed(IndexRecordOption::WithFreqs);
    let positions = || analysed(IndexRecordOption::WithFreqsAndPositions);
    let fields = Fields {
        kind: builder.add_text_field("kind", STRING),
        block_id: builder.add_text_field("block_id", STORED),
        block_key: builder.add_u64_field("block_key", INDEXED),
        page_id: builder.add_text_field("page_id", STRING | STORED),
        url: builder.add_text_field("url", STRING | STORED),
        host: builder.add_text_field(HOST, STRING | STORED | FAST),
        site: builder.add_text_field("site", STRING),
        language: builder.add_text_field(LANGUAGE, STRING | STORED | FAST),
        page_languages: builder.add_text_field(PAGE_LANGUAGES, STRING | FAST),
        page_type: builder.add_text_field(PAGE_TYPE, STRING | STORED | FAST),
        canonical_url: builder.add_text_field("canonical_url", STORED),
        captured_at: builder.add_i64_field(CAPTURED_AT, number().set_indexed()),
        page_order: builder.add_u64_field(PAGE_ORDER, FAST),
        ordinal: builder.add_u64_field(ORDINAL, number()),
        layout: builder.add_u64_field(LAYOUT, FAST),
        similarity: builder.add_u64_field("similarity", STORED),
        weight: builder.add_u64_field("weight", STORED),
        norm: builder.add_u64_field(NORM, number()),
        link_share: builder.add_u64_field(LINK_SHARE, number()),
        content: builder.add_u64_field(CONTENT, number()),
        link_key: builder.add_u64_field(LINK_KEY, number().set_indexed()),
        pointers: builder.add_u64_field(POINTERS, FAST),
        pointer_words: builder.add_u64_field(POINTER_WORDS, FAST),
        block_path: builder.add_text_field("block_path", STORED),
        css_path: builder.add_text_field("css_path", STORED),
        anchor: builder.add_text_field("anchor", STORED),
        names: builder.add_text_field("names", STORED),
        stored: TextParts::stored(&mut builder),
        table_head: builder.add_text_field("table_head", STORED),
        landmark: builder.add_u64_field("landmark", STORED),
        link_text: builder.add_text_field("link_text", STORED),
        all: builder.add_text_field("all", positions()),
        title_terms: builder.add_text_field("title_terms", positions()),
        heading_terms: builder.add_text_field("heading_terms", positions()),
        name_terms: builder.add_text_field("name_terms", frequencies()),
        url_terms: builder.add_text_field("url_terms", frequencies()),
        page: PageParts {
            all: builder.add_text_field("page_terms", frequencies()),
            head: builder.add_text_field("page_head_terms", positions()),
            words: builder.add_text_field("page_words", listed()),
        },
    };
    (builder.build(), fields)
}

/// The number that a block is looked up by. Its 48 bits keep the engine's dictionary small; of ten million blocks two share one with
/// the probability 0.2, so what is found is compared with the name where it matters.
pub(crate) fn block_key(block_id: &str) -> u64 {
    xxh3_64(block_id.as_bytes()) >> 16
}

impl Fields {
    /// The term of the block of that name.
    pub(crate) fn block_term(&self, block_id: &str) -> Term {
        Term::from_field_u64(self.block_key, block_key(block_id))
    }

    /// All blocks, but not the pages that stand in the index with them.
    pub(crate) fn every_block(&self) -> TermQuery {
        TermQuery::new(Term::from_field_text(self.kind, BLOCK), IndexRecordOption::Basic)
    }
}

fn analysed(record: IndexRecordOption) -> TextOptions {
    TextOptions::default().set_indexing_options(
        TextFieldIndexing::default().set_tokenizer(TERM_TOKENIZER).set_index_option(record).set_fieldnorms(true),
    )
}

/// Terms of which only the documents are known.
fn listed() -> TextOptions {
    let indexing =
        TextFieldIndexing::default().set_tokenizer(TERM_TOKENIZER).set_index_option(IndexRecordOption::Basic);
    TextOptions::default().set_indexing_options(indexing.set_fieldnorms(false))
}

impl TextParts {
    fn stored(builder: &mut SchemaBuilder) -> Self {
        Self {
            title: builder.add_text_field("title", STORED),
            headings: builder.add_text_field("headings", STORED),
            lead: builder.add_text_field("lead", STORED),
            body: builder.add_text_field("body", STORED),
            images: builder.add_text_field("images", STORED),
        }
    }
}

/// A number as the index keeps it: the bits of an `f32`, half as long as the engine's own floating-point numbers.
pub(crate) fn bits_of(number: f32) -> u64 {
    number.to_bits().into()
}

/// The number that [`bits_of`] was given.
pub(crate) fn number_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// The document that `encoded` was made from.
pub(crate) fn decode(fields: &Fields, encoded: &TantivyDocument) -> BlockDocument {
    let text_option = |field| encoded.get_first(field).and_then(|value| value.as_str()).map(str::to_owned);
    let text = |field| text_option(field).unwrap_or_default();
    let number = |field| encoded.get_first(field).and_then(|value| value.as_u64()).map_or(0.0, number_of);
    let whole = |field| encoded.get_first(field).and_then(|value| value.as_u64()).unwrap_or_default();
    let wholes = |field| encoded.get_all(field).filter_map(|value| value.as_u64()).collect();
    let texts = |field| encoded.get_all(field).map(|value| value.as_str().unwrap_or_default().to_owned()).collect();
    BlockDocument {
        block_id: text(fields.block_id),
        page_id: text(fields.page_id),
        url: text(fields.url),
        canonical_url: text_option(fields.canonical_url),
        host: text(fields.host),
        title: text(fields.stored.title),
        heading_path: texts(fields.stored.headings),
        lead: text(fields.stored.lead),
        body: text(fields.stored.body),
        table_head: text(fields.table_head),
        link_text: text(fields.link_text),
        image_text: text(fields.stored.images),
        language: Language::from_code(&text(fields.language)),
        page_type: text(fields.page_type),
        captured_at: encoded.get_first(fields.captured_at).and_then(|value| value.as_i64()),
        block_path: text(fields.block_path),
        css_path: text(fields.css_path),
        anchor: text_option(fields.anchor),
        names: texts(fields.names),
        landmark: encoded.get_first(fields.landmark).and_then(|value| value.as_u64()).map(|landmark| landmark as u32),
        ordinal: whole(fields.ordinal) as u32,
        similarity: number(fields.similarity),
        weight: number(fields.weight),
        norm: number(fields.norm),
        link_share: number(fields.link_share),
        content: number(fields.content),
        link_keys: wholes(fields.link_key),
        pointers: Vec::new(),
    }
}
