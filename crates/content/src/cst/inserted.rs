//! What others put into pages, and is none of their text: questions for consent to cookies, by consent managers and plugins, and the bar of the
//! Wayback Machine.
//!
//! Their sentences read as those of an article and are often the longest of a page. A model that does not know the page takes them for its
//! content and drops what is. They are told by the names that the managers give to the element around all of it, or as a dialog about
//! cookies.

use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// Ids of that element, in lower case.
const IDS: &ClassNames = classes![
    "axeptio_overlay",
    "borlabscookiebox",
    "catapult-cookie-bar",
    "cc--main",
    "cc-main",
    "clisettingspopup",
    "cmpbox",
    "cmpbox2",
    "cmplz-cookiebanner-container",
    "coioverlay",
    "consent_blackbar",
    "cookie-banner",
    "cookie-bar",
    "cookie-consent",
    "cookie-information-template-wrapper",
    "cookie-law-info-bar",
    "cookie-notice",
    "cookiebanner",
    "cookieconsent",
    "cookiefirst-root",
    "cookiescript_injected",
    "cybotcookiebotdialog",
    "didomi-host",
    "didomi-popup",
    "eu-cookie-law",
    "fides-overlay",
    "hs-eu-cookie-confirmation",
    "iubenda-cs-banner",
    "moove_gdpr_cookie_info_bar",
    "moove_gdpr_cookie_modal",
    "onetrust-banner-sdk",
    "onetrust-consent-sdk",
    "onetrust-pc-sdk",
    "pandectes-banner",
    "ppms_cm_popup_overlay",
    "qc-cmp2-container",
    "shopify-pc__banner",
    "shopify-pc__prefs",
    "sliding-popup",
    "tarteaucitronroot",
    "truste-consent-track",
    "usercentrics-cmp-ui",
    "usercentrics-root",
];

/// Classes of that element.
const CLASSES: &ClassNames = classes![
    "cky-consent-bar",
    "cky-consent-container",
    "cky-modal",
    "cmplz-cookiebanner",
    "cookie-banner",
    "cookie-consent",
    "cookie-consent-banner",
    "cookie-notice-container",
    "cookie-notification",
    "cookiebanner",
    "eu-cookie-compliance-banner",
    "fc-consent-root",
    "glue-cookie-notification-bar",
    "js-cookie-consent",
    "osano-cm-dialog",
    "osano-cm-window",
    "qc-cmp2-container",
    "widget_eu_cookie_law_widget",
];

/// Ids of the Wayback Machine's bar, with the collection that the capture is of and the call to donate.
const ARCHIVE_BAR_IDS: &ClassNames = classes!["donato", "wm-ipp", "wm-ipp-base", "wm-ipp-print"];

/// What an id of the element begins with, where numbers follow (Sourcepoint).
const ID_BEGINNING: &str = "sp_message_container_";

/// Elements around it, at most: so each element is in few of them.
const DEPTH_MAX: usize = 14;

/// Nodes of a dialog that are read, and how often they name cookies where it is about them.
const DIALOG_NODES_MAX: usize = 400;
const DIALOG_COOKIES_MIN: usize = 2;

/// Bytes of the text of a question with all that can be chosen.
const TEXT_BYTES_MAX: usize = 64 * 1024;

/// Whether an element holds such a question or bar, and nothing that may be what the page is for.
pub(super) fn is_inserted(dom: &Dom, element: DomId) -> bool {
    if dom.attributes(element).is_empty() {
        return false;
    }
    let is_called_so = is_called_so(dom, element);
    let is_near_root = || std::iter::successors(dom.parent(element), |id| dom.parent(*id)).nth(DEPTH_MAX).is_none();
    (is_called_so || has_dialog_role(dom, element))
        && is_near_root()
        && (is_called_so || names_cookies(dom, element))
        && !holds_content(dom, element)
}

fn is_called_so(dom: &Dom, element: DomId) -> bool {
    let id = dom.attribute(element, AttributeName::Id);
    id.is_some_and(|id| {
        IDS.contains(id.as_bytes()) || ARCHIVE_BAR_IDS.contains(id.as_bytes()) || id.starts_with(ID_BEGINNING)
    }) || dom.has_class(element, CLASSES)
}

/// Whether an element is called a dialog by its role.
pub(crate) fn has_dialog_role(dom: &Dom, element: DomId) -> bool {
    let role = dom.attribute(element, AttributeName::Role);
    role.is_some_and(|role| role.eq_ignore_ascii_case("dialog") || role.eq_ignore_ascii_case("alertdialog"))
}

/// Whether a dialog is about cookies.
fn names_cookies(dom: &Dom, element: DomId) -> bool {
    let texts = dom.descendants(element).take(DIALOG_NODES_MAX).filter_map(|id| dom.text(id));
    let named =
        texts.map(|text| text.as_bytes().windows(6).filter(|part| part.eq_ignore_ascii_case(b"cookie")).count());
    named.sum::<usize>() >= DIALOG_COOKIES_MIN
}

/// Whether an element holds a page's heading or main part, or more text than a question has: one that was left open holds what follows.
fn holds_content(dom: &Dom, element: DomId) -> bool {
    let mut bytes = 0;
    dom.descendants(element).any(|id| {
        bytes += dom.text(id).map_or(0, str::len);
        bytes > TEXT_BYTES_MAX || matches!(dom.tag(id), Some(Tag::H1 | Tag::Main | Tag::Article))
    })
}

#[cfg(test)]
mod tests {
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    const STORY: &str = "<p>The mill stands by the river, and grinds the corn of all four villages.</p>";

    fn texts(body: &str) -> Vec<String> {
        let limits = Limits::default();
        let tree = cst::build(&dom::parse(body, &limits), Profile::Modern, &limits);
        let texts = tree.runs().iter().map(|run| tree.run_text(run).to_owned());
        texts.filter(|text| !text.trim().is_empty()).collect()
    }

    #[test]
    fn questions_for_consent_are_told_by_names_and_as_dialogs() {
        let asked = "<p>We use cookies.</p><p>All cookies may be refused.</p>";
        for element in [
            "<div id=onetrust-consent-sdk>",
            "<div id=CybotCookiebotDialog>",
            "<div id=sp_message_container_1234>",
            "<div class='a cmplz-cookiebanner b'>",
            "<div role=dialog>",
            "<div id=wm-ipp-base lang=en style='display:none'>",
        ] {
            let question = format!("{element}{asked}</div>");
            for page in [format!("{question}{STORY}"), format!("{STORY}{question}")] {
                assert_eq!(texts(&page), texts(STORY), "{page}");
            }
            let open = format!("{element}{asked}<h1>Mills</h1>{STORY}");
            assert_eq!(texts(&open).len(), 4, "what is left open holds the page: {open}");
        }
        for other in ["<div role=dialog><p>Our sizes</p></div>", "<div id=cookies><p>Bake the cookies.</p></div>"] {
            assert_eq!(texts(&format!("{other}{STORY}")).len(), 2, "{other}");
        }
    }
}
