//! Dialogs in the foot, the head and the bars of a site: its terms, its search, its log-in. None of a page's text.
//!
//! They are hidden until somebody asks for them, and are in every page of the site. Its whole terms of use may be longer than what the page
//! is for.

use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Elements around a dialog, at most: so each element is in few of them.
const DEPTH_MAX: usize = 14;

/// Whether an element is a dialog, of which a page shows nothing before somebody does something.
pub(super) fn is_dialog(dom: &Dom, element: DomId) -> bool {
    let role = dom.attribute(element, AttributeName::Role);
    dom.tag(element) == Some(Tag::Dialog)
        || role.is_some_and(|role| role.eq_ignore_ascii_case("dialog") || role.eq_ignore_ascii_case("alertdialog"))
}

/// Whether few elements are around an element.
pub(super) fn is_near_root(dom: &Dom, element: DomId) -> bool {
    ancestors(dom, element).nth(DEPTH_MAX).is_none()
}

/// Whether a dialog is the site's, and holds nothing that may be what the page is for.
pub(super) fn is_of_the_site(dom: &Dom, element: DomId) -> bool {
    is_dialog(dom, element)
        && is_near_root(dom, element)
        && ancestors(dom, element).any(|id| matches!(dom.tag(id), Some(Tag::Footer | Tag::Nav | Tag::Header)))
        && !dom.descendants(element).any(|id| matches!(dom.tag(id), Some(Tag::Main | Tag::Article)))
}

fn ancestors(dom: &Dom, element: DomId) -> impl Iterator<Item = DomId> + '_ {
    std::iter::successors(dom.parent(element), |id| dom.parent(*id))
}

#[cfg(test)]
mod tests {
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    fn text(body: &str) -> String {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(body, &limits), Profile::Modern, &limits);
        tree.runs().iter().map(|run| tree.run_text(run)).collect()
    }

    #[test]
    fn dialogs_in_the_foot_of_a_site_are_no_text() {
        let story = "<p>The mill stands by the river.</p>";
        let terms = "<p>You agree to indemnify us.</p>";
        for (opened, closed) in [("<div role=dialog>", "</div>"), ("<dialog>", "</dialog>")] {
            let dialog = format!("{opened}{terms}{closed}");
            for part in ["footer", "nav", "header"] {
                let page = format!("{story}<{part}><div>{dialog}</div></{part}>");
                assert_eq!(text(&page), text(story), "{page}");
            }
            assert!(text(&format!("{story}<div>{dialog}</div>")).contains("indemnify"), "not in the foot");
            let page = format!("<header>{opened}<article>{story}</article>{closed}</header>");
            assert_eq!(text(&page), text(story), "what holds an article is the page");
            let deep = format!("<footer>{}{dialog}", "<div>".repeat(20));
            assert!(text(&deep).contains("indemnify"), "far from the root");
        }
    }
}
