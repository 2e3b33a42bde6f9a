//! The model file.
//!
//! Little-endian, without padding:
//!
//! ```text
//! "LOPM"  u16 version = 1  u32 digest of the feature names  u8 forests
//! forest: f32 base  f32 scale  u16 trees
//! tree:   u8 nodes  nodes × { u16 feature  f32 threshold  u8 left  u8 right  i16 mean }  (nodes + 1) × i16 leaf
//! ```
//!
//! A child below 128 is a node of its tree, one from 128 on is a leaf. Children come after their parents, at most seven below each other.
//! Values are `i16 × scale`.
//! The forests are: first pass, second pass, comments.

use super::forest::{Forest, LEAVES, Node, Tree};
use crate::extract::row::ROW_FEATURES_MAX;
use crate::model_file::{CutOff, Reader, digest};

const MAGIC: &[u8; 4] = b"LOPM";
const VERSION: u16 = 1;
const FORESTS: usize = 3;

/// Trees of a forest: a few bytes of a hostile file become 2 kB each.
const TREES_MAX: usize = 1024;

/// Child numbers from here on are leaves.
const LEAF: u8 = 128;

/// The forests of the default method.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Content or not, from a unit's own features.
    pub(crate) first: Forest,
    /// Content or not, from these and the first pass's view of the page.
    pub(crate) second: Forest,
    /// A reader's comment or not.
    pub(crate) comments: Forest,
}

/// Why a model file cannot be used.
#[derive(Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// It is no model file, or one of another version.
    #[error("not a model file of version {VERSION}")]
    NotAModel,
    /// It was trained with other features.
    #[error("the model was trained with other features: train it again")]
    OtherFeatures,
    /// It ends too early or is longer than its content.
    #[error("the model file is cut off or too long")]
    Length,
    /// A tree leads nowhere or back, is deeper than seven decisions, or asks for an unknown feature; a number is not finite or too large;
    /// there are more trees than a forest has.
    #[error("the model file is damaged in tree {tree} of forest {forest}")]
    Damaged {
        /// Forest, from 0.
        forest: usize,
        /// Tree in it, from 0.
        tree: usize,
    },
}

impl From<CutOff> for ModelError {
    fn from(_: CutOff) -> Self {
        Self::Length
    }
}

impl Model {
    /// Reads and checks a model file; `names` are the features of the second pass, those of the first at their beginning.
    ///
    /// # Errors
    ///
    /// When the file is not a sound model for these features.
    ///
    /// # Panics
    ///
    /// In debug builds when there are more features than a row has room for.
    pub fn read(bytes: &[u8], names: &[String]) -> Result<Self, ModelError> {
        debug_assert!(names.len() <= ROW_FEATURES_MAX);
        let mut reader = Reader(bytes);
        if reader.array() != Ok(*MAGIC) || reader.u16() != Ok(VERSION) {
            return Err(ModelError::NotAModel);
        }
        if reader.u32()? != digest(names) {
            return Err(ModelError::OtherFeatures);
        }
        if usize::from(reader.u8()?) != FORESTS {
            return Err(ModelError::NotAModel);
        }
        let mut next = |forest| reader.forest(forest, names.len());
        let model = Self { first: next(0)?, second: next(1)?, comments: next(2)? };
        if reader.0.is_empty() { Ok(model) } else { Err(ModelError::Length) }
    }
}

impl Reader<'_> {
    fn forest(&mut self, forest: usize, width: usize) -> Result<Forest, ModelError> {
        let (base, scale, trees) = (self.f32()?, self.f32()?, usize::from(self.u16()?));
        if !is_moderate(base) || !is_moderate(scale) || trees > TREES_MAX {
            return Err(ModelError::Damaged { forest, tree: 0 });
        }
        let mut read = Forest { base, ..Forest::default() };
        for tree in 0..trees {
            let laid_out = self.tree(scale)?.laid_out(width).ok_or(ModelError::Damaged { forest, tree })?;
            read.trees.push(laid_out);
        }
        Ok(read)
    }

    fn tree(&mut self, scale: f32) -> Result<StoredTree, CutOff> {
        let mut tree = StoredTree::default();
        let nodes = self.u8()?;
        for _ in 0..nodes {
            let (feature, threshold) = (self.u16()?, self.f32()?);
            let children = self.array()?;
            tree.nodes.push(StoredNode { node: Node { threshold, feature }, children, mean: self.scaled(scale)? });
        }
        for _ in 0..=nodes {
            tree.leaves.push(self.scaled(scale)?);
        }
        Ok(tree)
    }
}

/// Whether sums of such numbers stay finite.
fn is_moderate(number: f32) -> bool {
    number.abs() <= 1e3
}

/// A tree as the file has it.
#[derive(Default)]
struct StoredTree {
    nodes: Vec<StoredNode>,
    leaves: Vec<f32>,
}

struct StoredNode {
    node: Node,
    children: [u8; 2],
    mean: f32,
}

