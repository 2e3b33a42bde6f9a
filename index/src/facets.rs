//! How many of the matching blocks each host, language, year and type has.

use std::collections::HashMap;

use serde::Serialize;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::{Column, StrColumn};
use tantivy::query::Query;
use tantivy::{DocId, Score, Searcher, SegmentReader, TantivyError};

use crate::query::year_of;
use crate::schema::{CAPTURED_AT, HOST, LANGUAGE, PAGE_TYPE};

/// Values shown of each facet: those with most blocks.
pub const FACET_VALUES_MAX: usize = 10;

/// Counts of blocks by host, language, year and type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Facets {
    /// Whether all blocks that match were counted.
    pub is_exact: bool,
    /// By host of the page's address.
    pub host: Facet,
    /// By the page's language.
    pub language: Facet,
    /// By year of the capture, in UTC.
    pub year: Facet,
    /// By type of the page.
    #[serde(rename = "type")]
    pub page_type: Facet,
}

/// Counts of blocks by one property.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Facet {
    /// Values with most blocks, at most [`FACET_VALUES_MAX`]; equals by value.
    pub values: Vec<FacetValue>,
    /// Number of all values.
    pub values_total: usize,
    /// Blocks of the values that are not shown. Blocks without a value count nowhere.
    pub other_blocks: u64,
}

/// A value with its blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FacetValue {
    /// The value, as the query language's filter takes it.
    pub value: String,
    /// Blocks that match and have it.
    pub blocks: u64,
}

type Counts = HashMap<String, u64>;

/// Number of facets.
const FACETS: usize = 4;

/// Counts the blocks that `query` matches. O(matches), and memory for the values met.
pub(crate) fn count_facets(searcher: &Searcher, query: &dyn Query) -> Result<Facets, TantivyError> {
    let [host, language, page_type, year] = searcher.search(query, &FacetCollector)?;
    let (host, language, year, page_type) = (facet(host), facet(language), facet(year), facet(page_type));
    Ok(Facets { is_exact: true, host, language, year, page_type })
}

fn facet(counts: Counts) -> Facet {
    let values_total = counts.len();
    let mut values: Vec<FacetValue> = counts.into_iter().map(|(value, blocks)| FacetValue { value, blocks }).collect();
    values.sort_unstable_by(|a, b| b.blocks.cmp(&a.blocks).then_with(|| a.value.cmp(&b.value)));
    let other_blocks = values.iter().skip(FACET_VALUES_MAX).map(|value| value.blocks).sum();
    values.truncate(FACET_VALUES_MAX);
    Facet { values, values_total, other_blocks }
}

struct FacetCollector;

impl Collector for FacetCollector {
    type Fruit = [Counts; FACETS];
    type Child = SegmentFacets;

    fn for_segment(&self, _segment_ord: u32, segment: &SegmentReader) -> Result<SegmentFacets, TantivyError> {
        let fast = segment.fast_fields();
        let texts = [fast.str(HOST)?, fast.str(LANGUAGE)?, fast.str(PAGE_TYPE)?].map(TextCounts::new);
        Ok(SegmentFacets { texts, captured_at: fast.i64(CAPTURED_AT)?, years: HashMap::new() })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, fruits: Vec<[Counts; FACETS]>) -> Result<[Counts; FACETS], TantivyError> {
        let mut sums: [Counts; FACETS] = Default::default();
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
}

impl SegmentCollector for SegmentFacets {
    type Fruit = [Counts; FACETS];

    fn collect(&mut self, doc: DocId, _score: Score) {
        for text in &mut self.texts {
            text.collect(doc);
        }
        if let Some(seconds) = self.captured_at.first(doc) {
            *self.years.entry(year_of(seconds)).or_default() += 1;
        }
    }

    fn harvest(self) -> [Counts; FACETS] {
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

    fn into_counts(self) -> Counts {
        let Some(column) = self.column else { return Counts::new() };
        let mut counts = Counts::new();
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
