//! What a method decided, by run.

use crate::cst::{ContentStructureTree, RunId};

/// What a method decided about a page. Both arrays have an element for every run of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether the run is main content.
    pub kept: Vec<bool>,
    /// How strongly the method holds that it is: more is better. Each method tells its scale.
    pub score: Vec<f32>,
}

impl Verdict {
    /// The kept runs' text, each on a line of its own.
    pub fn text(&self, tree: &ContentStructureTree) -> String {
        let runs = tree.runs().iter().zip(&self.kept).filter(|(run, kept)| **kept && !run.text.is_empty());
        let texts: Vec<_> = runs.map(|(run, _)| tree.run_text(run)).collect();
        texts.join("\n")
    }
}

/// Gathers decisions about pieces of runs.
///
/// Differs from all papers, which know no runs: 1) a run is kept when more than half of its characters are, and its score is
/// the mean of its pieces' by characters; 2) a run of images alone goes with its neighbours: it is kept when the nearest runs
/// with text before and after it both are.
pub(super) struct Tally<'a> {
    tree: &'a ContentStructureTree,
    runs: Vec<RunTally>,
}

#[derive(Clone, Copy, Default)]
struct RunTally {
    chars: u32,
    kept_chars: u32,
    weighted_score: f64,
}

impl RunTally {
    fn kept(self) -> bool {
        self.kept_chars * 2 > self.chars
    }

    fn score(self) -> f32 {
        (self.weighted_score / f64::from(self.chars.max(1))) as f32
    }
}

impl<'a> Tally<'a> {
    pub(super) fn new(tree: &'a ContentStructureTree) -> Self {
        Self { tree, runs: vec![RunTally::default(); tree.runs().len()] }
    }

    /// Takes in a decision about `chars` characters of a run.
    pub(super) fn add(&mut self, run: RunId, chars: u32, kept: bool, score: f64) {
        let Some(tally) = self.runs.get_mut(run) else { return };
        tally.chars += chars;
        tally.kept_chars += if kept { chars } else { 0 };
        tally.weighted_score += score * f64::from(chars);
    }

    pub(super) fn settle(self) -> Verdict {
        let mut kept: Vec<_> = self.runs.iter().map(|run| run.kept()).collect();
        let mut score: Vec<_> = self.runs.iter().map(|run| run.score()).collect();
        let mut before = None;
        let mut run = 0;
        while run < self.runs.len() {
            if self.runs[run].chars > 0 {
                before = Some(run);
                run += 1;
                continue;
            }
            let after = (run..self.runs.len()).find(|at| self.runs[*at].chars > 0);
            let end = after.unwrap_or(self.runs.len());
            let neighbours = || before.into_iter().chain(after);
            let goes_with_them = neighbours().next().is_some() && neighbours().all(|at| kept[at]);
            let lowest = neighbours().map(|at| score[at]).min_by(f32::total_cmp).unwrap_or(0.0);
            kept[run..end].fill(goes_with_them);
            score[run..end].fill(lowest);
            run = end;
        }
        debug_assert_eq!(kept.len(), self.tree.runs().len());
        Verdict { kept, score }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    #[test]
    fn a_run_goes_with_most_of_its_characters_and_an_image_with_its_neighbours() {
        let html = "<p>a</p><img src=1><p>b</p><p><img src=2><p><img src=3><p>c</p><img src=4>";
        let dom = dom::parse(html, &Limits::default());
        let tree = cst::build(&dom, Profile::Modern, &Limits::default());
        assert_eq!(tree.runs().len(), 7);
        let mut tally = Tally::new(&tree);
        tally.add(0, 3, true, 1.0);
        tally.add(0, 2, false, 0.0);
        tally.add(2, 4, true, 0.5);
        tally.add(5, 2, true, 1.0);
        tally.add(5, 2, false, 1.0);
        let verdict = tally.settle();
        assert_eq!(verdict.kept, [true, true, true, false, false, false, false]);
        assert_eq!(verdict.score, [0.6, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0]);
        assert_eq!(verdict.text(&tree), "a\nb");
    }
}
