//! What an engine tells of a block that may answer. Features are made of this and of nothing else.

use std::ops::Range;

use lopper_analysis::Language;

use super::fields::{BlockField, PageField};

/// A block of one snapshot, named by its engine; to others it says nothing. Of equal scores the lesser comes first in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockHandle(u64);

impl BlockHandle {
    /// A handle of an engine's own making.
    pub fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number that it was made of.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// Where a block stands, without fetching it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The same for all blocks of a page, in the order of the pages' names: see [`page_order`](crate::page_order).
    pub page_order: u64,
    /// The same for all captures of a page: the key of links to it, or `page_order` where it has none.
    pub page_key: u64,
    /// Place of the block in its page.
    pub ordinal: u64,
}

/// A block that may answer, with what the ranking reads of it. The counts of the query's words stand in its [`CandidatePart`].
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The block.
    pub handle: BlockHandle,
    /// Where it stands.
    pub standing: Standing,
    /// The same for all blocks of a host: [`site`](crate::site) of it.
    pub site: u64,
    /// [`BlockDocument::norm`](crate::BlockDocument::norm).
    pub norm: f32,
    /// [`BlockDocument::link_share`](crate::BlockDocument::link_share).
    pub link_share: f32,
    /// [`BlockDocument::content`](crate::BlockDocument::content).
    pub content: f32,
    /// Its language.
    pub language: Language,
    /// Its own link keys, in [`CandidatePart::link_keys`].
    pub link_keys: Range<usize>,
    /// The link key of its page.
    pub page_link_key: Option<u64>,
    /// The row of its page in [`CandidatePart::pages`]; none for a block that was added without its page.
    pub page_row: Option<usize>,
}

/// Candidates of one part of an engine: a segment, a split, a shard.
#[derive(Debug, Clone, Default)]
pub struct CandidatePart {
    /// The candidates, each block once over all parts.
    pub candidates: Vec<Candidate>,
    /// How often the query's words stand in the [`BlockField`]s; a row a candidate.
    pub blocks: WordTable<{ BlockField::COUNT }>,
    /// How often they stand in the [`PageField`]s; a row a page.
    pub pages: WordTable<{ PageField::COUNT }>,
    /// Link keys of the candidates.
    pub link_keys: Vec<u64>,
}

/// The candidates of a query.
#[derive(Debug, Clone, Default)]
pub struct Candidates {
    /// By part of the engine.
    pub parts: Vec<CandidatePart>,
    /// Parts of the engine that did not answer. What is made of the others is not the whole answer, and says so.
    pub failed_parts: usize,
}

/// A place of a word of the query in a block's joined text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WordPlace {
    /// The position. Parts of the text and lines of the body stand at least a hundred apart.
    pub position: u32,
    /// The word's number.
    pub word: u32,
}

/// How often the words of a query stand in the fields of some blocks or pages, and how long the fields are.
#[derive(Debug, Clone, Default)]
pub struct WordTable<const FIELDS: usize> {
    words: usize,
    counts: Vec<f32>,
    lengths: Vec<[u32; FIELDS]>,
}

impl<const FIELDS: usize> WordTable<FIELDS> {
    /// A table without occurrences, its fields without length.
    pub fn new(rows: usize, words: usize) -> Self {
        Self { words, counts: vec![0.0; rows * FIELDS * words], lengths: vec![[0; FIELDS]; rows] }
    }

    /// Sets the length of a field in words.
    pub fn set_length(&mut self, row: usize, field: usize, length: u32) {
        self.lengths[row][field] = length;
    }

    /// A word stands there `count` times in one of its forms, times what the form counts. Of its forms the best counts.
    #[inline]
    pub fn add(&mut self, row: usize, field: usize, word: usize, count: f32) {
        let known = &mut self.counts[(row * FIELDS + field) * self.words + word];
        *known = known.max(count);
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.lengths.len()
    }

    /// One row.
    pub fn row(&self, row: usize) -> WordRow<'_> {
        let width = FIELDS * self.words;
        WordRow { counts: &self.counts[row * width..(row + 1) * width], lengths: &self.lengths[row], words: self.words }
    }
}

/// The counts of one block or page; of none, no words in fields without length.
#[derive(Debug, Clone, Copy, Default)]
pub struct WordRow<'a> {
    counts: &'a [f32],
    lengths: &'a [u32],
    words: usize,
}

impl<'a> WordRow<'a> {
    /// Occurrences of a word in a field; of other spellings, what they count.
    #[inline]
    pub fn count(&self, field: usize, word: usize) -> f32 {
        self.counts.get(field * self.words + word).copied().unwrap_or(0.0)
    }

    /// The same of all words.
    pub fn counts(&self, field: usize) -> &'a [f32] {
        self.counts.get(field * self.words..(field + 1) * self.words).unwrap_or_default()
    }

    /// Length of a field in words.
    #[inline]
    pub fn length(&self, field: usize) -> f32 {
        self.lengths.get(field).copied().unwrap_or(0) as f32
    }
}
