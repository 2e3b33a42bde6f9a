//! Haddock's pages of modules: a member's signature is a paragraph, with links to its source and to itself behind it.

use super::classes::has_class;
use crate::dom::{Dom, DomId, Tag};

/// Class names of these links.
const LINKS: &[&str] = &["link", "selflink"];

/// The signature that a paragraph is: `newIORef :: a -> IO (IORef a)`.
pub(in crate::extract) fn signature(dom: &Dom, paragraph: DomId) -> Option<String> {
    if !has_class(dom, paragraph, &["src"]) || !dom.children(paragraph).any(|id| has_class(dom, id, LINKS)) {
        return None;
    }
    let own = dom.children(paragraph).filter(|id| dom.tag(*id) != Some(Tag::A) || !has_class(dom, *id, LINKS));
    let text: String = own.map(|id| dom.text_content(id)).collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(text).filter(|text| !text.is_empty())
}
