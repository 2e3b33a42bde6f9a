//! Where the query's words stand in a block: how close, and whether side by side.

use tantivy::TantivyError;
use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;

use super::frequencies::Probe;
use super::segment::{RankWord, total_idf};
use crate::layout::BlockPart;

/// Words of the window that coverage is measured in: a paragraph, unless it is long. Lines of a block stand farther apart.
const WINDOW_WORDS: u32 = 99;

/// Closeness of the words in one block.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Closeness {
    /// Most idf of different words within [`WINDOW_WORDS`], as a share of that of all.
    pub(super) window: f32,
    /// Share of the query's neighbouring words that are neighbours in the same order.
    pub(super) pairs: f32,
}

impl Probe<'_> {
    /// Reads the places of the words in blocks, leaving out the page's title.
    pub(super) fn closeness(&self) -> Result<Vec<Closeness>, TantivyError> {
        let mut places: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.docs.len()];
        // The title of the page is the same in all its blocks.
        let title_end = |doc| self.columns.layout::<{ BlockPart::COUNT }>(doc).starts[BlockPart::Headings as usize];
        let title_ends: Vec<u32> = self.docs.iter().map(|doc| title_end(*doc)).collect();
        let mut positions = Vec::new();
        for place in self.places() {
            let (field, entry) = (self.fields.all, &place.form.in_blocks);
            self.each_block(place, field, entry, IndexRecordOption::WithFreqsAndPositions, |d, postings| {
                postings.positions(&mut positions);
                places[d]
                    .extend(positions.iter().filter(|at| **at >= title_ends[d]).map(|at| (*at, place.word as u32)));
            })?;
        }
        Ok(places.into_iter().map(|places| closeness_of(places, self.words)).collect())
    }
}

/// `places` are positions with the word's number, in any order.
fn closeness_of(mut places: Vec<(u32, u32)>, words: &[RankWord]) -> Closeness {
    places.sort_unstable();
    Closeness { window: best_window(&places, words) / total_idf(words), pairs: pairs(&places, words.len()) }
}

fn best_window(places: &[(u32, u32)], words: &[RankWord]) -> f32 {
    let mut counts = vec![0u32; words.len()];
    let (mut begin, mut weight, mut best) = (0, 0f32, 0f32);
    for &(at, word) in places {
        while at - places[begin].0 >= WINDOW_WORDS {
            let left = places[begin].1 as usize;
            counts[left] -= 1;
            if counts[left] == 0 {
                weight -= words[left].idf;
            }
            begin += 1;
        }
        counts[word as usize] += 1;
        if counts[word as usize] == 1 {
            weight += words[word as usize].idf;
        }
        best = best.max(weight);
    }
    best
}

fn pairs(places: &[(u32, u32)], words: usize) -> f32 {
    if words < 2 {
        return 0.0;
    }
    let mut found = vec![false; words];
    for (place, &(at, word)) in places.iter().enumerate() {
        let next = places[place + 1..].iter().take_while(|(other, _)| *other <= at + 1);
        if next.into_iter().any(|&(other, follower)| other == at + 1 && follower == word + 1) {
            found[word as usize] = true;
        }
    }
    found.iter().filter(|found| **found).count() as f32 / (words - 1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(idfs: &[f32]) -> Vec<RankWord> {
        idfs.iter().map(|idf| RankWord { forms: Vec::new(), factor_max: 1.0, idf: *idf, page_idf: 0.0 }).collect()
    }

    #[test]
    fn by_hand() {
        let words = words(&[1.0, 2.0, 5.0]);
        // The third word is too far from the first two to stand in one window with them.
        let far = closeness_of(vec![(0, 0), (1, 1), (140, 2)], &words);
        assert!((far.window - 5.0 / 8.0).abs() < 1e-6 && (far.pairs - 0.5).abs() < 1e-6, "{far:?}");
        let near = closeness_of(vec![(7, 2), (0, 0), (2, 1), (2, 1)], &words);
        assert!((near.window - 1.0).abs() < 1e-6 && near.pairs == 0.0, "{near:?}");
        assert_eq!(closeness_of(Vec::new(), &words), Closeness::default());
    }
}
