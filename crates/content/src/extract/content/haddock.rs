//! Haddock's pages of modules: a member's signature is a paragraph, with links to its source and to itself behind it.

use crate::dom::{ClassNames, Dom, DomId, Tag, classes};

/// Class name and words of these links.
const LINKS: [(&ClassNames, &str); 2] = [(classes!["link"], "Source"), (classes!["selflink"], "#")];

/// The signature that a paragraph is: `newIORef :: a -> IO (IORef a)`.
pub(in crate::extract) fn signature(dom: &Dom, paragraph: DomId) -> Option<String> {
    if !dom.has_class(paragraph, classes!["src"]) || !dom.children(paragraph).any(|id| is_beside(dom, id)) {
        return None;
    }
    let own = dom.children(paragraph).filter(|id| !is_beside(dom, *id));
    let text: String = own.map(|id| dom.text_content(id)).collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(text).filter(|text| !text.is_empty())
}

/// Whether a link stands behind the signature.
fn is_beside(dom: &Dom, link: DomId) -> bool {
    let is =
        |(class, words): &(&ClassNames, &str)| dom.has_class(link, class) && dom.text_content(link).trim() == *words;
    dom.tag(link) == Some(Tag::A) && LINKS.iter().any(is)
}
