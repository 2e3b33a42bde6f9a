//! The document in the frame: the archived page, safe to be shown.
//!
//! Three gates stand one behind the other. The page is written from a list of elements and attributes
//! ([`lopper_content::marked`]); ammonia, which parses it again, passes what is on the list once more; and the document comes with a policy
//! that lets it run nothing and load nothing from elsewhere, in a frame whose sandbox has no `allow-scripts`.

use lopper_content::cst::RunId;
use lopper_content::marked::{MarkedPage, Marking};
use maud::{DOCTYPE, Markup, html};

use super::choice::fate;
use super::{Shown, Viewed};
use crate::markup::{sanitised, style_sheet, with_attributes};

/// What the frame's document may do: have styles of its own and pictures of ours. `sandbox` holds also where its address is opened outside
/// of the frame; `allow-same-origin` lets our page around it mark its elements, which is harmless without scripts.
pub(crate) const FRAME_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

/// The same for a document that is an attribute of ours and has no head of its own to carry it: no pictures but its own.
const INLINE_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";

/// The same for a document that came from an address of ours.
const OWN_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'none'; base-uri 'none'";

/// What belongs to a page and is not in it.
pub(crate) trait Belongings {
    /// An address of ours for a picture, by its own, absolute one. It begins as [`sanitised`] demands.
    fn picture(&self, url: &str) -> Option<String>;

    /// The text of a style sheet.
    fn sheet(&self, url: &str) -> Option<String>;
}

/// What a page without styles looks like.
const BASE: &str = "html{background:#fff;color:#111;color-scheme:light}\
    body{font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word}\
    img{max-width:100%}a{color:#1a4f8a;text-decoration:underline}\
    img:not([src]){display:inline-block;min-width:2em;min-height:1.2em;padding:.1em .4em;background:#eceae4;\
    color:#57544c;font:13px/1.3 system-ui,sans-serif;outline:1px dashed #aaa59a}\
    .lopper-gone{display:inline-block;padding:.2em .7em;background:#eceae4;color:#57544c;\
    font:13px/1.4 system-ui,sans-serif;outline:1px dashed #aaa59a}";

/// What marks say, above all styles of the page.
const MARKS: &str = "[data-fate]{transition:opacity .15s,background-color .15s}\
    [data-fate=drop]{opacity:.4!important;background-color:rgba(176,84,44,.13)!important;\
    box-shadow:-3px 0 rgba(176,84,44,.55)!important}\
    [data-fate=first]{box-shadow:-4px 0 #2f6fb0!important;background-color:rgba(47,111,176,.13)!important}\
    [data-fate=second]{opacity:.75!important;box-shadow:-4px 0 #a5620b!important;\
    background-color:rgba(196,122,16,.16)!important}\
    [data-found]{opacity:1!important;background-color:#fdf1c0!important;color:#22262a!important;\
    box-shadow:-5px 0 #d9a514!important;scroll-margin:30vh}\
    [data-lit]{outline:2px solid #24613a!important;outline-offset:1px}\
    @media (prefers-reduced-motion:reduce){[data-fate]{transition:none}}";

/// The document, with what belongs to the page if that is to be had; `None` where the page's HTML is not at hand.
pub(crate) fn frame_document(
    viewed: &Viewed<'_>,
    shown: &Shown,
    belongings: Option<&dyn Belongings>,
) -> Option<Markup> {
    let (parsed, source) = viewed.parsed()?;
    let first = viewed.kept(shown.first);
    let second = shown.second.map(|second| viewed.kept(second));
    let found: &[RunId] =
        shown.block.and_then(|block| viewed.block_runs.get(block as usize)).map_or(&[], Vec::as_slice);
    let at = |address: &str| viewed.belonging(address).zip(belongings);
    let marking = Marking {
        fate: &|run| fate(first[run], second.as_ref().map(|second| second[run])),
        found: &|run| found.contains(&run),
        picture: &|src| {
            if is_picture(src) {
                return Some(src.to_owned());
            }
            at(src).and_then(|(url, belongings)| belongings.picture(&url))
        },
        sheet: &|href| at(href).and_then(|(url, belongings)| belongings.sheet(&url)),
    };
    Some(document(&MarkedPage::new(parsed, source, &marking), belongings.is_some()))
}

/// Whether an address holds a picture itself, of a kind that can do nothing.
fn is_picture(src: &str) -> bool {
    ["data:image/png;base64,", "data:image/jpeg;base64,", "data:image/gif;base64,", "data:image/webp;base64,"]
        .iter()
        .any(|kind| src.starts_with(kind))
}

fn document(page: &MarkedPage, has_own_address: bool) -> Markup {
    let policy = if has_own_address { OWN_POLICY } else { INLINE_POLICY };
    let head = html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta http-equiv="Content-Security-Policy" content=(policy);
            title { "The archived page" }
            (style_sheet(BASE)) (style_sheet(&page.style)) (style_sheet(MARKS))
        }
    };
    let body = with_attributes("body", &page.body_attributes, &sanitised(&page.body));
    let whole = with_attributes("html", &page.html_attributes, &html! { (head) (body) });
    html! { (DOCTYPE) (whole) }
}
