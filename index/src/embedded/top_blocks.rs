//! The best blocks of a query, with ties in page order, and the exact number of all.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::{DocAddress, DocId, Score, SegmentReader, TantivyError};

use super::schema::{CAPTURED_AT, ORDINAL, PAGE_ORDER};
use crate::engine::{Budget, Dates};

/// Keeps the best `limit` blocks and counts the rest.
///
/// Differs from the engine's own: 1) equal scores are ordered by page and place in the page, not by place in the index, so
/// that merging segments or indexing in another order leaves a ranking as it was; 2) all matches are visited, which makes the
/// total exact.
#[derive(Clone, Copy)]
pub(crate) struct TopBlocks<'a> {
    pub(crate) limit: usize,
    pub(crate) dates: Dates,
    pub(crate) budget: &'a Budget,
}

/// A block by its rank: the less, the better.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RankedDoc {
    pub(crate) score: Score,
    dates_first: bool,
    /// Seconds since 1970, where dates count.
    captured_at: i64,
    page_order: u64,
    ordinal: u64,
    pub(crate) address: DocAddress,
}

impl Ord for RankedDoc {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = || other.score.total_cmp(&self.score);
        let by_page = || {
            let by_date = other.captured_at.cmp(&self.captured_at);
            by_date.then_with(|| self.page_order.cmp(&other.page_order))
        };
        let ordering = if self.dates_first { by_page().then_with(by_score) } else { by_score().then_with(by_page) };
        ordering.then_with(|| self.ordinal.cmp(&other.ordinal)).then_with(|| self.address.cmp(&other.address))
    }
}

impl PartialOrd for RankedDoc {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RankedDoc {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for RankedDoc {}

/// The best blocks, best first, and how many there are in all.
pub(crate) struct TopDocs {
    pub(crate) top: Vec<RankedDoc>,
    pub(crate) total: u64,
}

impl Collector for TopBlocks<'_> {
    type Fruit = TopDocs;
    type Child = SegmentTopBlocks;

    fn for_segment(&self, segment_ord: u32, segment: &SegmentReader) -> Result<SegmentTopBlocks, TantivyError> {
        let limit = self.limit.min(segment.max_doc() as usize);
        Ok(SegmentTopBlocks {
            limit,
            heap: BinaryHeap::new(),
            total: 0,
            budget: self.budget.clone(),
            segment_ord,
            dates_first: self.dates == Dates::BeforeScore,
            captured_at: (self.dates != Dates::Ignored).then(|| segment.fast_fields().i64(CAPTURED_AT)).transpose()?,
            page_order: segment.fast_fields().u64(PAGE_ORDER)?,
            ordinal: segment.fast_fields().u64(ORDINAL)?,
        })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, fruits: Vec<TopDocs>) -> Result<TopDocs, TantivyError> {
        let total = fruits.iter().map(|fruit| fruit.total).sum();
        let mut top: Vec<RankedDoc> = fruits.into_iter().flat_map(|fruit| fruit.top).collect();
        top.sort_unstable();
        top.truncate(self.limit);
        Ok(TopDocs { top, total })
    }
}

/// [`TopBlocks`] of one segment; the heap's greatest is the worst kept.
pub(crate) struct SegmentTopBlocks {
    limit: usize,
    heap: BinaryHeap<RankedDoc>,
    total: u64,
    budget: Budget,
    segment_ord: u32,
    dates_first: bool,
    captured_at: Option<Column<i64>>,
    page_order: Column<u64>,
    ordinal: Column<u64>,
}

impl SegmentCollector for SegmentTopBlocks {
    type Fruit = TopDocs;

    fn collect(&mut self, doc: DocId, score: Score) {
        if self.budget.is_spent() {
            return;
        }
        self.total += 1;
        let is_full = self.heap.len() >= self.limit;
        if is_full && !self.dates_first && self.heap.peek().is_none_or(|worst| score < worst.score) {
            return;
        }
        let ranked = RankedDoc {
            score,
            dates_first: self.dates_first,
            captured_at: self.captured_at.as_ref().map_or(0, |times| times.first(doc).unwrap_or(i64::MIN)),
            page_order: self.page_order.first(doc).unwrap_or(u64::MAX),
            ordinal: self.ordinal.first(doc).unwrap_or(u64::MAX),
            address: DocAddress::new(self.segment_ord, doc),
        };
        if !is_full {
            self.heap.push(ranked);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && ranked < *worst
        {
            *worst = ranked;
        }
    }

    fn harvest(self) -> TopDocs {
        TopDocs { top: self.heap.into_vec(), total: self.total }
    }
}
