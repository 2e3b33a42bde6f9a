//! The results of a search, by page.

use lopper_collection::search::{BlockHit, HighlightedText, OtherHits, PageHit, SearchRequest, SearchResponse};
use maud::{Markup, html};

use super::figures::counted;
use super::layout::Content;
use super::navigation::{Around, chips, facets, navigation, orders};
use super::summary::{notes, summary};
use super::text::{encoded, marked};
use crate::http::dates::day;
use crate::markup::{is_web, web_link};

/// Characters of the headings above a block; longer ones are shortened in the middle.
const TRAIL_CHARS_MAX: usize = 90;

/// The page of results. `like` is the first line of the block that more like it are asked for.
pub(in crate::http) fn results(request: &SearchRequest, response: &SearchResponse, like: Option<&str>) -> Content {
    let around = Around { request, response, like };
    let main = html! {
        div.above { (summary(response)) (orders(&around)) }
        (chips(&around))
        (notes(&around))
        (facets(&around))
        ol.pages start=(response.offset + 1) {
            @for page in &response.pages { (page_hit(&around, page)) }
        }
        (navigation(&around))
    };
    let title = if response.query.is_empty() {
        "More like this – Lopper".to_owned()
    } else {
        format!("{} – Lopper", response.query)
    };
    Content { query: response.query.clone(), ..Content::new("results", title, main) }
}

fn page_hit(around: &Around<'_>, page: &PageHit) -> Markup {
    let missing = missing_words(page);
    let title = if page.title.trim().is_empty() { &page.url } else { &page.title };
    let best = page.blocks.first().map_or(0, |block| block.ordinal);
    html! {
        li.page {
            h2 { a href=(seen_at(around, page, best)) dir="auto" { (title) } }
            (facts(page))
            @for block in &page.blocks { (block_hit(around, page, block)) }
            @if !missing.is_empty() {
                p.missing title="No passage shown here has it" { "missing: " @for word in missing { s { (word) } " " } }
            }
            @if let Some(newer) = &page.newer_capture {
                p.newer {
                    a href={ "page/" (newer.page_id) } { "A newer capture" } " may have another text"
                    @if let Some(day) = newer.captured_at.as_deref().and_then(day) { " · captured " (day) }
                }
            }
            (others(&page.captures, "other capture", "other captures"))
            (others(&page.similar, "similar passage", "similar passages"))
        }
    }
}

/// Words that no shown block of a page has.
fn missing_words(page: &PageHit) -> Vec<&str> {
    let [first, others @ ..] = &page.blocks[..] else { return Vec::new() };
    let is_missing = |word: &&String| others.iter().all(|block| block.missing_words.contains(*word));
    first.missing_words.iter().filter(is_missing).map(String::as_str).collect()
}

/// The address of a block in our page about its page; the way back keeps the query.
fn seen_at(around: &Around<'_>, page: &PageHit, block: u32) -> String {
    let query = &around.request.query;
    let back = if query.is_empty() { String::new() } else { format!("&q={}", encoded(query)) };
    format!("page/{}?block={block}{back}", page.page_id)
}

fn facts(page: &PageHit) -> Markup {
    let place = if page.host.is_empty() { &page.url } else { &page.host };
    let on = |time: &Option<String>| time.as_ref().and_then(|time| Some((time.clone(), day(time)?)));
    let (captured, last) = (on(&page.captured_at), on(&page.last_captured_at));
    html! {
        p.facts {
            span.host title=(page.url) { (web_link(&page.url, place)) }
            @if let Some((time, day)) = captured { " · " time datetime=(time) title=(time) { "captured " (day) } }
            @if let Some((time, day)) = last { " · " time datetime=(time) title=(time) { "unchanged " (day) } }
            @if page.language != "und" && !page.language.is_empty() { " · " span.language { (page.language) } }
            @if !page.page_type.is_empty() { " · " span.type { (page.page_type) } }
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
                            a href={ "page/" (other.page_id) } { bdi { (other.url) } }
                            @if let Some(day) = other.captured_at.as_deref().and_then(day) { " · captured " (day) }
                        }
                    }
                }
            }
        }
    }
}

