//! How often the query's words stand in the fields of some documents.

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, SegmentOrdinal, SegmentReader, TantivyError, Term};

use super::fields::{BlockField, PageField};
use super::segment::{Columns, RankForm, RankWord};
use crate::lexicon::Entry;
use crate::schema::Fields;

/// Counts by document, field and word, and the lengths of the fields, for documents of one segment.
pub(super) struct Frequencies {
    fields: usize,
    words: usize,
    counts: Vec<f32>,
    lengths: Vec<u32>,
}

/// Documents of one segment, and what is looked for in them.
///
/// Blocks have a joined field, and pages have one, that hold the words of all their other fields but the names. So a word is looked for
/// in the others only where the joined field has it.
#[derive(Clone, Copy)]
pub(super) struct Probe<'a> {
    pub(super) segment: &'a SegmentReader,
    pub(super) ord: SegmentOrdinal,
    pub(super) fields: &'a Fields,
    pub(super) words: &'a [RankWord],
    pub(super) columns: &'a Columns,
    /// They increase.
    pub(super) docs: &'a [DocId],
}

/// A term at a place of the query.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) word: usize,
    pub(super) form: &'a RankForm,
    /// What an occurrence counts.
    factor: f32,
}

impl Probe<'_> {
    /// Counts in the joined field of blocks.
    pub(super) fn joined(&self) -> Result<Frequencies, TantivyError> {
        let mut found = Frequencies::new(self, &[self.fields.all])?;
        for place in self.places() {
            let (field, entry) = (self.fields.all, &place.form.in_blocks);
            self.each_block(place, field, entry, IndexRecordOption::WithFreqs, |d, postings| {
                found.add(d, 0, place, postings.term_freq());
            })?;
        }
        Ok(found)
    }

    /// Counts in the [`BlockField`]s.
    pub(super) fn blocks(&self) -> Result<Frequencies, TantivyError> {
        let mut found = Frequencies::new(self, &BlockField::ALL.map(|field| field.of(self.fields)))?;
        for place in self.places() {
            let outside = self.count_bodies(place, &mut found)?;
            for field in [BlockField::Headings, BlockField::OwnHeading, BlockField::Lead, BlockField::Images] {
                let has_it = !place.form.is_further || !field.has_words_alone();
                if has_it && !outside.is_empty() {
                    self.count(place, (field as usize, field.of(self.fields)), &outside, &mut found)?;
                }
            }
            self.count_names(place, &mut found)?;
        }
        Ok(found)
    }

    /// Counts in the [`PageField`]s. Stems count in every language, since pages have none of their own.
    pub(super) fn pages(&self) -> Result<Frequencies, TantivyError> {
        let mut found = Frequencies::new(self, &PageField::ALL.map(|field| field.of(self.fields)))?;
        let inverted = self.segment.inverted_index(self.fields.page.all)?;
        let mut holders = Vec::new();
        for place in self.places() {
            let Some(info) = place.form.in_pages.in_segment(self.ord) else { continue };
            let mut postings = inverted.read_postings_from_terminfo(info, IndexRecordOption::WithFreqs)?;
            holders.clear();
            for (d, doc) in self.docs.iter().enumerate() {
                if seek(&mut postings, *doc) {
                    found.add(d, PageField::All as usize, place, postings.term_freq());
                    holders.push(d);
                }
            }
            // The other fields have the words alone.
            if !holders.is_empty() && !place.form.is_further {
                for field in [PageField::Title, PageField::Description, PageField::Url] {
                    self.count(place, (field as usize, field.of(self.fields)), &holders, &mut found)?;
                }
            }
        }
        Ok(found)
    }

    /// Calls `visit` with the number of each block that has a form, in a language that it counts in, and the posting.
    pub(super) fn each_block(
        &self,
        place: Place<'_>,
        field: Field,
        entry: &Entry,
        option: IndexRecordOption,
        mut visit: impl FnMut(usize, &mut SegmentPostings),
    ) -> Result<(), TantivyError> {
        let Some(info) = entry.in_segment(self.ord) else { return Ok(()) };
        let mut postings = self.segment.inverted_index(field)?.read_postings_from_terminfo(info, option)?;
        for (d, doc) in self.docs.iter().enumerate() {
            if seek(&mut postings, *doc) && self.columns.allows(&place.form.form, *doc) {
                visit(d, &mut postings);
            }
        }
        Ok(())
    }

    pub(super) fn places(&self) -> impl Iterator<Item = Place<'_>> {
        self.words.iter().enumerate().flat_map(|(w, word)| {
            word.forms.iter().map(move |form| Place { word: w, form, factor: form.form.factor / word.factor_max })
        })
    }

    /// Counts a term in the bodies, which are at the end of the joined field; returns who has it elsewhere in that.
    fn count_bodies(&self, place: Place<'_>, found: &mut Frequencies) -> Result<Vec<usize>, TantivyError> {
        let (mut outside, mut positions) = (Vec::new(), Vec::new());
        let (field, entry) = (self.fields.all, &place.form.in_blocks);
        self.each_block(place, field, entry, IndexRecordOption::WithFreqsAndPositions, |d, postings| {
            postings.positions(&mut positions);
            let start = self.columns.body_start(self.docs[d]);
            let in_body = positions.iter().rev().take_while(|at| u64::from(**at) >= start).count();
            found.add(d, BlockField::Body as usize, place, in_body as u32);
            if in_body < positions.len() {
                outside.push(d);
            }
        })?;
        Ok(outside)
    }

    /// Names are not in the joined field.
    fn count_names(&self, place: Place<'_>, found: &mut Frequencies) -> Result<(), TantivyError> {
        let (field, entry) = (self.fields.name_terms, &place.form.in_names);
        self.each_block(place, field, entry, IndexRecordOption::WithFreqs, |d, postings| {
            found.add(d, BlockField::Names as usize, place, postings.term_freq());
        })
    }

    /// Counts a term in a field, given by number and handle, of those documents that can have it.
    fn count(
        &self,
        place: Place<'_>,
        (number, field): (usize, Field),
        holders: &[usize],
        found: &mut Frequencies,
    ) -> Result<(), TantivyError> {
        let term = Term::from_field_text(field, &place.form.form.term);
        let inverted = self.segment.inverted_index(field)?;
        let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::WithFreqs)? else { return Ok(()) };
        for d in holders {
            if seek(&mut postings, self.docs[*d]) {
                found.add(*d, number, place, postings.term_freq());
            }
        }
        Ok(())
    }
}

impl Frequencies {
    /// Nothing counted yet.
    fn new(probe: &Probe<'_>, fields: &[Field]) -> Result<Self, TantivyError> {
        let (docs, words) = (probe.docs, probe.words.len());
        let mut lengths = vec![0; docs.len() * fields.len()];
        for (f, field) in fields.iter().enumerate() {
            let norms: FieldNormReader = probe.segment.get_fieldnorms_reader(*field)?;
            for (d, doc) in docs.iter().enumerate() {
                lengths[d * fields.len() + f] = norms.fieldnorm(*doc);
            }
        }
        Ok(Self { fields: fields.len(), words, counts: vec![0.0; docs.len() * fields.len() * words], lengths })
    }

    /// A word stands there in all its forms: the best one counts.
    fn add(&mut self, doc: usize, field: usize, place: Place<'_>, occurrences: u32) {
        let count = &mut self.counts[(doc * self.fields + field) * self.words + place.word];
        *count = count.max(place.factor * occurrences as f32);
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
fn seek(postings: &mut impl DocSet, doc: DocId) -> bool {
    if postings.doc() < doc {
        postings.seek(doc);
    }
    postings.doc() == doc
}
