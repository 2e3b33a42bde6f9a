//! Phrases, whose words may be moved or not.
//!
//! The engine's own sloppy phrases count greedily and miss matches; this one is exact. It only tells whether a block matches, and
//! it counts its work.

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::query::{EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, Score, SegmentReader, TERMINATED, TantivyError, Term};

use crate::engine::{Budget, Steps};

/// What it takes to open the postings of a term.
const OPENING_STEPS: u32 = 16;

/// Blocks with the terms of a phrase moved by at most `slop`.
///
/// A term at position p with offset o in the phrase is moved by p − o. A block matches if it has a place for every term, no place
/// twice, so that the greatest and the least move differ by at most `slop`. So `"a b"~1` takes one word between, and `~2` also `b a`.
#[derive(Debug, Clone)]
pub(super) struct NearQuery {
    terms: Vec<NearTerm>,
    slop: u32,
    budget: Budget,
}

/// A term with its offsets in the phrase, increasing.
#[derive(Debug, Clone)]
struct NearTerm {
    term: Term,
    offsets: Vec<u32>,
}

impl NearQuery {
    pub(super) fn new(sequence: Vec<(usize, Term)>, slop: u32, budget: Budget) -> Self {
        let mut terms: Vec<NearTerm> = Vec::new();
        for (offset, term) in sequence {
            let offset = offset as u32;
            match terms.iter_mut().find(|known| known.term == term) {
                Some(known) => known.offsets.push(offset),
                None => terms.push(NearTerm { term, offsets: vec![offset] }),
            }
        }
        Self { terms, slop, budget }
    }
}

impl Query for NearQuery {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(NearWeight(self.clone())))
    }
}

struct NearWeight(NearQuery);

impl Weight for NearWeight {
    fn scorer(&self, reader: &SegmentReader, _: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let mut steps = self.0.budget.steps();
        let mut terms = Vec::with_capacity(self.0.terms.len());
        for NearTerm { term, offsets } in &self.0.terms {
            if !steps.take(OPENING_STEPS) {
                return Ok(Box::new(EmptyScorer));
            }
            let index = reader.inverted_index(term.field())?;
            let Some(postings) = index.read_postings(term, IndexRecordOption::WithFreqsAndPositions)? else {
                return Ok(Box::new(EmptyScorer));
            };
            terms.push(Places { postings, offsets: offsets.clone(), positions: Vec::new() });
        }
        terms.sort_by_key(|places| places.postings.size_hint());
        let first = terms.first().map_or(TERMINATED, |places: &Places| places.postings.doc());
        let mut scorer = NearScorer { terms, slop: self.0.slop, doc: first, steps };
        scorer.doc = scorer.settle(first);
        Ok(Box::new(scorer))
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        let mut scorer = self.scorer(reader, 1.0)?;
        if scorer.doc() > doc || scorer.seek(doc) != doc {
            return Err(TantivyError::InvalidArgument(format!("document {doc} does not match")));
        }
        Ok(Explanation::new("words near each other", 1.0))
    }
}

/// Where a term stands in the block at hand.
struct Places {
    postings: SegmentPostings,
    offsets: Vec<u32>,
    positions: Vec<u32>,
}

/// The rarest term leads.
struct NearScorer {
    terms: Vec<Places>,
    slop: u32,
    /// Where it stands.
    doc: DocId,
    steps: Steps,
}

impl NearScorer {
    /// Goes on from `target` to the first block that matches.
    fn settle(&mut self, mut target: DocId) -> DocId {
        while target != TERMINATED && self.steps.take(1) {
            match self.first_apart(target) {
                Some(next) => target = self.lead_to(next),
                None if self.matches() => return target,
                None => target = self.terms[0].postings.advance(),
            }
        }
        TERMINATED
    }

    /// The first block at or behind `target` where a term stands that is not in `target`.
    fn first_apart(&mut self, target: DocId) -> Option<DocId> {
        let Self { terms, steps, .. } = self;
        let mut others = terms[1..].iter_mut();
        others.find_map(|places| {
            steps.take(1);
            Some(seek(&mut places.postings, target)).filter(|doc| *doc != target)
        })
    }

    fn lead_to(&mut self, target: DocId) -> DocId {
        let found = seek(&mut self.terms[0].postings, target);
        debug_assert!(found >= target);
        found
    }

    /// Whether the block at hand has the phrase.
    fn matches(&mut self) -> bool {
        let Self { terms, steps, slop, .. } = self;
        for places in terms.iter_mut() {
            places.postings.positions(&mut places.positions);
            steps.take(places.positions.len() as u32);
        }
        // The least move is that of some term at some place; where none may be moved, that of any term.
        let rarest = terms.iter().map(|places| places.positions.len()).min();
        let leads = |places: &&Places| *slop > 0 || Some(places.positions.len()) == rarest;
        let leading = terms.iter().filter(leads).take(if *slop > 0 { usize::MAX } else { 1 });
        let mut moves = leading.flat_map(|places| {
            let offsets = if *slop > 0 { &places.offsets[..] } else { &places.offsets[..1] };
            let moved = move |position: u32| offsets.iter().map(move |offset| i64::from(position) - i64::from(*offset));
            places.positions.iter().copied().flat_map(moved)
        });
        moves.any(|least| {
            let fits = |places: &Places| {
                let (fits, looked_at) = places.fit(least, *slop);
                steps.take(looked_at);
                fits
            };
            terms.iter().all(fits) && !steps.has_ended()
        })
    }
}

impl Places {
    /// Whether there is a place for every offset, moved by `least` to `least + slop`, and how many offsets were looked at. The first place
    /// that is free is the best.
    fn fit(&self, least: i64, slop: u32) -> (bool, u32) {
        let (mut next, mut looked_at) = (0, 0);
        let fits = self.offsets.iter().all(|&offset| {
            looked_at += 1;
            let from = least + i64::from(offset);
            next += self.positions[next..].partition_point(|&position| i64::from(position) < from);
            let fits = self.positions.get(next).is_some_and(|&position| i64::from(position) <= from + i64::from(slop));
            next = (next + 1).min(self.positions.len());
            fits
        });
        (fits, looked_at)
    }
}

/// Seeks forward only, as the engine wants it.
fn seek(postings: &mut SegmentPostings, target: DocId) -> DocId {
    if postings.doc() < target { postings.seek(target) } else { postings.doc() }
}

impl DocSet for NearScorer {
    fn advance(&mut self) -> DocId {
        if self.doc != TERMINATED {
            let next = self.terms[0].postings.advance();
            self.doc = self.settle(next);
        }
        self.doc
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if self.doc < target {
            let next = self.lead_to(target);
            self.doc = self.settle(next);
        }
        self.doc
    }

    fn doc(&self) -> DocId {
        self.doc
    }

    fn size_hint(&self) -> u32 {
        self.terms[0].postings.size_hint()
    }
}

impl Scorer for NearScorer {
    fn score(&mut self) -> Score {
        1.0
    }
}
