//! Haddock's pages of modules: a member's signature is a paragraph, with links to its source and to itself behind it.

use super::classes::has_class;
use crate::dom::{Dom, DomId, Tag};

/// Class name and words of these links.
const LINKS: [(&str, &str); 2] = [("link", "Source"), ("selflink", "#")];

/// The signature that a paragraph is: `newIORef :: a -> IO (IORef a)`.
pub(in crate::extract) fn signature(dom: &Dom, paragraph: DomId) -> Option<String> {
    if !has_class(dom, paragraph, &["src"]) || !dom.children(paragraph).any(|id| is_beside(dom, id)) {
        return None;
    }
    let own = dom.children(paragraph).filter(|id| !is_beside(dom, *id));
    let text: String = own.map(|id| dom.text_content(id)).collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(text).filter(|text| !text.is_empty())
}

/// Whether a link stands behind the signature.
fn is_beside(dom: &Dom, link: DomId) -> bool {
    let is = |(class, words): &(&str, &str)| has_class(dom, link, &[class]) && dom.text_content(link).trim() == *words;
    dom.tag(link) == Some(Tag::A) && LINKS.iter().any(is)
}
