//! The results of a search, by page.

use lopper_collection::search::{BlockHit, HighlightedText, OtherHits, PageHit, SearchRequest, SearchResponse};
use maud::{Markup, html};

use super::figures::counted;
use super::layout::{Content, framed};
use super::navigation::{facets, navigation, orders};
use super::summary::{notes, summary};
use super::text::marked;
use crate::http::dates::day;
use crate::markup::{is_web, web_link};

/// The page of results.
pub(in crate::http) fn results(request: &SearchRequest, response: &SearchResponse) -> Markup {
    let main = html! {
        (summary(response))
        (orders(request))
        (notes(response))
        (facets(request, response))
        ol.pages start=(response.offset + 1) {
            @for page in &response.pages { (page_hit(page)) }
        }
        (navigation(request, response))
    };
    let title = format!("{} – Lopper", response.query);
    framed(&Content { kind: "results", title: &title, query: &response.query, script: None, main })
}

fn page_hit(page: &PageHit) -> Markup {
    let title = if page.title.trim().is_empty() { &page.url } else { &page.title };
    let is_web = is_web(&page.url);
    let address = if is_web { page.url.clone() } else { cut_page(&page.page_id) };
    html! {
        li.page {
            h2 { a href=(address) rel=[is_web.then_some("noreferrer noopener")] dir="auto" { (title) } }
            (facts(page))
            (others(&page.captures, "other capture", "other captures"))
            (others(&page.similar, "similar block", "similar blocks"))
            @for block in &page.blocks { (block_hit(page, block)) }
        }
    }
}

/// The address of our page about a page.
fn cut_page(page_id: &str) -> String {
    format!("/page/{page_id}")
}

fn facts(page: &PageHit) -> Markup {
    let place = if page.host.is_empty() { &page.url } else { &page.host };
    let captured = page.captured_at.as_ref().and_then(|time| Some((time, day(time)?)));
    html! {
        p.facts {
            span.host title=(page.url) { (place) }
            @if let Some((time, day)) = captured {
                " · " time datetime=(time) title=(time) { "captured " (day) }
            }
            @if page.language != "und" && !page.language.is_empty() { " · " span.language { (page.language) } }
            @if !page.page_type.is_empty() { " · " span.type { (page.page_type) } }
            " · " a href=(cut_page(&page.page_id)) { "How this page was cut" }
        }
    }
}

/// Hits that one stands for.
fn others(others: &OtherHits, one: &str, many: &str) -> Markup {
    html! {
        @if !others.is_empty() {
            details.others {
                summary { (counted(others.count as u64, one, many)) }
                ul {
                    @for other in &others.blocks {
                        li {
                            a href=(cut_page(&other.page_id)) { bdi { (other.url) } }
                            @if let Some(day) = other.captured_at.as_deref().and_then(day) { " · captured " (day) }
                        }
                    }
                }
            }
        }
    }
}

fn block_hit(page: &PageHit, block: &BlockHit) -> Markup {
    let (heading, snippet) = without_heading(block);
    html! {
        div.block {
            (trail(&block.heading_path, heading.as_ref()))
            p.snippet dir="auto" lang=(page.language) { (marked(&snippet)) }
            p.small { (scores(block)) (ways(page, block)) }
        }
    }
}

fn scores(block: &BlockHit) -> Markup {
    html! {
        span title="What speaks for the block; comparable within one answer" {
            "score " (format_args!("{:.2}", block.score))
        }
        " · "
        span title="Cosine similarity of block and query, from 0 to 1" {
            "similarity " (format_args!("{:.2}", block.similarity))
        }
    }
}

/// The ways to a block: in the page itself, and in our page about it.
fn ways(page: &PageHit, block: &BlockHit) -> Markup {
    html! {
        @if is_web(&block.locator.url) { " · " (web_link(&block.locator.url, "Open at this place")) }
        " · " a href={ (cut_page(&page.page_id)) "?block=" (block.ordinal) } { "See it in the page" }
    }
}

/// The headings above a block; the last one with its marks, where it was taken from the snippet.
fn trail(headings: &[String], last: Option<&HighlightedText>) -> Markup {
    let last = |place: usize| last.filter(|_| place + 1 == headings.len());
    html! {
        @if !headings.is_empty() {
            p.trail dir="auto" {
                @for (place, heading) in headings.iter().enumerate() {
                    @if place > 0 { " " i { "›" } " " }
                    bdi { @if let Some(heading) = last(place) { (marked(heading)) } @else { (heading) } }
                }
            }
        }
    }
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
