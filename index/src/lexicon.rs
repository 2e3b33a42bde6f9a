//! The terms of one query in the dictionaries of all segments: each is looked up once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use tantivy::postings::TermInfo;
use tantivy::schema::Field;
use tantivy::{Searcher, SegmentOrdinal, TantivyError, Term};

/// Looks terms up in one state of the index, and remembers what it found.
pub(crate) struct Lexicon<'a> {
    pub(crate) searcher: &'a Searcher,
    entries: RefCell<HashMap<Term, Arc<Entry>>>,
}

/// Where a term of a field is.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    /// Documents that have it, deleted ones included.
    pub(crate) documents: u64,
    /// By segment.
    segments: Box<[Option<TermInfo>]>,
}

impl Entry {
    /// Where its postings are in a segment that has it.
    pub(crate) fn in_segment(&self, segment: SegmentOrdinal) -> Option<&TermInfo> {
        self.segments.get(segment as usize)?.as_ref()
    }
}

impl<'a> Lexicon<'a> {
    pub(crate) fn new(searcher: &'a Searcher) -> Self {
        Self { searcher, entries: RefCell::default() }
    }

    pub(crate) fn entry(&self, field: Field, text: &str) -> Result<Arc<Entry>, TantivyError> {
        let term = Term::from_field_text(field, text);
        if let Some(known) = self.entries.borrow().get(&term) {
            return Ok(Arc::clone(known));
        }
        let entry = Arc::new(self.look_up(&term)?);
        self.entries.borrow_mut().insert(term, Arc::clone(&entry));
        Ok(entry)
    }

    /// Documents that have a term, deleted ones included.
    pub(crate) fn frequency(&self, field: Field, text: &str) -> Result<u64, TantivyError> {
        Ok(self.entry(field, text)?.documents)
    }

    fn look_up(&self, term: &Term) -> Result<Entry, TantivyError> {
        let mut entry = Entry::default();
        let mut segments = Vec::with_capacity(self.searcher.segment_readers().len());
        for segment in self.searcher.segment_readers() {
            let found = segment.inverted_index(term.field())?.get_term_info(term)?;
            entry.documents += found.as_ref().map_or(0, |info| u64::from(info.doc_freq));
            segments.push(found);
        }
        entry.segments = segments.into();
        Ok(entry)
    }
}
