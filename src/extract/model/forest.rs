//! Evaluating a forest: the sum of one leaf of each tree.
//!
//! A leaf is a node that leads to itself, so that every row takes the same number of steps through a tree and rows go down side
//! by side without waiting for each other.

/// Rows that go down a tree side by side.
const LANES: usize = 8;

/// Rows that go through all trees before the next ones, so that they stay in the nearest cache.
const ROWS_TOGETHER: usize = 16;

/// A decision: left if the feature is at most the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node {
    pub(super) threshold: f32,
    pub(super) feature: u16,
    /// Left and right: nodes of the tree. A leaf is its own child.
    pub(super) children: [u8; 2],
}

/// Where a tree's nodes are, its root first, and how many steps the longest way down has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tree {
    pub(super) first: u32,
    pub(super) nodes: u16,
    pub(super) depth: u16,
}

/// Trees whose values are summed up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forest {
    pub(super) base: f32,
    pub(super) trees: Vec<Tree>,
    pub(super) nodes: Vec<Node>,
    /// Of a leaf its value, of another node the mean value below it.
    pub(super) values: Vec<f32>,
    /// One more than the highest feature number.
    pub(super) width: usize,
}

impl Node {
    /// A leaf at a place of its tree.
    pub(super) fn leaf(at: u8) -> Self {
        Self { threshold: f32::INFINITY, feature: 0, children: [at, at] }
    }
}

impl Forest {
    /// Number of trees.
    pub fn len(&self) -> usize {
        self.trees.len()
    }

    /// Whether it says the same of every row.
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// Features that a row must have at least.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The probability for each row; rows are `width` values long.
    ///
    /// # Panics
    ///
    /// When rows are shorter than the features that the forest asks for.
    pub fn predict(&self, rows: &[f32], width: usize) -> Vec<f32> {
        assert!(width >= self.width.max(1), "rows of {width} features for a forest of {}", self.width);
        let mut sums = vec![self.base; rows.len() / width];
        for (rows, sums) in rows.chunks(width * ROWS_TOGETHER).zip(sums.chunks_mut(ROWS_TOGETHER)) {
            for tree in &self.trees {
                for (rows, sums) in rows.chunks(width * LANES).zip(sums.chunks_mut(LANES)) {
                    self.add_tree(*tree, rows, width, sums);
                }
            }
        }
        sums.into_iter().map(probability).collect()
    }

    /// Adds a tree's values to the sums of at most [`LANES`] rows.
    #[inline]
    fn add_tree(&self, tree: Tree, rows: &[f32], width: usize, sums: &mut [f32]) {
        let (nodes, values) = self.of_tree(tree);
        let mut at = [0_u8; LANES];
        for _ in 0..tree.depth {
            for (row, at) in rows.chunks_exact(width).zip(&mut at) {
                *at = step(nodes, row, *at);
            }
        }
        for (sum, at) in sums.iter_mut().zip(at) {
            *sum += values[at as usize];
        }
    }

    fn of_tree(&self, tree: Tree) -> (&[Node], &[f32]) {
        let range = tree.first as usize..tree.first as usize + tree.nodes as usize;
        (&self.nodes[range.clone()], &self.values[range])
    }

    /// What each feature added to a row's sum: at every decision the change of the mean value below, given to the feature
    /// that was asked. The rest, up to the sum, is the same for all rows.
    pub fn contributions(&self, row: &[f32]) -> Vec<f32> {
        let mut added = vec![0.0; row.len()];
        for tree in &self.trees {
            let (nodes, values) = self.of_tree(*tree);
            let mut at = 0;
            for _ in 0..tree.depth {
                let next = step(nodes, row, at);
                added[nodes[at as usize].feature as usize] += values[next as usize] - values[at as usize];
                at = next;
            }
        }
        added
    }
}

#[inline]
fn step(nodes: &[Node], row: &[f32], at: u8) -> u8 {
    let node = &nodes[at as usize];
    node.children[usize::from(row[node.feature as usize] > node.threshold)]
}

/// The logistic function.
fn probability(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x0 <= 1 ? (x1 <= 0 ? -1 : 2) : 3`, and a tree that is one leaf.
    fn hand_made() -> Forest {
        let node = |feature, threshold, children| Node { threshold, feature, children };
        Forest {
            base: 0.5,
            trees: vec![Tree { first: 0, nodes: 5, depth: 2 }, Tree { first: 5, nodes: 1, depth: 0 }],
            nodes: vec![
                node(0, 1.0, [1, 4]),
                node(1, 0.0, [2, 3]),
                Node::leaf(2),
                Node::leaf(3),
                Node::leaf(4),
                Node::leaf(0),
            ],
            values: vec![1.0, 0.5, -1.0, 2.0, 3.0, 0.25],
            width: 2,
        }
    }

    #[test]
    fn rows_reach_their_leaves() {
        let probabilities = hand_made().predict(&[1.0, 0.0, 1.0, 0.1, 1.5, 0.0], 2);
        let expected = [-0.25, 2.75, 3.75].map(probability);
        assert_eq!(probabilities, expected);
    }

    #[test]
    fn contributions_sum_to_the_way_down() {
        assert_eq!(hand_made().contributions(&[1.0, 0.1]), [-0.5, 1.5]);
        assert_eq!(hand_made().contributions(&[2.0, 0.1]), [2.0, 0.0]);
    }

    #[test]
    fn many_rows_are_the_same_as_one() {
        let rows: Vec<f32> = (0..200).map(|i| (i % 7) as f32 - 2.0).collect();
        let forest = hand_made();
        let together = forest.predict(&rows, 2);
        let single: Vec<f32> = rows.chunks(2).flat_map(|row| forest.predict(row, 2)).collect();
        assert_eq!(together, single);
    }
}
