//! All blocks that have any of a query's words: the same as the engine's union, without its scorers.

use tantivy::index::SegmentReader;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, SegmentOrdinal, TERMINATED, TantivyError};

use super::lexicon::FormEntries;
use super::snapshot::State;
use crate::engine::{Budget, KnownForm};

/// The blocks that have any of some words in the joined field.
pub(super) struct AnyWord<'a> {
    pub(super) state: &'a State,
    /// The forms of each word.
    pub(super) forms: &'a [Vec<KnownForm>],
    /// Where each of them is.
    pub(super) entries: &'a [Vec<FormEntries>],
    /// What is found when it is spent is all.
    pub(super) budget: &'a Budget,
}

/// The documents of a segment, a bit each.
pub(super) struct DocBits(Vec<u64>);

impl DocBits {
    fn add(&mut self, doc: DocId) {
        if let Some(bits) = self.0.get_mut(doc as usize / 64) {
            *bits |= 1 << (doc % 64);
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.0.iter().map(|bits| u64::from(bits.count_ones())).sum()
    }

    /// Calls `visit` with each.
    pub(super) fn for_each(&self, mut visit: impl FnMut(DocId)) {
        for (place, bits) in self.0.iter().enumerate() {
            let mut left = *bits;
            while left != 0 {
                visit((place * 64) as DocId + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }
}

impl AnyWord<'_> {
    /// Calls `visit` with the documents of each segment that has some.
    pub(super) fn for_each_segment(
        &self,
        mut visit: impl FnMut(SegmentOrdinal, &SegmentReader, &DocBits) -> Result<(), TantivyError>,
    ) -> Result<(), TantivyError> {
        for (ord, segment) in (0..).zip(self.state.searcher.segment_readers()) {
            let mut found = DocBits(vec![0; (segment.max_doc() as usize).div_ceil(64)]);
            for (form, entries) in
                self.forms.iter().zip(self.entries).flat_map(|(forms, entries)| forms.iter().zip(entries))
            {
                self.add(self.state.fields.all, form, entries, (ord, segment), &mut found)?;
            }
            if segment.has_deletes() {
                let mut alive = DocBits(vec![0; found.0.len()]);
                found.for_each(|doc| {
                    if !segment.is_deleted(doc) {
                        alive.add(doc);
                    }
                });
                found = alive;
            }
            visit(ord, segment, &found)?;
        }
        Ok(())
    }

    /// Adds the documents of a form, in the languages that it counts in.
    fn add(
        &self,
        field: Field,
        form: &KnownForm,
        entries: &FormEntries,
        (ord, segment): (SegmentOrdinal, &SegmentReader),
        found: &mut DocBits,
    ) -> Result<(), TantivyError> {
        let Some(info) = entries.blocks.in_segment(ord) else { return Ok(()) };
        let columns = &self.state.view.columns[ord as usize];
        let inverted = segment.inverted_index(field)?;
        let mut postings = inverted.read_block_postings_from_terminfo(info, IndexRecordOption::Basic)?;
        let counts_everywhere = form.form.languages.is_empty();
        loop {
            let docs = postings.docs();
            if docs.is_empty() || !self.budget.spend(docs.len() as u64) {
                return Ok(());
            }
            for doc in docs.iter().copied().filter(|doc| *doc != TERMINATED) {
                if counts_everywhere || columns.allows(&form.form, doc) {
                    found.add(doc);
                }
            }
            postings.advance();
        }
    }
}
