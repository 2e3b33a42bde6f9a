//! A tree's encodings beyond its own. [`ContentStructureTree`]'s own is that of data folders up to tree encoding 4; encoding 5 has the buttons of
//! headings behind it, encoding 6 the names of places behind these, and encoding 7 the languages that elements declare.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::places::Place;
use super::{ContentStructureTree, Span};

/// A tree that is read with all that is known of it.
#[derive(Deserialize)]
pub(crate) struct WholeTree(#[serde(deserialize_with = "deserialize")] ContentStructureTree);

/// A tree of encoding 5, which knows no names of places.
#[derive(Deserialize)]
pub(crate) struct TreeWithButtons(ContentStructureTree, Vec<Span>);

/// A tree of encoding 6, which knows no languages of its elements.
#[derive(Deserialize)]
pub(crate) struct TreeWithPlaces(ContentStructureTree, Vec<Span>, Vec<Place>);

impl From<TreeWithPlaces> for ContentStructureTree {
    fn from(TreeWithPlaces(tree, asides, places): TreeWithPlaces) -> Self {
        Self { asides, places, ..tree }
    }
}

impl From<TreeWithButtons> for ContentStructureTree {
    fn from(TreeWithButtons(tree, asides): TreeWithButtons) -> Self {
        Self { asides, ..tree }
    }
}

impl From<WholeTree> for ContentStructureTree {
    fn from(WholeTree(tree): WholeTree) -> Self {
        tree
    }
}

/// Writes a tree with all that is known of it.
pub(crate) fn serialize<S: Serializer>(tree: &ContentStructureTree, serializer: S) -> Result<S::Ok, S::Error> {
    (tree, &tree.asides, &tree.places, &tree.languages).serialize(serializer)
}

/// Reads what [`serialize`] wrote.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ContentStructureTree, D::Error> {
    type Parts = (ContentStructureTree, Vec<Span>, Vec<Place>, Vec<Place>);
    let (tree, asides, places, languages): Parts = Deserialize::deserialize(deserializer)?;
    Ok(ContentStructureTree { asides, places, languages, ..tree })
}
