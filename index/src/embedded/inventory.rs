//! What pages an index holds: for checking it against what it was made from.

use std::collections::BTreeMap;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, Searcher, SegmentReader, TERMINATED, TantivyError};

use super::engine;
use super::schema::Fields;

/// How many documents each page has: one for each block and one for the page. O(pages) memory.
pub(super) fn documents_by_page(searcher: &Searcher, fields: &Fields) -> Result<BTreeMap<String, u64>, TantivyError> {
    let mut counts = BTreeMap::new();
    for segment in searcher.segment_readers() {
        engine(|| count_documents(segment, fields, &mut counts))?;
    }
    Ok(counts)
}

fn count_documents(
    segment: &SegmentReader,
    fields: &Fields,
    counts: &mut BTreeMap<String, u64>,
) -> Result<(), TantivyError> {
    let pages = segment.inverted_index(fields.page_id)?;
    let mut terms = pages.terms().stream()?;
    while let Some((page_id, info)) = terms.next() {
        let mut postings = pages.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
        let mut documents = 0;
        while postings.doc() != TERMINATED {
            documents += u64::from(!segment.is_deleted(postings.doc()));
            postings.advance();
        }
        if documents > 0 {
            *counts.entry(String::from_utf8_lossy(page_id).into_owned()).or_default() += documents;
        }
    }
    Ok(())
}
