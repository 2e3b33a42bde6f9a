//! Pages and blocks with the terms they are found by.

use std::collections::{BTreeMap, HashMap};

use lopper_analysis::{Analyzer, Language};
use lopper_index::engine::CollectionFacts;
use lopper_index::{
    BlockDocument, BlockPart, BlockTerms, LanguageCount, Layout, PageDocument, PagePart, PlacedTerm, TextField,
    WordSet, pointer_words,
};

/// A term by its number.
pub(super) type TermId = u32;

/// One state of the engine.
#[derive(Default)]
pub(super) struct Collection {
    pub(super) blocks: Vec<NaiveBlock>,
    pub(super) pages: Vec<NaivePage>,
    pub(super) facts: CollectionFacts,
    /// Terms of the joined text, of all fields besides.
    tokens: HashMap<TextField, u64>,
    ids: HashMap<String, TermId>,
    frequencies: HashMap<TextField, BTreeMap<String, u64>>,
    pub(super) page_frequencies: HashMap<TermId, u64>,
    /// Pages that have a word as it is written.
    pub(super) word_frequencies: BTreeMap<String, u64>,
}

pub(super) struct NaiveBlock {
    pub(super) document: BlockDocument,
    pub(super) page: usize,
    pub(super) joined: Terms,
    pub(super) title: Terms,
    pub(super) headings: Terms,
    pub(super) names: Terms,
    pub(super) url: Terms,
    pub(super) layout: Layout<{ BlockPart::COUNT }>,
    pub(super) pointers: Vec<(u64, WordSet)>,
}

pub(super) struct NaivePage {
    pub(super) document: PageDocument,
    pub(super) all: HashMap<TermId, u32>,
    /// Terms of `all`.
    pub(super) length: u32,
    pub(super) head: Terms,
    pub(super) head_layout: Layout<{ PagePart::COUNT }>,
    pub(super) blocks: std::ops::Range<usize>,
}

/// A text as its terms with their positions.
#[derive(Default)]
pub(super) struct Terms {
    positions: HashMap<TermId, Vec<u32>>,
    pub(super) length: u32,
}

impl Terms {
    pub(super) fn positions(&self, term: TermId) -> &[u32] {
        self.positions.get(&term).map_or(&[], Vec::as_slice)
    }

    pub(super) fn count(&self, term: TermId) -> u32 {
        self.positions(term).len() as u32
    }
}

impl NaiveBlock {
    pub(super) fn text(&self, field: TextField) -> &Terms {
        match field {
            TextField::All => &self.joined,
            TextField::Title => &self.title,
            TextField::Headings => &self.headings,
            TextField::Url => &self.url,
        }
    }
}

const FIELDS: [TextField; 4] = [TextField::All, TextField::Title, TextField::Headings, TextField::Url];

impl Collection {
    pub(super) fn new(pages: Vec<(PageDocument, Vec<BlockDocument>)>) -> Self {
        let mut collection = Self::default();
        let (mut analyzer, mut terms) = (Analyzer::new(), BlockTerms::default());
        for (page, blocks) in pages {
            collection.add(&mut analyzer, &mut terms, page, blocks);
        }
        collection.count_terms();
        collection
    }

    /// What it was made of.
    pub(super) fn pages(&self) -> Vec<(PageDocument, Vec<BlockDocument>)> {
        let blocks = |page: &NaivePage| self.blocks[page.blocks.clone()].iter().map(|block| block.document.clone());
        self.pages.iter().map(|page| (page.document.clone(), blocks(page).collect())).collect()
    }

    fn add(
        &mut self,
        analyzer: &mut Analyzer,
        terms: &mut BlockTerms,
        document: PageDocument,
        blocks: Vec<BlockDocument>,
    ) {
        let begin = self.blocks.len();
        terms.begin_page();
        for document in blocks {
            terms.read_block(analyzer, &document);
            let block = NaiveBlock {
                page: self.pages.len(),
                joined: self.placed(terms.joined()),
                title: self.placed(terms.title()),
                headings: self.placed(terms.headings()),
                names: self.placed(terms.names()),
                url: self.placed(terms.url()),
                layout: *terms.layout(),
                pointers: pointer_words(analyzer, &document),
                document,
            };
            self.blocks.push(block);
        }
        terms.read_page(analyzer, &document);
        let all: HashMap<TermId, u32> =
            terms.page().into_iter().map(|(term, count)| (self.id(term), count as u32)).collect();
        for word in terms.words() {
            *self.word_frequencies.entry(word).or_default() += 1;
        }
        let (length, head) = (all.values().sum(), self.placed(terms.joined()));
        let (head_layout, blocks) = (*terms.head_layout(), begin..self.blocks.len());
        self.pages.push(NaivePage { document, all, length, head, head_layout, blocks });
    }

