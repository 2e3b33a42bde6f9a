//! Looking at a page without storing it.

use maud::{Markup, html};

use super::layout::{Content, framed};
use crate::view::{Place, Shown, Stage, Verdicts, Viewed, stage};

/// The form.
pub(in crate::http) fn try_form() -> Markup {
    let main = html! {
        h1 { "Try a page" }
        p.lead { "See what Lopper keeps of a page, and why. Nothing is stored." }
        form.sheet action="/try" method="post" enctype="multipart/form-data" {
            div.field {
                label for="html" { "Paste its HTML" }
                textarea #html name="html" rows="10" spellcheck="false" placeholder="<!doctype html> …" {}
            }
            div.field {
                label for="file" { "or choose a file" }
                input #file name="file" type="file" accept=".html,.htm,.xhtml,text/html";
            }
            div.field {
                label for="url" { "Its address, if you know it" }
                input #url name="url" type="url" placeholder="https://example.org/";
            }
            button { "Look at it" }
        }
    };
    framed(&Content { kind: "try", title: "Try a page – Lopper", query: "", script: None, main })
}

/// The page of the form.
pub(in crate::http) fn tried(title: &str, viewed: &Viewed<'_>, shown: &Shown) -> Markup {
    let heading = if title.trim().is_empty() { "A page without a title" } else { title };
    let verdicts = Verdicts::new(viewed, None);
    let place = Place::Inline;
    let main = html! {
        div.title-line {
            h1 dir="auto" { (heading) }
            p.facts { "Not stored. " a href="/try" { "Try another page" } }
        }
        (stage(&Stage { viewed, shown, place, verdicts: &verdicts, action: None }))
    };
    framed(&Content {
        kind: "view", title: &format!("{heading} – Lopper"), query: "", script: Some("/view.js"), main
    })
}
