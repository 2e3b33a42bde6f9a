//! Word F1: a page's text against its gold text as bags of words.

use std::collections::HashMap;

/// Precision, recall and F1 of one page, each in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct WordScore {
    /// Share of the predicted words that are in the gold.
    pub precision: f64,
    /// Share of the gold's words that were predicted.
    pub recall: f64,
    /// Harmonic mean of the two.
    pub f1: f64,
}

/// Scores `predicted` against `gold`. Words are runs of letters, digits and `_`, lower case; order does not
/// count, numbers of occurrences do. Two empty texts agree.
pub(crate) fn score_words(predicted: &str, gold: &str) -> WordScore {
    let (predicted, gold) = (counts(predicted), counts(gold));
    if predicted.is_empty() || gold.is_empty() {
        let agree = if predicted.is_empty() && gold.is_empty() { 1.0 } else { 0.0 };
        return WordScore { precision: agree, recall: agree, f1: agree };
    }
    let shared = |(word, count): (&String, &u64)| gold.get(word).map_or(0, |other| *count.min(other));
    let overlap = predicted.iter().map(shared).sum::<u64>() as f64;
    let total = |bag: &HashMap<String, u64>| bag.values().sum::<u64>() as f64;
    let (precision, recall) = (overlap / total(&predicted), overlap / total(&gold));
    let f1 = if overlap > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 };
    WordScore { precision, recall, f1 }
}

fn counts(text: &str) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    let lower = text.to_lowercase();
    for word in lower.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()) {
        *counts.entry(word.to_owned()).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_by_hand() {
        // Shared: "the" once, "mill" once; 2 of 4 predicted, 2 of 3 gold words.
        let score = score_words("The mill, the MILL.", "the old mill");
        assert!((score.precision - 0.5).abs() < 1e-12 && (score.recall - 2.0 / 3.0).abs() < 1e-12);
        assert!((score.f1 - 4.0 / 7.0).abs() < 1e-12);
        assert!(score_words("", "").f1 > 0.99 && score_words("x", "").f1 < 0.01);
    }
}
