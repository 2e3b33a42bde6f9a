//! Counting facets.
//!
//! Most blocks share host, language, type and year with many others. So each different combination of them in a segment has a number, and each
//! document the number of its own: what is counted of a block is one number.

use std::collections::HashMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::StrColumn;
use tantivy::query::Query;
use tantivy::{DocId, Score, Searcher, SegmentOrdinal, SegmentReader, TantivyError};

use super::columns::Columns;
use super::schema::{CAPTURED_AT, HOST, LANGUAGE, PAGE_TYPE};
use crate::engine::Budget;
use crate::facets::{Facet, FacetCounts, Facets};
use crate::query::year_of;

/// Columns of texts that are facets.
const TEXTS: usize = 3;

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// What the documents of a segment are counted by: 4 bytes a document.
pub(super) struct FacetColumn {
    /// The number of each document's combination.
    numbers: Vec<u32>,
    combinations: Vec<Combination>,
    /// Host, language, type.
    texts: [Option<StrColumn>; TEXTS],
}

/// The places of its texts in their columns, and the year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Combination {
    texts: [Option<u64>; TEXTS],
    year: Option<i64>,
}

impl FacetColumn {
    /// O(documents).
    pub(super) fn read(segment: &SegmentReader) -> Result<Self, TantivyError> {
        let fast = segment.fast_fields();
        let texts = [fast.str(HOST)?, fast.str(LANGUAGE)?, fast.str(PAGE_TYPE)?];
        let captured_at = fast.i64(CAPTURED_AT)?;
        let mut known: HashMap<Combination, u32> = HashMap::new();
        let mut years: FxHashMap<i64, i64> = FxHashMap::default();
        let mut combinations = Vec::new();
        let mut last: Option<(Combination, u32)> = None;
        let number_of = |doc: DocId| {
            let text = |column: &Option<StrColumn>| column.as_ref().and_then(|column| column.ords().first(doc));
            let day = captured_at.first(doc).map(|seconds| seconds.div_euclid(DAY_SECONDS));
            let year = day.map(|day| *years.entry(day).or_insert_with(|| year_of(day * DAY_SECONDS)));
            let combination = Combination { texts: texts.each_ref().map(text), year };
            // Those of a page follow each other.
            match last {
                Some((known, number)) if known == combination => return number,
                _ => {}
            }
            let number = *known.entry(combination).or_insert_with(|| {
                combinations.push(combination);
                combinations.len() as u32 - 1
            });
            last = Some((combination, number));
            number
        };
        let numbers = (0..segment.max_doc()).map(number_of).collect();
        Ok(Self { numbers, combinations, texts })
    }

    /// Starts counting.
    pub(super) fn counts(&self) -> Vec<u64> {
        vec![0; self.combinations.len()]
    }

    #[inline]
    pub(super) fn count(&self, doc: DocId, counts: &mut [u64]) {
        counts[self.numbers[doc as usize] as usize] += 1;
    }

    /// Adds up what was counted by value.
    pub(super) fn add_to(&self, counts: &[u64], sums: &mut FacetSums) {
        let mut of_texts: [FxHashMap<u64, u64>; TEXTS] = Default::default();
        for (Combination { texts, year }, blocks) in self.combinations.iter().zip(counts).filter(|(_, n)| **n > 0) {
            for (sums, ord) in of_texts.iter_mut().zip(texts) {
                if let Some(ord) = ord {
                    *sums.entry(*ord).or_default() += blocks;
                }
            }
            if let Some(year) = year {
                *sums.year.entry(year.to_string()).or_default() += blocks;
            }
        }
        for ((counts, column), sums) in of_texts.iter().zip(&self.texts).zip(&mut sums.texts) {
            let Some(column) = column else { continue };
            for (ord, blocks) in counts {
                let mut value = String::new();
                // A value that cannot be read is left out: the column's dictionary is checked when the index is opened.
                if column.ord_to_str(*ord, &mut value).is_ok_and(|found| found) {
                    *sums.entry(value).or_default() += blocks;
                }
            }
        }
    }
}

/// Blocks by value, over segments.
#[derive(Default)]
pub(super) struct FacetSums {
    texts: [FacetCounts; TEXTS],
    year: FacetCounts,
}

impl FacetSums {
    /// As they are shown.
    pub(super) fn facets(self, is_exact: bool) -> Facets {
        let [host, language, page_type] = self.texts.map(Facet::of);
        Facets { is_exact, host, language, year: Facet::of(self.year), page_type }
    }
}

/// Counts the blocks that `query` matches, as long as the budget lasts.
pub(crate) fn count_facets(
    searcher: &Searcher,
    columns: &[Arc<Columns>],
    query: &dyn Query,
    budget: &Budget,
) -> Result<Facets, TantivyError> {
    let mut sums = FacetSums::default();
    for (ord, counts) in searcher.search(query, &FacetCollector { columns, budget })? {
        columns[ord as usize].facets(searcher.segment_reader(ord))?.add_to(&counts, &mut sums);
    }
    Ok(sums.facets(!budget.is_spent()))
}

struct FacetCollector<'a> {
    columns: &'a [Arc<Columns>],
    budget: &'a Budget,
}

/// What was counted in a segment.
type SegmentCounts = (SegmentOrdinal, Vec<u64>);

impl Collector for FacetCollector<'_> {
    type Fruit = Vec<SegmentCounts>;
    type Child = SegmentFacets;

    fn for_segment(&self, segment_ord: u32, segment: &SegmentReader) -> Result<SegmentFacets, TantivyError> {
        let columns = Arc::clone(&self.columns[segment_ord as usize]);
        let counts = columns.facets(segment)?.counts();
        Ok(SegmentFacets { columns, segment: segment.clone(), counts, ord: segment_ord, budget: self.budget.clone() })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, fruits: Vec<SegmentCounts>) -> Result<Vec<SegmentCounts>, TantivyError> {
        Ok(fruits)
    }
}

struct SegmentFacets {
    columns: Arc<Columns>,
    segment: SegmentReader,
    counts: Vec<u64>,
    ord: SegmentOrdinal,
    budget: Budget,
}

impl SegmentCollector for SegmentFacets {
    type Fruit = SegmentCounts;

    fn collect(&mut self, doc: DocId, _score: Score) {
        if self.budget.is_spent() {
            return;
        }
        // It was read before the first document came.
        if let Ok(column) = self.columns.facets(&self.segment) {
            column.count(doc, &mut self.counts);
        }
    }

    fn harvest(self) -> SegmentCounts {
        (self.ord, self.counts)
    }
}
