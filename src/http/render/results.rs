//! The results of a search, by page.

use lopper_collection::search::{BlockHit, HighlightedText, OtherHits, PageHit, SearchRequest, SearchResponse};
use lopper_index::QueryNote;

use super::Html;
use super::figures::{counted, grouped};
use super::html::is_web;
use super::layout::{Content, framed};
use super::navigation::{facets, navigation, orders};
use crate::http::dates::day;

/// The page of results.
pub(in crate::http) fn results(request: &SearchRequest, response: &SearchResponse) -> Html {
    let mut main = Html::new();
    main.html(&summary(response)).html(&orders(request)).html(&notes(response)).html(&facets(request, response));
    main.raw("<ol class=\"pages\"").attribute("start", response.offset + 1).raw(">");
    for page in &response.pages {
        main.html(&page_hit(page));
    }
    main.raw("</ol>").html(&navigation(request, response));
    let title = format!("{} – Lopper", response.query);
    framed(&Content { kind: "results", title: &title, query: &response.query, main: &main })
}

fn summary(response: &SearchResponse) -> Html {
    let mut html = Html::new();
    let (blocks, pages) = (response.total_blocks, response.pages.len() as u64);
    html.raw("<p class=\"summary\">").raw(if response.total_is_exact { "" } else { "At least " });
    html.text(counted(blocks, "block matches", "blocks match")).raw(" · ");
    if response.offset > 0 || response.next_offset.is_some() {
        let (first, last) = (response.offset as u64 + 1, response.offset as u64 + pages);
        html.raw("pages ").text(grouped(first)).raw("–").text(grouped(last)).raw(" · ");
    } else {
        html.text(counted(pages, "page", "pages")).raw(" · ");
    }
    html.text(format_args!("{:.1} ms", response.duration_ms)).raw("</p>");
    html
}

/// Hits that one stands for.
fn others(others: &OtherHits, one: &str, many: &str) -> Html {
    let mut html = Html::new();
    if others.is_empty() {
        return html;
    }
    let count = counted(others.count as u64, one, many);
    html.raw("<details class=\"others\"><summary>").text(count).raw("</summary><ul>");
    for other in &others.blocks {
        html.raw("<li><a").attribute("href", format_args!("/pages/{}", other.page_id)).raw("><bdi>");
        html.text(&other.url).raw("</bdi></a>");
        if let Some(day) = other.captured_at.as_deref().and_then(day) {
            html.raw(" · captured ").text(day);
        }
        html.raw("</li>");
    }
    html.raw("</ul></details>");
    html
}

pub(super) fn summary_of_nothing(response: &SearchResponse) -> Html {
    let mut html = Html::new();
    let shown: String = response.query.chars().take(120).collect();
    html.raw("<h1>Nothing found</h1><p class=\"summary\">No block matches <b><bdi>");
    html.text(&shown).raw(if shown.len() < response.query.len() { "…" } else { "" }).raw("</bdi></b>.</p>");
    html
}

/// How the query was understood.
pub(super) fn notes(response: &SearchResponse) -> Html {
    let mut html = Html::new();
    for note in &response.notes {
        html.raw("<p class=\"note\">").text(in_words(note)).raw("</p>");
    }
    html
}

fn in_words(note: &QueryNote) -> String {
    match note {
        QueryNote::NoWords => "The query holds no words, only spaces and signs.".to_owned(),
        QueryNote::TextCut { ignored_bytes } => {
            format!("The query is too long: its last {} were ignored.", counted(*ignored_bytes as u64, "byte", "bytes"))
        }
        QueryNote::WordsIgnored { count } => {
            format!("The query has too many words: the last {} were ignored.", grouped(*count as u64))
        }
        other => sentence(&other.to_string()),
    }
}

/// A message as a sentence.
fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if message.ends_with(['?', ')']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}

