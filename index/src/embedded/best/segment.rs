//! The search in one segment.

use tantivy::query::Scorer;
use tantivy::{DocAddress, DocId, SegmentOrdinal, SegmentReader, TERMINATED};

use super::cursor::{Cursor, Norms, Word};
use super::heap::Best;
use super::window::Window;
use crate::embedded::peaks::{STRETCH_BITS, stretches};
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
        self.bounds.clear();
        self.bounds.resize(stretches, 0.0);
        for word in words {
            self.bounds.iter_mut().zip(&word.bounds).for_each(|(sum, bound)| *sum += bound);
        }
    }

    fn at(&self, doc: DocId) -> f32 {
        self.bounds.get((doc >> STRETCH_BITS) as usize).copied().unwrap_or(0.0)
    }
}

impl SegmentSearch<'_> {
    pub(super) fn run(&mut self, window: &mut Window, best: &mut Best) {
        loop {
            let threshold = best.least;
            // A document without any of the words from here on cannot get there.
            let essential = self.bounds.iter().take_while(|bound| **bound <= threshold).count();
            let Some(begin) = self.next(essential, threshold) else { return };
            self.rest.set(&self.words[..essential], stretches(self.segment.max_doc()));
            window.begin(begin);
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
        }
    }

    /// The next document that may be among the best.
    pub(super) fn next(&mut self, essential: usize, threshold: f32) -> Option<DocId> {
        let cursors = self.words[essential..].iter().flat_map(|word| &word.terms);
        let with_word = cursors.map(Cursor::doc).min().unwrap_or(TERMINATED);
        let next = match &mut self.allowed {
            None => with_word,
            Some(allowed) if self.needs_word || threshold >= 0.0 => {
                let doc = allowed.doc();
                if doc < with_word && with_word != TERMINATED { allowed.seek(with_word) } else { doc.max(with_word) }
            }
            Some(allowed) => allowed.doc(),
        };
        (next != TERMINATED).then_some(next)
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
            // A stretch is longer than such a block, so no third one has a part of it.
            let first = window.begin + (block * 64) as DocId;
            let rest = self.rest.at(first).max(self.rest.at(first + 63));
            while bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let score = window.take_score(block * 64 + bit);
                if wanted >> bit & 1 == 1 && score + rest > best.least {
                    self.consider(window.begin + (block * 64 + bit) as DocId, score, essential, best);
                }
            }
        }
    }

    /// Adds what the words give that are not essential, as long as the document may be among the best.
    pub(super) fn consider(&mut self, doc: DocId, mut score: f32, essential: usize, best: &mut Best) {
        let threshold = best.least;
        let stretch = (doc >> STRETCH_BITS) as usize;
        let mut rest = self.rest.at(doc);
        for word in (0..essential).rev() {
            if score + rest <= threshold {
                return;
            }
            rest -= self.words[word].bounds[stretch];
            self.looked_up += self.words[word].terms.len() as u64;
            score += self.words[word].score_at(doc, &self.norms);
        }
        if score > threshold && !self.segment.is_deleted(doc) {
            best.add(score, DocAddress::new(self.ord, doc));
        }
    }
}
