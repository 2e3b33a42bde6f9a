//! How often the query's words stand in the fields of some documents.

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, SegmentOrdinal, SegmentReader, TantivyError};

use super::fields::{BlockField, PageField};
use super::segment::{Columns, RankForm, RankWord};
use crate::layout::{BlockPart, Layout, PagePart};
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
        let mut found = Frequencies::new(self, 1);
        found.set_norms(self, self.fields.all, 0)?;
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
        let layouts: Vec<Layout<{ BlockPart::COUNT }>> =
            self.docs.iter().map(|doc| self.columns.layout(*doc)).collect();
        let mut found = Frequencies::new(self, BlockField::ALL.len());
        for field in BlockField::ALL {
            if let Some(part) = field.length_part() {
                found.set_lengths(field as usize, layouts.iter().map(|layout| layout.lengths[part as usize]));
            }
        }
        found.set_norms(self, self.fields.name_terms, BlockField::Names as usize)?;
        let mut positions = Vec::new();
        for place in self.places() {
            let (field, entry) = (self.fields.all, &place.form.in_blocks);
            self.each_block(place, field, entry, IndexRecordOption::WithFreqsAndPositions, |d, postings| {
                postings.positions(&mut positions);
                found.add_parts(d, place, count_parts(&layouts[d], &positions));
            })?;
            let (field, entry) = (self.fields.name_terms, &place.form.in_names);
            self.each_block(place, field, entry, IndexRecordOption::WithFreqs, |d, postings| {
                found.add(d, BlockField::Names as usize, place, postings.term_freq());
            })?;
        }
        Ok(found)
    }

    /// Counts in the [`PageField`]s. Stems count in every language, since pages have none of their own.
    pub(super) fn pages(&self) -> Result<Frequencies, TantivyError> {
        let layouts: Vec<Layout<{ PagePart::COUNT }>> = self.docs.iter().map(|doc| self.columns.layout(*doc)).collect();
        let mut found = Frequencies::new(self, PageField::ALL.len());
        found.set_norms(self, self.fields.page.all, PageField::All as usize)?;
        for (field, part) in PageField::HEAD {
            found.set_lengths(field as usize, layouts.iter().map(|layout| layout.lengths[part as usize]));
        }
        let mut positions = Vec::new();
        for place in self.places() {
            let (field, entry) = (self.fields.page.all, &place.form.in_pages);
            self.each(field, entry, IndexRecordOption::WithFreqs, |d, postings| {
                found.add(d, PageField::All as usize, place, postings.term_freq());
            })?;
            // In the others the words alone count.
            if place.form.is_further {
                continue;
            }
            let (field, entry) = (self.fields.page.head, &place.form.in_heads);
            self.each(field, entry, IndexRecordOption::WithFreqsAndPositions, |d, postings| {
                postings.positions(&mut positions);
                let counts = count_parts(&layouts[d], &positions);
                for (field, part) in PageField::HEAD {
                    found.add(d, field as usize, place, counts[part as usize]);
                }
            })?;
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
        self.each(field, entry, option, |d, postings| {
            if self.columns.allows(&place.form.form, self.docs[d]) {
                visit(d, postings);
            }
        })
    }

    /// Calls `visit` with the number of each document that has a term, and the posting.
    fn each(
        &self,
        field: Field,
        entry: &Entry,
        option: IndexRecordOption,
        mut visit: impl FnMut(usize, &mut SegmentPostings),
    ) -> Result<(), TantivyError> {
        let Some(info) = entry.in_segment(self.ord) else { return Ok(()) };
        let mut postings = self.segment.inverted_index(field)?.read_postings_from_terminfo(info, option)?;
        for (d, doc) in self.docs.iter().enumerate() {
            if seek(&mut postings, *doc) {
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
}

impl Frequencies {
    /// Nothing counted yet.
    fn new(probe: &Probe<'_>, fields: usize) -> Self {
        let (docs, words) = (probe.docs.len(), probe.words.len());
        Self { fields, words, counts: vec![0.0; docs * fields * words], lengths: vec![0; docs * fields] }
    }

    fn set_lengths(&mut self, field: usize, lengths: impl Iterator<Item = u32>) {
        let own = self.lengths.iter_mut().skip(field).step_by(self.fields);
        own.zip(lengths).for_each(|(to, length)| *to = length);
    }

    /// Sets lengths as the engine keeps them, which is coarse above 40 words.
    fn set_norms(&mut self, probe: &Probe<'_>, of: Field, field: usize) -> Result<(), TantivyError> {
        let norms = probe.segment.get_fieldnorms_reader(of)?;
        self.set_lengths(field, probe.docs.iter().map(|doc| norms.fieldnorm(*doc)));
        Ok(())
    }

    /// A word stands there in all its forms: the best one counts.
    fn add(&mut self, doc: usize, field: usize, place: Place<'_>, occurrences: u32) {
        let count = &mut self.counts[(doc * self.fields + field) * self.words + place.word];
        *count = count.max(place.factor * occurrences as f32);
    }

    /// Adds what a form has in the parts of a block's joined field.
    fn add_parts(&mut self, doc: usize, place: Place<'_>, counts: [u32; BlockPart::COUNT]) {
        for field in BlockField::ALL {
            if !(place.form.is_further && field.has_words_alone()) {
                let count = field.parts().iter().map(|part| counts[*part as usize]).sum();
                self.add(doc, field as usize, place, count);
            }
        }
    }

    /// All that was counted of the document at place `doc`.
    pub(super) fn of(&self, doc: usize) -> Row<'_> {
        let (row, lengths) = (self.fields * self.words, doc * self.fields);
        Row {
            counts: &self.counts[doc * row..(doc + 1) * row],
            lengths: &self.lengths[lengths..lengths + self.fields],
            words: self.words,
        }
    }

    /// Occurrences of each word in a field of the document at place `doc`; of other spellings, what they count.
    pub(super) fn counts(&self, doc: usize, field: usize) -> &[f32] {
        let begin = (doc * self.fields + field) * self.words;
        &self.counts[begin..begin + self.words]
    }

    /// Length of a field, in words.
    pub(super) fn length(&self, doc: usize, field: usize) -> f32 {
        self.lengths[doc * self.fields + field] as f32
    }
}

/// The counts of one document; of none, no words in fields without length.
#[derive(Clone, Copy, Default)]
pub(super) struct Row<'a> {
    counts: &'a [f32],
    lengths: &'a [u32],
    words: usize,
}

impl Row<'_> {
    #[inline]
    pub(super) fn count(&self, field: usize, word: usize) -> f32 {
        self.counts.get(field * self.words + word).copied().unwrap_or(0.0)
    }

    #[inline]
    pub(super) fn length(&self, field: usize) -> f32 {
        self.lengths.get(field).copied().unwrap_or(0) as f32
    }
}

/// How many of the positions are in each part.
fn count_parts<const PARTS: usize>(layout: &Layout<PARTS>, positions: &[u32]) -> [u32; PARTS] {
    let mut counts = [0; PARTS];
    for position in positions {
        counts[layout.part_of(*position)] += 1;
    }
    counts
}

/// Moves to `doc` or behind it; whether it was hit.
fn seek(postings: &mut impl DocSet, doc: DocId) -> bool {
    if postings.doc() < doc {
        postings.seek(doc);
    }
    postings.doc() == doc
}
