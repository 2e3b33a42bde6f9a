//! All that the model sees of a page.

use super::markup::Markup;
use super::{numbers, words};
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
    /// Its tree, of the profile `modern`, by which the model was trained.
    pub tree: &'a ContentStructureTree,
}

/// What is counted and read of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Description {
    /// Numbers, in an order that is always the same.
    pub numbers: Vec<f32>,
    /// Their names.
    pub names: Vec<&'static str>,
    /// Hashes of words, ascending, each once.
    pub words: Vec<u32>,
}

impl Description {
    /// Describes a page. O(elements + runs + the runs' links).
    pub fn of(page: &TypedPage<'_>) -> Self {
        let markup = Markup::of(page.dom);
        let mut description = Self { words: words::hashes(page, &markup), ..Self::default() };
        numbers::put(&mut description, page, &markup);
        description
    }

    pub(super) fn put(&mut self, name: &'static str, value: f32) {
        self.names.push(name);
        self.numbers.push(value);
    }

    pub(super) fn flag(&mut self, name: &'static str, value: bool) {
        self.put(name, f32::from(u8::from(value)));
    }
}
