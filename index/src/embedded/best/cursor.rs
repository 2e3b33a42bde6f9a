//! Going through the postings of a word, and what each is worth.

use std::ops::Range;

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::BlockSegmentPostings;
use tantivy::{DocId, TERMINATED};

/// A word with its terms in one segment.
pub(super) struct Word {
    pub(super) terms: Vec<Cursor>,
    /// More than this it never adds.
    pub(super) bound: f32,
    /// Nor more than this, by stretch of documents.
    pub(super) bounds: Vec<f32>,
}

/// A place in a list of postings.
pub(super) struct Cursor {
    pub(super) postings: BlockSegmentPostings,
    /// In the block of postings that is decoded.
    pub(super) at: usize,
    pub(super) weight: f32,
}

impl Cursor {
    pub(super) fn doc(&self) -> DocId {
        self.postings.docs().get(self.at).copied().unwrap_or(TERMINATED)
    }

    /// Calls `visit` with the documents before `end` and their frequencies, and goes there.
    #[inline]
    pub(super) fn for_each_before(&mut self, end: DocId, mut visit: impl FnMut(DocId, u32)) {
        loop {
            let docs = &self.postings.docs()[self.at..];
            let Some(&last) = docs.last() else { return };
            let count = if last < end { docs.len() } else { docs.partition_point(|doc| *doc < end) };
            let freqs = &self.postings.freqs()[self.at..self.at + count];
            docs.iter().zip(freqs).for_each(|(doc, frequency)| visit(*doc, *frequency));
            self.at += count;
            if last >= end {
                return;
            }
            self.postings.advance();
            self.at = 0;
        }
    }

    /// The same with the documents of some parts, which increase and are not behind it.
    #[inline]
    pub(super) fn for_each_in(&mut self, parts: &[Range<DocId>], mut visit: impl FnMut(DocId, u32)) {
        for part in parts {
            self.seek(part.start);
            self.for_each_before(part.end, &mut visit);
        }
    }

    /// Goes to `doc` or behind it.
    pub(super) fn seek(&mut self, doc: DocId) {
        if self.doc() < doc {
            self.at = self.postings.seek(doc);
        }
    }

    /// Goes to `doc` or behind it; its frequency there.
    pub(super) fn frequency_at(&mut self, doc: DocId) -> Option<u32> {
        self.seek(doc);
        (self.doc() == doc).then(|| self.postings.freq(self.at))
    }
}

/// BM25's saturation by a document's length.
pub(super) struct Norms {
    pub(super) lengths: FieldNormReader,
    /// By the code of a length.
    pub(super) saturations: [f32; 256],
}

impl Norms {
    #[inline]
    pub(super) fn saturated(&self, doc: DocId, frequency: u32) -> f32 {
        let frequency = frequency as f32;
        frequency / (frequency + self.saturations[usize::from(self.lengths.fieldnorm_id(doc))])
    }
}

impl Word {
    /// Where its terms stand.
    pub(super) fn postings(&self) -> Vec<BlockSegmentPostings> {
        self.terms.iter().map(|cursor| cursor.postings.clone()).collect()
    }

    /// Goes back to where its terms stood before any document was seen.
    pub(super) fn go_back(&mut self, postings: Vec<BlockSegmentPostings>) {
        for (cursor, postings) in self.terms.iter_mut().zip(postings) {
            (cursor.postings, cursor.at) = (postings, 0);
        }
    }

    pub(super) fn score_at(&mut self, doc: DocId, norms: &Norms) -> f32 {
        let scores = self.terms.iter_mut().filter_map(|cursor| {
            let weight = cursor.weight;
            cursor.frequency_at(doc).map(|frequency| weight * norms.saturated(doc, frequency))
        });
        scores.fold(0.0, f32::max)
    }
}
