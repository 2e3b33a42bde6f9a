//! Which documents are looked at, a stretch at a time.

use std::cmp::Ordering;
use std::ops::Range;

use tantivy::DocId;

use crate::embedded::peaks::{STRETCH_BITS, stretch_of};

/// Documents that are looked at first for each one that is wanted.
const FIRST_DOCUMENTS: usize = 64;

/// The others are at least so many times as many, or it is not worth it.
const OTHERS_MIN: usize = 4;

/// What all words can give the documents of each stretch together; less than nothing where it is not looked at.
pub(super) struct Stretches(pub(super) Vec<f32>);

impl Stretches {
    /// Takes out those that promise most where so many documents are wanted, unless there are few.
    pub(super) fn split_off_first(&mut self, documents: usize) -> Option<Self> {
        let count = documents.saturating_mul(FIRST_DOCUMENTS) >> STRETCH_BITS;
        if count == 0 || self.0.len() / OTHERS_MIN <= count {
            return None;
        }
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        let better = |a: &usize, b: &usize| -> Ordering { self.0[*b].total_cmp(&self.0[*a]).then(a.cmp(b)) };
        order.select_nth_unstable_by(count, better);
        let mut first = Self(vec![f32::NEG_INFINITY; self.0.len()]);
        for stretch in &order[..count] {
            std::mem::swap(&mut first.0[*stretch], &mut self.0[*stretch]);
        }
        Some(first)
    }

    /// The first document from `from` on whose stretch can give as much as `threshold`.
    pub(super) fn first_from(&self, from: DocId, threshold: f32) -> Option<DocId> {
        let first = stretch_of(from);
        let further = self.0.get(first..)?.iter().position(|most| *most >= threshold)?;
        Some(if further == 0 { from } else { ((first + further) << STRETCH_BITS) as DocId })
    }

    /// Sets `parts` to the documents of such stretches from `begin` to `end`, both at the border of one, in a row and apart.
    pub(super) fn parts(&self, begin: DocId, end: DocId, threshold: f32, parts: &mut Vec<Range<DocId>>) {
        parts.clear();
        for stretch in begin >> STRETCH_BITS..end >> STRETCH_BITS {
            if self.0.get(stretch as usize).is_none_or(|most| *most < threshold) {
                continue;
            }
            let documents = stretch << STRETCH_BITS..(stretch + 1) << STRETCH_BITS;
            match parts.last_mut() {
                Some(last) if last.end == documents.start => last.end = documents.end,
                _ => parts.push(documents),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 40 stretches, of which every tenth promises more than the others.
    fn stretches() -> Stretches {
        Stretches((0..40).map(|stretch| if stretch % 10 == 3 { 5.0 } else { 1.0 }).collect())
    }

    /// Of each part the first stretch, and the first behind it.
    fn parts_of(wanted: &Stretches, threshold: f32) -> Vec<[DocId; 2]> {
        let mut parts = Vec::from([7..8, 9..10]);
        wanted.parts(0, 16 << STRETCH_BITS, threshold, &mut parts);
        let of_stretch = |doc: DocId| doc >> STRETCH_BITS;
        parts.into_iter().map(|part| [part.start, part.end].map(of_stretch)).collect()
    }

    #[test]
    fn what_promises_most_is_split_off_where_there_is_much() {
        let mut wanted = stretches();
        let first = wanted.split_off_first((4 << STRETCH_BITS) / FIRST_DOCUMENTS).unwrap();
        assert_eq!(parts_of(&first, -1.0), [[3, 4], [13, 14]]);
        assert_eq!(parts_of(&wanted, -1.0), [[0, 3], [4, 13], [14, 16]]);
        for documents in [0, (10 << STRETCH_BITS) / FIRST_DOCUMENTS, usize::MAX] {
            assert!(stretches().split_off_first(documents).is_none(), "{documents}");
        }
    }

    #[test]
    fn what_cannot_give_enough_is_passed_over() {
        let wanted = stretches();
        assert_eq!(parts_of(&wanted, 1.0), [[0, 16]]);
        assert_eq!(parts_of(&wanted, 1.1), [[3, 4], [13, 14]]);
        assert_eq!(parts_of(&wanted, 5.1), [[0; 2]; 0]);
        let begin_of = |stretch: DocId| stretch << STRETCH_BITS;
        for (from, threshold, found) in [
            (begin_of(3) + 9, 5.0, Some(begin_of(3) + 9)),
            (begin_of(4), 5.0, Some(begin_of(13))),
            (begin_of(34), 5.0, None),
            (begin_of(40), 0.0, None),
            (0, 6.0, None),
        ] {
            assert_eq!(wanted.first_from(from, threshold), found, "{from} {threshold}");
        }
    }
}
