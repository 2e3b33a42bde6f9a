//! Terms in the dictionaries of all segments. Each is looked up once a commit, since queries share most of their words.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tantivy::postings::TermInfo;
use tantivy::schema::Field;
use tantivy::{DocId, Searcher, SegmentOrdinal, TantivyError, Term};

use super::peaks::{KnownPeaks, Peaks, PeaksRoom};
use super::schema::Fields;
use crate::searcher::LanguageCount;
use lopper_analysis::TermForm;

/// Places of terms in segments that are remembered: about 30 MB, without peaks.
const PLACES_MAX: usize = 300_000;

/// What a term takes beside its places, in places. Most stems of other languages have none.
const TERM_PLACES: usize = 3;

/// Looks terms up in one state of the index.
pub(crate) struct Lexicon<'a> {
    pub(crate) searcher: &'a Searcher,
    known: &'a KnownTerms,
}

/// The terms of one commit that were looked up before.
#[derive(Debug, Default)]
pub(crate) struct KnownTerms {
    remembered: Mutex<Remembered>,
    room: Arc<PeaksRoom>,
}

#[derive(Debug, Default)]
struct Remembered {
    terms: HashMap<Term, Arc<LexiconTerm>>,
    /// What they take.
    places: usize,
}

/// Where a term of a field is.
#[derive(Debug, Default)]
pub(crate) struct LexiconTerm {
    /// Documents that have it, deleted ones included.
    pub(crate) documents: u64,
    /// In the segments that have it, which increase.
    places: Box<[TermPlace]>,
    room: Arc<PeaksRoom>,
    /// Of blocks, by language.
    pub(super) languages: OnceLock<Vec<LanguageCount>>,
}

/// Where a term is in a segment.
#[derive(Debug)]
struct TermPlace {
    segment: SegmentOrdinal,
    info: TermInfo,
    peaks: KnownPeaks,
}

impl LexiconTerm {
    /// Where its postings are in a segment that has it.
    pub(crate) fn in_segment(&self, segment: SegmentOrdinal) -> Option<&TermInfo> {
        Some(&self.place(segment)?.info)
    }

    fn place(&self, segment: SegmentOrdinal) -> Option<&TermPlace> {
        let at = self.places.binary_search_by_key(&segment, |place| place.segment).ok()?;
        Some(&self.places[at])
    }

    /// Its peaks in a segment of so many documents; not when it is sought for the first time.
    pub(super) fn peaks(
        &self,
        segment: SegmentOrdinal,
        documents: DocId,
        make: impl FnOnce() -> Peaks,
    ) -> Option<&Peaks> {
        self.place(segment)?.peaks.get(documents, &self.room, make)
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
        self.remembered().terms.get(term).map(Arc::clone)
    }

    /// Forgets all others when there are too many.
    fn add(&self, term: Term, entry: &Arc<LexiconTerm>) {
        let places = TERM_PLACES + entry.places.len();
        let mut remembered = self.remembered();
        if remembered.places + places > PLACES_MAX {
            *remembered = Remembered::default();
            self.room.empty();
        }
        if remembered.terms.insert(term, Arc::clone(entry)).is_none() {
            remembered.places += places;
        }
    }

    fn remembered(&self) -> MutexGuard<'_, Remembered> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.known.add(term, &entry);
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
        let (mut documents, mut places) = (0, Vec::new());
        for (segment, reader) in (0..).zip(self.searcher.segment_readers()) {
            if let Some(info) = reader.inverted_index(term.field())?.get_term_info(term)? {
                documents += u64::from(info.doc_freq);
                places.push(TermPlace { segment, info, peaks: KnownPeaks::default() });
            }
        }
        let room = Arc::clone(&self.known.room);
        Ok(LexiconTerm { documents, places: places.into(), room, languages: OnceLock::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_terms_are_remembered_as_there_is_room_for() {
        let known = KnownTerms::default();
        let term = |number: usize| Term::from_field_u64(Field::from_field_id(0), number as u64);
        let nowhere = Arc::new(LexiconTerm::default());
        let most = PLACES_MAX / TERM_PLACES;
        (0..most).for_each(|number| known.add(term(number), &nowhere));
        assert!(known.get(&term(0)).is_some() && known.get(&term(most - 1)).is_some());
        known.add(term(most), &nowhere);
        assert!(known.get(&term(0)).is_none() && known.get(&term(most)).is_some());
    }
}
