//! What is read of one segment of the index.

use std::sync::Arc;

use lopper_analysis::{Language, is_further_form};
use tantivy::columnar::{Column, StrColumn};
use tantivy::{DocId, SegmentReader, TantivyError};

use super::view::IndexCounts;
use crate::highlight::Form;
use crate::layout::Layout;
use crate::lexicon::{Entry, Lexicon};
use crate::query::ScoringWord;
use crate::schema::{
    Fields, LANGUAGE, LAYOUT, LINK_KEY, LINK_SHARE, NORM, ORDINAL, PAGE_ORDER, POINTER_WORDS, POINTERS,
};
use crate::word_set::WordSet;

/// A word of the query with what ranking needs of it.
#[derive(Debug, Clone)]
pub(crate) struct RankWord {
    /// The terms that it stands in the index as.
    pub(crate) forms: Vec<RankForm>,
    /// Most that a form counts; the others count in proportion.
    pub(crate) factor_max: f32,
    /// Inverse document frequency over blocks, that of its most frequent form.
    pub(crate) idf: f32,
    /// The same over pages, without smoothing: ln(N / n), for the cosine.
    pub(crate) page_idf: f32,
}

/// A form of a word that the index has.
#[derive(Debug, Clone)]
pub(crate) struct RankForm {
    pub(crate) form: Form,
    /// Whether it stands beside the word itself; so it does in long texts alone.
    pub(crate) is_further: bool,
    /// Where it is in the joined field of blocks.
    pub(crate) in_blocks: Arc<Entry>,
    /// Where it is in the joined field of pages.
    pub(crate) in_pages: Arc<Entry>,
    /// Where it is in the heads of pages.
    pub(crate) in_heads: Arc<Entry>,
    /// Where it is among the names of what opens in blocks.
    pub(crate) in_names: Arc<Entry>,
}

impl RankForm {
    /// Nothing of a form that the index does not have.
    fn new(lexicon: &Lexicon<'_>, fields: &Fields, form: &Form) -> Result<Option<Self>, TantivyError> {
        let is_further = is_further_form(&form.term);
        let alone = |field| if is_further { Ok(Arc::default()) } else { lexicon.entry(field, &form.term) };
        let in_blocks = lexicon.entry(fields.all, &form.term)?;
        // Nearly all stems of other languages are in no block, and then elsewhere neither.
        if in_blocks.documents == 0 && !form.languages.is_empty() {
            return Ok(None);
        }
        let in_pages = lexicon.entry(fields.page.all, &form.term)?;
        let known = Self {
            is_further,
            in_blocks,
            in_pages,
            in_heads: alone(fields.page.head)?,
            in_names: alone(fields.name_terms)?,
            form: form.clone(),
        };
        Ok(known.is_known().then_some(known))
    }

    fn is_known(&self) -> bool {
        [&self.in_blocks, &self.in_pages, &self.in_names].into_iter().any(|entry| entry.documents > 0)
    }
}

impl RankWord {
    /// A word of a query as one state of the index knows it; unknown ones weigh nothing.
    pub(crate) fn new(
        lexicon: &Lexicon<'_>,
        fields: &Fields,
        counts: IndexCounts,
        word: &ScoringWord,
    ) -> Result<Self, TantivyError> {
        let factor_max = word.forms.iter().map(|form| form.factor).fold(0.0, f32::max);
        let known = |form| RankForm::new(lexicon, fields, form).transpose();
        let forms: Vec<RankForm> = word.forms.iter().filter_map(known).collect::<Result<_, _>>()?;
        let most = |documents: fn(&RankForm) -> u64| {
            let most_of = |is_best: bool| {
                let alike = forms.iter().filter(|known| (known.form.factor >= factor_max) == is_best);
                alike.map(documents).max().unwrap_or(0)
            };
            if most_of(true) > 0 { most_of(true) } else { most_of(false) }
        };
        let (blocks, pages) = (most(|form| form.in_blocks.documents), most(|form| form.in_pages.documents));
        let weight = word.weight * factor_max;
        let n = blocks.max(1) as f32;
        let known = f32::from(u8::from(blocks.max(pages) > 0));
        let idf = known * weight * (1.0 + (counts.blocks as f32 - n + 0.5).max(0.0) / (n + 0.5)).ln();
        let page_idf = known * weight * (counts.pages.max(1) as f32 / pages.max(1) as f32).ln();
        Ok(Self { forms, factor_max, idf, page_idf })
    }
}

