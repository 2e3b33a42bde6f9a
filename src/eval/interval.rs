//! Means with what chance makes of them.

use serde::Serialize;

/// Draws of the bootstrap.
const DRAWS: usize = 1000;

/// A mean with its 95 % bootstrap interval over pages or queries.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

pub(super) fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

/// Percentile bootstrap of the mean; the draws are the same in every run.
pub(super) fn bootstrap(values: &[f64]) -> Interval {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        values[(state % values.len() as u64) as usize]
    };
    if values.is_empty() {
        return Interval::default();
    }
    let mut means: Vec<f64> =
        (0..DRAWS).map(|_| values.iter().map(|_| draw()).sum::<f64>() / values.len() as f64).collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((DRAWS - 1) as f64 * share).round() as usize];
    Interval { mean: mean(values.iter().copied()), low: at(0.025), high: at(0.975) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_the_mean_and_shrink_with_the_sample() {
        let sample = |count: u32| -> Vec<f64> { (0..count).map(|n| f64::from(n % 2)).collect() };
        let (few, many) = (bootstrap(&sample(10)), bootstrap(&sample(1000)));
        assert!((many.mean - 0.5).abs() < 1e-12 && many.low < 0.5 && many.high > 0.5);
        assert!(many.high - many.low < few.high - few.low);
        assert_eq!(bootstrap(&[]), Interval::default());
    }
}
