//! What each block of one page has of a query, beside the page's other blocks.

use std::iter;
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
    // Numbers are compared by their bits: they are alike where they were counted alike.
    let bits_of = |row: usize| {
        let row = part.blocks.row(row);
        let of_field =
            move |field| iter::once(row.length(field)).chain((0..words).map(move |word| row.count(field, word)));
        headings.into_iter().flat_map(of_field).map(f32::to_bits)
    };
    let mut section = 0;
    let number = |row: usize| {
        section += usize::from(row > rows.start && !bits_of(row - 1).eq(bits_of(row)));
        section
    };
    rows.clone().map(number).collect()
}

fn holds(row: &WordRow<'_>, word: usize) -> bool {
    (0..BlockField::COUNT).any(|field| row.count(field, word) > 0.0)
}
