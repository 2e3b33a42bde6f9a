//! One query's answer against its judgements.

use std::collections::{HashMap, HashSet};

use super::judged::{GoldBlock, Judged};
use super::metric::{METRICS, Metric};
use super::tokens::{self, Words};

/// Blocks of an answer that are judged as blocks.
pub(crate) const BLOCKS_READ: usize = 10;

/// Words that count as read when no block among the first [`BLOCKS_READ`] holds the gold span, and at most.
pub(crate) const READ_MAX: usize = 2000;

/// Share of the grams of the gold span that a block must hold.
pub(super) const SPAN_SHARE_MIN: f64 = 0.7;

/// A result: a block of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown<'a> {
    /// Address of the page.
    pub url: &'a str,
    /// What is shown of the block; not looked at past the first [`BLOCKS_READ`] results.
    pub text: &'a str,
}

/// The figures of one query; those of blocks are there where the gold block is known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct QueryScore([Option<f64>; METRICS]);

impl QueryScore {
    /// A figure.
    pub fn of(&self, metric: Metric) -> Option<f64> {
        self.0[metric as usize]
    }

    fn set(&mut self, metric: Metric, value: f64) {
        self.0[metric as usize] = Some(value);
    }
}

/// Scores an answer, best result first.
pub(crate) fn score(results: &[Shown<'_>], judged: &Judged) -> QueryScore {
    let mut score = QueryScore::default();
    score_pages(&mut score, results, judged);
    if !judged.blocks.is_empty() {
        score_blocks(&mut score, results, judged);
    }
    score
}

fn score_pages(score: &mut QueryScore, results: &[Shown<'_>], judged: &Judged) {
    let mut seen = HashSet::new();
    let pages = results.iter().map(|result| result.url).filter(|url| seen.insert(*url));
    let grades: Vec<f64> = pages.map(|url| judged.grade(url)).collect();
    let ideal = judged.ideal_gain();
    score.set(Metric::Ndcg10, if ideal > 0.0 { discounted_gain(&grades) / ideal } else { 0.0 });
    let first = grades.iter().take(10).position(|grade| *grade > 0.0);
    score.set(Metric::Mrr10, first.map_or(0.0, reciprocal));
    let recall = |pages: usize| {
        let found = grades.iter().take(pages).filter(|grade| **grade > 0.0).count();
        found as f64 / judged.grades.len().max(1) as f64
    };
    score.set(Metric::Recall10, recall(10));
    score.set(Metric::Recall100, recall(100));
}

fn score_blocks(score: &mut QueryScore, results: &[Shown<'_>], judged: &Judged) {
    let mut seen = Vec::new();
    for result in results.iter().take(BLOCKS_READ) {
        seen.push(judged.judge(result.url, result.text));
    }
    let hit = seen.iter().position(|block| block.is_hit);
    let read = |place: usize| seen[..=place].iter().map(|block| block.words).sum::<usize>().min(READ_MAX);
    let first = seen.first().copied().unwrap_or_default();
    for (metric, value) in [
        (Metric::BlockSuccess1, f64::from(u8::from(hit == Some(0)))),
        (Metric::BlockSuccess5, f64::from(u8::from(hit.is_some_and(|place| place < 5)))),
        (Metric::BlockMrr10, hit.map_or(0.0, reciprocal)),
        (Metric::BlockPrecision1, first.precision),
        (Metric::BlockF1, first.f1),
        (Metric::Words1, first.words as f64),
        (Metric::Read, hit.map_or(READ_MAX, read) as f64),
    ] {
        score.set(metric, value);
    }
}

fn reciprocal(place: usize) -> f64 {
    1.0 / (place + 1) as f64
}

/// `Σ grade / log2(place + 1)` of the first ten.
fn discounted_gain(grades: &[f64]) -> f64 {
    let gains = grades.iter().take(10).enumerate();
    gains.map(|(place, grade)| grade / ((place + 2) as f64).log2()).sum()
}

/// A block against a query's gold blocks.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct BlockJudgement {
    /// Whether it holds the span.
    pub(super) is_hit: bool,
    /// Share of its words that are gold; that of the best gold block.
    pub(super) precision: f64,
    /// Harmonic mean with the share of the gold's grams that it holds; that of the best gold block.
    pub(super) f1: f64,
    /// Its words.
    pub(super) words: usize,
}

impl Judged {
    pub(super) fn grade(&self, url: &str) -> f64 {
        self.grades.get(url).copied().unwrap_or(0.0)
    }

    /// The most gain that ten pages can have.
    pub(super) fn ideal_gain(&self) -> f64 {
        let mut grades: Vec<f64> = self.grades.values().copied().collect();
        grades.sort_by(|a, b| b.total_cmp(a));
        discounted_gain(&grades)
    }

    pub(super) fn judge(&self, url: &str, text: &str) -> BlockJudgement {
        let golds: Vec<&GoldBlock> = self.blocks.iter().filter(|gold| gold.url == url).collect();
        if golds.is_empty() {
            return BlockJudgement { words: tokens::count(text), ..BlockJudgement::default() };
        }
        let words = Words::of(text);
        let grams = words.gram_set();
        let mut judgement = BlockJudgement { words: words.len, ..BlockJudgement::default() };
        for gold in golds {
            judgement.is_hit |= gold.is_in(&grams);
            if words.len > 0 {
                let (precision, f1) = gold.compare(&words, &grams);
                judgement.precision = judgement.precision.max(precision);
                judgement.f1 = judgement.f1.max(f1);
            }
        }
        judgement
    }
}

impl GoldBlock {
    fn is_in(&self, grams: &HashSet<u64>) -> bool {
        let found = self.head.intersection(grams).count() as f64;
        found >= SPAN_SHARE_MIN * self.head.len() as f64
    }

    /// Precision and F1 of a block.
    fn compare(&self, words: &Words, grams: &HashSet<u64>) -> (f64, f64) {
        let precision = words.covered(&self.text) as f64 / words.len as f64;
        let recall = self.text.intersection(grams).count() as f64 / self.text.len().max(1) as f64;
        let sum = precision + recall;
        (precision, if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 })
    }
}

/// Pages of results, numbered in the order in which they first appear.
pub(super) fn page_numbers<'a>(urls: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut numbers = HashMap::new();
    let mut number = |url| {
        let next = numbers.len();
        *numbers.entry(url).or_insert(next)
    };
    urls.map(&mut number).collect()
}

