//! Sparse vectors over a page's terms.

use crate::weigh::TermId;

/// Term weights of a node, sorted by term, each term once.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SparseVector(Vec<(TermId, f32)>);

/// Adds weights up by term. Those of one term are added in the order in which they come, so sums do not depend on how they are grouped.
#[derive(Debug)]
pub(super) struct Accumulator {
    /// By term, of the terms that are in.
    sums: Vec<f32>,
    /// A bit for each term that is in.
    present: Vec<u64>,
    /// Entries that were added so far.
    added: u64,
}

impl Accumulator {
    /// For a page of so many terms.
    pub(super) fn new(terms: usize) -> Self {
        Self { sums: vec![0.0; terms], present: vec![0; terms.div_ceil(64)], added: 0 }
    }

    pub(super) fn add(&mut self, weights: impl Iterator<Item = (TermId, f32)>) {
        for (term, weight) in weights {
            let term = term as usize;
            let (present, bit) = (&mut self.present[term / 64], 1 << (term % 64));
            self.sums[term] = if *present & bit == 0 { weight } else { self.sums[term] + weight };
            *present |= bit;
            self.added += 1;
        }
    }

    /// Entries that were added so far, over all sums.
    pub(super) fn added(&self) -> u64 {
        self.added
    }

    pub(super) fn add_vector(&mut self, vector: &SparseVector) {
        self.add(vector.0.iter().copied());
    }

    /// The sums; nothing is in any more.
    pub(super) fn take(&mut self) -> SparseVector {
        let count: u32 = self.present.iter().map(|bits| bits.count_ones()).sum();
        let mut sums = Vec::with_capacity(count as usize);
        for (place, present) in self.present.iter_mut().enumerate() {
            let mut bits = std::mem::take(present);
            while bits != 0 {
                let term = place * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                sums.push((term as TermId, self.sums[term]));
            }
        }
        SparseVector(sums)
    }
}

impl SparseVector {
    /// The sums of weights in any order, as of an [`Accumulator`], which is quicker where they are many.
    pub(super) fn of_few(weights: impl Iterator<Item = (TermId, f32)>) -> Self {
        let mut sums: Vec<(TermId, f32)> = weights.collect();
        // A stable sort keeps equal terms in their order.
        sums.sort_by_key(|(term, _)| *term);
        sums.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Self(sums)
    }

    /// `Σ w_ij²`, square-rooted.
    pub(super) fn norm(&self) -> f64 {
        self.0.iter().map(|(_, weight)| f64::from(*weight).powi(2)).sum::<f64>().sqrt()
    }

    /// Inner product with a dense vector.
    pub(super) fn dot(&self, dense: &[f32]) -> f64 {
        self.0.iter().map(|(term, weight)| f64::from(*weight) * f64::from(dense[*term as usize])).sum()
    }

    /// The sum of all weights.
    pub(super) fn total(&self) -> f64 {
        self.0.iter().map(|(_, weight)| f64::from(*weight)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_in_the_order_of_terms_and_made_in_that_of_weights() {
        let mut accumulator = Accumulator::new(130);
        accumulator.add([(129, 1e8), (3, 0.5), (64, 2.0), (129, 1.0), (129, -1e8)].into_iter());
        let vector = accumulator.take();
        assert_eq!(
            vector,
            SparseVector::of_few([(129, 1e8), (3, 0.5), (64, 2.0), (129, 1.0), (129, -1e8)].into_iter())
        );
        assert_eq!(vector, SparseVector(vec![(3, 0.5), (64, 2.0), (129, (1e8 + 1.0) - 1e8)]));
        accumulator.add_vector(&vector);
        accumulator.add([(3, 0.0)].into_iter());
        assert_eq!(accumulator.take(), vector);
        assert_eq!(accumulator.take(), SparseVector::default());
    }
}
