//! The search in one segment.

use tantivy::postings::BlockSegmentPostings;
use tantivy::query::Scorer;
use tantivy::{DocAddress, DocId, SegmentOrdinal, SegmentReader, TERMINATED};

use super::cursor::{Norms, Word};
use super::heap::Best;
use super::wanted::Stretches;
use super::window::{Window, window_of};
use crate::embedded::peaks::{stretch_of, stretches};
use crate::engine::Budget;

/// The search in one segment.
pub(super) struct SegmentSearch<'a> {
    pub(super) ord: SegmentOrdinal,
    pub(super) segment: &'a SegmentReader,
    /// Those that give least first.
    pub(super) words: Vec<Word>,
    /// What each word and all before it can give together.
    pub(super) bounds: Vec<f32>,
    pub(super) rest: Rest,
    pub(super) norms: Norms,
    pub(super) allowed: Option<Box<dyn Scorer>>,
    pub(super) needs_word: bool,
    pub(super) budget: Budget,
    /// Words that were looked up in single documents and are not counted in the budget yet.
    pub(super) looked_up: u64,
}

/// What the words can add together that a document among the best can do without.
#[derive(Default)]
pub(super) struct Rest {
    words: usize,
    /// By stretch of documents.
    bounds: Vec<f32>,
}

impl Rest {
    /// Of the first words, so many of them.
    fn set(&mut self, words: &[Word], stretches: usize) {
        if self.words == words.len() && !self.bounds.is_empty() {
            return;
        }
        self.words = words.len();
        self.bounds = sums(words, stretches);
    }

    fn at(&self, doc: DocId) -> f32 {
        self.bounds.get(stretch_of(doc)).copied().unwrap_or(0.0)
    }
}

/// What some words can add together, by stretch.
fn sums(words: &[Word], stretches: usize) -> Vec<f32> {
    let mut sums = vec![0.0; stretches];
    for word in words {
        sums.iter_mut().zip(&word.bounds).for_each(|(sum, bound)| *sum += bound);
    }
    sums
}

impl SegmentSearch<'_> {
    /// Adds the segment's documents to the best. As long as these are too few, none can be left out; so the stretches of documents that
    /// promise most are looked at before the others.
    pub(super) fn run(&mut self, window: &mut Window, best: &mut Best) {
        let mut wanted = Stretches(sums(&self.words, stretches(self.segment.max_doc())));
        // What is allowed can be gone through once only.
        let first = if self.allowed.is_none() && !best.is_full() { wanted.split_off_first(best.limit) } else { None };
        if let Some(first) = first {
            let begin: Vec<Vec<BlockSegmentPostings>> = self.words.iter().map(Word::postings).collect();
            self.look_at(&first, window, best);
            if self.budget.is_spent() {
                return;
            }
            self.words.iter_mut().zip(begin).for_each(|(word, postings)| word.go_back(postings));
        }
        self.look_at(&wanted, window, best);
    }

    /// Adds the documents of some stretches to the best.
    fn look_at(&mut self, wanted: &Stretches, window: &mut Window, best: &mut Best) {
        let mut from = 0;
        loop {
            let threshold = best.least;
            // A document without any of the words from here on cannot get there.
            let essential = self.bounds.iter().take_while(|bound| **bound < threshold).count();
            let Some(begin) = self.next(essential, threshold, wanted, from) else { return };
            self.rest.set(&self.words[..essential], stretches(self.segment.max_doc()));
            window.begin(begin);
            wanted.parts(window.begin, window.end(), threshold, &mut window.parts);
            let mut work = std::mem::take(&mut self.looked_up) + 1;
            for word in &mut self.words[essential..] {
                work += window.add(word, &self.norms);
            }
            if let Some(allowed) = &mut self.allowed {
                window.allow(&mut **allowed);
            }
            if !self.budget.spend(work) {
                window.clear();
                return;
            }
            self.collect(window, essential, best);
            from = window.end();
        }
    }

    /// The beginning of the next window, from `from` on, with a document that may be among the best.
    fn next(&mut self, essential: usize, threshold: f32, wanted: &Stretches, from: DocId) -> Option<DocId> {
        let mut from = from;
        loop {
            from = wanted.first_from(from, threshold)?;
            let begin = window_of(from);
            let next = self.next_document(essential, threshold, from);
            if next == TERMINATED {
                return None;
            }
            if window_of(next) == begin {
                return Some(begin);
            }
            from = window_of(next);
        }
    }

    /// The next document, from `from` on, that is allowed and has one of the words that it needs.
    fn next_document(&mut self, essential: usize, threshold: f32, from: DocId) -> DocId {
        let cursors = self.words[essential..].iter_mut().flat_map(|word| &mut word.terms);
        let docs = cursors.map(|cursor| {
            cursor.seek(from);
            cursor.doc()
        });
        let with_word = docs.min().unwrap_or(TERMINATED);
        let Some(allowed) = &mut self.allowed else { return with_word };
        let needs_word = self.needs_word || threshold >= 0.0;
        let from = if needs_word { with_word } else { from };
        if allowed.doc() < from && from != TERMINATED { allowed.seek(from) } else { allowed.doc().max(from) }
    }

    /// Looks at each document of the window, and takes its score away.
    pub(super) fn collect(&mut self, window: &mut Window, essential: usize, best: &mut Best) {
        for block in 0..window.touched.len() {
            let mut bits = window.touched[block];
            let wanted = match (&self.allowed, self.needs_word) {
                (None, _) => bits,
                (Some(_), true) => bits & window.allowed[block],
                (Some(_), false) => {
                    bits |= window.allowed[block];
                    window.allowed[block]
                }
            };
            // The 64 documents are of one stretch.
            let rest = self.rest.at(window.begin + (block * 64) as DocId);
            while bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let score = window.take_score(block * 64 + bit);
                if wanted >> bit & 1 == 1 && score + rest >= best.least {
                    self.consider(window.begin + (block * 64 + bit) as DocId, score, essential, best);
                }
            }
        }
    }

    /// Adds what the words give that are not essential, as long as the document may be among the best.
    pub(super) fn consider(&mut self, doc: DocId, mut score: f32, essential: usize, best: &mut Best) {
        let threshold = best.least;
        let stretch = stretch_of(doc);
        let mut rest = self.rest.at(doc);
        for word in (0..essential).rev() {
            if score + rest < threshold {
                return;
            }
            let bound = self.words[word].bounds[stretch];
            if bound == 0.0 {
                continue;
            }
            rest -= bound;
            self.looked_up += self.words[word].terms.len() as u64;
            score += self.words[word].score_at(doc, &self.norms);
        }
        if score >= threshold && !self.segment.is_deleted(doc) {
            best.add(score, DocAddress::new(self.ord, doc));
        }
    }
}
