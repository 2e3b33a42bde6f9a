//! Units of one make are decided together: posts of a thread, paragraphs of an article, cards of a list.
//!
//! Where five or more units with [`WORDS_MIN`] words have the same make, which is that of their block and its surroundings, the
//! log-odds of each lean towards their mean, where long units weigh more:
//!
//! ```text
//! z_i' = (1 - a)·z_i + a·Σ_j √n_j·z_j / Σ_j √n_j
//! ```

/// How far units lean towards the others of their make (a).
const LEAN: f64 = 0.3;

/// Fewest units of a make that lean.
const UNITS_MIN: u32 = 5;

/// Fewest words of a unit that leans and is leant on.
const WORDS_MIN: f32 = 5.0;

/// The probabilities nearest to 0 and 1 that count.
const PROBABILITY_MIN: f64 = 1e-4;

/// Units of one make.
#[derive(Debug, Clone, Copy, Default)]
struct Make {
    units: u32,
    weight: f64,
    sum: f64,
}

/// The probabilities by which units of the same make are decided together. `make`: of each unit a number below their count. O(units).
pub(super) fn leant(probability: &[f32], words: &[f32], make: &[u32]) -> Vec<f32> {
    let mut makes = vec![Make::default(); make.iter().map(|make| *make as usize + 1).max().unwrap_or(0)];
    for (unit, make) in make.iter().enumerate().filter(|(unit, _)| words[*unit] >= WORDS_MIN) {
        let make = &mut makes[*make as usize];
        let weight = f64::from(words[unit]).sqrt();
        make.units += 1;
        make.weight += weight;
        make.sum += weight * log_odds(probability[unit]);
    }
    let leant = |unit: usize| {
        let make = makes[make[unit] as usize];
        if make.units < UNITS_MIN || words[unit] < WORDS_MIN {
            return probability[unit];
        }
        let z = (1.0 - LEAN) * log_odds(probability[unit]) + LEAN * make.sum / make.weight;
        (1.0 / (1.0 + (-z).exp())) as f32
    };
    (0..probability.len()).map(leant).collect()
}

fn log_odds(probability: f32) -> f64 {
    let probability = f64::from(probability).clamp(PROBABILITY_MIN, 1.0 - PROBABILITY_MIN);
    (probability / (1.0 - probability)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_many_leans_towards_the_others() {
        let words = [9.0; 6];
        // By hand: five units at 0.9 (log-odds 2.197), one at 0.3 (-0.847), whose mean is 1.690: 0.7 · -0.847 + 0.3 · 1.690 = -0.086.
        let leant = leant(&[0.9, 0.9, 0.3, 0.9, 0.9, 0.9], &words, &[0; 6]);
        assert!((leant[2] - 0.4785).abs() < 1e-3, "{leant:?}");
        assert!((leant[0] - 0.8861).abs() < 1e-3, "{leant:?}");
    }

    #[test]
    fn few_short_and_other_units_stay_as_they_are() {
        let probability = [0.9, 0.9, 0.3, 0.9, 0.9, 0.9];
        assert_eq!(leant(&probability[..4], &[9.0; 4], &[0; 4]), probability[..4]);
        assert_eq!(leant(&probability, &[4.0; 6], &[0; 6]), probability);
        assert_eq!(leant(&probability, &[9.0; 6], &[0, 0, 1, 0, 0, 2]), probability);
        assert!(leant(&[], &[], &[]).is_empty());
        assert!(leant(&[0.0, 1.0, 0.0, 1.0, 1.0], &[9.0; 5], &[0; 5]).iter().all(|one| (0.0..=1.0).contains(one)));
    }
}
