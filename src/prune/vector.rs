//! Sparse vectors over a page's terms.

use crate::weigh::TermId;

/// Term weights of a node, sorted by term, each term once.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SparseVector(Vec<(TermId, f32)>);

impl SparseVector {
    /// Adds weights in any order.
    pub(super) fn add(&mut self, weights: impl Iterator<Item = (TermId, f32)>) {
        let before = self.0.len();
        self.0.extend(weights);
        if self.0.len() > before {
            self.settle();
        }
    }

    /// The sum of vectors.
    pub(super) fn sum(mut parts: Vec<Self>) -> Self {
        if parts.len() == 1 {
            return parts.swap_remove(0);
        }
        let mut sum = Self(parts.into_iter().flat_map(|part| part.0).collect());
        sum.settle();
        sum
    }

    fn settle(&mut self) {
        // A stable sort keeps equal terms in document order, so that sums do not depend on how they were grouped.
        self.0.sort_by_key(|(term, _)| *term);
        self.0.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
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
