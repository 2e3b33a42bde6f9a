//! Candidates: the best blocks, and the best blocks of the best pages.

use std::collections::BTreeMap;
use std::sync::Arc;

use tantivy::query::Query;
use tantivy::{DocAddress, DocId, Searcher, SegmentOrdinal, TantivyError};

use super::best::{BestDocuments, SoughtWord};
use super::frequencies::Probe;
use super::segment::{RankForm, RankWord};
use super::view::CommitView;
use crate::lexicon::Entry;
use crate::schema::Fields;

/// Blocks by BM25 over the joined field that become candidates, at least.
const BLOCKS_MIN: usize = 400;

/// Pages whose best blocks become candidates.
const PAGES: usize = 150;

/// Blocks of such a page.
const BLOCKS_A_PAGE: usize = 2;

/// Blocks of such a page that are looked at.
const BLOCKS_SEEN_MAX: u32 = 128;

/// Gathers the candidates of a query.
pub(crate) struct Gathering<'a> {
    pub(crate) searcher: &'a Searcher,
    pub(crate) fields: &'a Fields,
    pub(crate) view: &'a CommitView,
    pub(crate) words: &'a [RankWord],
    /// What a block must match besides; adds nothing to its score.
    pub(crate) constraint: Option<&'a dyn Query>,
    /// Whether a block must have a word besides.
    pub(crate) needs_word: bool,
    /// Blocks wanted.
    pub(crate) limit: usize,
}

/// Candidates by segment, increasing, each once.
pub(crate) type Candidates = BTreeMap<SegmentOrdinal, Vec<DocId>>;

impl Gathering<'_> {
    pub(crate) fn candidates(&self) -> Result<Candidates, TantivyError> {
        let mut candidates = Candidates::new();
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
        let words = self.sought(|word| word.idf, |form| &form.in_blocks);
        let best = BestDocuments {
            searcher: self.searcher,
            field: self.fields.all,
            mean_length: self.view.means.blocks,
            words: &words,
            limit: self.limit.saturating_mul(2).max(BLOCKS_MIN),
            constraint: self.constraint,
            needs_word: self.needs_word,
        };
        best.find()
    }

    fn best_pages(&self) -> Result<Vec<(f32, DocAddress)>, TantivyError> {
        let words = self.sought(|word| word.page_idf, |form| &form.in_pages);
        let best = BestDocuments {
            searcher: self.searcher,
            field: self.fields.page.all,
            mean_length: self.view.means.pages,
            words: &words,
            limit: PAGES,
            constraint: None,
            needs_word: true,
        };
        best.find()
    }

    fn sought(&self, idf: fn(&RankWord) -> f32, entry: fn(&RankForm) -> &Arc<Entry>) -> Vec<SoughtWord> {
        let terms = |word: &RankWord| {
            word.forms.iter().map(|form| (form.form.factor / word.factor_max, Arc::clone(entry(form)))).collect()
        };
        self.words.iter().map(|word| SoughtWord { idf: idf(word), terms: terms(word) }).collect()
    }

    fn add_blocks_of_pages(&self, candidates: &mut Candidates) -> Result<(), TantivyError> {
        let mut pages: BTreeMap<SegmentOrdinal, Vec<DocId>> = BTreeMap::new();
        for (_, address) in self.best_pages()? {
            pages.entry(address.segment_ord).or_default().push(address.doc_id);
        }
        for (segment, mut pages) in pages {
            pages.sort_unstable();
            let found = self.best_blocks_of(segment, &pages)?;
            candidates.entry(segment).or_default().extend(found);
        }
        Ok(())
    }

    /// The blocks of some pages that hold most of the query's weight.
    fn best_blocks_of(&self, segment: SegmentOrdinal, pages: &[DocId]) -> Result<Vec<DocId>, TantivyError> {
        let reader = self.searcher.segment_reader(segment);
        let columns = &self.view.columns[segment as usize];
        let ranges: Vec<_> =
            pages.iter().map(|page| columns.blocks_of(*page, reader.max_doc(), BLOCKS_SEEN_MAX)).collect();
        let docs: Vec<DocId> = ranges.iter().cloned().flatten().collect();
        let Self { fields, words, .. } = *self;
        let frequencies = Probe { segment: reader, ord: segment, fields, words, columns, docs: &docs }.joined()?;
        let weight = |place: usize| -> f32 {
            let counts = frequencies.counts(place, 0).iter().zip(self.words);
            let length = frequencies.length(place, 0);
            counts.map(|(count, word)| word.idf * *count / (*count + 0.5 + length / 150.0)).sum()
        };
        let mut best = Vec::new();
        let mut begin = 0;
        for range in ranges {
            let mut weighed: Vec<(f32, DocId)> =
                range.clone().enumerate().map(|(place, doc)| (weight(begin + place), doc)).collect();
            begin += range.len();
            weighed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let good = weighed.into_iter().filter(|(weight, _)| *weight > 0.0);
            best.extend(good.take(BLOCKS_A_PAGE).map(|(_, doc)| doc));
        }
        Ok(best)
    }
}
