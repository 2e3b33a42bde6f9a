//! Kept runs as a [`Document`]: the page's elements, walked once, with what is kept of them.

mod address;
pub(super) mod anchors;
mod aria;
mod beside_code;
mod blocks;
#[cfg(test)]
mod bounds_tests;
mod builder;
mod buttons;
pub(super) mod called_for;
mod captions;
mod changes;
pub(super) mod classes;
mod code;
mod code_language;
mod code_lines;
mod columns;
mod complete;
mod containers;
mod definitions;
mod docbook;
mod doxygen;
mod email;
mod emoji;
mod equations;
mod figures;
mod formula;
pub(super) mod furniture;
#[cfg(test)]
mod generator_tests;
mod glued;
pub(super) mod haddock;
mod headings;
mod icon;
mod infobox;
mod inlines;
mod joined_lists;
mod line;
mod listing;
#[cfg(test)]
mod maker_tests;
mod marked_headings;
mod marks;
mod mathml;
mod mathml_signs;
mod notes;
mod own_marks;
mod passed;
mod read_out;
#[cfg(test)]
mod reference_tests;
mod references;
mod runs;
mod scaladoc;
mod scribble;
#[cfg(test)]
mod sign_tests;
mod signed_definitions;
mod table;
mod tabs;
#[cfg(test)]
mod tests;
mod tex_fonts;
mod word_lists;

use std::borrow::Cow;

pub(super) use code::is_symbol;
pub(super) use furniture::is_signature_of_javadoc;
use references::References;
pub(super) use scaladoc::is_declaration;

use crate::cst::{self, ContentStructureTree, NodeId, NodeKind, RunId};
use crate::document::Document;
use crate::dom::{Dom, DomId};
use crate::limits::Limits;

/// What of the content is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentOptions {
    /// Whether links lead somewhere; without it their words stay.
    pub links: bool,
    /// Whether there are images; formulas that are images stay.
    pub images: bool,
}

impl Default for ContentOptions {
    fn default() -> Self {
        Self { links: true, images: true }
    }
}

/// The content of the runs that `kept` says, by run. `tree` was just built from `dom`; `url` is what links are relative to, empty when
/// unknown: then they stay as written.
///
/// A table or a stretch of code of which more than half is kept is there whole, and so are a heading between kept runs, code and lists
/// that kept text leads to, and footnotes that it refers to. Parts that the page's scripts would put in their places stand there.
pub fn content_of(
    dom: &Dom,
    tree: &ContentStructureTree,
    url: &str,
    kept: &[bool],
    options: ContentOptions,
) -> Document {
    if let Cow::Owned(placed) = dom.in_place() {
        let tree_in_place = cst::build(&placed, tree.profile(), &Limits::default());
        let kept = moved(tree, kept, &tree_in_place, placed.len());
        return written(&placed, &tree_in_place, url, &kept, options);
    }
    written(dom, tree, url, kept, options)
}

fn written(dom: &Dom, tree: &ContentStructureTree, url: &str, kept: &[bool], options: ContentOptions) -> Document {
    let mut kept = complete::completed(dom, tree, kept);
    let mut marks = marks::Marks::new(dom, tree, &kept);
    let references = References::of(dom);
    if references.keep_notes(tree, &marks, &mut kept) {
        marks = marks::Marks::new(dom, tree, &kept);
    }
    builder::Builder::new(dom, &marks, references.kept(&marks), url, options).build()
}

/// What is kept of one tree, `from`, by run of another that was built from the same `nodes`, in another order.
fn moved(from: &ContentStructureTree, kept: &[bool], to: &ContentStructureTree, nodes: usize) -> Vec<bool> {
    let mut kept_nodes = vec![false; nodes];
    for (node, run) in sources(from) {
        kept_nodes[node.index()] = kept.get(run).copied().unwrap_or(false);
    }
    let mut moved = vec![false; to.runs().len()];
    for (node, run) in sources(to) {
        moved[run] |= kept_nodes[node.index()];
    }
    moved
}

/// The page's texts and images with the runs that hold them.
fn sources(tree: &ContentStructureTree) -> impl Iterator<Item = (DomId, RunId)> {
    let images = tree.runs().iter().enumerate().flat_map(move |(id, run)| {
        let nodes = run.nodes.clone().map(NodeId).filter(move |node| tree.kind(*node) == NodeKind::Image);
        nodes.filter_map(move |node| Some((tree.source(node)?, id)))
    });
    tree.source_texts().iter().copied().chain(images)
}
