//! The terms of a block and of its page: what an engine indexes them by.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use xxhash_rust::xxh3::xxh3_64;

use crate::document::{BlockDocument, PageDocument};
use crate::layout::{BlockPart, Layout, PagePart};
use crate::page_words::PageWords;
use crate::term_counts::TermCounts;
use crate::term_text::{PlacedTerm, TermText};
use crate::word_set::WordSet;
use lopper_analysis::{Analyzer, Language};

/// Reads blocks and their pages into terms, reusing its buffers; keep one a thread. Every engine indexes what it reads, so that all find
/// the same.
///
/// Read a page's blocks one after the other, then the page: its text is made of theirs.
#[derive(Debug, Default)]
pub struct BlockTerms {
    /// Title, heading path, image text, lead and body joined, or of a page's head title, description and URL.
    pub(crate) all: TermText,
    part: TermText,
    pub(crate) title: KeptTerms,
    pub(crate) headings: KeptTerms,
    layout: Layout<{ BlockPart::COUNT }>,
    head_layout: Layout<{ PagePart::COUNT }>,
    pub(crate) names: TermText,
    pub(crate) url: KeptTerms,
    /// The terms of the page's bodies.
    pub(crate) page: TermCounts,
    /// The words of the page as they are written: of its title, its description, its headings, images and bodies.
    pub(crate) words: PageWords,
}

/// The terms of a text that block after block shares.
#[derive(Debug, Default)]
pub(crate) struct KeptTerms {
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

impl KeptTerms {
    fn forget(&mut self) {
        self.texts.clear();
        self.terms.clear();
    }

    /// Those of the last time.
    pub(crate) fn last(&self) -> &TermText {
        &self.terms
    }
}

impl BlockTerms {
    /// Begins a page: forgets the blocks of the one before.
    pub fn begin_page(&mut self) {
        self.page.clear();
        self.words.clear();
        // So that the page's words get those of its headings.
        self.headings.forget();
        self.title.forget();
    }

    /// Reads a block.
    pub fn read_block(&mut self, analyzer: &mut Analyzer, document: &BlockDocument) {
        self.all.clear();
        self.layout = Layout::default();
        self.read_head(analyzer, document);
        self.read_text(analyzer, document);
        self.read_names(analyzer, document);
    }

    /// Reads a page behind its blocks: its head goes into the joined text.
    pub fn read_page(&mut self, analyzer: &mut Analyzer, page: &PageDocument) {
        let url = url_words(&page.url);
        self.head_layout = Layout::default();
        self.all.clear();
        for (part, text) in
            [(PagePart::Title, page.title.as_str()), (PagePart::Description, &page.description), (PagePart::Url, &url)]
        {
            self.part.clear();
            let words = &mut self.words;
            self.part.push_text_seen(analyzer, text, page.language, |word| {
                if part != PagePart::Url {
                    words.add(word);
                }
            });
            self.page.add(&self.part);
            let start = self.all.push_terms(&self.part);
            self.head_layout.set(part as usize, start, self.part.words());
        }
    }

    /// The joined text of the block that was read last, or the head of the page: terms with their positions.
    pub fn joined(&self) -> Vec<PlacedTerm> {
        self.all.placed()
    }

    /// Where the parts of the last block's joined text begin, and how long they are.
    pub fn layout(&self) -> &Layout<{ BlockPart::COUNT }> {
        &self.layout
    }

    /// The same of the last page's head.
    pub fn head_layout(&self) -> &Layout<{ PagePart::COUNT }> {
        &self.head_layout
    }

    /// The last block's title, again.
    pub fn title(&self) -> Vec<PlacedTerm> {
        self.title.last().placed()
    }

    /// The last block's headings, again.
    pub fn headings(&self) -> Vec<PlacedTerm> {
        self.headings.last().placed()
    }

    /// The words of the names of what opens in the last block.
    pub fn names(&self) -> Vec<PlacedTerm> {
        self.names.placed()
    }

    /// The words of the last block's URL.
    pub fn url(&self) -> Vec<PlacedTerm> {
        self.url.last().placed()
    }

    /// The different words of the last page with all its blocks, as they are written, in their normal form.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        self.words.for_each(|word| words.push(word.to_owned()));
        words
    }

