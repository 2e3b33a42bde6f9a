//! Counting facets in columns.

use std::collections::HashMap;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::{Column, StrColumn};
use tantivy::query::Query;
use tantivy::{DocId, Score, Searcher, SegmentReader, TantivyError};

use super::schema::{CAPTURED_AT, HOST, LANGUAGE, PAGE_TYPE};
use crate::engine::Budget;
use crate::facets::{Facet, FacetCounts, Facets};
use crate::query::year_of;

/// Number of facets.
const FACETS: usize = 4;

/// Counts the blocks that `query` matches, as long as the budget lasts. O(matches), and memory for the values met.
pub(crate) fn count_facets(searcher: &Searcher, query: &dyn Query, budget: &Budget) -> Result<Facets, TantivyError> {
    let [host, language, page_type, year] = searcher.search(query, &FacetCollector { budget })?;
    let (host, language, year, page_type) =
        (Facet::of(host), Facet::of(language), Facet::of(year), Facet::of(page_type));
    Ok(Facets { is_exact: !budget.is_spent(), host, language, year, page_type })
}

struct FacetCollector<'a> {
    budget: &'a Budget,
}

impl Collector for FacetCollector<'_> {
    type Fruit = [FacetCounts; FACETS];
    type Child = SegmentFacets;

    fn for_segment(&self, _segment_ord: u32, segment: &SegmentReader) -> Result<SegmentFacets, TantivyError> {
        let fast = segment.fast_fields();
        let texts = [fast.str(HOST)?, fast.str(LANGUAGE)?, fast.str(PAGE_TYPE)?].map(TextCounts::new);
        Ok(SegmentFacets {
            texts,
            captured_at: fast.i64(CAPTURED_AT)?,
            years: HashMap::new(),
            budget: self.budget.clone(),
        })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, fruits: Vec<[FacetCounts; FACETS]>) -> Result<[FacetCounts; FACETS], TantivyError> {
        let mut sums: [FacetCounts; FACETS] = Default::default();
        for (sum, counts) in fruits.into_iter().flat_map(|fruit| (0..FACETS).zip(fruit)) {
            for (value, blocks) in counts {
                *sums[sum].entry(value).or_default() += blocks;
            }
        }
        Ok(sums)
    }
}

struct SegmentFacets {
    texts: [TextCounts; 3],
    captured_at: Column<i64>,
    years: HashMap<i64, u64>,
    budget: Budget,
}

impl SegmentCollector for SegmentFacets {
    type Fruit = [FacetCounts; FACETS];

    fn collect(&mut self, doc: DocId, _score: Score) {
        if self.budget.is_spent() {
            return;
        }
        for text in &mut self.texts {
            text.collect(doc);
        }
        if let Some(seconds) = self.captured_at.first(doc) {
            *self.years.entry(year_of(seconds)).or_default() += 1;
        }
    }

    fn harvest(self) -> [FacetCounts; FACETS] {
        let years = self.years.into_iter().map(|(year, blocks)| (year.to_string(), blocks)).collect();
        let [host, language, page_type] = self.texts.map(TextCounts::into_counts);
        [host, language, page_type, years]
    }
}

/// Counts by the number of a value in its column.
struct TextCounts {
    column: Option<StrColumn>,
    counts: HashMap<u64, u64>,
}

impl TextCounts {
    fn new(column: Option<StrColumn>) -> Self {
        Self { column, counts: HashMap::new() }
    }

    fn collect(&mut self, doc: DocId) {
        if let Some(ord) = self.column.as_ref().and_then(|column| column.term_ords(doc).next()) {
            *self.counts.entry(ord).or_default() += 1;
        }
    }

    fn into_counts(self) -> FacetCounts {
        let Some(column) = self.column else { return FacetCounts::new() };
        let mut counts = FacetCounts::new();
        for (ord, blocks) in self.counts {
            let mut value = String::new();
            // A value that cannot be read is left out: the column's dictionary is checked when the index is opened.
            if column.ord_to_str(ord, &mut value).is_ok_and(|found| found) {
                counts.insert(value, blocks);
            }
        }
        counts
    }
}
