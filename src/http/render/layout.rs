//! The frame of all pages.

use maud::{DOCTYPE, Markup, html};

/// What a page puts into the frame.
pub(super) struct Content<'a> {
    /// Kind of the page, for the style sheet.
    pub(super) kind: &'static str,
    pub(super) title: &'a str,
    /// What stands in the search field.
    pub(super) query: &'a str,
    /// A script that only this page has.
    pub(super) script: Option<&'static str>,
    pub(super) main: Markup,
}

/// The frame around a page's content.
pub(super) fn framed(content: &Content<'_>) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (content.title) }
                link rel="stylesheet" href="/style.css";
                script src="/search.js" type="module" {}
                @if let Some(script) = content.script { script src=(script) type="module" {} }
            }
            body class=(content.kind) {
                (header(content.query))
                main { (content.main) }
                (footer())
            }
        }
    }
}

fn header(query: &str) -> Markup {
    html! {
        header {
            a.brand href="/" { "Lopper" }
            form action="/" method="get" role="search" {
                label for="q" { "Search the archived pages" }
                input #q name="q" type="search" value=(query) placeholder="Search the archived pages" maxlength="6000"
                    autocomplete="off";
                button { "Search" }
            }
        }
    }
}

fn footer() -> Markup {
    html! {
        footer {
            "Lopper " (env!("CARGO_PKG_VERSION")) " · " a href="/healthz" { "state" }
            " · " a href="/ingest" { "archives" } " · " a href="/try" { "try a page" }
            " · results as JSON at " code { "/v1/search?q=…" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_holds_title_query_and_content() {
        let content = Content { kind: "home", title: "<T>", query: "\"a", script: None, main: html! { p { "b" } } };
        let page = framed(&content).into_string();
        assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\">"), "{page}");
        for part in ["<title>&lt;T&gt;</title>", "<body class=\"home\">", "value=\"&quot;a\"", "<main><p>b</p></main>"]
        {
            assert!(page.contains(part), "no {part} in {page}");
        }
    }
}