fn block_hit(around: &Around<'_>, page: &PageHit, block: &BlockHit) -> Markup {
    let (heading, snippet) = without_heading(block);
    let language = block.block_language.as_ref().unwrap_or(&page.language);
    html! {
        div.block {
            (trail(&block.heading_path, heading.as_ref()))
            @if !block.table_head.is_empty() {
                p.columns dir="auto" lang=(language) { bdi { (block.table_head) } }
            }
            p.snippet dir="auto" lang=(language) { (marked(&snippet)) }
            p.ways { (ways(around, page, block)) }
            (why(block))
            (citation(page, block))
        }
    }
}

/// What one can do with a block.
fn ways(around: &Around<'_>, page: &PageHit, block: &BlockHit) -> Markup {
    html! {
        a href=(seen_at(around, page, block.ordinal)) { "See it in the page" }
        @if is_web(&block.locator.url) { " " (web_link(&block.locator.url, "Open at this place")) }
        @if let Some(replay) = &page.replay_url { " " (web_link(replay, "Open in replay")) }
        " " a href={ "?like=" (block.block_id) } { "More like this" }
    }
}

/// Scores, for those who ask.
fn why(block: &BlockHit) -> Markup {
    html! {
        details.why {
            summary { "Why this?" }
            dl {
                dt title="What speaks for the block; comparable within one answer" { "score" }
                dd { (format_args!("{:.2}", block.score)) }
                dt title="Cosine similarity of block and query, from 0 to 1" { "similarity" }
                dd { (format_args!("{:.2}", block.similarity)) }
                dt { "place" } dd { "passage " (block.ordinal + 1) ", " code { (block.locator.css_path) } }
            }
        }
    }
}

/// The block as others can be pointed to it.
fn citation(page: &PageHit, block: &BlockHit) -> Markup {
    let title = if page.title.trim().is_empty() { "Untitled" } else { page.title.trim() };
    let captured = page.captured_at.as_deref().and_then(day).map(|day| format!("Captured {day}. ")).unwrap_or_default();
    let host = if page.host.is_empty() { String::new() } else { format!("{}. ", page.host) };
    let replay = page.replay_url.as_deref().map(|replay| format!(" {replay}")).unwrap_or_default();
    html! {
        details.cite {
            summary { "Cite" }
            p { bdi { "“" (title) "”. " } (host) (captured) (block.locator.url) (replay) }
        }
    }
}

/// The headings above a block; the last one with its marks, where it was taken from the snippet.
fn trail(headings: &[String], last: Option<&HighlightedText>) -> Markup {
    let shown = shortened(headings);
    let last = |place: usize| last.filter(|_| place + 1 == shown.len());
    html! {
        @if !shown.is_empty() {
            p.trail dir="auto" title=[(shown.len() < headings.len()).then(|| headings.join(" › "))] {
                @for (place, heading) in shown.iter().enumerate() {
                    @if place > 0 { " " i { "›" } " " }
                    bdi { @if let Some(heading) = last(place) { (marked(heading)) } @else { (heading) } }
                }
            }
        }
    }
}

/// The first and the last of some headings, with `…` for those between that do not fit.
fn shortened(headings: &[String]) -> Vec<&str> {
    let length: usize = headings.iter().map(|heading| heading.chars().count() + 3).sum();
    match headings {
        [first, .., last] if length > TRAIL_CHARS_MAX && headings.len() > 2 => vec![first, "…", last],
        _ => headings.iter().map(String::as_str).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_trails_are_shortened_in_the_middle() {
        let headings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let long = "A heading that is rather long for one";
        assert_eq!(shortened(&headings(&["One", "Two", "Three"])), ["One", "Two", "Three"]);
        assert_eq!(shortened(&headings(&["One", long, long, "Last"])), ["One", "…", "Last"]);
        assert_eq!(shortened(&headings(&[long, &long.repeat(3)])).len(), 2);
    }
}
