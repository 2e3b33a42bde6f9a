//! What a judge said of a page's runs, in a form that is kept with the tree.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::cst::{ContentStructureTree, RunId};

/// Steps of a probability as it is kept.
const STEPS: f32 = 255.0;

/// Steps of a contribution as it is kept, for 1 of log-odds.
const CONTRIBUTION_STEPS: f32 = 16.0;

/// The run is content.
const KEPT: u8 = 1;

/// The run is a reader's comment.
const COMMENT: u8 = 2;

/// The run is certainly none of the page's text, whatever its words are.
const PASSED_OVER: u8 = 4;

/// A judgement of every run of a page: 2 bytes a run, and the reasons of some.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct JudgedRuns {
    /// The judge's name.
    pub judge: String,
    /// Probability of being content, in 255ths, by run.
    probability: Vec<u8>,
    /// [`KEPT`], [`COMMENT`] and [`PASSED_OVER`], by run.
    flags: Vec<u8>,
    /// Names of the features that are reasons.
    features: Vec<String>,
    /// Reasons by run, ascending; not all runs have some.
    reasons: Vec<(u32, Vec<StoredReason>)>,
}

/// What a judge says of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunJudgement {
    /// Probability of being content, in [0, 1].
    pub probability: f32,
    /// Whether it is content.
    pub kept: bool,
    /// Whether it is a reader's comment.
    pub comment: bool,
}

/// A reason as it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StoredReason {
    /// Place of the name among the page's.
    feature: u32,
    value: f32,
    /// In 16ths of log-odds.
    contribution: i8,
}

/// One reason for a run's probability.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunReason {
    /// The feature's name.
    pub feature: String,
    /// Its value for this run.
    pub value: f32,
    /// What it added to the log-odds of being content, in 16ths, at most 8 either way.
    pub contribution: f32,
}

impl JudgedRuns {
    /// Of the judge `judge`.
    pub fn new(judge: &str, runs: impl IntoIterator<Item = RunJudgement>) -> Self {
        let mut judged = Self { judge: judge.to_owned(), ..Self::default() };
        for run in runs {
            judged.probability.push((run.probability.clamp(0.0, 1.0) * STEPS).round() as u8);
            judged.flags.push(if run.kept { KEPT } else { 0 } | if run.comment { COMMENT } else { 0 });
        }
        judged
    }

    /// Whether there is a judgement of each of so many runs.
    pub fn is_of(&self, runs: usize) -> bool {
        self.probability.len() == runs && self.flags.len() == runs
    }

    /// Says of some runs that they only lead to other pages, or are the site's: they are none of the page's text, however much of its topic
    /// they name.
    pub fn pass_over(&mut self, runs: &[RunId]) {
        for run in runs {
            if let Some(flags) = self.flags.get_mut(*run) {
                *flags |= PASSED_OVER;
            }
        }
    }

    /// Whether a run is certainly none of the page's text.
    pub fn is_passed_over(&self, run: RunId) -> bool {
        self.flags.get(run).is_some_and(|flags| flags & PASSED_OVER != 0)
    }

    /// Keeps the reasons for a run; runs come in ascending order.
    pub(crate) fn push_reasons<'r>(&mut self, run: RunId, reasons: impl Iterator<Item = (&'r str, f32, f32)>) {
        debug_assert!(self.reasons.last().is_none_or(|(last, _)| (*last as usize) < run));
        let reasons = reasons.map(|(feature, value, contribution)| StoredReason {
            feature: self.feature(feature),
            value,
            contribution: (contribution * CONTRIBUTION_STEPS).round().clamp(-127.0, 127.0) as i8,
        });
        let reasons = reasons.collect();
        self.reasons.push((run as u32, reasons));
    }

    /// The place of a feature's name.
    fn feature(&mut self, name: &str) -> u32 {
        let place = self.features.iter().position(|known| known == name).unwrap_or_else(|| {
            self.features.push(name.to_owned());
            self.features.len() - 1
        });
        place as u32
    }

    /// What was said of a run.
    pub fn run(&self, run: RunId) -> Option<RunJudgement> {
        let (probability, flags) = (*self.probability.get(run)?, *self.flags.get(run)?);
        Some(RunJudgement {
            probability: f32::from(probability) / STEPS,
            kept: flags & KEPT != 0,
            comment: flags & COMMENT != 0,
        })
    }

    /// The strongest reasons for a run's probability, where they were kept.
    pub fn reasons(&self, run: RunId) -> Vec<RunReason> {
        let Ok(at) = self.reasons.binary_search_by_key(&(run as u32), |(run, _)| *run) else { return Vec::new() };
        let reason = |reason: &StoredReason| {
            let feature = self.features.get(reason.feature as usize)?.clone();
            let contribution = f32::from(reason.contribution) / CONTRIBUTION_STEPS;
            Some(RunReason { feature, value: reason.value, contribution })
        };
        self.reasons[at].1.iter().filter_map(reason).collect()
    }

    /// The run of some that says most and has reasons.
    pub fn told_run(&self, runs: Range<RunId>) -> Option<RunId> {
        let from = self.reasons.partition_point(|(run, _)| (*run as usize) < runs.start);
        self.reasons.get(from).map(|(run, _)| *run as usize).filter(|run| runs.contains(run))
    }

    /// Whether the judge keeps any run at all.
    pub(crate) fn keeps_any(&self) -> bool {
        self.flags.iter().any(|flags| flags & KEPT != 0)
    }

    /// Whether the judge keeps one of these runs.
    pub(crate) fn keeps_some(&self, runs: Range<RunId>) -> bool {
        self.flags.get(runs).is_some_and(|flags| flags.iter().any(|flags| flags & KEPT != 0))
    }

    /// Mean probability of some runs, by the bytes of their text; 0 where they have none.
    pub fn mean(&self, tree: &ContentStructureTree, runs: impl Iterator<Item = RunId>) -> f32 {
        let (mut sum, mut bytes) = (0.0, 0.0);
        for run in runs {
            let len = tree.runs()[run].text.len() as f64;
            sum += len * f64::from(self.probability.get(run).copied().unwrap_or(0));
            bytes += len;
        }
        if bytes == 0.0 { 0.0 } else { (sum / bytes) as f32 / STEPS }
    }
}

