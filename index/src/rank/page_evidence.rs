//! What each block of one page has of a query, beside the page's other blocks.

use std::ops::Range;

use super::word_features::{BLOCK_K1, block_shares, saturated};
use crate::engine::{BlockField, CandidatePart, CollectionFacts, RankWord, WordRow, total_weight};

/// BM25F over the block's own fields, as in [`Feature::Bm25f`](super::Feature::Bm25f) but for those of the page; and a word counts the
/// less the more of the page's blocks have it: `w(t) · ln(1 + n / (df + 0.5)) / ln(1 + n / 0.5)`, for n blocks of which df have it. What
/// the whole page is about tells none of its blocks from the others.
pub(crate) fn page_evidence(
    words: &[RankWord],
    facts: &CollectionFacts,
    part: &CandidatePart,
    rows: Range<usize>,
) -> Vec<f32> {
    let rows: Vec<WordRow<'_>> = rows.map(|row| part.blocks.row(row)).collect();
    let rarity = |holders: usize| (1.0 + rows.len() as f32 / (holders as f32 + 0.5)).ln();
    let weight = |(w, word): (usize, &RankWord)| {
        let holders = rows.iter().filter(|row| holds(row, w)).count();
        word.weight * rarity(holders) / rarity(0)
    };
    let weights: Vec<f32> = words.iter().enumerate().map(weight).collect();
    let total = total_weight(words);
    let evidence = |row: &WordRow<'_>| {
        let shares = block_shares(*row, facts.block_length_mean);
        let of_word = |(w, weight): (usize, &f32)| {
            let frequency: f32 = (0..BlockField::COUNT).map(|field| shares[field] * row.count(field, w)).sum();
            weight * saturated(frequency, BLOCK_K1)
        };
        weights.iter().enumerate().map(of_word).sum::<f32>() / total
    };
    rows.iter().map(evidence).collect()
}

/// The section of each block, as a number: blocks in a row have one while the headings above them are the same, as far as their lengths
/// and the query's words in them tell.
pub(crate) fn sections(words: usize, part: &CandidatePart, rows: Range<usize>) -> Vec<usize> {
    let headings = [BlockField::Headings as usize, BlockField::OwnHeading as usize];
    let mut sections = Vec::with_capacity(rows.len());
    for row in rows.clone() {
        let is_alike = |before: usize| {
            let (before, here) = (part.blocks.row(before), part.blocks.row(row));
            let of_word = |field: usize, w: usize| before.count(field, w) == here.count(field, w);
            headings
                .into_iter()
                .all(|field| before.length(field) == here.length(field) && (0..words).all(|w| of_word(field, w)))
        };
        let before = sections.last().copied().unwrap_or(0);
        sections.push(if row > rows.start && !is_alike(row - 1) { before + 1 } else { before });
    }
    sections
}

fn holds(row: &WordRow<'_>, word: usize) -> bool {
    (0..BlockField::COUNT).any(|field| row.count(field, word) > 0.0)
}
