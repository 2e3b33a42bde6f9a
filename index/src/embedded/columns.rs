//! The columns of a segment that ranking reads.

use std::ops::Range;
use std::sync::OnceLock;

use tantivy::columnar::{Column, StrColumn};
use tantivy::index::SegmentId;
use tantivy::{DocId, SegmentReader, TantivyError};

use super::facet_counts::FacetColumn;
use super::schema::{
    CAPTURED_AT, CONTENT, HOST, LANGUAGE, LAYOUT, LINK_KEY, LINK_SHARE, NORM, ORDINAL, PAGE_LANGUAGES, PAGE_ORDER,
    POINTER_WORDS, POINTERS, number_of,
};
use crate::block_terms::site;
use crate::engine::Standing;
use crate::layout::{BlockPart, Layout};
use crate::word_set::WordSet;
use lopper_analysis::{Language, TermForm};

/// A block with its page.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockPlace {
    pub(super) standing: Standing,
    /// The page's document; nothing when the block was added without it.
    pub(super) page: Option<DocId>,
    /// The key of links to the page, which all captures of it have.
    pub(super) page_link_key: Option<u64>,
}

impl BlockPlace {
    fn new(page_order: u64, ordinal: Option<u64>, page: Option<DocId>, page_link_key: Option<u64>) -> Self {
        let page_key = page_link_key.unwrap_or(page_order);
        let standing = Standing { page_order, page_key, ordinal: ordinal.unwrap_or(u64::MAX) };
        Self { standing, page, page_link_key }
    }
}

/// What a block's columns tell beside its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockFigures {
    /// The number of its host.
    pub(super) site: u64,
    pub(super) norm: f32,
    pub(super) link_share: f32,
    pub(super) content: f32,
    pub(super) language: Option<Language>,
}

/// They are opened once a commit, since that costs more than reading a few values.
pub(crate) struct Columns {
    segment: SegmentId,
    page_order: Column<u64>,
    ordinal: Column<u64>,
    layout: Column<u64>,
    norm: Column<u64>,
    link_share: Column<u64>,
    content: Column<u64>,
    link_key: Column<u64>,
    pointers: Column<u64>,
    pointer_words: Column<u64>,
    captured_at: Column<i64>,
    language: Option<StrColumn>,
    languages: Vec<Language>,
    page_languages: Option<StrColumn>,
    languages_of_pages: Vec<Language>,
    sites: Sites,
    facets: OnceLock<FacetColumn>,
}

impl Columns {
    pub(super) fn open(segment: &SegmentReader) -> Result<Self, TantivyError> {
        let fast = segment.fast_fields();
        let (language, page_languages) = (fast.str(LANGUAGE)?, fast.str(PAGE_LANGUAGES)?);
        Ok(Self {
            segment: segment.segment_id(),
            page_order: fast.u64(PAGE_ORDER)?,
            ordinal: fast.u64(ORDINAL)?,
            layout: fast.u64(LAYOUT)?,
            norm: fast.u64(NORM)?,
            link_share: fast.u64(LINK_SHARE)?,
            content: fast.u64(CONTENT)?,
            link_key: fast.u64(LINK_KEY)?,
            pointers: fast.u64(POINTERS)?,
            pointer_words: fast.u64(POINTER_WORDS)?,
            captured_at: fast.i64(CAPTURED_AT)?,
            languages: languages_of(language.as_ref())?,
            language,
            languages_of_pages: languages_of(page_languages.as_ref())?,
            page_languages,
            sites: Sites::new(fast.str(HOST)?),
            facets: OnceLock::new(),
        })
    }

    /// The segment whose columns they are.
    pub(super) fn segment(&self) -> SegmentId {
        self.segment
    }

    /// What facets are counted by, read when it is first asked for.
    pub(super) fn facets(&self, segment: &SegmentReader) -> Result<&FacetColumn, TantivyError> {
        if let Some(known) = self.facets.get() {
            return Ok(known);
        }
        let read = FacetColumn::read(segment)?;
        Ok(self.facets.get_or_init(|| read))
    }

    pub(super) fn page_order(&self, doc: DocId) -> u64 {
        self.page_order.first(doc).unwrap_or(u64::MAX)
    }

    /// Place of a block in its page; nothing for a page.
    pub(super) fn ordinal(&self, doc: DocId) -> Option<u64> {
        self.ordinal.first(doc)
    }

    /// When the page of a document was captured, in seconds since 1970.
    pub(super) fn captured_at(&self, doc: DocId) -> Option<i64> {
        self.captured_at.first(doc)
    }

