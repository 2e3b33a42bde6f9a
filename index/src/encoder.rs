//! From pages to the engine's documents.

use lopper_analysis::{Analyzer, Language};
use tantivy::TantivyDocument;
use tantivy::schema::Field;

use crate::document::{BlockDocument, PageDocument};
use crate::layout::{BlockPart, Layout, PagePart};
use crate::query::host_and_parents;
use crate::schema::{BLOCK, Fields, PAGE, block_key, schema};
use crate::term_counts::TermCounts;
use crate::term_stream::TermText;
use crate::word_set::WordSet;

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
    layout: Layout<{ BlockPart::COUNT }>,
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
            layout: Layout::default(),
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
        let mut layout = Layout::<{ PagePart::COUNT }>::default();
        self.all.clear();
        for (part, text) in
            [(PagePart::Title, page.title.as_str()), (PagePart::Description, &page.description), (PagePart::Url, &url)]
        {
            self.part.clear();
            self.part.push_text(analyzer, text, page.language);
            self.page.add(&self.part);
            let start = self.all.push_terms(&self.part);
            layout.set(part as usize, start, self.part.words());
        }
        add_terms(&mut encoded, fields.page.head, &self.all);
        layout.add_to(&mut encoded, fields.layout);
        self.all.clear();
        self.page.for_each(|term, count| self.all.push_repeated(term, count));
        encoded.add_text(fields.page.all, self.all.as_str());
        encoded
    }

    fn encode_block(&mut self, analyzer: &mut Analyzer, document: &BlockDocument) -> TantivyDocument {
        let mut encoded = TantivyDocument::default();
        add_stored(&mut encoded, &self.fields, document);
        self.all.clear();
        self.layout = Layout::default();
        self.add_head(&mut encoded, analyzer, document);
        self.add_text(analyzer, document);
        self.layout.add_to(&mut encoded, self.fields.layout);
        encoded.add_text(self.fields.all, self.all.as_str());
        self.add_names(&mut encoded, analyzer, document);
        self.add_pointers(&mut encoded, analyzer, document);
        encoded
    }

    /// What stands above the block: the page's title and the headings.
    fn add_head(&mut self, encoded: &mut TantivyDocument, analyzer: &mut Analyzer, document: &BlockDocument) {
        let Fields { title_terms, heading_terms, .. } = self.fields;
        let language = document.language;
        let mut push = |terms: &mut TermText, text: &str| terms.push_text(analyzer, text, language);
        let title = self.title.of(&[&document.title], language, &mut push);
        let start = self.all.push_terms(title);
        self.layout.set(BlockPart::Title as usize, start, title.tokens());
        add_terms(encoded, title_terms, title);
        let texts: Vec<&str> = document.heading_path.iter().map(String::as_str).collect();
        let headings = self.headings.of(&texts, language, &mut push);
        let start = self.all.push_terms(headings);
        let own = headings.last_part();
        self.layout.set(BlockPart::Headings as usize, start, headings.tokens());
        self.layout.set(BlockPart::OwnHeading as usize, start + own.start, own.words);
        add_terms(encoded, heading_terms, headings);
    }

    /// The block's own text. A line is a paragraph: phrases and windows of words end with it.
    fn add_text(&mut self, analyzer: &mut Analyzer, document: &BlockDocument) {
        let language = document.language;
        self.part.clear();
        self.part.push_text(analyzer, &document.image_text, language);
        let start = self.all.push_terms(&self.part);
        self.layout.set(BlockPart::Images as usize, start, self.part.tokens());
        self.part.clear();
        // The body begins with the lead, so its words count twice here.
        self.part.push_text(analyzer, &document.lead, language);
        let start = self.all.push_terms(&self.part);
        self.layout.set(BlockPart::Lead as usize, start, self.part.words());
        self.part.clear();
        for line in document.body.lines() {
            self.part.push_text(analyzer, line, language);
        }
        let start = self.all.push_terms(&self.part);
        self.layout.set(BlockPart::Body as usize, start, self.part.tokens());
        self.page.add(&self.part);
    }

    /// What the block's links lead to, with the words of each.
    fn add_pointers(&self, encoded: &mut TantivyDocument, analyzer: &mut Analyzer, document: &BlockDocument) {
        // A link to an element of a page points to both by the same words.
        let (mut text, mut words) = ("", WordSet::default());
        for pointer in &document.pointers {
            if pointer.text != text {
                (text, words) = (&pointer.text, WordSet::default());
                analyzer.analyze(text, document.language, |token| words.add(token.term));
            }
            encoded.add_u64(self.fields.pointers, pointer.key);
            encoded.add_u64(self.fields.pointer_words, words.bits());
        }
    }

    /// The fields that are not part of the joined one: the words alone of the names of what opens in the block, and those of the URL.
    fn add_names(&mut self, encoded: &mut TantivyDocument, analyzer: &mut Analyzer, document: &BlockDocument) {
        let names: Vec<String> = document.names.iter().map(|name| name_words(name)).collect();
        self.part.clear();
        self.part.push_words(analyzer, &names.join(" "), document.language);
        add_terms(encoded, self.fields.name_terms, &self.part);
        let url = self.url.of(&[&document.url], Language::UNDETERMINED, |terms, url| {
            let (_, url) = url.split_once("://").unwrap_or(("", url));
            // An underscore joins words elsewhere.
            terms.push_text(analyzer, &url.replace('_', " "), Language::UNDETERMINED);
        });
        encoded.add_text(self.fields.url_terms, url.as_str());
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
