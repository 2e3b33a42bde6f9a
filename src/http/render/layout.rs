//! The frame of all pages.

use maud::{DOCTYPE, Markup, html};

use super::text::encoded;
use crate::http::collections::DEFAULT;

/// What a page puts into the frame. Its addresses are relative to its collection's ([`Frame::base`]).
pub(in crate::http) struct Content {
    /// Kind of the page, for the style sheet.
    pub(in crate::http) kind: &'static str,
    pub(in crate::http) title: String,
    /// What stands in the search field.
    pub(in crate::http) query: String,
    /// A script that only this page has.
    pub(in crate::http) script: Option<&'static str>,
    pub(in crate::http) main: Markup,
}

impl Content {
    pub(super) fn new(kind: &'static str, title: impl Into<String>, main: Markup) -> Self {
        Self { kind, title: title.into(), query: String::new(), script: None, main }
    }
}

/// What is around all pages of a collection for one reader.
#[derive(Debug, Default)]
pub(in crate::http) struct Frame {
    /// The collection that the page is of; `None` for that which the server begins with.
    pub(in crate::http) collection: Option<String>,
    /// Names of all that the reader may see.
    pub(in crate::http) collections: Vec<String>,
}

impl Frame {
    fn base(&self) -> String {
        base_of(self.collection.as_deref().unwrap_or(DEFAULT))
    }
}

/// The address of a collection's search page, from which all of its pages have theirs.
fn base_of(collection: &str) -> String {
    if collection == DEFAULT { "/".to_owned() } else { format!("/c/{collection}/") }
}

/// The frame around a page's content.
pub(in crate::http) fn framed(frame: &Frame, content: &Content) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                base href=(frame.base());
                title { (content.title) }
                link rel="stylesheet" href="/style.css";
                script src="/search.js" type="module" {}
                @if let Some(script) = content.script { script src=(script) type="module" {} }
            }
            body class=(content.kind) {
                (header(frame, &content.query))
                main { (content.main) }
                (footer(frame))
            }
        }
    }
}

fn header(frame: &Frame, query: &str) -> Markup {
    html! {
        header {
            a.brand href=(frame.base()) { "Lopper" }
            form action=(frame.base()) method="get" role="search" {
                label for="q" { "Search the archived pages" }
                input #q name="q" type="search" value=(query) placeholder="Search the archived pages" maxlength="6000"
                    autocomplete="off";
                button { "Search" }
            }
            @if frame.collections.len() > 1 { (collections(frame, query)) }
        }
    }
}

/// The way to the same query in other collections.
fn collections(frame: &Frame, query: &str) -> Markup {
    let own = frame.collection.as_deref().unwrap_or(DEFAULT);
    let asked = if query.is_empty() { String::new() } else { format!("?q={}", encoded(query)) };
    html! {
        details.collections {
            summary { span.unseen { "Collection: " } (own) }
            ul {
                @for name in &frame.collections {
                    li { a href={ (base_of(name)) (asked) } aria-current=[(name == own).then_some("true")] { (name) } }
                }
            }
        }
    }
}

fn footer(frame: &Frame) -> Markup {
    let interface = frame.collection.as_ref().map_or_else(|| "/v1".to_owned(), |name| format!("/v1/c/{name}"));
    html! {
        footer {
            "Lopper " (env!("CARGO_PKG_VERSION")) " · " a href="/healthz" { "state" }
            " · " a href="ingest" { "archives" } " · " a href="try" { "try a page" }
            " · results as JSON at " code { (interface) "/search?q=…" } " (" a href="/docs" { "the interface" } ")"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_holds_title_query_and_content() {
        let content = Content { query: "\"a".to_owned(), ..Content::new("home", "<T>", html! { p { "b" } }) };
        let page = framed(&Frame::default(), &content).into_string();
        assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\">"), "{page}");
        for part in ["<title>&lt;T&gt;</title>", "<body class=\"home\">", "value=\"&quot;a\"", "<main><p>b</p></main>"]
        {
            assert!(page.contains(part), "no {part} in {page}");
        }
        assert!(page.contains("<base href=\"/\">") && !page.contains("Collection"), "{page}");
    }

    #[test]
    fn other_collections_are_reached_with_the_same_query() {
        let names = ["default", "news"].map(str::to_owned).to_vec();
        let frame = Frame { collection: Some("news".to_owned()), collections: names };
        let content = Content { query: "old mills".to_owned(), ..Content::new("home", "", html! {}) };
        let page = framed(&frame, &content).into_string();
        for part in [
            "<base href=\"/c/news/\">",
            "<a href=\"/?q=old+mills\">default</a>",
            "<a href=\"/c/news/?q=old+mills\" aria-current=\"true\">news</a>",
            "/v1/c/news/search?q=…",
        ] {
            assert!(page.contains(part), "no {part} in {page}");
        }
    }
}
