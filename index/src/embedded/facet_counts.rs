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

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Values of a column that have a place each: 128 KiB.
const PLACES_MAX: usize = 1 << 14;

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
            years: Years::default(),
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
    years: Years,
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
            self.years.count(seconds);
        }
    }

    fn harvest(self) -> [FacetCounts; FACETS] {
        let years = self.years.into_counts();
        let [host, language, page_type] = self.texts.map(TextCounts::into_counts);
        [host, language, page_type, years]
    }
}

/// Blocks by year. Those that follow each other are mostly of one day, whose year is known then.
#[derive(Default)]
struct Years {
    counts: HashMap<i64, u64>,
    /// The last day, and its blocks that are not in `counts` yet.
    day: Option<i64>,
    of_day: u64,
}

impl Years {
    fn count(&mut self, seconds: i64) {
        let day = seconds.div_euclid(DAY_SECONDS);
        if self.day != Some(day) {
            self.settle();
            self.day = Some(day);
        }
        self.of_day += 1;
    }

    fn settle(&mut self) {
        if let Some(day) = self.day {
            *self.counts.entry(year_of(day * DAY_SECONDS)).or_default() += std::mem::take(&mut self.of_day);
        }
    }

    fn into_counts(mut self) -> FacetCounts {
        self.settle();
        self.counts.into_iter().map(|(year, blocks)| (year.to_string(), blocks)).collect()
    }
}

/// Counts by the number of a value in its column.
struct TextCounts {
    column: Option<StrColumn>,
    counts: Counts,
}

/// Few values have a place each; of many only those that are met.
enum Counts {
    Places(Vec<u64>),
    Met(HashMap<u64, u64>),
}

impl TextCounts {
    fn new(column: Option<StrColumn>) -> Self {
        let values = column.as_ref().map_or(0, |column| column.num_terms());
        let counts = if values <= PLACES_MAX { Counts::Places(vec![0; values]) } else { Counts::Met(HashMap::new()) };
        Self { column, counts }
    }

    fn collect(&mut self, doc: DocId) {
        let Some(ord) = self.column.as_ref().and_then(|column| column.term_ords(doc).next()) else { return };
        match &mut self.counts {
            Counts::Places(places) => {
                if let Some(count) = places.get_mut(ord as usize) {
                    *count += 1;
                }
            }
            Counts::Met(met) => *met.entry(ord).or_default() += 1,
        }
    }

    fn into_counts(self) -> FacetCounts {
        let Some(column) = self.column else { return FacetCounts::new() };
        let met: Vec<(u64, u64)> = match self.counts {
            Counts::Places(places) => (0..).zip(places).filter(|(_, blocks)| *blocks > 0).collect(),
            Counts::Met(met) => met.into_iter().collect(),
        };
        let mut counts = FacetCounts::new();
        for (ord, blocks) in met {
            let mut value = String::new();
            // A value that cannot be read is left out: the column's dictionary is checked when the index is opened.
            if column.ord_to_str(ord, &mut value).is_ok_and(|found| found) {
                counts.insert(value, blocks);
            }
        }
        counts
    }
}
