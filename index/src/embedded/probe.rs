//! How often the query's words stand in the fields of some documents.

use lopper_analysis::TermForm;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, SegmentOrdinal, SegmentReader, TantivyError};

use super::columns::Columns;
use super::lexicon::{FormEntries, LexiconTerm};
use super::schema::Fields;
use crate::engine::{BlockField, Budget, KnownForm, PageField, RankWord, WordPlace, WordTable};
use crate::layout::{BlockPart, Layout, PagePart};

/// Documents of one segment, and what is looked for in them.
#[derive(Clone, Copy)]
pub(super) struct Probe<'a> {
    pub(super) segment: &'a SegmentReader,
    pub(super) ord: SegmentOrdinal,
    pub(super) fields: &'a Fields,
    pub(super) words: &'a [RankWord],
    /// Where the forms of each word are.
    pub(super) entries: &'a [Vec<FormEntries>],
    pub(super) columns: &'a Columns,
    /// They increase.
    pub(super) docs: &'a [DocId],
    /// Counts the work, which is bounded by the number of documents, and is done whatever is left.
    pub(super) budget: &'a Budget,
}

/// Whether a form counts in a block, or in a page: [`Columns::allows`], [`Columns::allows_page`].
type Allows = fn(&Columns, &TermForm, DocId) -> bool;

/// A form of one of the query's words.
#[derive(Clone, Copy)]
pub(super) struct SoughtForm<'a> {
    pub(super) word: usize,
    pub(super) form: &'a KnownForm,
    pub(super) entries: &'a FormEntries,
    /// Whether it counts where words alone do.
    pub(super) is_word: bool,
    /// What an occurrence counts.
    factor: f32,
}

