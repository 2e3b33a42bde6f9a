//! Evaluating a forest: the sum of one leaf of each tree.

/// Child numbers from here on are leaves.
pub(super) const LEAF: u8 = 128;

/// Rows that go through a tree together, so that tree and rows stay in the nearest cache.
const ROWS_TOGETHER: usize = 16;

/// A decision: left if the feature is at most the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node {
    pub(super) threshold: f32,
    pub(super) feature: u16,
    /// Left and right: a node of the tree, or [`LEAF`] and a leaf of the tree.
    pub(super) children: [u8; 2],
}

/// Where a tree's parts are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tree {
    pub(super) first_node: u32,
    pub(super) nodes: u32,
    pub(super) first_leaf: u32,
    pub(super) leaves: u32,
}

/// Trees whose values are summed up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forest {
    pub(super) base: f32,
    pub(super) trees: Vec<Tree>,
    pub(super) nodes: Vec<Node>,
    /// Mean value below each node, for explanations.
    pub(super) means: Vec<f32>,
    pub(super) leaves: Vec<f32>,
    /// One more than the highest feature number.
    pub(super) width: usize,
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

    /// The probability for each row; rows are `width` values long.
    ///
    /// # Panics
    ///
    /// When rows are shorter than the features that the forest asks for.
    pub fn predict(&self, rows: &[f32], width: usize) -> Vec<f32> {
        assert!(width >= self.width, "rows of {width} features for a forest of {}", self.width);
        let mut sums = vec![self.base; rows.len() / width];
        for (rows, sums) in rows.chunks(width * ROWS_TOGETHER).zip(sums.chunks_mut(ROWS_TOGETHER)) {
            for tree in &self.trees {
                for (row, sum) in rows.chunks_exact(width).zip(sums.iter_mut()) {
                    *sum += self.leaf_value(tree, row);
                }
            }
        }
        sums.into_iter().map(probability).collect()
    }

    #[inline]
    fn leaf_value(&self, tree: &Tree, row: &[f32]) -> f32 {
        if tree.nodes == 0 {
            return self.leaves[tree.first_leaf as usize];
        }
        let nodes = &self.nodes[tree.first_node as usize..][..tree.nodes as usize];
        let mut at = 0;
        while at < LEAF {
            at = step(&nodes[at as usize], row);
        }
        self.leaves[tree.first_leaf as usize + (at - LEAF) as usize]
    }

    /// What each feature added to a row's sum: at every decision the change of the mean value below, given to the feature
    /// that was asked. The rest, up to the sum, is the same for all rows.
    pub fn contributions(&self, row: &[f32]) -> Vec<f32> {
        let mut added = vec![0.0; row.len()];
        for tree in self.trees.iter().filter(|tree| tree.nodes > 0) {
            let nodes = &self.nodes[tree.first_node as usize..][..tree.nodes as usize];
            let means = &self.means[tree.first_node as usize..][..tree.nodes as usize];
            let mut at = 0;
            while at < LEAF {
                let node = &nodes[at as usize];
                let next = step(node, row);
                let mean = if next < LEAF {
                    means[next as usize]
                } else {
                    self.leaves[tree.first_leaf as usize + (next - LEAF) as usize]
                };
                added[node.feature as usize] += mean - means[at as usize];
                at = next;
            }
        }
        added
    }
}

#[inline]
fn step(node: &Node, row: &[f32]) -> u8 {
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
    pub(crate) fn hand_made() -> Forest {
        let node = |feature, threshold, children| Node { threshold, feature, children };
        Forest {
            base: 0.5,
            trees: vec![
                Tree { first_node: 0, nodes: 2, first_leaf: 0, leaves: 3 },
                Tree { first_node: 2, nodes: 0, first_leaf: 3, leaves: 1 },
            ],
            nodes: vec![node(0, 1.0, [1, LEAF + 2]), node(1, 0.0, [LEAF, LEAF + 1])],
            means: vec![1.0, 0.5],
            leaves: vec![-1.0, 2.0, 3.0, 0.25],
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