#[cfg(test)]
mod tests {
    use super::super::judged::Judgement;
    use super::*;

    fn judgement(url: &str, grade: f64, gold_head: &str, gold_text: &str) -> Judgement {
        let owned = str::to_owned;
        Judgement { qid: owned("q"), url: owned(url), grade, gold_head: owned(gold_head), gold_text: owned(gold_text) }
    }

    #[track_caller]
    fn check(score: &QueryScore, expected: &[(Metric, f64)]) {
        for (metric, value) in expected {
            let found = score.of(*metric).unwrap();
            assert!((found - value).abs() < 1e-12, "{}: {found}, not {value}", metric.name());
        }
    }

    #[test]
    fn pages_by_hand() {
        let judged =
            Judged::new(&[judgement("b", 2.0, "", ""), judgement("d", 1.0, "", ""), judgement("e", 1.0, "", "")]);
        // Pages a, b, d: b is second though it has the third block; d is third.
        let shown = ["a", "a", "b", "d", "b"].map(|url| Shown { url, text: "" });
        let score = score(&shown, &judged);
        let gain = 2.0 / 3_f64.log2() + 1.0 / 4_f64.log2();
        let ideal = 2.0 + 1.0 / 3_f64.log2() + 1.0 / 4_f64.log2();
        check(&score, &[(Metric::Ndcg10, gain / ideal), (Metric::Mrr10, 0.5), (Metric::Recall10, 2.0 / 3.0)]);
        assert_eq!(score.of(Metric::BlockF1), None);
    }

    #[test]
    fn blocks_by_hand() {
        let judged = Judged::new(&[judgement("b", 1.0, "one two three four", "one two three four five six")]);
        let shown = |url, text| Shown { url, text };
        // The span has two grams, of which both must be there (0.7 of 2); the first result has one of them.
        let results =
            [shown("b", "so one two three or"), shown("a", "one two three four"), shown("b", "One, two (three) four")];
        let precision: f64 = 3.0 / 5.0;
        let recall = 1.0 / 4.0;
        check(
            &score(&results, &judged),
            &[
                (Metric::BlockSuccess1, 0.0),
                (Metric::BlockSuccess5, 1.0),
                (Metric::BlockMrr10, 1.0 / 3.0),
                (Metric::BlockPrecision1, precision),
                (Metric::BlockF1, 2.0 * precision * recall / (precision + recall)),
                (Metric::Words1, 5.0),
                (Metric::Read, 13.0),
            ],
        );
    }

    #[test]
    fn nothing_found_is_read_in_vain() {
        let judged = Judged::new(&[judgement("b", 1.0, "one two three", "")]);
        check(&score(&[], &judged), &[(Metric::Ndcg10, 0.0), (Metric::Read, 2000.0), (Metric::BlockMrr10, 0.0)]);
        // The eleventh block comes too late.
        let mut shown = vec![Shown { url: "a", text: "x" }; BLOCKS_READ];
        shown.push(Shown { url: "b", text: "one two three" });
        check(&score(&shown, &judged), &[(Metric::Ndcg10, 1.0 / 3_f64.log2()), (Metric::Read, 2000.0)]);
    }

    #[test]
    fn pages_are_numbered_by_appearance() {
        assert_eq!(page_numbers(["b", "a", "b", "c"].into_iter()), [0, 1, 0, 2]);
    }
}