    /// The terms of the last page with all its blocks, each with how often it stands there.
    pub fn page(&self) -> Vec<(String, usize)> {
        let mut terms = Vec::new();
        self.page.for_each(|term, count| terms.push((term.to_owned(), count)));
        terms
    }

    /// What stands above the block: the page's title and the headings.
    fn read_head(&mut self, analyzer: &mut Analyzer, document: &BlockDocument) {
        let language = document.language;
        let words = &mut self.words;
        let mut push = |terms: &mut TermText, text: &str| {
            terms.push_text_seen(analyzer, text, language, |word| words.add(word));
        };
        let title = self.title.of(&[&document.title], language, &mut push);
        let start = self.all.push_terms(title);
        self.layout.set(BlockPart::Title as usize, start, title.tokens());
        let texts: Vec<&str> = document.heading_path.iter().map(String::as_str).collect();
        let headings = self.headings.of(&texts, language, &mut push);
        let start = self.all.push_terms(headings);
        let own = headings.last_part();
        self.layout.set(BlockPart::Headings as usize, start, headings.tokens());
        self.layout.set(BlockPart::OwnHeading as usize, start + own.start, own.words);
    }

    /// The block's own text. A line is a paragraph: phrases and windows of words end with it.
    fn read_text(&mut self, analyzer: &mut Analyzer, document: &BlockDocument) {
        let language = document.language;
        self.part.clear();
        let words = &mut self.words;
        self.part.push_text_seen(analyzer, &document.image_text, language, |word| words.add(word));
        let start = self.all.push_terms(&self.part);
        self.layout.set(BlockPart::Images as usize, start, self.part.tokens());
        self.part.clear();
        // The body begins with the lead, so its words count twice here.
        self.part.push_text(analyzer, &document.lead, language);
        let start = self.all.push_terms(&self.part);
        self.layout.set(BlockPart::Lead as usize, start, self.part.words());
        self.part.clear();
        for line in document.body.lines() {
            self.part.push_text_seen(analyzer, line, language, |word| words.add(word));
        }
        let start = self.all.push_terms(&self.part);
        self.layout.set(BlockPart::Body as usize, start, self.part.tokens());
        self.page.add(&self.part);
    }

    /// What is not part of the joined text: the words alone of the names of what opens in the block, and those of the URL.
    fn read_names(&mut self, analyzer: &mut Analyzer, document: &BlockDocument) {
        let names: Vec<String> = document.names.iter().map(|name| name_words(name)).collect();
        self.names.clear();
        self.names.push_words(analyzer, &names.join(" "), document.language);
        self.url.of(&[&document.url], Language::UNDETERMINED, |terms, url| {
            // An underscore joins words elsewhere.
            terms.push_text(analyzer, &readable(url).replace('_', " "), Language::UNDETERMINED);
        });
    }
}

/// What a block's links lead to, with the words of each, acronyms also as they are written.
pub fn pointer_words(analyzer: &mut Analyzer, document: &BlockDocument) -> Vec<(u64, WordSet)> {
    // A link to an element of a page points to both by the same words.
    let (mut text, mut words) = ("", WordSet::default());
    let pointers = document.pointers.iter().map(|pointer| {
        if pointer.text != text {
            (text, words) = (&pointer.text, WordSet::default());
            analyzer.analyze_with_acronyms(text, document.language, |token| words.add(token.term));
        }
        (pointer.key, words)
    });
    pointers.collect()
}

/// The words of a URL's host, path and query, apart by blanks.
fn url_words(url: &str) -> String {
    identifier_words(&readable(url))
}

/// A URL without its scheme, its letters as people write them: those of other scripts are encoded in it.
fn readable(url: &str) -> Cow<'_, str> {
    percent_decode_str(url.split_once("://").map_or(url, |(_, rest)| rest)).decode_utf8_lossy()
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
pub fn page_order(page_id: &str) -> u64 {
    if let Some(Ok(order)) = page_id.get(..16).map(|digits| u64::from_str_radix(digits, 16)) {
        return order;
    }
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(page_id.bytes()) {
        *to = from;
    }
    u64::from_be_bytes(bytes)
}

/// The number of a host: the same for all of its pages.
pub fn site(host: &str) -> u64 {
    xxh3_64(host.as_bytes())
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
        assert_eq!(url_words("https://e.example/%D0%9C%D0%B8%D1%80/odd%20names"), "e example Мир odd names");
    }
}
