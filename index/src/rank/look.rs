//! What is asked of a ranked block afterwards: the page it belongs to, and how often the query's words stand in it.

use serde::Serialize;
use tantivy::schema::Field;
use tantivy::{DocAddress, Searcher, TantivyError};

use super::frequencies::Frequencies;
use super::segment::{Columns, RankWord};
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

/// Where blocks stand, in their order.
pub(crate) fn standings(searcher: &Searcher, blocks: &[DocAddress]) -> Result<Vec<Standing>, TantivyError> {
    let columns = Columns::open_all(searcher)?;
    let mut standings = Vec::with_capacity(blocks.len());
    for block in blocks {
        let columns = &columns[block.segment_ord as usize];
        let page_order = columns.page_order(block.doc_id);
        let page_key = columns.page_of(block.doc_id).and_then(|page| columns.link_keys(page).next());
        let page_key = page_key.unwrap_or(page_order);
        standings.push(Standing { page_order, page_key, ordinal: columns.ordinal(block.doc_id).unwrap_or(u64::MAX) });
    }
    Ok(standings)
}

/// Counts of the query's words in every field of a block and its page.
pub(crate) fn field_counts(
    searcher: &Searcher,
    fields: &Fields,
    words: &[RankWord],
    block: DocAddress,
) -> Result<Vec<FieldCounts>, TantivyError> {
    let Fields { all, parts, own_heading, name_terms, page, .. } = fields;
    let of_block = [
        ("headings", parts.headings),
        ("own_heading", *own_heading),
        ("lead", parts.lead),
        ("body", parts.body),
        ("images", parts.images),
        ("names", *name_terms),
    ];
    let of_page = [
        ("page_text", page.all),
        ("page_title", page.title),
        ("page_description", page.description),
        ("page_url", page.url),
    ];
    let reader = searcher.segment_reader(block.segment_ord);
    let columns = Columns::open(reader)?;
    let read = |named: &[(&'static str, Field)], doc, columns| -> Result<Vec<FieldCounts>, TantivyError> {
        let fields: Vec<Field> = named.iter().map(|(_, field)| *field).collect();
        let mut read = Frequencies::read(reader, &fields, words, &[doc], columns)?;
        if let (Some(columns), Some(body)) = (columns, fields.iter().position(|field| *field == parts.body)) {
            read.add_bodies(reader, *all, body, words, &[doc], columns)?;
        }
        let counts = |(place, (field, _)): (usize, &(&'static str, Field))| FieldCounts {
            field,
            length: read.length(0, place),
            counts: read.counts(0, place).to_vec(),
        };
        Ok(named.iter().enumerate().map(counts).collect())
    };
    let mut counts = read(&of_block, block.doc_id, Some(&columns))?;
    if let Some(page) = columns.page_of(block.doc_id) {
        counts.extend(read(&of_page, page, None)?);
    }
    Ok(counts)
}
