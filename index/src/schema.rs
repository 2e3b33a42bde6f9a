//! Fields of the index, and the way of a document into and out of them.
//!
//! A page stands in the index as one document of kind [`PAGE`], followed by one of kind [`BLOCK`] for each of its blocks in page
//! order. They are added together, so they stay neighbours in one segment, also when segments are merged.

use tantivy::TantivyDocument;
use tantivy::schema::document::Value;
use tantivy::schema::{
    FAST, Field, IndexRecordOption, NumericOptions, STORED, STRING, Schema, SchemaBuilder, TextFieldIndexing,
    TextOptions,
};

use crate::analysis::{Analyzer, Language};
use crate::document::{BlockDocument, PageDocument};
use crate::query::host_and_parents;
use crate::term_stream::TermText;

/// Name under which the engine knows [`crate::term_stream::TermTokenizer`].
pub(crate) const TERM_TOKENIZER: &str = "lopper_terms";

/// Fast field with the leading 64 bits of the page's name, to break ties by.
pub(crate) const PAGE_ORDER: &str = "page_order";

/// Fast field with the time of the capture.
pub(crate) const CAPTURED_AT: &str = "captured_at";

/// Fast field with the block's order in its page; a page has none.
pub(crate) const ORDINAL: &str = "ordinal";

/// Fast field with the length of the block's vector.
pub(crate) const NORM: &str = "norm";

/// Fast field with the share of words in links.
pub(crate) const LINK_SHARE: &str = "link_share";

/// Fast field with the key of the links to a page or block.
pub(crate) const LINK_KEY: &str = "link_key";
pub(crate) const POINTERS: &str = "pointers";

/// Fast field with the language's code.
pub(crate) const LANGUAGE: &str = "language";

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
    pub(crate) page_id: Field,
    pub(crate) url: Field,
    pub(crate) host: Field,
    /// Host and all domains above it.
    pub(crate) site: Field,
    pub(crate) language: Field,
    /// Type of the page.
    pub(crate) page_type: Field,
    /// Words of host and path, unstemmed.
    pub(crate) url_terms: Field,
    canonical_url: Field,
    pub(crate) captured_at: Field,
    page_order: Field,
    ordinal: Field,
    similarity: Field,
    weight: Field,
    norm: Field,
    link_share: Field,
    pub(crate) link_key: Field,
    pointers: Field,
    block_path: Field,
    css_path: Field,
    anchor: Field,
    names: Field,
    stored: TextParts,
    link_text: Field,
    /// Title, heading path, lead, body and image text joined, with positions; the title first.
    pub(crate) all: Field,
    /// The same parts apart, with frequencies and lengths, for scorers that weigh fields.
    pub(crate) parts: TextParts,
    /// The last heading of the path again.
    pub(crate) own_heading: Field,
    /// Words of the names of what opens in the block.
    pub(crate) name_terms: Field,
    /// Fields of pages.
    pub(crate) page: PageParts,
}

/// One field for each searched part of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextParts {
    pub(crate) title: Field,
    pub(crate) headings: Field,
    pub(crate) lead: Field,
    pub(crate) body: Field,
    pub(crate) images: Field,
}

/// One field for each searched part of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageParts {
    /// Title, description, URL and the bodies of all blocks joined.
    pub(crate) all: Field,
    pub(crate) title: Field,
    pub(crate) description: Field,
    pub(crate) url: Field,
}

/// The schema and its handles. Any change here is a change of format: see `FORMAT_VERSION`.
pub(crate) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let number = || NumericOptions::default().set_stored().set_fast();
    let frequencies = || analysed(IndexRecordOption::WithFreqs);
    let fields = Fields {
        kind: builder.add_text_field("kind", STRING),
        block_id: builder.add_text_field("block_id", STRING | STORED),
        page_id: builder.add_text_field("page_id", STRING | STORED),
        url: builder.add_text_field("url", STRING | STORED),
        host: builder.add_text_field(HOST, STRING | STORED | FAST),
        site: builder.add_text_field("site", STRING),
        language: builder.add_text_field(LANGUAGE, STRING | STORED | FAST),
        page_type: builder.add_text_field(PAGE_TYPE, STRING | STORED | FAST),
        canonical_url: builder.add_text_field("canonical_url", STORED),
        captured_at: builder.add_i64_field(CAPTURED_AT, number().set_indexed()),
        page_order: builder.add_u64_field(PAGE_ORDER, FAST),
        ordinal: builder.add_u64_field(ORDINAL, number()),
        similarity: builder.add_f64_field("similarity", number()),
        weight: builder.add_f64_field("weight", number()),
        norm: builder.add_f64_field(NORM, number()),
        link_share: builder.add_f64_field(LINK_SHARE, number()),
        link_key: builder.add_u64_field(LINK_KEY, number().set_indexed()),
        pointers: builder.add_u64_field(POINTERS, number()),
        block_path: builder.add_text_field("block_path", STORED),
        css_path: builder.add_text_field("css_path", STORED),
        anchor: builder.add_text_field("anchor", STORED),
        names: builder.add_text_field("names", STORED),
        stored: TextParts::stored(&mut builder),
        link_text: builder.add_text_field("link_text", STORED),
        all: builder.add_text_field("all", analysed(IndexRecordOption::WithFreqsAndPositions)),
        parts: TextParts::analysed(&mut builder),
        own_heading: builder.add_text_field("own_heading_terms", frequencies()),
        name_terms: builder.add_text_field("name_terms", frequencies()),
        url_terms: builder.add_text_field("url_terms", frequencies()),
        page: PageParts {
            all: builder.add_text_field("page_terms", frequencies()),
            title: builder.add_text_field("page_title_terms", frequencies()),
            description: builder.add_text_field("page_description_terms", frequencies()),
            url: builder.add_text_field("page_url_terms", frequencies()),
        },
    };
    (builder.build(), fields)
}

