//! Candidates: the best blocks, and the best blocks of the best pages.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use tantivy::query::Query;
use tantivy::{DocAddress, DocId, Searcher, SegmentOrdinal, TantivyError};

use super::best::{BestDocuments, SoughtWord};
use super::lexicon::{FormEntries, LexiconTerm};
use super::probe::Probe;
use super::schema::Fields;
use super::view::CommitView;
use crate::engine::{Budget, CandidateRequest, RankWord};

/// Blocks of a page that are looked at.
const BLOCKS_SEEN_MAX: u32 = 128;

/// Gathers the candidates of a query.
pub(crate) struct Gathering<'a> {
    pub(crate) searcher: &'a Searcher,
    pub(crate) fields: &'a Fields,
    pub(crate) view: &'a CommitView,
    pub(crate) entries: &'a [Vec<FormEntries>],
    pub(crate) request: CandidateRequest<'a>,
    /// What a block must match besides; adds nothing to its score.
    pub(crate) constraint: Option<&'a dyn Query>,
    /// Whether a block must have a word besides.
    pub(crate) needs_word: bool,
    pub(crate) budget: &'a Budget,
}

/// Documents by segment, increasing, each once.
pub(crate) type SegmentDocs = BTreeMap<SegmentOrdinal, Vec<DocId>>;

impl Gathering<'_> {
    pub(crate) fn candidates(&self) -> Result<SegmentDocs, TantivyError> {
        let mut candidates = SegmentDocs::new();
        for (_, address) in self.best_blocks()? {
            candidates.entry(address.segment_ord).or_default().push(address.doc_id);
        }
        // Pages know nothing of constraints on blocks, so only their own blocks among the candidates profit from them then.
        if self.constraint.is_none() {
            self.add_blocks_of_pages(&mut candidates)?;
        }
        for docs in candidates.values_mut() {
            docs.sort_unstable();
            docs.dedup();
        }
        Ok(candidates)
    }

    fn best_blocks(&self) -> Result<Vec<(f32, DocAddress)>, TantivyError> {
        let words = self.sought(|word| word.idf, |entries| &entries.blocks);
        let best = BestDocuments {
            searcher: self.searcher,
            field: self.fields.all,
            mean_length: self.view.facts.block_length_mean,
            words: &words,
            limit: self.request.blocks,
            constraint: self.constraint,
            needs_word: self.needs_word,
            budget: self.budget,
        };
        best.find()
    }

    fn best_pages(&self) -> Result<Vec<(f32, DocAddress)>, TantivyError> {
        let words = self.sought(|word| word.page_idf, |entries| &entries.pages);
        let best = BestDocuments {
            searcher: self.searcher,
            field: self.fields.page.all,
            mean_length: self.view.facts.page_length_mean,
            words: &words,
            limit: self.request.pages,
            constraint: None,
            needs_word: true,
            budget: self.budget,
        };
        best.find()
    }

    fn sought(&self, idf: fn(&RankWord) -> f32, entry: fn(&FormEntries) -> &Arc<LexiconTerm>) -> Vec<SoughtWord> {
        let words = self.request.words.iter().zip(self.entries);
        let sought = |(word, entries): (&RankWord, &Vec<FormEntries>)| {
            let terms = word.forms.iter().zip(entries);
            let terms = terms.map(|(form, entries)| (word.factor(&form.form), Arc::clone(entry(entries)))).collect();
            SoughtWord { idf: idf(word), terms }
        };
        words.map(sought).collect()
    }

    fn add_blocks_of_pages(&self, candidates: &mut SegmentDocs) -> Result<(), TantivyError> {
        let mut pages = SegmentDocs::new();
        for (_, address) in self.best_pages()? {
            pages.entry(address.segment_ord).or_default().push(address.doc_id);
        }
        for (segment, mut pages) in pages {
            pages.sort_unstable();
            let known = candidates.entry(segment).or_default();
            known.sort_unstable();
            let found = self.best_blocks_of(segment, &pages, known)?;
            known.extend(found);
        }
        Ok(())
    }

    /// The blocks of some pages that hold most of the query's weight. Pages of which enough blocks are `known`, which increase, are passed over:
    /// these are their best ones.
    fn best_blocks_of(
        &self,
        segment: SegmentOrdinal,
        pages: &[DocId],
        known: &[DocId],
    ) -> Result<Vec<DocId>, TantivyError> {
        let reader = self.searcher.segment_reader(segment);
        let columns = &self.view.columns[segment as usize];
        let ranges = pages.iter().map(|page| columns.blocks_of(*page, reader.max_doc(), BLOCKS_SEEN_MAX));
        let known_in = |range: &Range<DocId>| {
            known.partition_point(|doc| *doc < range.end) - known.partition_point(|doc| *doc < range.start)
        };
        let ranges: Vec<_> = ranges.filter(|range| known_in(range) < self.request.blocks_per_page).collect();
        let docs: Vec<DocId> = ranges.iter().cloned().flatten().collect();
        let Self { fields, entries, request, budget, .. } = *self;
        let words = request.words;
        let table = Probe { segment: reader, ord: segment, fields, words, entries, columns, docs: &docs, budget };
        let table = table.joined()?;
        let weight = |place: usize| -> f32 {
            let row = table.row(place);
            let (counts, length) = (row.counts(0).iter().zip(words), row.length(0));
            let found = counts.filter(|(count, _)| **count > 0.0);
            found.map(|(count, word)| word.idf * *count / (*count + 0.5 + length / 150.0)).sum()
        };
        let mut best = Vec::new();
        let mut begin = 0;
        for range in ranges {
            let weighed = range.clone().enumerate().map(|(place, doc)| (weight(begin + place), doc));
            let mut good: Vec<(f32, DocId)> = weighed.filter(|(weight, _)| *weight > 0.0).collect();
            begin += range.len();
            if good.len() > request.blocks_per_page {
                let better = |a: &(f32, DocId), b: &(f32, DocId)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
                good.select_nth_unstable_by(request.blocks_per_page, better);
                good.truncate(request.blocks_per_page);
            }
            best.extend(good.into_iter().map(|(_, doc)| doc));
        }
        Ok(best)
    }
}
