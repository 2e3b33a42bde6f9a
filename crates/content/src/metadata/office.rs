//! Titles that office programs mark as such, in paragraphs.

use crate::dom::{Dom, DomId, Tag, classes};

/// Whether a paragraph is the title of a document of Word or of Google's.
pub(super) fn is_title(dom: &Dom, paragraph: DomId) -> bool {
    dom.has_class(paragraph, classes!["msotitle"]) || is_title_of_google(dom, paragraph)
}

/// Whether a paragraph is the title of a document that Google exports.
pub(crate) fn is_title_of_google(dom: &Dom, paragraph: DomId) -> bool {
    let is_document = |around| dom.tag(around) == Some(Tag::Body) && dom.has_class(around, classes!["doc-content"]);
    dom.tag(paragraph) == Some(Tag::P)
        && dom.has_class(paragraph, classes!["title"])
        && dom.parent(paragraph).is_some_and(is_document)
}
