//! Pages without results: the first one, one that found nothing, one that failed.

use lopper_collection::search::SearchResponse;

use super::Html;
use super::figures::{bytes, counted};
use super::layout::{Content, framed};
use super::overview::Overview;
use super::results::{notes, summary_of_nothing};

/// The page to begin with.
pub(in crate::http) fn home(overview: &Overview) -> Html {
    let mut main = Html::new();
    main.raw("<p class=\"lead\">Finds the passages that answer, not just the pages that hold them.</p>");
    main.html(&figures(overview)).html(&examples(overview));
    framed(&Content { kind: "home", title: "Lopper", query: "", main: &main })
}

/// The page of a search that found nothing.
pub(in crate::http) fn no_results(response: &SearchResponse, overview: &Overview) -> Html {
    let mut main = Html::new();
    main.html(&summary_of_nothing(response)).html(&notes(response));
    main.raw("<ul class=\"advice\">");
    if response.query.contains('"') {
        main.raw("<li>Words in quotes must follow each other exactly: try it without the quotes.</li>");
    }
    main.raw("<li>Try fewer or more general words, and check their spelling.</li>");
    main.raw("<li>Words are looked for in the language of each page; they are not translated.</li></ul>");
    main.html(&figures(overview)).html(&examples(overview));
    let title = format!("{} – Lopper", response.query);
    framed(&Content { kind: "nothing", title: &title, query: &response.query, main: &main })
}

/// The page that tells why there is no other.
pub(in crate::http) fn failure(query: &str, status: u16, message: &str) -> Html {
    let mut main = Html::new();
    main.raw("<h1>").text(if status == 404 { "Not found" } else { "This did not work" }).raw("</h1>");
    main.raw("<p class=\"message\">").text(message).raw("</p><p><a href=\"/\">Back to the search</a></p>");
    framed(&Content { kind: "failure", title: "Lopper", query, main: &main })
}

fn figures(overview: &Overview) -> Html {
    let stats = &overview.stats;
    let mut html = Html::new();
    if stats.distinct_pages == 0 {
        html.raw("<p class=\"empty\">Nothing is indexed yet. Add archives or HTML files with ");
        html.raw("<code>lopper ingest PATH…</code>, or a page with <code>POST /v1/pages</code>.</p>");
        return html;
    }
    html.raw("<dl class=\"figures\">");
    figure(&mut html, &counted(stats.distinct_pages, "page", "pages"), "");
    figure(&mut html, &counted(stats.blocks, "block", "blocks"), " to search");
    figure(&mut html, &counted(stats.hosts, "host", "hosts"), "");
    figure(&mut html, &bytes(stats.bytes), " of HTML");
    html.raw("</dl>");
    if !overview.languages.is_empty() {
        html.raw("<p class=\"languages\">Blocks by language: ");
        for (place, count) in overview.languages.iter().enumerate() {
            html.raw(if place > 0 { ", " } else { "" }).raw("<b>").text(count.language).raw("</b> ");
            html.text(super::figures::grouped(count.blocks));
        }
        html.raw("</p>");
    }
    html
}

fn figure(html: &mut Html, value: &str, of: &'static str) {
    let (number, unit) = value.split_once(' ').unwrap_or((value, ""));
    html.raw("<div><dd>").text(number).raw("</dd><dt>").text(unit).raw(of).raw("</dt></div>");
}

fn examples(overview: &Overview) -> Html {
    let mut html = Html::new();
    if overview.examples.is_empty() {
        return html;
    }
    html.raw("<p class=\"examples\">For example ");
    for example in &overview.examples {
        html.raw("<a").attribute("href", format_args!("/?q={}", encoded(example))).raw("><bdi>");
        html.text(example).raw("</bdi></a> ");
    }
    html.raw("</p>");
    html
}

/// A text as the value of a query parameter.
pub(super) fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