    /// Whether a document may be captured between two seconds: by the first and the last capture of all, deleted ones among them until
    /// they are merged away.
    pub(super) fn may_be_captured(&self, from: Option<i64>, to: Option<i64>) -> bool {
        let times = &self.captured_at;
        times.values.num_vals() > 0
            && from.is_none_or(|from| times.max_value() >= from)
            && to.is_none_or(|to| times.min_value() <= to)
    }

    /// The parts of a block's joined field, or of a page's head.
    pub(super) fn layout<const PARTS: usize>(&self, doc: DocId) -> Layout<PARTS> {
        let rows = self.layout.index.value_row_ids(doc);
        let mut numbers = [0; Layout::<{ BlockPart::COUNT }>::NUMBERS];
        let numbers = &mut numbers[..rows.len().min(Layout::<PARTS>::NUMBERS)];
        // All at once: one by one each would cost a call.
        self.layout.values.get_range(rows.start.into(), numbers);
        Layout::read(numbers.iter().copied())
    }

    /// Of a page at most one.
    pub(super) fn link_keys(&self, doc: DocId) -> impl Iterator<Item = u64> {
        self.link_key.values_for_doc(doc).filter(|key| *key != 0)
    }

    /// What a block's links point to, and the words of each.
    pub(super) fn pointers(&self, doc: DocId) -> impl Iterator<Item = (u64, WordSet)> {
        self.pointers.values_for_doc(doc).zip(self.pointer_words.values_for_doc(doc).map(WordSet::of_bits))
    }

    /// What the ranking reads of some blocks beside words and links.
    pub(super) fn figures(&self, blocks: &[DocId]) -> Result<Vec<BlockFigures>, TantivyError> {
        let sites = self.sites.of(blocks)?;
        let figures = |site| BlockFigures { site, norm: 0.0, link_share: 0.0, content: 1.0, language: None };
        let mut of_blocks: Vec<BlockFigures> = sites.into_iter().map(figures).collect();
        let mut set = |column: &Column<u64>, set: fn(&mut BlockFigures, f32)| {
            let values = firsts(column, blocks).into_iter();
            let known = of_blocks.iter_mut().zip(values).filter_map(|(of_block, bits)| Some((of_block, bits?)));
            known.for_each(|(of_block, bits)| set(of_block, number_of(bits)));
        };
        set(&self.norm, |of_block, norm| of_block.norm = norm);
        set(&self.link_share, |of_block, share| of_block.link_share = share);
        set(&self.content, |of_block, content| of_block.content = content);
        if let Some(column) = &self.language {
            let numbers = firsts(column.ords(), blocks).into_iter();
            let languages = numbers.map(|number| self.languages.get(number? as usize).copied());
            of_blocks.iter_mut().zip(languages).for_each(|(of_block, language)| of_block.language = language);
        }
        Ok(of_blocks)
    }

    /// Whether a form counts in a block: a stem does in its own languages alone.
    pub(super) fn allows(&self, form: &TermForm, doc: DocId) -> bool {
        form.languages.is_empty() || self.language(doc).is_some_and(|language| form.languages.contains(&language))
    }

    /// The same for a page's own document, which has the terms of blocks in several languages.
    pub(super) fn allows_page(&self, form: &TermForm, page: DocId) -> bool {
        let Some(column) = self.page_languages.as_ref().filter(|_| !form.languages.is_empty()) else {
            return form.languages.is_empty();
        };
        let mut languages =
            column.ords().values_for_doc(page).filter_map(|ord| self.languages_of_pages.get(ord as usize));
        languages.any(|language| form.languages.contains(language))
    }

    /// A block's language.
    pub(super) fn language(&self, doc: DocId) -> Option<Language> {
        self.languages.get(self.language_number(doc)?).copied()
    }

    /// A block's language by its number in [`languages`](Self::languages).
    pub(super) fn language_number(&self, doc: DocId) -> Option<usize> {
        Some(self.language.as_ref()?.ords().first(doc)? as usize)
    }

    /// The languages of the segment.
    pub(super) fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// Where a block stands, and with which page.
    pub(super) fn place(&self, block: DocId) -> BlockPlace {
        let (page_order, ordinal) = (self.page_order(block), self.ordinal(block));
        let page = ordinal.and_then(|ordinal| self.page_before(block, ordinal, page_order));
        let page_link_key = page.and_then(|page| self.link_keys(page).next());
        BlockPlace::new(page_order, ordinal, page, page_link_key)
    }

