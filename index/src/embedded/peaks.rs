//! The most that a term can add to the score of any document, by stretches of documents.
//!
//! A search asks what words could still add to a document before their postings are decoded. With the most of its stretch in place of the
//! most anywhere, few documents are left to look at: that is what block maxima are for (Ding and Suel 2011). The engine's own are of
//! blocks of postings and can be asked for only where a block is decoded, so these are made here: when a term is sought for the second
//! time since a commit.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tantivy::DocId;

/// Documents of a stretch are those whose numbers are the same without so many bits.
pub(super) const STRETCH_BITS: u32 = 8;

/// Bytes of all peaks of a commit.
const BYTES_MAX: usize = 32 << 20;

/// Steps between nothing and all that a term can add.
const STEPS: f32 = 254.0;

/// The stretch of a document.
pub(super) fn stretch_of(doc: DocId) -> usize {
    (doc >> STRETCH_BITS) as usize
}

/// Stretches of a segment with so many documents.
pub(super) fn stretches(documents: DocId) -> usize {
    stretch_of(documents) + 1
}

/// The greatest saturated frequency of a term in each stretch.
#[derive(Debug)]
pub(super) struct Peaks(Box<[u8]>);

impl Peaks {
    /// Nowhere any, in a segment with so many documents.
    pub(super) fn none(documents: DocId) -> Self {
        Self(vec![0; stretches(documents)].into())
    }

    /// Adds a document that has the term, with the saturated frequency, below 1, that it has there.
    pub(super) fn add(&mut self, doc: DocId, saturated: f32) {
        debug_assert!((0.0..1.0).contains(&saturated));
        let of_stretch = &mut self.0[stretch_of(doc)];
        *of_stretch = (*of_stretch).max((saturated * STEPS) as u8 + 1);
    }

    /// Raises the bounds of a word, by stretch, to what this form of it, which weighs so much, adds at most.
    pub(super) fn raise(&self, bounds: &mut [f32], weight: f32) {
        for (bound, steps) in bounds.iter_mut().zip(&self.0) {
            *bound = bound.max(weight / STEPS * f32::from(*steps));
        }
    }
}

/// Room for the peaks of a commit.
#[derive(Debug, Default)]
pub(super) struct PeaksRoom(AtomicUsize);

impl PeaksRoom {
    /// Gives all room back: the terms are forgotten with their peaks.
    pub(super) fn empty(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// The peaks of a term in one segment, once they are known.
#[derive(Debug, Default)]
pub(super) struct KnownPeaks {
    was_sought: AtomicBool,
    peaks: OnceLock<Peaks>,
}

impl KnownPeaks {
    /// Nothing when a term is sought for the first time, or there is no room; else `make` makes them.
    pub(super) fn get(&self, documents: DocId, room: &PeaksRoom, make: impl FnOnce() -> Peaks) -> Option<&Peaks> {
        if let Some(known) = self.peaks.get() {
            return Some(known);
        }
        let bytes = stretches(documents);
        let has_room = || room.0.fetch_add(bytes, Ordering::Relaxed) + bytes <= BYTES_MAX;
        let is_wanted = self.was_sought.swap(true, Ordering::Relaxed) && has_room();
        is_wanted.then(|| self.peaks.get_or_init(make))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_are_bounds_by_stretch() {
        let mut peaks = Peaks::none(1001);
        let found = [(0, 0.5), (255, 0.7), (256, 0.1), (1000, 0.999)];
        for (doc, saturated) in found {
            peaks.add(doc, saturated);
        }
        let mut bounds = vec![0.0; stretches(1001)];
        peaks.raise(&mut bounds, 2.0);
        // Of 0.7, 0.1, none, 0.999, twice, rounded up to 254ths.
        for (bound, most) in bounds.iter().zip([1.4, 0.2, 0.0, 1.998]) {
            assert!(*bound >= most && *bound <= most + 0.008, "{bounds:?}");
        }
        let former = bounds.clone();
        peaks.raise(&mut bounds, 1.0);
        assert_eq!(bounds, former);
    }

    #[test]
    fn peaks_are_made_for_what_is_sought_twice_as_long_as_there_is_room() {
        let (known, room) = (KnownPeaks::default(), PeaksRoom::default());
        let make = || Peaks::none(1);
        assert!(known.get(1, &room, make).is_none());
        assert!(known.get(1, &room, make).is_some());
        assert!(known.get(1, &room, || unreachable!()).is_some());
        let (other, full) = (KnownPeaks::default(), PeaksRoom(AtomicUsize::new(BYTES_MAX)));
        assert!((0..3).all(|_| other.get(1, &full, make).is_none()));
        full.empty();
        assert!(other.get(1, &full, make).is_some());
    }
}
