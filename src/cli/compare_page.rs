//! The comparison as a page of its own: the archived page with the switches, the slider and the tree of the search page's view, and below it
//! what each method keeps and how far it agrees with the others. One file; it fetches nothing.

use std::hash::{BuildHasher, RandomState};

use maud::{DOCTYPE, Markup, html};

use super::compare::Comparison;
use crate::markup::{inline_script, style_sheet};
use crate::view::{Action, Choice, Place, Shown, Stage, Verdicts, Viewed, stage};

const STYLE: &str = include_str!("../../web/style.css");
const SCRIPT: &str = include_str!("../../web/view.js");

/// What of the table has to be said besides.
const TABLE_STYLE: &str = "table{border-collapse:collapse;font-size:.85rem}th,td{padding:.1rem .5rem;text-align:end}\
    th:first-child{text-align:start}.scroll{overflow:auto}";

/// The page.
pub(super) fn page(comparison: &Comparison<'_>, viewed: &Viewed<'_>) -> Markup {
    let shown = Shown { first: Choice::Judge { least: None }, ..Shown::default() };
    let verdicts = Verdicts::new(viewed, None);
    let nonce = format!("{:016x}", RandomState::new().hash_one(comparison.url));
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(policy(&nonce));
                title { "Compared: " (comparison.url) }
                (style_sheet(STYLE)) (style_sheet(TABLE_STYLE))
            }
            body.view {
                main {
                    h1 { bdi { (comparison.url) } }
                    (stage(&Stage { viewed, shown: &shown, place: Place::Inline, verdicts: &verdicts, action: Action::None }))
                    h2 { "How far the methods agree" }
                    div.scroll { (agreement(comparison)) }
                }
                (inline_script(SCRIPT, &nonce))
            }
        }
    }
}

/// What the file may do: run the one script that has the nonce.
fn policy(nonce: &str) -> String {
    format!("default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-{nonce}'; img-src data:; base-uri 'none'")
}

/// What each method keeps, and how far it agrees with the others.
fn agreement(comparison: &Comparison<'_>) -> Markup {
    let methods = || comparison.extractors.iter().enumerate();
    html! {
        table {
            thead {
                tr {
                    th scope="col" { "of " (comparison.total()) " words, in per cent" }
                    th scope="col" { "kept" }
                    @for (method, _) in methods() { th scope="col" { (letter(method)) } }
                }
            }
            @for (method, extractor) in methods() {
                tr {
                    th scope="row" { (letter(method)) " " (extractor.to_string()) }
                    td { (comparison.share_kept(method).to_string()) }
                    @for (other, _) in methods() { td { (comparison.agreement(method, other).to_string()) } }
                }
            }
        }
    }
}

fn letter(method: usize) -> char {
    char::from(b'a' + (method % 26) as u8)
}