    /// The same of some blocks, which increase; those of one page share what is read of it.
    pub(super) fn places(&self, blocks: &[DocId]) -> Vec<BlockPlace> {
        let (orders, ordinals) = (firsts(&self.page_order, blocks), firsts(&self.ordinal, blocks));
        let before = |(block, ordinal): (&DocId, &Option<u64>)| before(*block, (*ordinal)?);
        let before: Vec<Option<DocId>> = blocks.iter().zip(&ordinals).map(before).collect();
        let mut pages: Vec<DocId> = before.iter().flatten().copied().collect();
        pages.dedup();
        let (page_orders, page_ordinals) = (firsts(&self.page_order, &pages), firsts(&self.ordinal, &pages));
        let keys = firsts(&self.link_key, &pages);
        let mut at = 0;
        let place = |((order, ordinal), before): ((Option<u64>, Option<u64>), Option<DocId>)| {
            at += usize::from(before.is_some_and(|page| page != pages[at]));
            let page_order = order.unwrap_or(u64::MAX);
            let is_page = |_: &DocId| page_ordinals[at].is_none() && page_orders[at] == order && order.is_some();
            let page = before.filter(is_page);
            let page_link_key = page.and_then(|_| keys[at]).filter(|key| *key != 0);
            BlockPlace::new(page_order, ordinal, page, page_link_key)
        };
        orders.into_iter().zip(ordinals).zip(before).map(place).collect()
    }

    /// Pages stand before their blocks. Nothing when the block was added without its page.
    fn page_before(&self, block: DocId, ordinal: u64, page_order: u64) -> Option<DocId> {
        let page = before(block, ordinal)?;
        (self.ordinal(page).is_none() && self.page_order(page) == page_order).then_some(page)
    }

    /// The documents of a page's blocks, at most `blocks_max`. They follow it in their order, so that few of them are looked at.
    pub(super) fn blocks_of(&self, page: DocId, end: DocId, blocks_max: u32) -> Range<DocId> {
        let (order, first) = (self.page_order(page), page + 1);
        let room = end.min(first.saturating_add(blocks_max)) - first.min(end);
        let is_block =
            |place: u32| self.ordinal(first + place) == Some(place.into()) && self.page_order(first + place) == order;
        let mut bound = 1;
        while bound < room && is_block(bound - 1) {
            bound *= 2;
        }
        let (mut count, mut behind) = (bound / 2, bound.min(room));
        while count < behind {
            let middle = count.midpoint(behind);
            if is_block(middle) { count = middle + 1 } else { behind = middle }
        }
        first..first + count
    }
}

/// The hosts of a segment as numbers. A host is read when it is first asked for.
struct Sites {
    hosts: Option<StrColumn>,
    known: Box<[OnceLock<u64>]>,
}

impl Sites {
    fn new(hosts: Option<StrColumn>) -> Self {
        let count = hosts.as_ref().map_or(0, |hosts| hosts.num_terms());
        Self { hosts, known: (0..count).map(|_| OnceLock::new()).collect() }
    }

    /// Of some blocks. One without a host has that of the empty name.
    fn of(&self, blocks: &[DocId]) -> Result<Vec<u64>, TantivyError> {
        let Some(hosts) = &self.hosts else { return Ok(vec![site(""); blocks.len()]) };
        let ords = firsts(hosts.ords(), blocks).into_iter();
        ords.map(|ord| ord.map_or_else(|| Ok(site("")), |ord| self.of_host(hosts, ord))).collect()
    }

    fn of_host(&self, hosts: &StrColumn, ord: u64) -> Result<u64, TantivyError> {
        let known = &self.known[ord as usize];
        if let Some(number) = known.get() {
            return Ok(*number);
        }
        let mut host = String::new();
        hosts.ord_to_str(ord, &mut host)?;
        Ok(*known.get_or_init(|| site(&host)))
    }
}

/// The first value of each document. Reads of one column in a row need not wait for each other.
fn firsts(column: &Column<u64>, docs: &[DocId]) -> Vec<Option<u64>> {
    let mut values = vec![None; docs.len()];
    column.first_vals(docs, &mut values);
    values
}

/// Where the page of a block with this ordinal is.
fn before(block: DocId, ordinal: u64) -> Option<DocId> {
    block.checked_sub(DocId::try_from(ordinal).ok()?.checked_add(1)?)
}

/// The languages of a column of codes, by number.
fn languages_of(column: Option<&StrColumn>) -> Result<Vec<Language>, TantivyError> {
    let (mut languages, mut code) = (Vec::new(), String::new());
    for ord in 0..column.map_or(0, |column| column.num_terms() as u64) {
        code.clear();
        column.map(|column| column.ord_to_str(ord, &mut code)).transpose()?;
        languages.push(Language::from_code(&code));
    }
    Ok(languages)
}
