//! Candidates: the best blocks, and the best blocks of the best pages.

use std::collections::BTreeMap;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, ConstScoreQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, Searcher, SegmentOrdinal, TantivyError, Term};

use super::frequencies::Frequencies;
use super::segment::{Columns, RankWord};
use crate::schema::Fields;

/// Blocks by BM25 over the joined field that become candidates, at least.
const BLOCKS_MIN: usize = 500;

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
    pub(crate) columns: &'a [Columns],
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
        let blocks = self.limit.saturating_mul(2).max(BLOCKS_MIN);
        for (_, address) in self.best(self.fields.all, blocks, self.constraint)? {
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

    fn best(
        &self,
        field: Field,
        limit: usize,
        constraint: Option<&dyn Query>,
    ) -> Result<Vec<(f32, tantivy::DocAddress)>, TantivyError> {
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for form in self.words.iter().flat_map(|word| &word.forms) {
            let term = Term::from_field_text(field, &form.term);
            clauses.push((Occur::Should, Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))));
        }
        let words = BooleanQuery::new(clauses);
        let query: Box<dyn Query> = match constraint {
            None => Box::new(words),
            Some(constraint) => Box::new(BooleanQuery::new(vec![
                (Occur::Must, Box::new(ConstScoreQuery::new(constraint.box_clone(), 0.0))),
                (if self.needs_word { Occur::Must } else { Occur::Should }, Box::new(words)),
            ])),
        };
        self.searcher.search(&*query, &TopDocs::with_limit(limit).order_by_score())
    }

    fn add_blocks_of_pages(&self, candidates: &mut Candidates) -> Result<(), TantivyError> {
        let mut pages: BTreeMap<SegmentOrdinal, Vec<DocId>> = BTreeMap::new();
        for (_, address) in self.best(self.fields.page.all, PAGES, None)? {
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
        let columns = &self.columns[segment as usize];
        let ranges: Vec<_> =
            pages.iter().map(|page| columns.blocks_of(*page, reader.max_doc(), BLOCKS_SEEN_MAX)).collect();
        let docs: Vec<DocId> = ranges.iter().cloned().flatten().collect();
        let frequencies = Frequencies::read(reader, &[self.fields.all], self.words, &docs, Some(columns))?;
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
