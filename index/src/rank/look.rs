//! What is asked of a ranked block afterwards: the page it belongs to, and how often the query's words stand in it.

use serde::Serialize;
use tantivy::{DocAddress, Searcher, TantivyError};

use super::fields::{BlockField, PageField};
use super::frequencies::{Frequencies, Probe};
use super::segment::RankWord;
use super::view::CommitView;
use crate::schema::Fields;

/// How often the query's words stand in one field.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldCounts {
    /// Name of the field; those of the page begin with `page_`.
    pub field: &'static str,
    /// Its length in words, as coarse as the index keeps it.
    pub length: f32,
    /// Occurrences of each word, by its number; of other spellings, what they count.
    pub counts: Vec<f32>,
}

/// Where a block stands, without fetching it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    pub(crate) page_order: u64,
    /// The key of links to the page, which all captures of it have; that of its name where it has none.
    pub(crate) page_key: u64,
    pub(crate) ordinal: u64,
}

impl CommitView {
    /// Where a block stands.
    pub(crate) fn standing(&self, block: DocAddress) -> Standing {
        let columns = &self.columns[block.segment_ord as usize];
        let page_order = columns.page_order(block.doc_id);
        let page_key = columns.page_of(block.doc_id).and_then(|page| columns.link_keys(page).next());
        let page_key = page_key.unwrap_or(page_order);
        Standing { page_order, page_key, ordinal: columns.ordinal(block.doc_id).unwrap_or(u64::MAX) }
    }
}

/// Counts of the query's words in every field of a block and its page.
pub(crate) fn field_counts(
    searcher: &Searcher,
    fields: &Fields,
    view: &CommitView,
    words: &[RankWord],
    block: DocAddress,
) -> Result<Vec<FieldCounts>, TantivyError> {
    let DocAddress { segment_ord: ord, doc_id } = block;
    let (segment, columns) = (searcher.segment_reader(ord), &view.columns[ord as usize]);
    let probe = Probe { segment, ord, fields, words, columns, docs: &[doc_id] };
    let found = probe.blocks()?;
    let mut counts: Vec<_> = BlockField::ALL.map(|field| field_count(field.name(), &found, field as usize)).into();
    if let Some(page) = columns.page_of(doc_id) {
        let found = Probe { docs: &[page], ..probe }.pages()?;
        counts.extend(PageField::ALL.map(|field| field_count(field.name(), &found, field as usize)));
    }
    Ok(counts)
}

fn field_count(field: &'static str, found: &Frequencies, number: usize) -> FieldCounts {
    FieldCounts { field, length: found.length(0, number), counts: found.counts(0, number).to_vec() }
}
