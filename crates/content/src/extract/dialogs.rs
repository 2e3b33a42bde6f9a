//! Dialogs in the foot, the head and the bars of a site: its terms, its search, its log-in; and those of Bootstrap and the like, wherever they
//! are.
//!
//! They are hidden until somebody asks for them, and are in every page of the site. Its whole terms of use may be longer than what the page
//! is for.

use crate::cst::has_dialog_role;
use crate::dom::{ClassNames, Dom, DomId, Tag, classes};

/// What dialogs are called, wherever they stand (Bootstrap, Foundation, Elementor).
const MODAL: &ClassNames =
    classes!["elementor-location-popup", "modal", "modal-container", "modal-content", "modal-dialog", "reveal-modal",];

/// Elements around a dialog, at most: so each element is in few of them.
const DEPTH_MAX: usize = 14;

/// Whether an element is a dialog of the site, and holds nothing that may be what the page is for.
pub(super) fn is_of_the_site(dom: &Dom, element: DomId) -> bool {
    let is_modal = dom.has_class(element, MODAL);
    (is_modal || dom.tag(element) == Some(Tag::Dialog) || has_dialog_role(dom, element))
        && ancestors(dom, element).nth(DEPTH_MAX).is_none()
        && (is_modal
            || ancestors(dom, element).any(|id| matches!(dom.tag(id), Some(Tag::Footer | Tag::Nav | Tag::Header))))
        && !dom.descendants(element).any(|id| matches!(dom.tag(id), Some(Tag::Main | Tag::Article)))
}

fn ancestors(dom: &Dom, element: DomId) -> impl Iterator<Item = DomId> + '_ {
    std::iter::successors(dom.parent(element), |id| dom.parent(*id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn has_dialog(body: &str) -> bool {
        let dom = crate::dom::parse(body, &Limits::default());
        dom.descendants(Dom::DOCUMENT).any(|id| is_of_the_site(&dom, id))
    }

    #[test]
    fn dialogs_of_bootstrap_are_the_site_s_wherever_they_stand() {
        for name in ["modal-dialog modal-lg", "modal fade", "elementor-location-popup"] {
            let modal = format!("<div class='{name}'><p>Choose your country.</div>");
            assert!(has_dialog(&modal) && has_dialog(&format!("<main>{modal}</main>")), "{name}");
        }
        assert!(!has_dialog("<div class='modal-dialog'><article>A mill</article></div>"), "it holds an article");
        assert!(!has_dialog("<div class='modal-open'><p>Choose your country.</div>"));
    }

    #[test]
    fn dialogs_in_the_foot_are_the_site_s() {
        for (opened, closed) in [("<div role=dialog>", "</div>"), ("<dialog>", "</dialog>")] {
            let dialog = format!("{opened}<p>You agree to indemnify us.</p>{closed}");
            for part in ["footer", "nav", "header"] {
                assert!(has_dialog(&format!("<{part}><div>{dialog}</div></{part}>")), "{part}");
            }
            assert!(!has_dialog(&dialog), "not in the foot");
            assert!(!has_dialog(&format!("<header>{opened}<article>A mill</article>{closed}")), "it holds an article");
            assert!(!has_dialog(&format!("<footer>{}{dialog}", "<div>".repeat(20))), "far from the root");
        }
    }
}
