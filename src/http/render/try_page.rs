//! Looking at a page without storing it.

use lopper_archive::page::Page;
use maud::html;

use super::layout::Content;
use crate::http::URL_UNKNOWN;
use crate::view::{Action, Place, Shown, Stage, Verdicts, Viewed, stage};

/// The form.
pub(in crate::http) fn try_form() -> Content {
    let main = html! {
        h1 { "Try a page" }
        p.lead { "See what Lopper keeps of a page, and why. Nothing is stored." }
        form.sheet action="try" method="post" enctype="multipart/form-data" {
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
    Content::new("try", "Try a page – Lopper", main)
}

/// The page of the form.
pub(in crate::http) fn tried(title: &str, viewed: &Viewed<'_>, shown: &Shown, page: &Page) -> Content {
    let heading = if title.trim().is_empty() { "A page without a title" } else { title };
    let verdicts = Verdicts::new(viewed, None);
    let place = Place::Inline;
    let url = (page.url != URL_UNKNOWN).then_some(&*page.url);
    let action = Action::Send { to: "try", url, html: &page.html };
    let main = html! {
        div.title-line {
            h1 dir="auto" { (heading) }
            p.facts { "Not stored. " a href="try" { "Try another page" } }
        }
        (stage(&Stage { viewed, shown, place, verdicts: &verdicts, action }))
    };
    Content { script: Some("/view.js"), ..Content::new("view", format!("{heading} – Lopper"), main) }
}
