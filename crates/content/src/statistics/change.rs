//! What pages add to the statistics, and take out of them.

use super::layer::CountLayer;
use super::{CountRun, Kind, PageKeys};

/// Pages that come and go between two snapshots.
#[derive(Debug, Clone, Default)]
pub struct StatisticsChange {
    pages: i64,
    /// By kind: hash, and in the lowest bit whether it is taken out.
    marks: [Vec<u64>; Kind::ALL.len()],
}

impl StatisticsChange {
    /// Counts a page.
    pub fn add(&mut self, page: &PageKeys) {
        self.pages += 1;
        self.mark(page, 0);
    }

    /// Undoes [`add`](Self::add) of a page with exactly these keys.
    pub fn remove(&mut self, page: &PageKeys) {
        self.pages -= 1;
        self.mark(page, 1);
    }

    fn mark(&mut self, page: &PageKeys, removed: u64) {
        for (marks, kind) in self.marks.iter_mut().zip(Kind::ALL) {
            marks.extend(page.of(kind).iter().map(|hash| hash << 1 | removed));
        }
    }

    /// Whether no page came or went.
    pub fn is_empty(&self) -> bool {
        self.pages == 0 && self.marks.iter().all(Vec::is_empty)
    }

    /// Keys that come and go.
    pub fn len(&self) -> usize {
        self.marks.iter().map(Vec::len).sum()
    }

    /// Pages that come, less those that go.
    pub(super) fn pages(&self) -> i64 {
        self.pages
    }

    pub(super) fn into_layer(self, epoch: u64) -> CountLayer {
        CountLayer::new(epoch, self.marks.map(run_of))
    }
}

fn run_of(mut marks: Vec<u64>) -> CountRun {
    marks.sort_unstable();
    let of_one_hash = |one: &u64, other: &u64| one >> 1 == other >> 1;
    let count = |marks: &[u64]| marks.iter().map(|mark| 1 - 2 * (mark & 1) as i64).sum();
    let counts: Vec<(u64, i64)> = marks.chunk_by(of_one_hash).map(|marks| (marks[0] >> 1, count(marks))).collect();
    CountRun::from_sorted(counts.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_and_goes_is_no_change() {
        let mut change = StatisticsChange::default();
        change.add(&PageKeys::of_terms(["oak", "tree"]));
        change.remove(&PageKeys::of_terms(["oak", "elm"]));
        assert_eq!((change.pages(), change.len(), change.is_empty()), (0, 4, false));
        let layer = change.into_layer(7);
        let terms = layer.run(Kind::Term);
        assert_eq!((terms.entries(), terms.total(), layer.epoch()), (2, 0, 7));
        assert_eq!(terms.count(super::super::term_hash("elm")), -1);
    }
}