impl Probe<'_> {
    /// Counts in the joined field of blocks: the only field.
    pub(super) fn joined(&self) -> Result<WordTable<1>, TantivyError> {
        let mut table = self.table();
        self.set_norms(&mut table, self.fields.all, 0)?;
        for sought in self.forms() {
            let place = (self.fields.all, &*sought.entries.blocks);
            self.each(sought.form, Columns::allows, place, IndexRecordOption::WithFreqs, |d, postings| {
                sought.add(&mut table, d, 0, postings.term_freq());
            })?;
        }
        Ok(table)
    }

    /// Counts in the [`BlockField`]s.
    pub(super) fn blocks(&self) -> Result<WordTable<{ BlockField::COUNT }>, TantivyError> {
        let layouts: Vec<Layout<{ BlockPart::COUNT }>> =
            self.docs.iter().map(|doc| self.columns.layout(*doc)).collect();
        let mut table = self.table();
        for (row, layout) in layouts.iter().enumerate() {
            for field in BlockField::ALL {
                let part = field.length_part();
                part.inspect(|part| table.set_length(row, field as usize, layout.lengths[*part as usize]));
            }
        }
        self.set_norms(&mut table, self.fields.name_terms, BlockField::Names as usize)?;
        let mut positions = Vec::new();
        for sought in self.forms() {
            let place = (self.fields.all, &*sought.entries.blocks);
            self.each(sought.form, Columns::allows, place, IndexRecordOption::WithFreqsAndPositions, |d, postings| {
                postings.positions(&mut positions);
                sought.add_parts(&mut table, d, count_parts(&layouts[d], &positions));
            })?;
            let place = (self.fields.name_terms, &*sought.entries.names);
            self.each(sought.form, Columns::allows, place, IndexRecordOption::WithFreqs, |d, postings| {
                sought.add(&mut table, d, BlockField::Names as usize, postings.term_freq());
            })?;
        }
        Ok(table)
    }

    /// Counts in the [`PageField`]s.
    pub(super) fn pages(&self) -> Result<WordTable<{ PageField::COUNT }>, TantivyError> {
        let layouts: Vec<Layout<{ PagePart::COUNT }>> = self.docs.iter().map(|doc| self.columns.layout(*doc)).collect();
        let mut table = self.table();
        self.set_norms(&mut table, self.fields.page.all, PageField::All as usize)?;
        for (row, layout) in layouts.iter().enumerate() {
            for (field, part) in PageField::HEAD {
                table.set_length(row, field as usize, layout.lengths[part as usize]);
            }
        }
        let mut positions = Vec::new();
        for sought in self.forms() {
            let place = (self.fields.page.all, &*sought.entries.pages);
            self.each(sought.form, Columns::allows_page, place, IndexRecordOption::WithFreqs, |d, postings| {
                sought.add(&mut table, d, PageField::All as usize, postings.term_freq());
            })?;
            // In the others the words alone count.
            if !sought.is_word {
                continue;
            }
            let place = (self.fields.page.head, &*sought.entries.heads);
            self.each(
                sought.form,
                Columns::allows_page,
                place,
                IndexRecordOption::WithFreqsAndPositions,
                |d, postings| {
                    postings.positions(&mut positions);
                    let counts = count_parts(&layouts[d], &positions);
                    for (field, part) in PageField::HEAD {
                        sought.add(&mut table, d, field as usize, counts[part as usize]);
                    }
                },
            )?;
        }
        Ok(table)
    }

    /// Where the words stand in blocks, leaving out the page's title.
    pub(super) fn places(&self) -> Result<Vec<Vec<WordPlace>>, TantivyError> {
        let mut places: Vec<Vec<WordPlace>> = vec![Vec::new(); self.docs.len()];
        // The title of the page is the same in all its blocks.
        let title_end = |doc| self.columns.layout::<{ BlockPart::COUNT }>(doc).starts[BlockPart::Headings as usize];
        let title_ends: Vec<u32> = self.docs.iter().map(|doc| title_end(*doc)).collect();
        let mut positions = Vec::new();
        for sought in self.forms() {
            let place = (self.fields.all, &*sought.entries.blocks);
            let word = sought.word as u32;
            self.each(sought.form, Columns::allows, place, IndexRecordOption::WithFreqsAndPositions, |d, postings| {
                postings.positions(&mut positions);
                let behind_title = positions.iter().filter(|at| **at >= title_ends[d]);
                places[d].extend(behind_title.map(|at| WordPlace { position: *at, word }));
            })?;
        }
        Ok(places)
    }

    /// Calls `visit` with the number of each document that has a form where that counts, and the posting.
    fn each(
        &self,
        form: &KnownForm,
        allows: Allows,
        (field, entry): (Field, &LexiconTerm),
        option: IndexRecordOption,
        mut visit: impl FnMut(usize, &mut SegmentPostings),
    ) -> Result<(), TantivyError> {
        let Some(info) = entry.in_segment(self.ord) else { return Ok(()) };
        let mut postings = self.segment.inverted_index(field)?.read_postings_from_terminfo(info, option)?;
        self.budget.spend(self.docs.len() as u64);
        let mut d = 0;
        while let Some(&doc) = self.docs.get(d) {
            if seek(&mut postings, doc) {
                if allows(self.columns, &form.form, doc) {
                    visit(d, &mut postings);
                }
                d += 1;
            } else {
                d += 1 + first_from(&self.docs[d + 1..], postings.doc());
            }
        }
        Ok(())
    }

    fn forms(&self) -> impl Iterator<Item = SoughtForm<'_>> {
        self.words.iter().zip(self.entries).enumerate().flat_map(|(w, (word, entries))| {
            word.forms.iter().zip(entries).map(move |(form, entries)| SoughtForm {
                word: w,
                form,
                entries,
                is_word: form.form.counts_as_word(),
                factor: word.factor(&form.form),
            })
        })
    }

    /// Nothing counted yet.
    fn table<const FIELDS: usize>(&self) -> WordTable<FIELDS> {
        WordTable::new(self.docs.len(), self.words.len())
    }

    /// Sets lengths as the engine keeps them, which is coarse above 40 words.
    fn set_norms<const FIELDS: usize>(
        &self,
        table: &mut WordTable<FIELDS>,
        of: Field,
        field: usize,
    ) -> Result<(), TantivyError> {
        let norms = self.segment.get_fieldnorms_reader(of)?;
        self.docs.iter().enumerate().for_each(|(row, doc)| table.set_length(row, field, norms.fieldnorm(*doc)));
        Ok(())
    }
}

impl SoughtForm<'_> {
    /// A word stands there in all its forms: the best one counts.
    fn add<const FIELDS: usize>(&self, table: &mut WordTable<FIELDS>, doc: usize, field: usize, occurrences: u32) {
        table.add(doc, field, self.word, self.factor * occurrences as f32);
    }

    /// Adds what a form has in the parts of a block's joined field.
    fn add_parts(&self, table: &mut WordTable<{ BlockField::COUNT }>, doc: usize, counts: [u32; BlockPart::COUNT]) {
        for field in BlockField::ALL {
            if self.is_word || !field.has_words_alone() {
                let count = field.parts().iter().map(|part| counts[*part as usize]).sum();
                self.add(table, doc, field as usize, count);
            }
        }
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

/// How many of `docs`, which increase, are before `doc`: it is looked for near the first ones.
fn first_from(docs: &[DocId], doc: DocId) -> usize {
    let mut bound = 1;
    while docs.get(bound - 1).is_some_and(|found| *found < doc) {
        bound *= 2;
    }
    let begin = bound / 2;
    begin + docs[begin..docs.len().min(bound)].partition_point(|found| *found < doc)
}

/// Moves to `doc` or behind it; whether it was hit.
fn seek(postings: &mut impl DocSet, doc: DocId) -> bool {
    if postings.doc() < doc {
        postings.seek(doc);
    }
    postings.doc() == doc
}
