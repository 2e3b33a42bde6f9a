//! How far an answer is to be trusted: a score says nothing over queries, this does.
//!
//! The number is the share of queries with such an answer whose first page is right, fitted on judged and everyday queries of four collections
//! and on queries asked of a collection that they are not for, which have no right page there. `docs/lab/RANKING.md` has predicted against
//! measured shares.

use crate::rank::Feature;
use crate::ranked::{Basis, Found, QueryWord};

/// Power of a word's idf: a rare word that the collection lacks tells most.
const WEIGHT_POWER: f32 = 1.5;

/// What each of the four facts counts, fitted.
const EVIDENCE: f32 = 5.5;
const LEAD: f32 = 7.8;
const SPECIFICITY: f32 = 1.5;
const SITE: f32 = 2.1;

/// What is added to them, fitted.
const BASE: f32 = 1.3;

/// Added to the evidence, so that none has a logarithm as well.
const EVIDENCE_MIN: f32 = 0.02;

/// The probability that the first page of an answer is right, in [0, 1]: `first` is its best block. `rival` is the score of the best block of
/// another page; `blocks` are those of the collection.
///
/// ```text
/// logit = 5.5 · ln(best · known + 0.02) + 7.8 · known · (score − rival) / score + 1.5 · ln(Σ w / w(absent)) + 2.1 · √tenth + 1.3
/// ```
///
/// - `best`, `tenth`: the features `best_of_page` and `tenth_of_site`; `known`: the share of the query's weight in words that the collection
///   has. A word that nothing has weighs most.
/// - `Σ w`: the weight of the user's own words, `idf^1.5`; `w(absent)`: that of one word that nothing has.
pub(crate) fn coverage(words: &[QueryWord], blocks: u64, first: &Found, rival: f32) -> Option<f32> {
    let Basis::Features(features) = first.basis else { return None };
    let absent = (1.0 + (blocks as f32 + 0.5) / 0.5).ln().powf(WEIGHT_POWER);
    let own = || words.iter().filter(|word| word.is_own());
    let known: f32 = own().map(|word| word.idf.powf(WEIGHT_POWER)).sum();
    let total = known + absent * own().filter(|word| word.is_absent()).count() as f32;
    if total <= 0.0 || first.score <= 0.0 {
        return None;
    }
    let known_share = known / total;
    let evidence = (features.of(Feature::BestOfPage) * known_share + EVIDENCE_MIN).ln();
    let lead = known_share * ((first.score - rival) / first.score).clamp(0.0, 1.0);
    let site = features.of(Feature::TenthOfSite).sqrt();
    let logit = EVIDENCE * evidence + LEAD * lead + SPECIFICITY * (total / absent).ln() + SITE * site + BASE;
    Some(1.0 / (1.0 + (-logit).exp()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::BlockHandle;
    use crate::rank::Features;

    fn word(idf: f32, weight: f32) -> QueryWord {
        QueryWord { surface: String::new(), weight, idf, page_idf: idf, forms: Vec::new() }
    }

    fn found(score: f32, best: f32, tenth: f32) -> Found {
        let mut features = Features::default();
        features.set(Feature::BestOfPage, best);
        features.set(Feature::TenthOfSite, tenth);
        let basis = Basis::Features(features);
        Found { handle: BlockHandle::new(0), page_order: 0, page_key: 0, ordinal: 0, score, basis }
    }

    #[test]
    fn by_hand() {
        let absent = (1.0 + 1000.5f32 / 0.5).ln();
        let words = [word(absent, 1.0), word(3.0, 0.25)];
        // One word as rare as can be, without a rival: the third term is 0.
        let logit = 5.5 * 0.52f32.ln() + 7.8 + 2.1 * 0.5 + 1.3;
        let found_coverage = coverage(&words, 1000, &found(2.0, 0.5, 0.25), 0.0).unwrap();
        assert!((found_coverage - 1.0 / (1.0 + (-logit).exp())).abs() < 1e-5, "{found_coverage}");
    }

    #[test]
    fn absent_words_rivals_and_little_evidence_lower_it() {
        let words = [word(5.0, 1.0), word(4.0, 1.0)];
        let of = |words: &[QueryWord], best, rival| coverage(words, 10_000, &found(1.0, best, 0.0), rival).unwrap();
        let good = of(&words, 0.8, 0.6);
        assert!(good > 0.8, "{good}");
        assert!(of(&words, 0.8, 0.95) < good && of(&words, 0.3, 0.6) < good);
        assert!(of(&[word(5.0, 1.0), word(0.0, 1.0)], 0.8, 0.6) < good / 1.5);
        assert!(coverage(&words, 10_000, &found(1.0, 0.8, 0.5), 0.6).unwrap() > good);
        assert_eq!(coverage(&[word(0.0, 0.5)], 10, &found(1.0, 0.5, 0.0), 0.0), None, "no word of the user's own");
    }
}