    fn placed(&mut self, placed: Vec<PlacedTerm>) -> Terms {
        let mut terms = Terms { length: placed.len() as u32, ..Terms::default() };
        for (term, position) in placed {
            terms.positions.entry(self.id(term)).or_default().push(position);
        }
        terms
    }

    fn id(&mut self, term: String) -> TermId {
        let next = self.ids.len() as TermId;
        *self.ids.entry(term).or_insert(next)
    }

    /// Counts once what queries ask for again and again.
    fn count_terms(&mut self) {
        let names: HashMap<TermId, &String> = self.ids.iter().map(|(name, id)| (*id, name)).collect();
        for field in FIELDS {
            let mut frequencies: BTreeMap<String, u64> = BTreeMap::new();
            for block in &self.blocks {
                for term in block.text(field).positions.keys() {
                    *frequencies.entry(names[term].clone()).or_default() += 1;
                }
            }
            self.frequencies.insert(field, frequencies);
            self.tokens.insert(field, self.blocks.iter().map(|block| u64::from(block.text(field).length)).sum());
        }
        for page in &self.pages {
            for term in page.all.keys() {
                *self.page_frequencies.entry(*term).or_default() += 1;
            }
        }
        self.facts = CollectionFacts {
            blocks: self.blocks.len() as u64,
            pages: self.pages.len() as u64,
            block_length_mean: mean(self.tokens[&TextField::All], self.blocks.len()),
            page_length_mean: mean(self.pages.iter().map(|page| u64::from(page.length)).sum(), self.pages.len()),
            languages: self.languages(),
        };
    }

    fn languages(&self) -> Vec<LanguageCount> {
        let mut counts: Vec<LanguageCount> = Vec::new();
        for language in self.blocks.iter().map(|block| block.document.language) {
            match counts.iter_mut().find(|count| count.language == language) {
                Some(count) => count.blocks += 1,
                None => counts.push(LanguageCount { language, blocks: 1 }),
            }
        }
        let code = |language: &Language| language.code().to_owned();
        counts.sort_by(|a, b| b.blocks.cmp(&a.blocks).then_with(|| code(&a.language).cmp(&code(&b.language))));
        counts
    }

    /// The blocks that have a term in their joined text, by language; none where the collection has one language.
    pub(super) fn languages_of(&self, term: &str) -> Vec<LanguageCount> {
        let Some(term) = self.term(term).filter(|_| self.facts.has_languages()) else { return Vec::new() };
        let having = |language: Language| {
            let of_language = self.blocks.iter().filter(|block| block.document.language == language);
            of_language.filter(|block| !block.joined.positions(term).is_empty()).count() as u64
        };
        let counts = self.facts.languages.iter().map(|count| count.language);
        counts
            .map(|language| LanguageCount { language, blocks: having(language) })
            .filter(|count| count.blocks > 0)
            .collect()
    }

    pub(super) fn term(&self, term: &str) -> Option<TermId> {
        self.ids.get(term).copied()
    }

    pub(super) fn frequencies(&self, field: TextField) -> &BTreeMap<String, u64> {
        static NONE: BTreeMap<String, u64> = BTreeMap::new();
        self.frequencies.get(&field).unwrap_or(&NONE)
    }

    pub(super) fn frequency(&self, field: TextField, term: &str) -> u64 {
        self.frequencies(field).get(term).copied().unwrap_or_default()
    }

    /// Mean length of a field over blocks and pages, as the engine inside has it for its own BM25.
    pub(super) fn length_over_all(&self, field: TextField) -> f32 {
        self.tokens.get(&field).copied().unwrap_or_default() as f32 / self.documents() as f32
    }

    pub(super) fn documents(&self) -> u64 {
        (self.blocks.len() + self.pages.len()) as u64
    }
}

fn mean(sum: u64, count: usize) -> f32 {
    (sum as f32 / count.max(1) as f32).max(1.0)
}

/// A length as coarse as an index keeps it, in one byte: exact to 40, then four bits of it (as Lucene has it).
pub(super) fn coarse(length: u32) -> u32 {
    let Some(above) = length.checked_sub(24).filter(|above| *above >= 16) else { return length };
    let dropped = above.ilog2() - 3;
    24 + (above >> dropped << dropped)
}
