//! From pages to the engine's documents.

use tantivy::TantivyDocument;
use tantivy::schema::Field;

use crate::analysis::{Analyzer, Language};
use crate::document::{BlockDocument, PageDocument};
use crate::query::host_and_parents;
use crate::schema::{BLOCK, Fields, PAGE, block_key, schema};
use crate::term_counts::TermCounts;
use crate::term_stream::TermText;

/// The one term of the field that has bodies' lengths, which no query asks for.
const LENGTH_TERM: &str = "\u{1}";

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

/// Analyses pages into the engine's documents, reusing its buffers; keep one a thread.
#[derive(Debug)]
pub struct PageEncoder {
    fields: Fields,
    all: TermText,
    part: TermText,
    title: KeptTerms,
    headings: KeptTerms,
    own_heading: KeptTerms,
    url: KeptTerms,
    /// The terms of the page's bodies.
    page: TermCounts,
}

impl Default for PageEncoder {
    fn default() -> Self {
        Self {
            fields: schema().1,
            all: TermText::default(),
            part: TermText::default(),
            title: KeptTerms::default(),
            headings: KeptTerms::default(),
            own_heading: KeptTerms::default(),
            url: KeptTerms::default(),
            page: TermCounts::default(),
        }
    }
}

/// The terms of a text that block after block shares.
#[derive(Debug, Default)]
struct KeptTerms {
    texts: Vec<String>,
    language: Language,
    terms: TermText,
}

impl KeptTerms {
    /// The terms of `texts`, made by `push` unless they are those of the last time.
    fn of<'t>(
        &mut self,
        texts: &[&'t str],
        language: Language,
        mut push: impl FnMut(&mut TermText, &'t str),
    ) -> &TermText {
        let is_kept = self.language == language && self.texts.iter().map(String::as_str).eq(texts.iter().copied());
        if !is_kept {
            self.texts.clear();
            self.texts.extend(texts.iter().map(|text| (*text).to_owned()));
            self.language = language;
            self.terms.clear();
            for text in texts {
                push(&mut self.terms, text);
            }
        }
        &self.terms
    }
}

impl PageEncoder {
    /// A page and its blocks, which are its documents in the index. Without blocks there are none.
    pub fn encode(&mut self, analyzer: &mut Analyzer, page: &PageDocument, blocks: &[BlockDocument]) -> EncodedPage {
        if blocks.is_empty() {
            return EncodedPage::default();
        }
        self.page.clear();
        let mut documents = Vec::with_capacity(blocks.len() + 1);
        documents.push(TantivyDocument::default());
        documents.extend(blocks.iter().map(|block| self.encode_block(analyzer, block)));
        documents[0] = self.encode_page_alone(analyzer, page);
        EncodedPage { documents, page_id: page.page_id.clone() }
    }

    /// A block without its page.
    pub(crate) fn encode_lone_block(&mut self, analyzer: &mut Analyzer, block: &BlockDocument) -> EncodedPage {
        self.page.clear();
        EncodedPage { documents: vec![self.encode_block(analyzer, block)], page_id: block.page_id.clone() }
    }

    /// The page's own document, after its blocks were encoded: their bodies' terms are in `self.page`.
    fn encode_page_alone(&mut self, analyzer: &mut Analyzer, page: &PageDocument) -> TantivyDocument {
        let fields = self.fields;
        let mut encoded = TantivyDocument::default();
        encoded.add_text(fields.kind, PAGE);
        encoded.add_text(fields.page_id, &page.page_id);
        encoded.add_u64(fields.page_order, page_order(&page.page_id));
        encoded.add_u64(fields.link_key, page.link_key);
        let url = url_words(&page.url);
        for (field, text) in [
            (fields.page.title, page.title.as_str()),
            (fields.page.description, &page.description),
            (fields.page.url, &url),
        ] {
            self.part.clear();
            self.part.push_text(analyzer, text, page.language);
            self.page.add(&self.part);
            self.part.clear();
            self.part.push_words(analyzer, text, page.language);
            add_terms(&mut encoded, field, &self.part);
        }
        self.all.clear();
        self.page.for_each(|term, count| self.all.push_repeated(term, count));
        encoded.add_text(fields.page.all, self.all.as_str());
        encoded
    }

