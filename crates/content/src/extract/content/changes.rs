//! Tables of a page's or function's changes that the page keeps closed.

use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// Class names of such details, and words of their summaries.
const NAMES: &ClassNames = classes!["changelog", "history", "version-history", "changes", "revisions"];

/// Whether closed `details` hold nothing but a table of changes: readers see it on demand only, and its cells are about versions.
pub(super) fn are_closed(dom: &Dom, details: DomId) -> bool {
    if dom.attribute(details, AttributeName::Open).is_some() {
        return false;
    }
    let mut below = dom.children(details).filter(|id| dom.tag(*id).is_some());
    let Some(summary) = below.next().filter(|id| dom.tag(*id) == Some(Tag::Summary)) else { return false };
    let is_named = || dom.has_class(details, NAMES) || NAMES.contains(dom.text_content(summary).trim().as_bytes());
    below.next().is_some_and(|id| dom.tag(id) == Some(Tag::Table)) && below.next().is_none() && is_named()
}