impl StoredTree {
    /// The full tree; `None` when one of the parts that the root leads to leads nowhere or back, is too deep, or asks for a feature from number
    /// `width` on.
    fn laid_out(&self, width: usize) -> Option<Tree> {
        let mut tree = Tree::empty();
        let root = if self.nodes.is_empty() { LEAF } else { 0 };
        let mut open = vec![(root, 1)];
        while let Some((child, place)) = open.pop() {
            if let Some(leaf) = child.checked_sub(LEAF) {
                tree.fill(place, *self.leaves.get(usize::from(leaf))?);
                continue;
            }
            let StoredNode { node, children, mean } = self.nodes.get(usize::from(child))?;
            let leads_on = children.iter().all(|next| *next > child);
            if place >= LEAVES || !leads_on || usize::from(node.feature) >= width || !node.threshold.is_finite() {
                return None;
            }
            tree.decide(place, *node, *mean);
            open.extend([(children[0], place * 2), (children[1], place * 2 + 1)]);
        }
        Some(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::row::Row;

    fn names() -> Vec<String> {
        vec!["a".into(), "b".into()]
    }

    fn row(second: f32) -> Row {
        let mut row = [0.0; ROW_FEATURES_MAX];
        row[1] = second;
        row
    }

    fn file() -> Vec<u8> {
        let mut bytes = Vec::from(*MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(digest(&names()).to_le_bytes());
        bytes.push(3);
        for _ in 0..3 {
            bytes.extend(0.5_f32.to_le_bytes());
            bytes.extend(0.01_f32.to_le_bytes());
            bytes.extend(1_u16.to_le_bytes());
            bytes.push(1);
            bytes.extend(1_u16.to_le_bytes());
            bytes.extend(2.5_f32.to_le_bytes());
            bytes.extend([LEAF, LEAF + 1]);
            for value in [0_i16, -100, 100] {
                bytes.extend(value.to_le_bytes());
            }
        }
        bytes
    }

    #[test]
    fn a_sound_file_is_read() {
        let model = Model::read(&file(), &names()).unwrap();
        let probabilities = model.second.predict(&[row(2.0), row(3.0)]);
        assert!((probabilities[0] - 1.0 / (1.0 + 0.5_f32.exp())).abs() < 1e-6);
        assert!((probabilities[1] - 1.0 / (1.0 + (-1.5_f32).exp())).abs() < 1e-6);
    }

    #[test]
    fn a_tree_is_at_most_seven_decisions_deep() {
        let chain = |nodes: u8| {
            let decision = |at: u8| StoredNode {
                node: Node { threshold: f32::from(at), feature: 0 },
                children: [LEAF + at, if at + 1 < nodes { at + 1 } else { LEAF + nodes }],
                mean: 0.0,
            };
            StoredTree { nodes: (0..nodes).map(decision).collect(), leaves: (0..=nodes).map(f32::from).collect() }
        };
        let tree = chain(7).laid_out(1).unwrap();
        let forest = Forest { base: 0.0, trees: vec![tree] };
        for (value, leaf) in [(-1.0, 0.0), (0.5, 1.0), (5.5, 6.0), (9.0, 7.0)] {
            let mut row = [0.0; ROW_FEATURES_MAX];
            row[0] = value;
            assert!((forest.predict(&[row])[0] - 1.0 / (1.0 + (-leaf as f32).exp())).abs() < 1e-6, "{value}");
        }
        assert!(chain(8).laid_out(1).is_none());
    }

    #[test]
    fn numbers_that_cannot_be_summed_are_refused() {
        let with = |base: f32, scale: f32, trees: u16| {
            let mut bytes = file()[..11].to_vec();
            bytes.extend(base.to_le_bytes());
            bytes.extend(scale.to_le_bytes());
            bytes.extend(trees.to_le_bytes());
            Model::read(&bytes, &names())
        };
        let damaged = Err(ModelError::Damaged { forest: 0, tree: 0 });
        assert_eq!(with(f32::NAN, 0.01, 0), damaged);
        assert_eq!(with(0.5, 1e36, 1), damaged);
        assert_eq!(with(0.5, 0.01, u16::MAX), damaged);
        assert_eq!(with(0.5, 0.01, 0), Err(ModelError::Length));
    }

    #[test]
    fn no_damage_gets_through() {
        let sound = file();
        assert_eq!(Model::read(&sound, &["c".into()]), Err(ModelError::OtherFeatures));
        for end in 0..sound.len() {
            assert!(Model::read(&sound[..end], &names()).is_err());
        }
        for at in 0..sound.len() {
            for flip in 0..8 {
                let mut damaged = sound.clone();
                damaged[at] ^= 1 << flip;
                if let Ok(model) = Model::read(&damaged, &names()) {
                    assert_eq!(model.first.predict(&[row(2.0)]).len(), 1);
                }
            }
        }
    }
}