fn analysed(record: IndexRecordOption) -> TextOptions {
    TextOptions::default().set_indexing_options(
        TextFieldIndexing::default().set_tokenizer(TERM_TOKENIZER).set_index_option(record).set_fieldnorms(true),
    )
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

    fn analysed(builder: &mut SchemaBuilder) -> Self {
        let options = || analysed(IndexRecordOption::WithFreqs);
        // Queries ask for phrases in these.
        let with_positions = || analysed(IndexRecordOption::WithFreqsAndPositions);
        Self {
            title: builder.add_text_field("title_terms", with_positions()),
            headings: builder.add_text_field("heading_terms", with_positions()),
            lead: builder.add_text_field("lead_terms", options()),
            body: builder.add_text_field("body_terms", options()),
            images: builder.add_text_field("image_terms", options()),
        }
    }
}

/// Turns documents into the engine's, reusing its buffers.
#[derive(Debug, Default)]
pub(crate) struct DocumentEncoder {
    analyzer: Analyzer,
    all: TermText,
    part: TermText,
    page: TermText,
}

impl DocumentEncoder {
    /// A page and its blocks, in the order in which they must be added.
    pub(crate) fn encode_page(
        &mut self,
        fields: &Fields,
        page: &PageDocument,
        blocks: &[BlockDocument],
    ) -> Vec<TantivyDocument> {
        self.page.clear();
        let mut encoded = vec![TantivyDocument::default()];
        encoded.extend(blocks.iter().map(|block| self.encode(fields, block)));
        encoded[0] = self.encode_page_alone(fields, page);
        encoded
    }

    /// The page's own document, after its blocks were encoded: their bodies' terms are in `self.page`.
    fn encode_page_alone(&mut self, fields: &Fields, page: &PageDocument) -> TantivyDocument {
        let mut encoded = TantivyDocument::default();
        encoded.add_text(fields.kind, PAGE);
        encoded.add_text(fields.page_id, &page.page_id);
        encoded.add_u64(fields.page_order, page_order(&page.page_id));
        encoded.add_u64(fields.link_key, page.link_key);
        std::mem::swap(&mut self.all, &mut self.page);
        let url = url_words(&page.url);
        for (field, text) in [
            (fields.page.title, page.title.as_str()),
            (fields.page.description, &page.description),
            (fields.page.url, &url),
        ] {
            self.analyse(&[text], page.language);
            self.all.push_terms(&self.part);
            self.analyse_words(&[text], page.language);
            if !self.part.as_str().is_empty() {
                encoded.add_text(field, self.part.as_str());
            }
        }
        encoded.add_text(fields.page.all, self.all.as_str());
        encoded
    }

    pub(crate) fn encode(&mut self, fields: &Fields, document: &BlockDocument) -> TantivyDocument {
        let mut encoded = TantivyDocument::default();
        add_stored(&mut encoded, fields, document);
        self.all.clear();
        let headings: Vec<&str> = document.heading_path.iter().map(String::as_str).collect();
        // A line is a paragraph: phrases and windows of words end with it.
        let lines: Vec<&str> = document.body.lines().collect();
        for (field, texts) in [
            (fields.parts.title, &[document.title.as_str()][..]),
            (fields.parts.headings, &headings),
            (fields.parts.body, &lines),
            (fields.parts.images, &[&document.image_text]),
        ] {
            self.add_part(&mut encoded, field, texts, document.language);
            if field == fields.parts.body {
                self.page.push_terms(&self.part);
            }
        }
        // The body begins with the lead, so its words count twice here.
        self.analyse(&[&document.lead], document.language);
        self.all.push_terms(&self.part);
        encoded.add_text(fields.all, self.all.as_str());
        self.add_names(&mut encoded, fields, document);
        self.add_url_words(&mut encoded, fields, document);
        encoded
    }