/// Sums over the runs of a page, so that the mean probability of any stretch of them is had at once.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContentSums(Vec<(f64, f64)>);

impl ContentSums {
    /// Of a page's runs by the lengths of their texts in bytes.
    pub(crate) fn new(lengths: impl Iterator<Item = usize>, judged: &JudgedRuns) -> Self {
        let mut sums = Vec::with_capacity(judged.probability.len() + 1);
        let (mut weighted, mut bytes) = (0.0, 0.0);
        sums.push((weighted, bytes));
        for (length, probability) in lengths.zip(&judged.probability) {
            weighted += length as f64 * f64::from(*probability);
            bytes += length as f64;
            sums.push((weighted, bytes));
        }
        Self(sums)
    }

    /// As [`JudgedRuns::mean`].
    pub(crate) fn mean(&self, runs: Range<RunId>) -> f32 {
        self.of(runs).map_or(0.0, mean)
    }

    /// The mean of all runs but some, and the share of the text that they are.
    pub(crate) fn outside(&self, runs: Range<RunId>) -> (f32, f32) {
        let (Some(own), Some(all)) = (self.of(runs), self.0.last()) else { return (0.0, 0.0) };
        let rest = (all.0 - own.0, all.1 - own.1);
        (mean(rest), if all.1 == 0.0 { 0.0 } else { (rest.1 / all.1) as f32 })
    }

    /// Of some runs the sum of bytes times probability, and of bytes.
    fn of(&self, runs: Range<RunId>) -> Option<(f64, f64)> {
        let (before, after) = (self.0.get(runs.start)?, self.0.get(runs.end)?);
        Some((after.0 - before.0, after.1 - before.1))
    }
}

fn mean((weighted, bytes): (f64, f64)) -> f32 {
    if bytes == 0.0 { 0.0 } else { (weighted / bytes) as f32 / STEPS }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    fn judged() -> JudgedRuns {
        let run = |probability, kept| RunJudgement { probability, kept, comment: !kept };
        JudgedRuns::new("lopper", [run(0.25, false), run(1.0, true), run(0.0, false)])
    }

    #[test]
    fn what_was_said_is_kept() {
        let mut judged = judged();
        judged.push_reasons(1, [("words", 12.0, 1.5), ("in_nav", 1.0, -99.0)].into_iter());
        let bytes = postcard::to_stdvec(&judged).unwrap();
        let read: JudgedRuns = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(read, judged);
        assert!(read.is_of(3) && !read.is_of(2));
        let first = read.run(0).unwrap();
        assert!((first.probability - 0.25).abs() < 0.5 / 255.0 && !first.kept && first.comment);
        assert_eq!(read.run(3), None);
        let reasons = read.reasons(1);
        assert!(reasons[0].feature == "words" && (reasons[0].contribution - 1.5).abs() < 1e-6);
        assert!((reasons[1].contribution + 127.0 / 16.0).abs() < 1e-6);
        assert_eq!((read.told_run(0..3), read.told_run(2..3)), (Some(1), None));
        assert!(read.keeps_any() && read.keeps_some(1..2) && !read.keeps_some(2..3));
        judged.pass_over(&[2, 7]);
        assert_eq!([1, 2, 7].map(|run| judged.is_passed_over(run)), [false, true, false]);
        assert!(judged.run(2).is_some_and(|said| !said.kept && said.comment), "the rest is as it was");
    }

    #[test]
    fn means_are_by_length() {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse("<p>abc<p>d<p>ef", &limits), Profile::Modern, &limits);
        let judged = judged();
        let sums = ContentSums::new(tree.runs().iter().map(|run| run.text.len()), &judged);
        let (mean, share) = sums.outside(0..2);
        assert!(mean == 0.0 && (share - 2.0 / 6.0).abs() < 1e-6);
        assert!((sums.mean(0..2) - (3.0 * 64.0 / 255.0 + 1.0) / 4.0).abs() < 1e-6);
        assert!(sums.mean(2..3) == 0.0 && sums.mean(1..1) == 0.0 && sums.mean(5..9) == 0.0);
        assert!((sums.mean(0..3) - judged.mean(&tree, 0..3)).abs() < 1e-6);
    }
}