    fn encode_block(&mut self, analyzer: &mut Analyzer, document: &BlockDocument) -> TantivyDocument {
        let mut encoded = TantivyDocument::default();
        add_stored(&mut encoded, &self.fields, document);
        self.all.clear();
        self.add_head(&mut encoded, analyzer, document);
        self.add_names(&mut encoded, analyzer, document);
        self.add_text(&mut encoded, analyzer, document);
        encoded.add_text(self.fields.all, self.all.as_str());
        encoded
    }

    /// What stands above the block: the page's title and the headings.
    fn add_head(&mut self, encoded: &mut TantivyDocument, analyzer: &mut Analyzer, document: &BlockDocument) {
        let (parts, language) = (self.fields.parts, document.language);
        let headings: Vec<&str> = document.heading_path.iter().map(String::as_str).collect();
        for (kept, field, texts) in [
            (&mut self.title, parts.title, &[document.title.as_str()][..]),
            (&mut self.headings, parts.headings, &headings),
        ] {
            let terms = kept.of(texts, language, |terms, text| terms.push_text(analyzer, text, language));
            self.all.push_terms(terms);
            add_terms(encoded, field, terms);
        }
    }

    /// The block's own text. A line is a paragraph: phrases and windows of words end with it.
    fn add_text(&mut self, encoded: &mut TantivyDocument, analyzer: &mut Analyzer, document: &BlockDocument) {
        let Fields { parts, body_start, .. } = self.fields;
        let language = document.language;
        self.part.clear();
        self.part.push_text(analyzer, &document.image_text, language);
        self.all.push_terms(&self.part);
        add_terms(encoded, parts.images, &self.part);
        self.part.clear();
        // The body begins with the lead, so its words count twice here.
        self.part.push_text(analyzer, &document.lead, language);
        self.all.push_terms(&self.part);
        self.part.clear();
        for line in document.body.lines() {
            self.part.push_text(analyzer, line, language);
        }
        encoded.add_u64(body_start, self.all.next_position() as u64);
        self.all.push_terms(&self.part);
        let length = self.page.add(&self.part);
        self.part.clear();
        self.part.push_repeated(LENGTH_TERM, length);
        add_terms(encoded, parts.body, &self.part);
    }

    /// The fields that are not part of the joined one: the words alone of names, that is of short fields of which it is measured
    /// what share of them a query is; and the words of the URL.
    fn add_names(&mut self, encoded: &mut TantivyDocument, analyzer: &mut Analyzer, document: &BlockDocument) {
        let Fields { own_heading, name_terms, url_terms, parts, .. } = self.fields;
        let language = document.language;
        let heading = document.heading_path.last().map_or("", String::as_str);
        let words = |terms: &mut TermText, text: &str| terms.push_words(analyzer, text, language);
        add_terms(encoded, own_heading, self.own_heading.of(&[heading], language, words));
        let names: Vec<String> = document.names.iter().map(|name| name_words(name)).collect();
        for (field, text) in [(parts.lead, &document.lead), (name_terms, &names.join(" "))] {
            self.part.clear();
            self.part.push_words(analyzer, text, language);
            add_terms(encoded, field, &self.part);
        }
        let url = self.url.of(&[&document.url], Language::UNDETERMINED, |terms, url| {
            let (_, url) = url.split_once("://").unwrap_or(("", url));
            // An underscore joins words elsewhere.
            terms.push_text(analyzer, &url.replace('_', " "), Language::UNDETERMINED);
        });
        encoded.add_text(url_terms, url.as_str());
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
    for (field, keys) in [(fields.link_key, &document.link_keys), (fields.pointers, &document.pointers)] {
        for key in keys {
            encoded.add_u64(field, *key);
        }
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
