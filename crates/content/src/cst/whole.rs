//! A tree's encoding with all that is known of it. [`ContentStructureTree`]'s own is that of data folders up to tree encoding 4, which ends
//! where this goes on.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{ContentStructureTree, Span};

/// A tree that is read with all that is known of it.
#[derive(Deserialize)]
pub(crate) struct WholeTree(#[serde(deserialize_with = "deserialize")] ContentStructureTree);

impl From<WholeTree> for ContentStructureTree {
    fn from(WholeTree(tree): WholeTree) -> Self {
        tree
    }
}

/// Writes a tree with all that is known of it.
pub(crate) fn serialize<S: Serializer>(tree: &ContentStructureTree, serializer: S) -> Result<S::Ok, S::Error> {
    (tree, &tree.heading_buttons).serialize(serializer)
}

/// Reads what [`serialize`] wrote.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ContentStructureTree, D::Error> {
    let (tree, heading_buttons): (ContentStructureTree, Vec<Span>) = Deserialize::deserialize(deserializer)?;
    Ok(ContentStructureTree { heading_buttons, ..tree })
}
