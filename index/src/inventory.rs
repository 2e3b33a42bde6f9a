//! What pages an index holds: for checking it against what it was made from.

use std::collections::BTreeMap;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, SegmentReader, TERMINATED, TantivyError};

use crate::engine::engine;
use crate::searcher::{BlockSearcher, SearchError};

impl BlockSearcher {
    /// How many documents each page has: one for each block and one for the page. O(pages) memory.
    ///
    /// # Errors
    /// [`SearchError::Read`].
    pub fn documents_by_page(&self) -> Result<BTreeMap<String, u64>, SearchError> {
        let mut counts = BTreeMap::new();
        for segment in self.reader.searcher().segment_readers() {
            engine(|| self.count_documents(segment, &mut counts)).map_err(|error| self.error(error))?;
        }
        Ok(counts)
    }

    fn count_documents(&self, segment: &SegmentReader, counts: &mut BTreeMap<String, u64>) -> Result<(), TantivyError> {
        let pages = segment.inverted_index(self.fields.page_id)?;
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
}
