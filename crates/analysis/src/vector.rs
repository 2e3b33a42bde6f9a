//! Term vectors and the paper's similarity.

/// Weights by term, sorted by term, each term once and each weight above 0; with its length.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TermVector {
    weights: Vec<(u64, f32)>,
    squared_norm: f64,
}

impl TermVector {
    /// A vector of terms, by id or hash, and their weights in any order.
    ///
    /// Weights of one term are added up; those that are not finite or not above 0 are left out.
    pub fn new(weights: impl IntoIterator<Item = (u64, f32)>) -> Self {
        let mut weights: Vec<(u64, f32)> =
            weights.into_iter().filter(|(_, weight)| weight.is_finite() && *weight > 0.0).collect();
        weights.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.total_cmp(&b.1)));
        weights.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 = (kept.1 + later.1).min(f32::MAX);
            }
            same
        });
        let squared_norm = weights.iter().map(|&(_, weight)| f64::from(weight) * f64::from(weight)).sum();
        Self { weights, squared_norm }
    }

    /// The terms and weights, by increasing term.
    pub fn weights(&self) -> &[(u64, f32)] {
        &self.weights
    }

    /// The weight of a term; 0 when it has none.
    pub fn weight(&self, term: u64) -> f32 {
        let found = self.weights.binary_search_by_key(&term, |&(term, _)| term);
        found.map_or(0.0, |index| self.weights[index].1)
    }

    /// Euclidean length ‖v‖.
    pub fn norm(&self) -> f64 {
        self.squared_norm.sqrt()
    }

    /// Whether no term has a weight.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }
}

/// Similarity of two vectors, in [0, 1].
///
/// Paper §VI, eq. (1):  Cosine(d, q) = ⟨d · q⟩ / (‖d‖ × ‖q‖) = Σ w(i, d) · w(i, q) / (√Σ w(i, d)² × √Σ w(i, q)²)
///
/// - Sums run over terms in increasing order in `f64`, so the result is the same everywhere and for both orders of `d`, `q`.
/// - O(terms of both).
///
/// Differs from the paper: 1) with an empty vector, where the paper divides by zero, the similarity is 0; 2) rounding is cut
/// off at 1.
pub fn cosine_similarity(d: &TermVector, q: &TermVector) -> f64 {
    if d.is_empty() || q.is_empty() {
        return 0.0;
    }
    let (mut i, mut j) = (0, 0);
    let mut dot = 0.0;
    while let (Some(&(term_d, w_d)), Some(&(term_q, w_q))) = (d.weights.get(i), q.weights.get(j)) {
        if term_d == term_q {
            dot += f64::from(w_d) * f64::from(w_q);
        }
        i += usize::from(term_d <= term_q);
        j += usize::from(term_q <= term_d);
    }
    // One root of the product, not two roots: then a vector has similarity 1 with itself to the last bit.
    let cosine = (dot / (d.squared_norm * q.squared_norm).sqrt()).min(1.0);
    debug_assert!((0.0..=1.0).contains(&cosine));
    cosine
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn by_hand() {
        let d = TermVector::new([(7, 3.0), (2, 4.0)]);
        let q = TermVector::new([(2, 1.0), (9, 5.0)]);
        // ⟨d · q⟩ = 4 · 1, ‖d‖ = 5, ‖q‖ = √26
        assert!((cosine_similarity(&d, &q) - 4.0 / (5.0 * 26f64.sqrt())).abs() < 1e-15);
        assert!((d.norm() - 5.0).abs() < f64::EPSILON);
    }

    #[test]
    fn weights_are_cleaned() {
        let vector = TermVector::new([(3, 1.0), (1, f32::NAN), (3, 2.0), (2, 0.0), (0, -1.0), (5, f32::INFINITY)]);
        assert_eq!(vector.weights(), [(3, 3.0)]);
        assert!(vector.weight(3) > 2.5 && vector.weight(4) < 0.5);
        assert!(cosine_similarity(&vector, &TermVector::default()) < f64::MIN_POSITIVE);
    }

    fn vectors() -> impl Strategy<Value = TermVector> {
        prop::collection::vec((0u64..40, any::<f32>()), 0..30).prop_map(TermVector::new)
    }

    proptest! {
        #[test]
        fn symmetric_and_in_range(a in vectors(), b in vectors()) {
            let cosine = cosine_similarity(&a, &b);
            prop_assert!((0.0..=1.0).contains(&cosine));
            prop_assert_eq!(cosine.to_bits(), cosine_similarity(&b, &a).to_bits());
        }

        #[test]
        fn one_with_itself(a in vectors(), weight in 1e-30f32..1e30) {
            let a = TermVector::new(a.weights().iter().copied().chain([(99, weight)]));
            prop_assert_eq!(cosine_similarity(&a, &a).to_bits(), 1f64.to_bits());
        }
    }
}
