//! How close the query's words stand in a block, and whether side by side.

use crate::engine::{RankWord, WordPlace, total_weight};

/// Words of the window that coverage is measured in: a paragraph, unless it is long. Lines of a block stand farther apart.
const WINDOW_WORDS: u32 = 99;

/// Closeness of the words in one block.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Closeness {
    /// Most weight of different words within [`WINDOW_WORDS`], as a share of that of all.
    pub(super) window: f32,
    /// Share of the query's neighbouring words that are neighbours in the same order; a pair weighs the geometric mean of its words, so `of a`
    /// says little.
    pub(super) pairs: f32,
    /// Most weight of different words in a row without any other between them, as a share of that of all, to the fourth power: 1 where the
    /// query is quoted.
    pub(super) verbatim: f32,
}

/// `places` are in any order.
pub(super) fn closeness_of(mut places: Vec<WordPlace>, words: &[RankWord]) -> Closeness {
    places.sort_unstable();
    let total = total_weight(words);
    Closeness {
        window: best_window(&places, words) / total,
        pairs: pairs(&places, words),
        verbatim: (best_run(&places, words) / total).powi(4),
    }
}

fn best_window(places: &[WordPlace], words: &[RankWord]) -> f32 {
    let mut counts = vec![0u32; words.len()];
    let (mut begin, mut weight, mut best) = (0, 0f32, 0f32);
    for &WordPlace { position: at, word } in places {
        while at - places[begin].position >= WINDOW_WORDS {
            let left = places[begin].word as usize;
            counts[left] -= 1;
            if counts[left] == 0 {
                weight -= words[left].weight;
            }
            begin += 1;
        }
        counts[word as usize] += 1;
        if counts[word as usize] == 1 {
            weight += words[word as usize].weight;
        }
        best = best.max(weight);
    }
    best
}

/// The most weight of different words in one run, where each word stands right behind another of the query, in whatever order: words that the
/// query has twice are known once.
fn best_run(places: &[WordPlace], words: &[RankWord]) -> f32 {
    let mut run_of = vec![0usize; words.len()];
    let (mut run, mut last, mut weight, mut best) = (0, None, 0f32, 0f32);
    for &WordPlace { position: at, word } in places {
        if last.is_none_or(|last| at > last + 1) {
            (run, weight) = (run + 1, 0.0);
        }
        last = Some(at);
        if std::mem::replace(&mut run_of[word as usize], run) != run {
            weight += words[word as usize].weight;
        }
        best = best.max(weight);
    }
    best
}

fn pairs(places: &[WordPlace], words: &[RankWord]) -> f32 {
    let weights: Vec<f32> = words.windows(2).map(|pair| (pair[0].weight * pair[1].weight).sqrt()).collect();
    let total: f32 = weights.iter().sum();
    if total <= 0.0 {
        return 0.0;
    }
    let mut found = vec![false; words.len()];
    for (place, &WordPlace { position: at, word }) in places.iter().enumerate() {
        let next = places[place + 1..].iter().take_while(|other| other.position <= at + 1);
        if next.into_iter().any(|other| other.position == at + 1 && other.word == word + 1) {
            found[word as usize] = true;
        }
    }
    weights.iter().zip(found).filter(|(_, found)| *found).map(|(weight, _)| weight).sum::<f32>() / total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(weights: &[f32]) -> Vec<RankWord> {
        let word = |weight: &f32| RankWord {
            forms: Vec::new(),
            factor_max: 1.0,
            idf: 0.0,
            own_idf: 0.0,
            weight: *weight,
            page_idf: 0.0,
        };
        weights.iter().map(word).collect()
    }

    fn places(places: &[(u32, u32)]) -> Vec<WordPlace> {
        places.iter().map(|&(position, word)| WordPlace { position, word }).collect()
    }

    #[test]
    fn by_hand() {
        let words = words(&[1.0, 2.0, 5.0]);
        // The third word is too far from the first two to stand in one window with them. The pairs weigh √2 and √10.
        let pairs = 2f32.sqrt() / (2f32.sqrt() + 10f32.sqrt());
        let far = closeness_of(places(&[(0, 0), (1, 1), (140, 2)]), &words);
        assert!((far.window - 5.0 / 8.0).abs() < 1e-6 && (far.pairs - pairs).abs() < 1e-6, "{far:?}");
        let near = closeness_of(places(&[(7, 2), (0, 0), (2, 1), (2, 1)]), &words);
        assert!((near.window - 1.0).abs() < 1e-6 && near.pairs == 0.0, "{near:?}");
        assert_eq!(closeness_of(Vec::new(), &words), Closeness::default());
    }

    #[test]
    fn a_quotation_is_told_by_words_in_a_row() {
        let words = words(&[1.0, 2.0, 5.0]);
        let verbatim = |at: &[(u32, u32)]| closeness_of(places(at), &words).verbatim;
        assert!((verbatim(&[(0, 2), (7, 0), (8, 1), (9, 0), (10, 2)]) - 1.0).abs() < 1e-6, "the first word twice");
        assert!((verbatim(&[(0, 0), (1, 1), (3, 2)]) - (5f32 / 8.0).powi(4)).abs() < 1e-6, "another word between");
    }
}
