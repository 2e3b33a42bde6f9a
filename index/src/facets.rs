//! How many of the matching blocks each host, language, year and type has.

use std::collections::HashMap;

use serde::Serialize;

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

/// Blocks by value.
pub type FacetCounts = HashMap<String, u64>;

impl Facet {
    /// The values with most blocks, of the counts of all.
    pub fn of(counts: FacetCounts) -> Self {
        let values_total = counts.len();
        let mut values: Vec<FacetValue> =
            counts.into_iter().map(|(value, blocks)| FacetValue { value, blocks }).collect();
        values.sort_unstable_by(|a, b| b.blocks.cmp(&a.blocks).then_with(|| a.value.cmp(&b.value)));
        let other_blocks = values.iter().skip(FACET_VALUES_MAX).map(|value| value.blocks).sum();
        values.truncate(FACET_VALUES_MAX);
        Self { values, values_total, other_blocks }
    }
}