/// What all words weigh together; above zero.
pub(super) fn total_idf(words: &[RankWord]) -> f32 {
    words.iter().map(|word| word.idf).sum::<f32>().max(f32::MIN_POSITIVE)
}

/// The columns of a segment that ranking reads.
pub(crate) struct Columns {
    page_order: Column<u64>,
    ordinal: Column<u64>,
    layout: Column<u64>,
    norm: Column<f64>,
    link_share: Column<f64>,
    link_key: Column<u64>,
    pointers: Column<u64>,
    pointer_words: Column<u64>,
    language: Option<StrColumn>,
    languages: Vec<Language>,
}

impl Columns {
    pub(super) fn open(segment: &SegmentReader) -> Result<Self, TantivyError> {
        let fast = segment.fast_fields();
        let language = fast.str(LANGUAGE)?;
        let mut languages = Vec::new();
        if let Some(column) = &language {
            let mut code = String::new();
            for ord in 0..column.num_terms() as u64 {
                code.clear();
                column.ord_to_str(ord, &mut code)?;
                languages.push(Language::from_code(&code));
            }
        }
        Ok(Self {
            page_order: fast.u64(PAGE_ORDER)?,
            ordinal: fast.u64(ORDINAL)?,
            layout: fast.u64(LAYOUT)?,
            norm: fast.f64(NORM)?,
            link_share: fast.f64(LINK_SHARE)?,
            link_key: fast.u64(LINK_KEY)?,
            pointers: fast.u64(POINTERS)?,
            pointer_words: fast.u64(POINTER_WORDS)?,
            language,
            languages,
        })
    }

    pub(super) fn page_order(&self, doc: DocId) -> u64 {
        self.page_order.first(doc).unwrap_or(u64::MAX)
    }

    /// Place of a block in its page; nothing for a page.
    pub(super) fn ordinal(&self, doc: DocId) -> Option<u64> {
        self.ordinal.first(doc)
    }

    /// The parts of a block's joined field, or of a page's head.
    pub(super) fn layout<const PARTS: usize>(&self, doc: DocId) -> Layout<PARTS> {
        Layout::read(self.layout.values_for_doc(doc))
    }

    pub(super) fn norm(&self, doc: DocId) -> f32 {
        self.norm.first(doc).unwrap_or(0.0) as f32
    }

    pub(super) fn link_share(&self, doc: DocId) -> f32 {
        self.link_share.first(doc).unwrap_or(0.0) as f32
    }

    /// Of a page at most one.
    pub(super) fn link_keys(&self, doc: DocId) -> impl Iterator<Item = u64> {
        self.link_key.values_for_doc(doc).filter(|key| *key != 0)
    }

    /// What a block's links point to, and the words of each.
    pub(super) fn pointers(&self, doc: DocId) -> impl Iterator<Item = (u64, WordSet)> {
        self.pointers.values_for_doc(doc).zip(self.pointer_words.values_for_doc(doc).map(WordSet::of_bits))
    }

    /// Whether a form counts in a document: a stem does in its own languages alone.
    pub(super) fn allows(&self, form: &Form, doc: DocId) -> bool {
        form.languages.is_empty() || self.language(doc).is_some_and(|language| form.languages.contains(&language))
    }

    fn language(&self, doc: DocId) -> Option<Language> {
        let ord = self.language.as_ref()?.term_ords(doc).next()?;
        self.languages.get(ord as usize).copied()
    }

    /// The document of a block's page: pages stand before their blocks. Nothing when the block was added without its page.
    pub(super) fn page_of(&self, block: DocId) -> Option<DocId> {
        let page = block.checked_sub(self.ordinal(block)? as DocId + 1)?;
        (self.ordinal(page).is_none() && self.page_order(page) == self.page_order(block)).then_some(page)
    }

    /// The documents of a page's blocks, at most `blocks_max`.
    pub(super) fn blocks_of(&self, page: DocId, end: DocId, blocks_max: u32) -> std::ops::Range<DocId> {
        let order = self.page_order(page);
        let last = end.min(page.saturating_add(1).saturating_add(blocks_max));
        let is_block = |doc: &DocId| self.ordinal(*doc).is_some() && self.page_order(*doc) == order;
        let count = (page + 1..last).take_while(is_block).count() as DocId;
        page + 1..page + 1 + count
    }
}
