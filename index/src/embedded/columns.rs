//! The columns of a segment that ranking reads.

use tantivy::columnar::{Column, StrColumn};
use tantivy::{DocId, SegmentReader, TantivyError};

use super::schema::{
    CONTENT, LANGUAGE, LAYOUT, LINK_KEY, LINK_SHARE, NORM, ORDINAL, PAGE_ORDER, POINTER_WORDS, POINTERS, number_of,
};
use crate::engine::Standing;
use crate::layout::Layout;
use crate::word_set::WordSet;
use lopper_analysis::{Language, TermForm};

/// They are opened once a commit, since that costs more than reading a few values.
pub(crate) struct Columns {
    page_order: Column<u64>,
    ordinal: Column<u64>,
    layout: Column<u64>,
    norm: Column<u64>,
    link_share: Column<u64>,
    content: Column<u64>,
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
            norm: fast.u64(NORM)?,
            link_share: fast.u64(LINK_SHARE)?,
            content: fast.u64(CONTENT)?,
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
        self.norm.first(doc).map_or(0.0, number_of)
    }

    pub(super) fn link_share(&self, doc: DocId) -> f32 {
        self.link_share.first(doc).map_or(0.0, number_of)
    }

    pub(super) fn content(&self, doc: DocId) -> f32 {
        self.content.first(doc).map_or(1.0, number_of)
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
    pub(super) fn allows(&self, form: &TermForm, doc: DocId) -> bool {
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

    /// The key of links to a block's page, which all captures of it have.
    pub(super) fn page_link_key(&self, block: DocId) -> Option<u64> {
        self.page_of(block).and_then(|page| self.link_keys(page).next())
    }

    /// Where a block stands.
    pub(super) fn standing(&self, block: DocId) -> Standing {
        let page_order = self.page_order(block);
        let page_key = self.page_link_key(block).unwrap_or(page_order);
        Standing { page_order, page_key, ordinal: self.ordinal(block).unwrap_or(u64::MAX) }
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
