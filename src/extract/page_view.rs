use crate::cst::ContentStructureTree;
use crate::dom::Dom;

/// A parsed page, as the methods take it.
#[derive(Debug, Clone, Copy)]
pub struct PageView<'a> {
    /// Its elements.
    pub dom: &'a Dom,
    /// Its blocks and contents, built from `dom` just now.
    pub tree: &'a ContentStructureTree,
    /// Its address; empty when it is not known.
    pub url: &'a str,
}
