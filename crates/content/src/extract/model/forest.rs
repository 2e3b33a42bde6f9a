//! Evaluating a forest: the sum of one leaf of each tree.
//!
//! Every tree is laid out as a full one of [`DEPTH`] levels, the children of node `i` at `2i` and `2i + 1`: a step is one comparison
//! without a branch, all rows take as many steps as the tree is deep, and several go down side by side without waiting for each other.

use crate::extract::row::{ROW_FEATURES_MAX, Row};

/// Rows that go down a tree side by side, and through all trees before the next ones, so that they stay in the nearest cache. With eight it
/// takes a third more time.
pub(crate) const LANES: usize = 16;

/// The same for the rows that are left.
const LANES_OF_REST: usize = 4;

/// Decisions from a tree's root to each of its leaves; a tree that is not as deep is filled up.
pub(super) const DEPTH: usize = 7;

/// Places of a tree's leaves begin here; those of its decisions at 1.
pub(super) const LEAVES: usize = 1 << DEPTH;

/// A decision: left if the feature is at most the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node {
    pub(super) threshold: f32,
    pub(super) feature: u16,
}

impl Node {
    /// Leads left whatever the row: above a leaf that is not as deep as others.
    pub(super) const LEFT: Self = Self { threshold: f32::INFINITY, feature: 0 };

    #[inline]
    fn leads_right(self, row: &Row) -> bool {
        row[self.feature as usize % ROW_FEATURES_MAX] > self.threshold
    }
}

/// A tree: its decisions and, of each place, the mean value below it, which for a leaf is its own.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    nodes: [Node; LEAVES],
    values: [f32; 2 * LEAVES],
    /// Decisions on the longest way. With a number that is known beforehand the compiler would join the levels, to its loss.
    depth: u32,
}

/// Trees whose values are summed up.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Forest {
    pub(super) base: f32,
    pub(super) trees: Vec<Tree>,
}

impl Tree {
    /// A tree that says 0 of every row.
    pub(super) fn empty() -> Self {
        Self { nodes: [Node::LEFT; LEAVES], values: [0.0; 2 * LEAVES], depth: 0 }
    }

    /// Puts a decision at a place, with the mean value below it.
    pub(super) fn decide(&mut self, place: usize, node: Node, mean: f32) {
        (self.nodes[place], self.values[place]) = (node, mean);
        self.depth = self.depth.max(place.ilog2() + 1);
    }

    /// Puts a leaf at a place, and so at all that are below it.
    pub(super) fn fill(&mut self, place: usize, value: f32) {
        let (mut first, mut count) = (place, 1);
        while first < 2 * LEAVES {
            self.values[first..first + count].fill(value);
            (first, count) = (first * 2, count * 2);
        }
    }

    /// Adds its values to the sums of some rows.
    ///
    /// All of it is one piece for the compiler: with the places in memory, as a call would have them, it compares rows side by side, in a
    /// quarter fewer instructions, but more time.
    #[allow(clippy::inline_always, reason = "measured: 4 % of the time of extraction")]
    #[inline(always)]
    fn add_values_of<const COUNT: usize>(&self, rows: &[Row; COUNT], sums: &mut [f32; COUNT]) {
        let mut at = [1_u16; COUNT];
        for _ in 0..self.depth {
            for (row, at) in rows.iter().zip(&mut at) {
                *at = (*at << 1) | u16::from(self.nodes[usize::from(*at) % LEAVES].leads_right(row));
            }
        }
        for (sum, at) in sums.iter_mut().zip(at) {
            *sum += self.values[usize::from(at) % (2 * LEAVES)];
        }
    }
}

impl Forest {
    /// The probability for each row.
    pub(crate) fn predict(&self, rows: &[Row]) -> Vec<f32> {
        let mut sums = vec![self.base; rows.len()];
        let (rest, sums_of_rest) = self.add_up::<LANES>(rows, &mut sums);
        let (rest, sums_of_rest) = self.add_up::<LANES_OF_REST>(rest, sums_of_rest);
        self.add_up::<1>(rest, sums_of_rest);
        sums.into_iter().map(probability).collect()
    }

    /// Adds the trees' values to the sums of as many rows as make up whole groups of `COUNT`; gives the rest.
    ///
    /// Not inlined, since what the compiler makes of these loops would depend on what stands around them.
    #[inline(never)]
    fn add_up<'a, 'b, const COUNT: usize>(&self, rows: &'a [Row], sums: &'b mut [f32]) -> (&'a [Row], &'b mut [f32]) {
        let (rows, rest) = rows.as_chunks::<COUNT>();
        let (sums, sums_of_rest) = sums.as_chunks_mut::<COUNT>();
        for (rows, sums) in rows.iter().zip(sums) {
            for tree in &self.trees {
                tree.add_values_of(rows, sums);
            }
        }
        (rest, sums_of_rest)
    }

    /// What each feature added to a row's sum: at every decision the change of the mean value below, given to the feature
    /// that was asked. The rest, up to the sum, is the same for all rows.
    pub(crate) fn contributions(&self, row: &Row) -> Vec<f32> {
        let mut added = vec![0.0; ROW_FEATURES_MAX];
        for tree in &self.trees {
            let mut at = 1;
            while at < LEAVES {
                let node = &tree.nodes[at];
                let next = at * 2 + usize::from(node.leads_right(row));
                added[node.feature as usize % ROW_FEATURES_MAX] += tree.values[next] - tree.values[at];
                at = next;
            }
        }
        added
    }
}

/// The logistic function.
fn probability(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: [f32; 2]) -> Row {
        let mut row = [0.0; ROW_FEATURES_MAX];
        row[..2].copy_from_slice(&values);
        row
    }

    /// `x0 <= 1 ? (x1 <= 0 ? -1 : 2) : 3`, and a tree that is one leaf.
    fn hand_made() -> Forest {
        let (mut first, mut second) = (Tree::empty(), Tree::empty());
        first.decide(1, Node { feature: 0, threshold: 1.0 }, 1.0);
        first.decide(2, Node { feature: 1, threshold: 0.0 }, 0.5);
        for (place, value) in [(3, 3.0), (4, -1.0), (5, 2.0)] {
            first.fill(place, value);
        }
        second.fill(1, 0.25);
        Forest { base: 0.5, trees: vec![first, second] }
    }

    #[test]
    fn rows_reach_their_leaves() {
        let probabilities = hand_made().predict(&[row([1.0, 0.0]), row([1.0, 0.1]), row([1.5, 0.0])]);
        let expected = [-0.25, 2.75, 3.75].map(probability);
        assert_eq!(probabilities, expected);
    }

    #[test]
    fn contributions_sum_to_the_way_down() {
        assert_eq!(hand_made().contributions(&row([1.0, 0.1]))[..2], [-0.5, 1.5]);
        assert_eq!(hand_made().contributions(&row([2.0, 0.1]))[..2], [2.0, 0.0]);
    }

    #[test]
    fn many_rows_are_the_same_as_one() {
        let rows: Vec<Row> = (0..100).map(|i| row([(i % 7) as f32 - 2.0, (i % 3) as f32 - 1.0])).collect();
        let forest = hand_made();
        let together = forest.predict(&rows);
        let single: Vec<f32> = rows.iter().flat_map(|row| forest.predict(std::slice::from_ref(row))).collect();
        assert_eq!(together, single);
    }
}
