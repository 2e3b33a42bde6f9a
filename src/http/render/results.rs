//! The results of a search, by page.

use lopper_index::QueryNote;

use super::Html;
use super::figures::{counted, grouped};
use super::home::encoded;
use super::html::is_web;
use super::layout::{Content, framed};
use crate::http::dates::day;
use crate::search::{BlockHit, HighlightedText, PageHit, SearchResponse};

/// The page of results; `more` is the number of pages that a link to more results asks for.
pub(in crate::http) fn results(response: &SearchResponse, more: Option<usize>) -> Html {
    let mut main = Html::new();
    main.html(&summary(response)).html(&notes(response)).raw("<ol class=\"pages\">");
    for page in &response.pages {
        main.html(&page_hit(page));
    }
    main.raw("</ol>");
    if let Some(pages) = more {
        let address = format!("/?q={}&pages={pages}", encoded(&response.query));
        main.raw("<p class=\"more\"><a").attribute("href", address).raw(">Show more pages</a></p>");
    }
    let title = format!("{} – Lopper", response.query);
    framed(&Content { kind: "results", title: &title, query: &response.query, main: &main })
}

fn summary(response: &SearchResponse) -> Html {
    let mut html = Html::new();
    let (blocks, pages) = (response.total_blocks, response.pages.len() as u64);
    html.raw("<p class=\"summary\">").text(counted(blocks, "block matches", "blocks match"));
    html.raw(" · ").text(counted(pages, "page", "pages")).raw(" shown · ");
    html.text(format_args!("{:.1} ms", response.duration_ms)).raw("</p>");
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
    html.raw(" · <a").attribute("href", format_args!("/pages/{}", page.page_id)).raw(">How this page was cut</a></p>");
    html
}

fn block_hit(page: &PageHit, block: &BlockHit) -> Html {
    let mut html = Html::new();
    let (heading, snippet) = without_heading(block);
    html.raw("<div class=\"block\">").html(&trail(&block.heading_path, heading.as_ref()));
    html.raw("<p class=\"snippet\" dir=\"auto\"").attribute("lang", &page.language).raw(">");
    html.marked(&snippet).raw("</p><p class=\"small\"><span title=\"");
    html.raw("BM25 over title, headings and text; comparable within one answer\">score ");
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