    /// Adds the fields that are not part of the joined one.
    fn add_names(&mut self, encoded: &mut TantivyDocument, fields: &Fields, document: &BlockDocument) {
        let names: Vec<String> = document.names.iter().map(|name| name_words(name)).collect();
        let names = names.join(" ");
        let own_heading = document.heading_path.last().map_or("", String::as_str);
        for (field, text) in
            [(fields.own_heading, own_heading), (fields.parts.lead, &document.lead), (fields.name_terms, &names)]
        {
            self.analyse_words(&[text], document.language);
            if !self.part.as_str().is_empty() {
                encoded.add_text(field, self.part.as_str());
            }
        }
    }

    fn add_url_words(&mut self, encoded: &mut TantivyDocument, fields: &Fields, document: &BlockDocument) {
        let (_, url) = document.url.split_once("://").unwrap_or(("", &document.url));
        // An underscore joins words elsewhere.
        self.analyse(&[&url.replace('_', " ")], Language::UNDETERMINED);
        encoded.add_text(fields.url_terms, self.part.as_str());
    }

    fn add_part(&mut self, encoded: &mut TantivyDocument, field: Field, texts: &[&str], language: Language) {
        self.analyse(texts, language);
        if !self.part.as_str().is_empty() {
            self.all.push_terms(&self.part);
            encoded.add_text(field, self.part.as_str());
        }
    }

    /// The words alone of names, that is of short fields: what share of them a query is, is measured.
    fn analyse_words(&mut self, texts: &[&str], language: Language) {
        self.part.clear();
        for text in texts {
            self.part.push_words(&mut self.analyzer, text, language);
        }
    }

    fn analyse(&mut self, texts: &[&str], language: Language) {
        self.part.clear();
        for text in texts {
            self.part.push_text(&mut self.analyzer, text, language);
        }
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
    for key in &document.pointers {
        encoded.add_u64(fields.pointers, *key);
    }
    for name in &document.names {
        encoded.add_text(fields.names, name);
    }
    for (field, number) in [
        (fields.similarity, document.similarity),
        (fields.weight, document.weight),
        (fields.norm, document.norm),
        (fields.link_share, document.link_share),
    ] {
        encoded.add_f64(field, number.into());
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

/// The words of a URL's host, path and query, apart by blanks.
fn url_words(url: &str) -> String {
    identifier_words(url.split_once("://").map_or(url, |(_, rest)| rest))
}

/// The words of an identifier: cut at everything but letters and digits, and where a capital letter follows a small one.
fn identifier_words(identifier: &str) -> String {
    let mut words = String::with_capacity(identifier.len() + 8);
    let mut after_small = false;
    for char in identifier.chars() {
        if after_small && char.is_uppercase() {
            words.push(' ');
        }
        words.push(if char.is_alphanumeric() { char } else { ' ' });
        after_small = char.is_lowercase();
    }
    words
}

/// The words of an element's id. Names in it stay whole, as they are in texts: `unittest.TestCase` is `unittest` and `TestCase`.
fn name_words(name: &str) -> String {
    name.chars().map(|char| if char.is_alphanumeric() || char == '_' { char } else { ' ' }).collect()
}

/// The document that `encoded` was made from.
pub(crate) fn decode(fields: &Fields, encoded: &TantivyDocument) -> BlockDocument {
    let text_option = |field| encoded.get_first(field).and_then(|value| value.as_str()).map(str::to_owned);
    let text = |field| text_option(field).unwrap_or_default();
    let number = |field| encoded.get_first(field).and_then(|value| value.as_f64()).unwrap_or_default() as f32;
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
        link_text: text(fields.link_text),
        image_text: text(fields.stored.images),
        language: Language::from_code(&text(fields.language)),
        page_type: text(fields.page_type),
        captured_at: encoded.get_first(fields.captured_at).and_then(|value| value.as_i64()),
        block_path: text(fields.block_path),
        css_path: text(fields.css_path),
        anchor: text_option(fields.anchor),
        names: texts(fields.names),
        ordinal: whole(fields.ordinal) as u32,
        similarity: number(fields.similarity),
        weight: number(fields.weight),
        norm: number(fields.norm),
        link_share: number(fields.link_share),
        link_keys: wholes(fields.link_key),
        pointers: wholes(fields.pointers),
    }
}

/// The leading 64 bits of a page's name, in its order: of sixteen hexadecimal digits, else of eight bytes.
fn page_order(page_id: &str) -> u64 {
    if let Some(Ok(order)) = page_id.get(..16).map(|digits| u64::from_str_radix(digits, 16)) {
        return order;
    }
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(page_id.bytes()) {
        *to = from;
    }
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_order_follows_the_name() {
        let names = ["00ff", "0100000000000000aa", "f000000000000000aa"];
        let hexadecimal = names.map(|name| page_order(&format!("{name:0<32}")));
        assert!(hexadecimal.is_sorted());
        assert!(page_order("page-1") < page_order("page-2"));
    }

    #[test]
    fn names_are_cut_into_words() {
        assert_eq!(identifier_words("unittest.TestCase.assertIs_instance"), "unittest Test Case assert Is instance");
        assert_eq!(url_words("https://docs.example/lib/os.path.html?q=a"), "docs example lib os path html q a");
    }
}
