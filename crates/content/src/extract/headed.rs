//! Sections that makers of documents name by their own headings: `<section id=comments><h2>Comments</h2>` of Sphinx, pandoc and Quarto.
//!
//! Such a name says what the author writes about there, not what the page has the section for.

use super::navigation::letters;
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Nodes of a section among which its heading is looked for.
const HEADING_NODES_MAX: usize = 12;

/// Bytes of a name and of a text of a heading, and nodes of one, that are read.
const BYTES_MAX: usize = 240;
const WORD_NODES_MAX: usize = 32;

/// Siblings on each side that are looked at for another such section.
const SIBLINGS_MAX: usize = 8;

/// Whether an element is a section that is named by its heading, as the one around it or one beside it is. O(1).
pub(super) fn is_named_by_heading(dom: &Dom, element: DomId) -> bool {
    if !has_name_of_heading(dom, element) {
        return false;
    }
    let is_another = |id: DomId| dom.tag(id) == dom.tag(element) && has_name_of_heading(dom, id);
    let before = std::iter::successors(dom.previous_sibling(element), |id| dom.previous_sibling(*id));
    let behind = std::iter::successors(dom.next_sibling(element), |id| dom.next_sibling(*id));
    dom.parent(element).is_some_and(is_another)
        || before.take(SIBLINGS_MAX).any(is_another)
        || behind.take(SIBLINGS_MAX).any(is_another)
}

/// Whether the letters of an element's id are those of the heading that it begins with.
fn has_name_of_heading(dom: &Dom, element: DomId) -> bool {
    let Some(id) = dom.attribute(element, AttributeName::Id).filter(|id| id.len() <= BYTES_MAX) else { return false };
    if !matches!(dom.tag(element), Some(Tag::Section | Tag::Div)) {
        return false;
    }
    let mut first = dom.descendants(element).skip(1).take(HEADING_NODES_MAX);
    let heading = first.find(|id| dom.tag(*id).is_some_and(|tag| tag.heading_level().is_some()));
    heading.and_then(|heading| short_text(dom, heading)).is_some_and(|text| {
        let words = letters(&text);
        !words.is_empty() && words == letters(id.trim_end_matches(|sign: char| sign.is_ascii_digit()))
    })
}

/// The text of a heading, if it is short.
fn short_text(dom: &Dom, heading: DomId) -> Option<String> {
    let mut text = String::new();
    for part in dom.descendants(heading).take(WORD_NODES_MAX).filter_map(|id| dom.text(id)) {
        if part.len() > BYTES_MAX {
            return None;
        }
        text.push_str(part);
    }
    (text.len() <= BYTES_MAX).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom;
    use crate::limits::Limits;

    fn is_named(html: &str) -> bool {
        let dom = dom::parse(html, &Limits::default());
        let called = |id: &DomId| dom.attribute(*id, AttributeName::Id).is_some_and(|id| id.starts_with("comments"));
        let section = dom.descendants(Dom::DOCUMENT).find(called).unwrap();
        is_named_by_heading(&dom, section)
    }

    #[test]
    fn sections_among_their_like_are_named_by_their_headings() {
        let comments = "<section id=comments><h3>2.1.3. Comments<a href='#comments'>¶</a></h3><p>A hash.</section>";
        let before = "<section id=line-structure><h3>Line structure</h3>";
        assert!(is_named(&format!("{before}</section>{comments}")));
        assert!(is_named(&format!("{comments}{before}</section>")));
        assert!(is_named(&format!("{before}{comments}</section>")));
        assert!(is_named(&format!("{before}</section>{}", comments.replace("id=comments", "id=comments-1"))));
        assert!(!is_named(comments), "alone");
        assert!(!is_named(&format!("<section id=line><h3>Line structure</h3></section>{comments}")), "another name");
        assert!(!is_named(&format!("{before}</section>{}", comments.replace("Comments", "3 replies"))));
        assert!(!is_named(&format!("{before}</section>{}", comments.replace("section", "div"))), "of another make");
    }
}
