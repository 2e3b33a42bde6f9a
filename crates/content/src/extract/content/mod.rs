//! Kept runs as a [`Document`]: the page's elements, walked once, with what is kept of them.

mod address;
mod anchors;
mod blocks;
mod builder;
mod called_for;
mod changes;
mod classes;
mod code;
mod complete;
mod containers;
mod formula;
mod line;
mod marks;
mod notes;
mod table;
#[cfg(test)]
mod tests;

use crate::cst::ContentStructureTree;
use crate::document::Document;
use crate::dom::Dom;

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
/// A table or a stretch of code of which more than half is kept is there whole, and so are a heading between kept runs, and code
/// and lists that kept text leads to.
pub fn content_of(
    dom: &Dom,
    tree: &ContentStructureTree,
    url: &str,
    kept: &[bool],
    options: ContentOptions,
) -> Document {
    let kept = complete::completed(dom, tree, kept);
    let marks = marks::Marks::new(dom, tree, &kept);
    builder::Builder::new(dom, &marks, url, options).build()
}
