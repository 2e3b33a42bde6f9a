//! A query that counts its work and ends when its budget is spent.
//!
//! What is wrapped are the leaves, so that whatever is made of them ends with them. Once the budget is spent, a leaf has no more documents:
//! what excludes it would then let documents pass that it must not. So who collects asks [`Budget::is_spent`] for each document, and takes
//! none after that.

use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{COLLECT_BLOCK_BUFFER_LEN, DocId, DocSet, Score, SegmentReader, TERMINATED, Term};

use crate::engine::{Budget, Steps};

/// Matches what the inner query matches, as long as the budget lasts.
#[derive(Debug)]
pub(super) struct MeteredQuery {
    pub(super) query: Box<dyn Query>,
    pub(super) budget: Budget,
}

impl Clone for MeteredQuery {
    fn clone(&self) -> Self {
        Self { query: self.query.box_clone(), budget: self.budget.clone() }
    }
}

impl Query for MeteredQuery {
    fn weight(&self, enable_scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let weight = self.query.weight(enable_scoring)?;
        Ok(Box::new(MeteredWeight { weight, budget: self.budget.clone() }))
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        self.query.query_terms(visitor);
    }
}

struct MeteredWeight {
    weight: Box<dyn Weight>,
    budget: Budget,
}

impl Weight for MeteredWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let scorer = self.weight.scorer(reader, boost)?;
        Ok(Box::new(MeteredScorer { scorer, steps: self.budget.steps() }))
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        self.weight.explain(reader, doc)
    }
}

struct MeteredScorer {
    scorer: Box<dyn Scorer>,
    steps: Steps,
}

impl DocSet for MeteredScorer {
    fn advance(&mut self) -> DocId {
        if self.steps.take(1) { self.scorer.advance() } else { TERMINATED }
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if self.steps.take(1) { self.scorer.seek(target) } else { TERMINATED }
    }

    fn fill_buffer(&mut self, buffer: &mut [DocId; COLLECT_BLOCK_BUFFER_LEN]) -> usize {
        if self.steps.take(COLLECT_BLOCK_BUFFER_LEN as u32) { self.scorer.fill_buffer(buffer) } else { 0 }
    }

    fn doc(&self) -> DocId {
        if self.steps.has_ended() { TERMINATED } else { self.scorer.doc() }
    }

    fn size_hint(&self) -> u32 {
        self.scorer.size_hint()
    }

    fn cost(&self) -> u64 {
        self.scorer.cost()
    }
}

impl Scorer for MeteredScorer {
    #[inline]
    fn score(&mut self) -> Score {
        self.scorer.score()
    }
}
