//! Terms in the dictionaries of all segments. Each is looked up once a commit, since queries share most of their words.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tantivy::postings::TermInfo;
use tantivy::schema::Field;
use tantivy::{DocId, Searcher, SegmentOrdinal, TantivyError, Term};

use super::peaks::{KnownPeaks, Peaks, PeaksRoom};
use super::schema::Fields;
use crate::searcher::LanguageCount;
use lopper_analysis::TermForm;

/// Places of terms in segments that are remembered: about 30 MB, without peaks.
const PLACES_MAX: usize = 300_000;

/// Looks terms up in one state of the index.
pub(crate) struct Lexicon<'a> {
    pub(crate) searcher: &'a Searcher,
    known: &'a KnownTerms,
}

/// The terms of one commit that were looked up before.
#[derive(Debug, Default)]
pub(crate) struct KnownTerms {
    terms: Mutex<HashMap<Term, Arc<LexiconTerm>>>,
    room: Arc<PeaksRoom>,
}

/// Where a term of a field is.
#[derive(Debug, Default)]
pub(crate) struct LexiconTerm {
    /// Documents that have it, deleted ones included.
    pub(crate) documents: u64,
    /// By segment; empty where none has it.
    segments: Box<[Option<TermInfo>]>,
    /// By segment, likewise.
    peaks: Box<[KnownPeaks]>,
    room: Arc<PeaksRoom>,
    /// Of blocks, by language.
    pub(super) languages: OnceLock<Vec<LanguageCount>>,
}

impl LexiconTerm {
    /// Where its postings are in a segment that has it.
    pub(crate) fn in_segment(&self, segment: SegmentOrdinal) -> Option<&TermInfo> {
        self.segments.get(segment as usize)?.as_ref()
    }

    /// Its peaks in a segment of so many documents; not when it is sought for the first time.
    pub(super) fn peaks(
        &self,
        segment: SegmentOrdinal,
        documents: DocId,
        make: impl FnOnce() -> Peaks,
    ) -> Option<&Peaks> {
        self.peaks.get(segment as usize)?.get(documents, &self.room, make)
    }
}

/// Where a form of a word is.
#[derive(Debug, Clone)]
pub(crate) struct FormEntries {
    /// In the joined field of blocks.
    pub(crate) blocks: Arc<LexiconTerm>,
    /// In the joined field of pages.
    pub(crate) pages: Arc<LexiconTerm>,
    /// In the heads of pages.
    pub(crate) heads: Arc<LexiconTerm>,
    /// Among the names of what opens in blocks.
    pub(crate) names: Arc<LexiconTerm>,
}

impl KnownTerms {
    fn get(&self, term: &Term) -> Option<Arc<LexiconTerm>> {
        self.terms.lock().unwrap_or_else(PoisonError::into_inner).get(term).map(Arc::clone)
    }

    /// Forgets all when there are too many.
    fn add(&self, term: Term, entry: &Arc<LexiconTerm>, segments: usize) {
        let mut known = self.terms.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len().saturating_mul(segments) > PLACES_MAX {
            known.clear();
            self.room.empty();
        }
        known.insert(term, Arc::clone(entry));
    }
}

impl<'a> Lexicon<'a> {
    /// `known` are terms of the same state.
    pub(crate) fn new(searcher: &'a Searcher, known: &'a KnownTerms) -> Self {
        Self { searcher, known }
    }

    pub(crate) fn entry(&self, field: Field, text: &str) -> Result<Arc<LexiconTerm>, TantivyError> {
        let term = Term::from_field_text(field, text);
        if let Some(known) = self.known.get(&term) {
            return Ok(known);
        }
        let entry = Arc::new(self.look_up(&term)?);
        self.known.add(term, &entry, self.searcher.segment_readers().len());
        Ok(entry)
    }

    /// Where a form is; nothing where it is nowhere. Most further forms stand beside the words of long texts alone.
    pub(crate) fn form(&self, fields: &Fields, form: &TermForm) -> Result<Option<FormEntries>, TantivyError> {
        let is_word = form.counts_as_word();
        let alone = |field| if is_word { self.entry(field, &form.term) } else { Ok(Arc::default()) };
        let blocks = self.entry(fields.all, &form.term)?;
        // Nearly all stems of other languages are in no block, and then elsewhere neither.
        if blocks.documents == 0 && !form.languages.is_empty() {
            return Ok(None);
        }
        let pages = self.entry(fields.page.all, &form.term)?;
        let (heads, names) = (alone(fields.page.head)?, alone(fields.name_terms)?);
        let is_known = [&blocks, &pages, &names].into_iter().any(|entry| entry.documents > 0);
        Ok(is_known.then_some(FormEntries { blocks, pages, heads, names }))
    }

    /// Documents that have a term, deleted ones included.
    pub(crate) fn frequency(&self, field: Field, text: &str) -> Result<u64, TantivyError> {
        Ok(self.entry(field, text)?.documents)
    }

    fn look_up(&self, term: &Term) -> Result<LexiconTerm, TantivyError> {
        let mut documents = 0;
        let mut segments = Vec::with_capacity(self.searcher.segment_readers().len());
        for segment in self.searcher.segment_readers() {
            let found = segment.inverted_index(term.field())?.get_term_info(term)?;
            documents += found.as_ref().map_or(0, |info| u64::from(info.doc_freq));
            segments.push(found);
        }
        if documents == 0 {
            segments.clear();
        }
        let peaks = segments.iter().map(|_| KnownPeaks::default()).collect();
        let room = Arc::clone(&self.known.room);
        Ok(LexiconTerm { documents, segments: segments.into(), peaks, room, languages: OnceLock::new() })
    }
}
