//! Scores of some thousand documents in a row, added up word by word.

use std::ops::Range;

use tantivy::DocId;
use tantivy::query::Scorer;

use super::cursor::{Norms, Word};

/// Documents of a window: some stretches.
const WINDOW: u32 = 4096;

/// The beginning of the window that a document is in.
pub(super) fn window_of(doc: DocId) -> DocId {
    doc - doc % WINDOW
}

/// Scores of the documents from `begin` on.
pub(super) struct Window {
    pub(super) begin: DocId,
    /// The documents of it that are looked at.
    pub(super) parts: Vec<Range<DocId>>,
    /// 0 where nothing was added.
    pub(super) scores: Box<Scores>,
    /// What the word that is being added has added, and to which.
    pub(super) of_word: Box<Scores>,
    pub(super) places_of_word: Vec<u16>,
    /// Documents with a score, a bit each.
    pub(super) touched: [u64; (WINDOW / 64) as usize],
    /// Documents that may be found.
    pub(super) allowed: [u64; (WINDOW / 64) as usize],
}

/// A score for each document of a window.
pub(super) type Scores = [f32; WINDOW as usize];

impl Default for Window {
    fn default() -> Self {
        let zeros = || Box::new([0.0; WINDOW as usize]);
        let bits = [0; (WINDOW / 64) as usize];
        Self {
            begin: 0,
            parts: Vec::new(),
            scores: zeros(),
            of_word: zeros(),
            places_of_word: Vec::new(),
            touched: bits,
            allowed: bits,
        }
    }
}

impl Window {
    pub(super) fn end(&self) -> DocId {
        self.begin.saturating_add(WINDOW)
    }

    /// Adds what a word gives each document; the number of its postings here.
    pub(super) fn add(&mut self, word: &mut Word, norms: &Norms) -> u64 {
        let mut postings = 0;
        let Self { begin, parts, scores, of_word, places_of_word, touched, .. } = self;
        let begin = *begin;
        // The remainders only tell the compiler that there is a place for each.
        let place = |doc: DocId| (doc - begin) as usize % WINDOW as usize;
        let mut touch = |place: usize| touched[place / 64] |= 1 << (place % 64);
        if let [cursor] = &mut word.terms[..] {
            let weight = cursor.weight;
            cursor.for_each_in(parts, |doc, frequency| {
                let place = place(doc);
                touch(place);
                scores[place] += weight * norms.saturated(doc, frequency);
                postings += 1;
            });
            return postings;
        }
        for cursor in &mut word.terms {
            let weight = cursor.weight;
            cursor.for_each_in(parts, |doc, frequency| {
                let place = place(doc);
                postings += 1;
                let (score, former) = (weight * norms.saturated(doc, frequency), of_word[place]);
                if score > former {
                    touch(place);
                    scores[place] += score - former;
                    of_word[place] = score;
                    places_of_word.push(place as u16);
                }
            });
        }
        for place in places_of_word.drain(..) {
            of_word[usize::from(place) % WINDOW as usize] = 0.0;
        }
        postings
    }

    /// Notes which of the documents that are looked at may be found at all.
    pub(super) fn allow(&mut self, allowed: &mut dyn Scorer) {
        self.allowed.fill(0);
        for part in &self.parts {
            let mut doc = if allowed.doc() < part.start { allowed.seek(part.start) } else { allowed.doc() };
            while doc < part.end {
                let place = (doc - self.begin) as usize;
                self.allowed[place / 64] |= 1 << (place % 64);
                doc = allowed.advance();
            }
        }
    }

    /// Moves on to the documents from `begin` on. The scores were taken away one by one.
    pub(super) fn begin(&mut self, begin: DocId) {
        debug_assert!(self.scores.iter().all(|score| *score == 0.0));
        self.begin = begin;
        self.touched.fill(0);
    }

    /// Takes all scores away.
    pub(super) fn clear(&mut self) {
        self.scores.fill(0.0);
    }

    pub(super) fn take_score(&mut self, place: usize) -> f32 {
        std::mem::take(&mut self.scores[place % WINDOW as usize])
    }
}