fn page_hit(page: &PageHit) -> Html {
    let mut html = Html::new();
    html.raw("<li class=\"page\"><h2><a");
    if is_web(&page.url) {
        html.href(&page.url);
    } else {
        html.attribute("href", format_args!("/pages/{}", page.page_id));
    }
    let title = if page.title.trim().is_empty() { &page.url } else { &page.title };
    html.raw(" dir=\"auto\">").text(title).raw("</a></h2>").html(&facts(page));
    html.html(&others(&page.captures, "other capture", "other captures"));
    html.html(&others(&page.similar, "similar block", "similar blocks"));
    for block in &page.blocks {
        html.html(&block_hit(page, block));
    }
    html.raw("</li>");
    html
}

fn facts(page: &PageHit) -> Html {
    let mut html = Html::new();
    html.raw("<p class=\"facts\">");
    let place = if page.host.is_empty() { &page.url } else { &page.host };
    html.raw("<span class=\"host\"").attribute("title", &page.url).raw(">").text(place).raw("</span>");
    if let Some((captured, day)) = page.captured_at.as_ref().and_then(|time| Some((time, day(time)?))) {
        html.raw(" · <time").attribute("datetime", captured).attribute("title", captured).raw(">captured ");
        html.text(day).raw("</time>");
    }
    if page.language != "und" && !page.language.is_empty() {
        html.raw(" · <span class=\"language\">").text(&page.language).raw("</span>");
    }
    if !page.page_type.is_empty() {
        html.raw(" · <span class=\"type\">").text(&page.page_type).raw("</span>");
    }
    html.raw(" · <a").attribute("href", format_args!("/pages/{}", page.page_id)).raw(">How this page was cut</a></p>");
    html
}

fn block_hit(page: &PageHit, block: &BlockHit) -> Html {
    let mut html = Html::new();
    let (heading, snippet) = without_heading(block);
    html.raw("<div class=\"block\">").html(&trail(&block.heading_path, heading.as_ref()));
    html.raw("<p class=\"snippet\" dir=\"auto\"").attribute("lang", &page.language).raw(">");
    html.marked(&snippet).raw("</p><p class=\"small\"><span title=\"");
    html.raw("What speaks for the block; comparable within one answer\">score ");
    html.text(format_args!("{:.2}", block.score)).raw("</span> · <span title=\"");
    html.raw("Cosine similarity of block and query, from 0 to 1\">similarity ");
    html.text(format_args!("{:.2}", block.similarity)).raw("</span>");
    if is_web(&block.locator.url) {
        html.raw(" · <a").href(&block.locator.url).raw(">Open at this place</a>");
    }
    let item = block.locator.block_path.split(':').next().unwrap_or_default();
    let address = format!("/pages/{}#block-{item}", page.page_id);
    html.raw(" · <a").attribute("href", address).raw(">See it in the page</a></p></div>");
    html
}

/// The headings above a block; the last one with its marks, where it was taken from the snippet.
fn trail(headings: &[String], last: Option<&HighlightedText>) -> Html {
    let mut html = Html::new();
    if headings.is_empty() {
        return html;
    }
    html.raw("<p class=\"trail\" dir=\"auto\">");
    for (place, heading) in headings.iter().enumerate() {
        html.raw(if place > 0 { " <i>›</i> " } else { "" }).raw("<bdi>");
        match last.filter(|_| place + 1 == headings.len()) {
            Some(marked) => html.marked(marked),
            None => html.text(heading),
        };
        html.raw("</bdi>");
    }
    html.raw("</p>");
    html
}

/// A block's snippet without the heading that it begins with, since that stands above it already.
fn without_heading(block: &BlockHit) -> (Option<HighlightedText>, HighlightedText) {
    let HighlightedText { text, highlights } = &block.snippet;
    let Some((first, rest)) =
        text.split_once('\n').filter(|(first, _)| block.heading_path.last().is_some_and(|last| last == first))
    else {
        return (None, block.snippet.clone());
    };
    let start = first.len() + 1;
    let (above, below): (Vec<_>, Vec<_>) = highlights.iter().cloned().partition(|range| range.end <= first.len());
    let below =
        below.into_iter().filter(|range| range.start >= start).map(|range| range.start - start..range.end - start);
    let heading = HighlightedText { text: first.to_owned(), highlights: above };
    (Some(heading), HighlightedText { text: rest.to_owned(), highlights: below.collect() })
}
