//! What a method is given of a page.

use std::cell::OnceCell;

use super::outline::Outline;
use crate::cst::ContentStructureTree;
use crate::dom::Dom;
use crate::extract::features::hints::{self, HintBits};

/// A page as the methods see it: its elements, the content structure tree that was just built from them, and its address.
///
/// What several methods need is worked out once a view, so a page that is put to all of them should have one view.
///
/// ```
/// use lopper_content::cst::{self, Profile};
/// use lopper_content::dom;
/// use lopper_content::extract::methods::{Method, PageView, Variant};
/// use lopper_content::limits::Limits;
///
/// let limits = Limits::default();
/// let dom = dom::parse("<nav><a href=/>Home</a></nav><p>One, two, three and many more words.</p>", &limits);
/// let tree = cst::build(&dom, Profile::Modern, &limits);
/// let page = PageView::new(&dom, &tree, "https://example.org/");
/// assert_eq!(Method::Bte.decide(&page, Variant::Best).kept, [false, true]);
/// ```
#[derive(Debug)]
pub struct PageView<'a> {
    /// The page's elements.
    pub dom: &'a Dom,
    /// The tree of those elements; its runs are what is decided about. A tree read from the store will not do, since it
    /// does not know its sources.
    pub tree: &'a ContentStructureTree,
    /// The page's address, empty when unknown.
    pub url: &'a str,
    outline: OnceCell<Outline>,
    class_hints: OnceCell<Vec<HintBits>>,
}

impl<'a> PageView<'a> {
    /// A view of a page whose `tree` was built from `dom`. A file's place says nothing about the page in it: its `url` counts as unknown.
    pub fn new(dom: &'a Dom, tree: &'a ContentStructureTree, url: &'a str) -> Self {
        let url = if url.starts_with("file:") { "" } else { url };
        Self { dom, tree, url, outline: OnceCell::new(), class_hints: OnceCell::new() }
    }

    /// What each of the page's values of `class` hints at.
    pub(in crate::extract) fn class_hints(&self) -> &[HintBits] {
        self.class_hints.get_or_init(|| hints::of_classes(self.dom))
    }

    pub(super) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::of(self.dom, self.tree))
    }
}
