//! What kind of page it is: an article, a forum's thread, a product …
//!
//! 1. [`numbers`] counts what address, head, elements and tree have; [`words`] hashes the few words that tell types apart.
//! 2. A [`Model`] gives each type a probability.
//! 3. A type is told only when its probability is high enough ([`Verdict::told`]); a page that is like none the model knows has none.

mod address;
mod kind;
mod markup;
pub mod numbers;
mod records;
mod texts;
pub mod words;

pub use kind::PageType;

use crate::cst::ContentStructureTree;
use crate::dom::Dom;
use crate::metadata::Metadata;

/// What a page's type is told from.
#[derive(Debug, Clone, Copy)]
pub struct TypedPage<'a> {
    /// Its address; empty when unknown.
    pub url: &'a str,
    /// What it says of itself.
    pub metadata: &'a Metadata,
    /// Its elements.
    pub dom: &'a Dom,
    /// Its tree.
    pub tree: &'a ContentStructureTree,
}

/// What is counted and read of a page: all that the model sees.
#[derive(Debug)]
pub struct Described {
    /// Numbers.
    pub numbers: numbers::Numbers,
    /// Hashes of words, ascending, each once.
    pub words: Vec<u32>,
}

/// Describes a page. O(elements and runs).
pub fn describe(page: &TypedPage<'_>) -> Described {
    let markup = markup::Markup::of(page.dom);
    Described { numbers: numbers::count(page, &markup), words: words::hashes(page, &markup) }
}
