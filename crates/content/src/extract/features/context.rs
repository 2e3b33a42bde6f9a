//! Features of the second pass: what the first pass thinks of the units around.

use super::sink::{Name, Names, Sink, Values, share};
use super::{BLOCK_LEVELS, UnitLinks};
use crate::extract::row::Row;

/// Neighbours on each side.
const REACH: i16 = 3;

/// Half widths of the windows.
const WINDOWS: [usize; 3] = [2, 5, 15];

/// From this probability on, a unit counts as kept.
const KEPT: f32 = 0.5;

/// First-pass probabilities with their running sums.
#[derive(Debug)]
pub struct Context<'a> {
    probability: &'a [f32],
    words: &'a [f32],
    links: &'a UnitLinks,
    /// Sums of words and of words by probability, over the units before each.
    sums: Vec<(f64, f64)>,
    /// By make: words, words by probability, highest and lowest probability.
    makes: Vec<(f32, f32, f32, f32)>,
    /// Closest kept unit before and behind each.
    kept_before: Vec<Option<usize>>,
    kept_behind: Vec<Option<usize>>,
    /// Share of units with a higher probability.
    rank: Vec<f32>,
    /// Probability at which the page is cut for the highest expected F1.
    cut: f32,
    expected: f32,
}

/// Number of features of the second pass.
pub fn width() -> usize {
    names().len()
}

/// Names of the features of the second pass.
pub fn names() -> Vec<String> {
    let links = UnitLinks { make: vec![0], blocks: vec![[(0, 1); BLOCK_LEVELS]] };
    let mut names = Names::default();
    Context::new(&[0.5], &[1.0], &links).put(&mut names, 0);
    names.0
}

impl<'a> Context<'a> {
    /// Reads the first pass's probabilities of all units of a page.
    pub fn new(probability: &'a [f32], words: &'a [f32], links: &'a UnitLinks) -> Self {
        let mut sums = vec![(0.0, 0.0)];
        let mut total = (0.0, 0.0);
        for (probability, words) in probability.iter().zip(words) {
            total.0 += f64::from(*words);
            total.1 += f64::from(*words * *probability);
            sums.push(total);
        }
        let order = crate::extract::cut::order(probability);
        let cut = crate::extract::cut::best(probability, words, &order);
        let mut rank = vec![0.0; words.len()];
        for (place, unit) in order.iter().enumerate() {
            rank[*unit] = place as f32 / words.len() as f32;
        }
        let kept = |unit: &usize| probability[*unit] >= KEPT;
        let mut context = Self {
            probability,
            words,
            links,
            sums,
            makes: Vec::new(),
            kept_before: nearest((0..words.len()).collect(), kept),
            kept_behind: nearest((0..words.len()).rev().collect(), kept),
            rank,
            cut: cut.threshold,
            expected: cut.expected_f1,
        };
        context.count_makes();
        context
    }

    fn count_makes(&mut self) {
        let count = self.links.make.iter().max().map_or(0, |make| *make as usize + 1);
        self.makes = vec![(0.0, 0.0, 0.0, 1.0); count];
        for (unit, make) in self.links.make.iter().enumerate() {
            let (probability, words) = (self.probability[unit], self.words[unit]);
            let make = &mut self.makes[*make as usize];
            make.0 += words;
            make.1 += words * probability;
            make.2 = make.2.max(probability);
            make.3 = make.3.min(probability);
        }
    }

    /// Mean probability of the units `first..end`, by words.
    fn mean(&self, first: usize, end: usize) -> f32 {
        let (from, to) = (self.sums[first], self.sums[end]);
        share((to.1 - from.1) as f32, (to.0 - from.0) as f32)
    }

    /// Writes a unit's features into a row, from a feature's number on.
    pub fn write(&self, unit: usize, row: &mut Row, from: usize) {
        self.put(&mut Values::new(row, from), unit);
    }

    fn put(&self, sink: &mut impl Sink, unit: usize) {
        let own = self.probability[unit];
        sink.put("first_pass", own);
        for offset in (-REACH..=REACH).filter(|offset| *offset != 0) {
            let at = unit.checked_add_signed(isize::from(offset)).and_then(|at| self.probability.get(at));
            sink.put(Name("first_pass_next", offset, ""), at.copied().unwrap_or(-1.0));
        }
        for width in WINDOWS {
            let (first, end) = (unit.saturating_sub(width), (unit + width + 1).min(self.words.len()));
            sink.put(Name("first_pass_window", width as i16, ""), self.mean(first, end));
            sink.put(Name("first_pass_before", width as i16, ""), self.mean(first, unit));
            sink.put(Name("first_pass_behind", width as i16, ""), self.mean(unit + 1, end.max(unit + 1)));
        }
        self.put_blocks(sink, unit);
        let make = self.makes[self.links.make[unit] as usize];
        sink.put("first_pass_make", share(make.1, make.0));
        sink.put("first_pass_make_highest", make.2);
        sink.put("first_pass_make_lowest", make.3);
        self.put_page(sink, unit);
    }

    fn put_blocks(&self, sink: &mut impl Sink, unit: usize) {
        for (level, (first, end)) in self.links.blocks[unit].into_iter().enumerate() {
            let (first, end) = (first as usize, end as usize);
            let name = |part| Name("first_pass_block", level as i16, part);
            sink.put(name("mean"), self.mean(first, end));
            sink.put(name("before"), self.mean(first, unit));
            sink.put(name("behind"), self.mean(unit + 1, end.max(unit + 1)));
        }
    }

    fn put_page(&self, sink: &mut impl Sink, unit: usize) {
        let count = self.words.len();
        let total = self.sums[count];
        sink.put("first_pass_page", self.mean(0, count));
        sink.put("first_pass_words", (total.1 as f32).ln_1p());
        sink.put("first_pass_place", share(self.sums[unit].1 as f32, total.1 as f32));
        sink.put("first_pass_rank", self.rank[unit]);
        sink.put("first_pass_cut", self.cut);
        sink.put("first_pass_over_cut", self.probability[unit] - self.cut);
        sink.put("first_pass_expected", self.expected);
        let before = self.kept_before[unit].map_or(999.0, |kept| (unit - kept) as f32);
        let behind = self.kept_behind[unit].map_or(999.0, |kept| (kept - unit) as f32);
        sink.put("first_pass_kept_before", before);
        sink.put("first_pass_kept_behind", behind);
    }
}

/// For each unit the last one in `order`, up to itself, that is kept.
fn nearest(order: Vec<usize>, kept: impl Fn(&usize) -> bool) -> Vec<Option<usize>> {
    let mut found = vec![None; order.len()];
    let mut last = None;
    for unit in order {
        last = if kept(&unit) { Some(unit) } else { last };
        found[unit] = last;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::row::ROW_FEATURES_MAX;

    #[test]
    fn a_units_features_are_written_from_a_number_on() {
        let links = UnitLinks { make: vec![0, 1, 0], blocks: vec![[(0, 3); BLOCK_LEVELS]; 3] };
        let context = Context::new(&[0.9, 0.1, 0.6], &[10.0, 2.0, 5.0], &links);
        let mut row = [f32::NAN; ROW_FEATURES_MAX];
        context.write(2, &mut row, 7);
        assert!((row[7] - 0.6).abs() < 1e-6);
        assert!(row[7..7 + width()].iter().all(|value| value.is_finite()));
        assert!(row[6].is_nan() && row[7 + width()].is_nan());
    }
}
