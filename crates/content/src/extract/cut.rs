//! Which units of a page to keep, given the probability of each: the choice with the highest expected F1.
//!
//! F1 of a choice K is 2·|K ∩ G| / (|K| + |G|) in words, G being the true content. With each unit's words in G weighed by its
//! probability, the best choice takes the units from the most probable down to some point:
//!
//! ```text
//! max over k of   2·Σ_{i ≤ k} p_i·n_i / (Σ_{i ≤ k} n_i + Σ_i p_i·n_i)
//! ```

/// Fewest words that a unit counts for.
const UNIT_WORDS_MIN: f32 = 0.5;

/// A choice of units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cut {
    /// Units taken, of those in [`order`].
    pub(super) taken: usize,
    /// Probability of the last unit taken; 1 when there is none.
    pub(super) threshold: f32,
    /// The F1 to expect.
    pub(super) expected_f1: f32,
}

/// The units from the most probable to the least; equals stay in document order.
pub(super) fn order(probability: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..probability.len()).collect();
    order.sort_by(|a, b| probability[*b].total_cmp(&probability[*a]));
    order
}

/// The best cut of a page.
pub(super) fn best(probability: &[f32], words: &[f32], order: &[usize]) -> Cut {
    let weight = |unit: usize| f64::from(words[unit].max(UNIT_WORDS_MIN));
    let total: f64 = (0..probability.len()).map(|unit| f64::from(probability[unit]) * weight(unit)).sum();
    let mut best = Cut { taken: 0, threshold: 1.0, expected_f1: 0.0 };
    let (mut hits, mut taken) = (0.0, 0.0);
    for (place, unit) in order.iter().enumerate() {
        hits += f64::from(probability[*unit]) * weight(*unit);
        taken += weight(*unit);
        let expected = (2.0 * hits / (taken + total)) as f32;
        if expected > best.expected_f1 {
            best = Cut { taken: place + 1, threshold: probability[*unit], expected_f1: expected };
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubtful_units_are_taken_when_little_is_sure() {
        let sure = [0.99, 0.98, 0.2];
        let cut = best(&sure, &[50.0, 50.0, 50.0], &order(&sure));
        assert_eq!(cut.taken, 2);
        let unsure = [0.3, 0.3, 0.28];
        let cut = best(&unsure, &[50.0, 50.0, 50.0], &order(&unsure));
        assert_eq!(cut.taken, 3);
        assert!((cut.expected_f1 - 2.0 * 44.0 / (150.0 + 44.0)).abs() < 1e-6);
    }

    #[test]
    fn an_empty_page_has_an_empty_cut() {
        assert_eq!(best(&[], &[], &[]).taken, 0);
    }
}
