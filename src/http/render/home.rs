//! Pages without results: the first one, one that found nothing, one that failed.

use lopper_collection::search::{SearchRequest, SearchResponse};
use maud::{Markup, html};

use super::figures::{bytes, counted, grouped};
use super::layout::Content;
use super::navigation::{Around, chips};
use super::overview::Overview;
use super::summary::notes;
use super::text::encoded;
use crate::http::error::ApiError;

/// Characters shown of a query that found nothing.
const QUERY_CHARS_MAX: usize = 120;

/// The page to begin with.
pub(in crate::http) fn home(overview: &Overview) -> Content {
    let main = html! {
        h1 { "Finds the passages that answer, not just the pages that hold them." }
        (figures(overview))
        (examples(overview))
    };
    Content::new("home", "Lopper", main)
}

/// The page of a search that found nothing.
pub(in crate::http) fn no_results(request: &SearchRequest, response: &SearchResponse, overview: &Overview) -> Content {
    let around = Around { request, response, like: None };
    let query = &response.query;
    let shown: String = query.chars().take(QUERY_CHARS_MAX).collect();
    let main = html! {
        h1 tabindex="-1" { "Nothing found" }
        p.summary {
            "Nothing matches " b { bdi { (shown) @if shown.len() < query.len() { "…" } } } "."
        }
        (chips(&around))
        (notes(&around))
        (advice(query))
        (figures(overview))
        (examples(overview))
    };
    Content { query: query.clone(), ..Content::new("nothing", format!("{query} – Lopper"), main) }
}

/// Characters of the query that show a place in it.
const PLACE_CHARS_MAX: usize = 20;

/// The trouble with a query, with the text where it begins: readers count no bytes.
fn placed(trouble: &str, rest: &str) -> String {
    if rest.is_empty() {
        return format!("{trouble} (at the end of the query)");
    }
    let shown: String = rest.chars().take(PLACE_CHARS_MAX).collect();
    let more = if shown.len() < rest.len() { "…" } else { "" };
    format!("{trouble} (at “{shown}{more}”)")
}

/// The page that tells why there is no other.
pub(in crate::http) fn failure(query: &str, error: &ApiError) -> Content {
    let heading = if error.code.status() == 404 { "Not found" } else { "This did not work" };
    let of_query = error.trouble().and_then(|(trouble, at)| Some(placed(trouble, query.get(at..)?)));
    let message = of_query.as_ref().unwrap_or(&error.message);
    let main = html! {
        h1 { (heading) }
        p.message { bdi { (message) } }
        p { a href="." { "Back to the search" } }
    };
    Content { query: query.to_owned(), ..Content::new("failure", format!("{heading} – Lopper"), main) }
}

fn advice(query: &str) -> Markup {
    html! {
        ul.advice {
            @if query.contains('"') {
                li { "Words in quotes must follow each other exactly: try it without the quotes." }
            }
            li { "Try fewer or more general words, and check their spelling." }
            li { "Words are looked for in the language of each page; they are not translated." }
        }
    }
}

fn figures(overview: &Overview) -> Markup {
    let stats = &overview.stats;
    if stats.distinct_pages == 0 {
        return nothing_indexed();
    }
    html! {
        dl.figures {
            (figure(&counted(stats.distinct_pages, "page", "pages"), ""))
            (figure(&counted(stats.blocks, "passage", "passages"), " to search"))
            (figure(&counted(stats.hosts, "website", "websites"), ""))
            (figure(&bytes(stats.bytes), " of web pages"))
        }
        @if !overview.languages.is_empty() { (languages(overview)) }
    }
}

fn nothing_indexed() -> Markup {
    html! {
        p.empty {
            "Nothing is indexed yet. Add archives or HTML files with " code { "lopper ingest PATH…" }
            ", or a page with " code { "POST /v1/pages" } "."
        }
    }
}

/// A number with its unit, and what it is a number of.
fn figure(value: &str, of: &str) -> Markup {
    let (number, unit) = value.split_once(' ').unwrap_or((value, ""));
    html! {
        div { dd { (number) } dt { (unit) (of) } }
    }
}

fn languages(overview: &Overview) -> Markup {
    html! {
        p.languages {
            "Blocks by language: "
            @for (place, count) in overview.languages.iter().enumerate() {
                @if place > 0 { ", " }
                b { (count.language) } " " (grouped(count.blocks))
            }
        }
    }
}

fn examples(overview: &Overview) -> Markup {
    html! {
        @if !overview.examples.is_empty() {
            p.examples {
                "For example "
                @for example in &overview.examples {
                    a href={ "?q=" (encoded(example)) } { bdi { (example) } } " "
                }
            }
        }
    }
}
