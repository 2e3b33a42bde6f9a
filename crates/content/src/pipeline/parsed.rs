//! From a page's source text to all that can be read of it: the one way that extraction, the index and evaluation go.

use super::PageSource;
use crate::cst::{self, ContentStructureTree, Profile};
use crate::dom::{self, Dom, SourceElements};
use crate::extract::PageView;
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::page_type::{TypedPage, Verdict, page_type};
use crate::text::language;

/// A page that was read.
#[derive(Debug)]
pub struct ParsedPage<'a> {
    /// What it was read from.
    pub source: PageSource<'a>,
    /// Its elements.
    pub dom: Dom,
    /// What it says of itself; where it has no title, the listed one.
    pub metadata: Metadata,
    /// Its tree.
    pub tree: ContentStructureTree,
}

impl<'a> ParsedPage<'a> {
    /// Reads a page; the tree has all blocks of HTML. Parsing never fails.
    pub fn parse(source: PageSource<'a>, limits: &Limits) -> Self {
        Self::with_profile(source, Profile::Modern, limits)
    }

    /// The same, with other borders of blocks.
    pub fn with_profile(source: PageSource<'a>, profile: Profile, limits: &Limits) -> Self {
        Self::of_dom(source, dom::parse(source.html, limits), profile, limits)
    }

    /// The same, and the page's elements as the source has them.
    pub fn parse_with_source(source: PageSource<'a>, profile: Profile, limits: &Limits) -> (Self, SourceElements) {
        let (dom, elements) = dom::parse_with_source(source.html, limits);
        (Self::of_dom(source, dom, profile, limits), elements)
    }

    /// The same of elements that were parsed from the source.
    pub(super) fn of_dom(source: PageSource<'a>, dom: Dom, profile: Profile, limits: &Limits) -> Self {
        let mut metadata = Metadata::read(&dom);
        if let Some(title) = source.listed_title.filter(|_| metadata.title.is_empty()) {
            title.clone_into(&mut metadata.title);
        }
        let tree = cst::build(&dom, profile, limits);
        Self { source, dom, metadata, tree }
    }

    /// The page as judges see it.
    pub fn view(&self) -> PageView<'_> {
        PageView::new(&self.dom, &self.tree, self.source.url)
    }

    /// ISO 639-1 code of its language; empty when unknown.
    pub fn language(&self) -> &'static str {
        let declared = [Some(self.metadata.language.as_str()), self.source.content_language];
        let declared = declared.into_iter().flatten().find(|declared| !declared.is_empty());
        language::detect(self.tree.visible_text(), declared)
    }

    /// What kind of page it is.
    pub fn page_type(&self) -> Verdict {
        let Self { source, dom, metadata, tree } = self;
        page_type(&TypedPage { url: source.url, metadata, dom, tree })
    }
}
