//! The query that blocks are compared with.

use super::vector::SparseVector;
use crate::weigh::{TermId, Weigher, WeightedTree};

/// A query's weights over a page's terms.
#[derive(Debug, Clone)]
pub struct QueryVector {
    weights: Vec<f32>,
    norm: f64,
}

impl QueryVector {
    /// The query `text` seen from a page: `tf · idf` of those of its terms that the page has; terms that it lacks only lengthen
    /// the query's norm, with the idf of a rare term.
    pub fn new(weigher: &mut Weigher, weighted: &WeightedTree, text: &str) -> Self {
        let mut found: Vec<String> = Vec::new();
        weigher.analyzer().analyze(text, weighted.language(), |token| found.push(token.term.to_owned()));
        found.sort_unstable();
        let known = known_terms(weighted, &found);
        let mut weights = vec![0f32; weighted.terms().len()];
        let mut squares = 0f64;
        let mut place = 0;
        for same in found.chunk_by(|a, b| a == b) {
            let tf = same.len() as f32;
            let weight = match known[place] {
                Some(term) => {
                    weights[term as usize] = tf * weighted.idf(term);
                    weights[term as usize]
                }
                None => tf,
            };
            place += same.len();
            squares += f64::from(weight).powi(2);
        }
        Self { weights, norm: squares.sqrt() }
    }

    /// Equation (1): `Cosine(d_j, q) = Σ w_ij · w_iq / (sqrt(Σ w_ij²) · sqrt(Σ w_iq²))`, in [0, 1]; 0 where a norm is 0.
    pub(super) fn cosine(&self, vector: &SparseVector) -> f32 {
        let norms = vector.norm() * self.norm;
        if norms == 0.0 { 0.0 } else { (vector.dot(&self.weights) / norms).clamp(0.0, 1.0) as f32 }
    }
}

/// The number of each term of `found`, which is sorted, at its first place there; `None` where the page lacks it.
fn known_terms(weighted: &WeightedTree, found: &[String]) -> Vec<Option<TermId>> {
    let mut known = vec![None; found.len()];
    for (term, id) in weighted.terms().iter().zip(0..) {
        let place = found.partition_point(|other| other < term);
        if found.get(place) == Some(term) {
            known[place] = Some(id);
        }
    }
    known
}
