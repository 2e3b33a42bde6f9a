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
//! A child below 128 is a node of its tree, one from 128 on is a leaf. Children come after their parents. Values are `i16 × scale`.
//! The forests are: first pass, second pass, comments.

use super::forest::{Forest, Node, Tree};
use crate::model_file::{CutOff, Reader, digest};

const MAGIC: &[u8; 4] = b"LOPM";
const VERSION: u16 = 1;
const FORESTS: usize = 3;

/// Child numbers from here on are leaves.
const LEAF: u8 = 128;

/// The forests of the default method.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Content or not, from a unit's own features.
    pub first: Forest,
    /// Content or not, from these and the first pass's view of the page.
    pub second: Forest,
    /// A reader's comment or not.
    pub comments: Forest,
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
    /// A tree leads nowhere, or a number is not finite.
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
    pub fn read(bytes: &[u8], names: &[String]) -> Result<Self, ModelError> {
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
        let (base, scale) = (self.f32()?, self.f32()?);
        let mut read = Forest { base, ..Forest::default() };
        for tree in 0..usize::from(self.u16()?) {
            let sound = self.tree(&mut read, scale, width)? && base.is_finite() && scale.is_finite();
            if !sound {
                return Err(ModelError::Damaged { forest, tree });
            }
        }
        read.width = read.nodes.iter().map(|node| usize::from(node.feature) + 1).max().unwrap_or(0);
        Ok(read)
    }

    /// Reads a tree; tells whether it is sound.
    fn tree(&mut self, forest: &mut Forest, scale: f32, width: usize) -> Result<bool, ModelError> {
        let (first, nodes) = (forest.nodes.len(), self.u8()?);
        for _ in 0..nodes {
            let (feature, threshold) = (self.u16()?, self.f32()?);
            forest.nodes.push(Node { threshold, feature, children: self.array()? });
            forest.values.push(self.scaled(scale)?);
        }
        for leaf in 0..=nodes {
            forest.nodes.push(Node::leaf(nodes.wrapping_add(leaf)));
            forest.values.push(self.scaled(scale)?);
        }
        let tree = &mut forest.nodes[first..];
        let sound = nodes < LEAF
            && tree[..usize::from(nodes)].iter_mut().enumerate().all(|(at, node)| {
                let leads_on = join_children(node, at, nodes);
                leads_on && usize::from(node.feature) < width && node.threshold.is_finite()
            });
        let depth = if sound { depth(tree, nodes) } else { 0 };
        forest.trees.push(Tree { first: first as u32, nodes: u16::from(nodes) * 2 + 1, depth });
        Ok(sound)
    }
}

/// Turns the children's numbers of the file into places in the tree, leaves behind the nodes; false when one leads nowhere.
fn join_children(node: &mut Node, at: usize, nodes: u8) -> bool {
    for child in &mut node.children {
        let leads_on = match child.checked_sub(LEAF) {
            Some(leaf) => leaf <= nodes,
            None => usize::from(*child) > at && *child < nodes,
        };
        if !leads_on {
            return false;
        }
        *child = child.checked_sub(LEAF).map_or(*child, |leaf| nodes + leaf);
    }
    true
}

/// Steps of the longest way down; children come after their parents.
fn depth(tree: &[Node], nodes: u8) -> u16 {
    let mut steps = vec![0_u16; tree.len()];
    for at in (0..usize::from(nodes)).rev() {
        let [left, right] = tree[at].children.map(|child| steps[usize::from(child)]);
        steps[at] = 1 + left.max(right);
    }
    steps.first().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        vec!["a".into(), "b".into()]
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
        let probabilities = model.second.predict(&[0.0, 2.0, 0.0, 3.0], 2);
        assert!((probabilities[0] - 1.0 / (1.0 + 0.5_f32.exp())).abs() < 1e-6);
        assert!((probabilities[1] - 1.0 / (1.0 + (-1.5_f32).exp())).abs() < 1e-6);
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
                    assert_eq!(model.first.predict(&[1.0, 2.0], 2).len(), 1);
                }
            }
        }
    }
}
