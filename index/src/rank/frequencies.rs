//! How often the query's words stand in the fields of some documents.

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::Postings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, SegmentReader, TantivyError, Term};

use super::segment::{Columns, RankWord};

/// Counts by document, field and word, and the lengths of the fields, for documents of one segment.
pub(super) struct Frequencies {
    fields: usize,
    words: usize,
    counts: Vec<f32>,
    lengths: Vec<u32>,
}

impl Frequencies {
    /// Reads them for `docs`, which increase. Without `columns`, stems count in every language (pages have none of their own).
    pub(super) fn read(
        segment: &SegmentReader,
        fields: &[Field],
        words: &[RankWord],
        docs: &[DocId],
        columns: Option<&Columns>,
    ) -> Result<Self, TantivyError> {
        debug_assert!(docs.is_sorted());
        let mut counts: Vec<f32> = vec![0.0; docs.len() * fields.len() * words.len()];
        let mut lengths = vec![0; docs.len() * fields.len()];
        for (f, field) in fields.iter().enumerate() {
            let norms: FieldNormReader = segment.get_fieldnorms_reader(*field)?;
            for (d, doc) in docs.iter().enumerate() {
                lengths[d * fields.len() + f] = norms.fieldnorm(*doc);
            }
            let inverted = segment.inverted_index(*field)?;
            for (w, word) in words.iter().enumerate() {
                for form in &word.forms {
                    let term = Term::from_field_text(*field, &form.term);
                    let factor = form.factor / word.factor_max;
                    let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::WithFreqs)? else {
                        continue;
                    };
                    for (d, doc) in docs.iter().enumerate() {
                        if seek(&mut postings, *doc) && columns.is_none_or(|columns| columns.allows(form, *doc)) {
                            let count = &mut counts[(d * fields.len() + f) * words.len() + w];
                            // A word stands there in all its forms: the best one counts.
                            *count = count.max(factor * postings.term_freq() as f32);
                        }
                    }
                }
            }
        }
        Ok(Self { fields: fields.len(), words: words.len(), counts, lengths })
    }

    /// Counts the words of blocks' bodies, which are at the end of the joined field, as the field at place `body`.
    pub(super) fn add_bodies(
        &mut self,
        segment: &SegmentReader,
        all: Field,
        body: usize,
        words: &[RankWord],
        docs: &[DocId],
        columns: &Columns,
    ) -> Result<(), TantivyError> {
        let inverted = segment.inverted_index(all)?;
        let mut positions = Vec::new();
        for (w, word) in words.iter().enumerate() {
            for form in &word.forms {
                let factor = form.factor / word.factor_max;
                let term = Term::from_field_text(all, &form.term);
                let option = IndexRecordOption::WithFreqsAndPositions;
                let Some(mut postings) = inverted.read_postings(&term, option)? else { continue };
                for (d, doc) in docs.iter().enumerate() {
                    if seek(&mut postings, *doc) && columns.allows(form, *doc) {
                        postings.positions(&mut positions);
                        let start = columns.body_start(*doc);
                        let found = positions.iter().rev().take_while(|at| u64::from(**at) >= start).count();
                        let count = &mut self.counts[(d * self.fields + body) * self.words + w];
                        *count = count.max(factor * found as f32);
                    }
                }
            }
        }
        Ok(())
    }

    /// Occurrences of each word in a field of the document at place `doc`; of other spellings, what they count.
    pub(super) fn counts(&self, doc: usize, field: usize) -> &[f32] {
        let begin = (doc * self.fields + field) * self.words;
        &self.counts[begin..begin + self.words]
    }

    /// Length of a field, in words, as coarse as the engine keeps it (exact up to 40).
    pub(super) fn length(&self, doc: usize, field: usize) -> f32 {
        self.lengths[doc * self.fields + field] as f32
    }
}

/// Moves to `doc` or behind it; whether it was hit.
pub(super) fn seek(postings: &mut impl DocSet, doc: DocId) -> bool {
    if postings.doc() < doc {
        postings.seek(doc);
    }
    postings.doc() == doc
}
