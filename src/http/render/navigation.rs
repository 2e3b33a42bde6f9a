//! Ways from one part of an answer to others: pages before and behind, other orders, narrower queries.

use lopper_collection::search::{SearchRequest, SearchResponse};
use lopper_index::{Facet, Order};

use super::Html;
use super::figures::grouped;
use super::home::encoded;

/// The address of a part of the answer to a query.
fn address(request: &SearchRequest, query: &str, offset: usize, sort: Order) -> String {
    let mut parameters = vec![format!("q={}", encoded(query))];
    if offset > 0 {
        parameters.push(format!("offset={offset}"));
    }
    if request.pages != SearchRequest::default().pages {
        parameters.push(format!("pages={}", request.pages));
    }
    if sort != Order::default() {
        parameters.push(format!("sort={}", sort.name()));
    }
    format!("/?{}", parameters.join("&"))
}

/// The orders to choose from.
pub(super) fn orders(request: &SearchRequest) -> Html {
    let mut html = Html::new();
    html.raw("<p class=\"orders\">");
    for (sort, name) in [(Order::Relevance, "Best first"), (Order::Date, "Newest first")] {
        if sort == request.sort {
            html.raw("<b>").text(name).raw("</b> ");
        } else {
            html.raw("<a").attribute("href", address(request, &request.query, 0, sort)).raw(">");
            html.text(name).raw("</a> ");
        }
    }
    html.raw("</p>");
    html
}

/// Counts over all that matches; each links to the query with that filter.
pub(super) fn facets(request: &SearchRequest, response: &SearchResponse) -> Html {
    let mut html = Html::new();
    let Some(facets) = &response.facets else { return html };
    html.raw("<details class=\"facets\"><summary>Narrow down</summary>");
    for (name, filter, counts) in [
        ("Host", "site", &facets.host),
        ("Language", "lang", &facets.language),
        ("Year", "date", &facets.year),
        ("Type", "type", &facets.page_type),
    ] {
        html.html(&facet(request, name, filter, counts));
    }
    html.raw("</details>");
    html
}

fn facet(request: &SearchRequest, name: &'static str, filter: &str, facet: &Facet) -> Html {
    let mut html = Html::new();
    if facet.values.is_empty() {
        return html;
    }
    html.raw("<p>").raw(name).raw(": ");
    for value in &facet.values {
        let narrowed = format!("{} {filter}:{}", request.query, value.value);
        html.raw("<a").attribute("href", address(request, &narrowed, 0, request.sort)).raw("><bdi>");
        html.text(&value.value).raw("</bdi></a> <small>").text(grouped(value.blocks)).raw("</small> ");
    }
    if facet.other_blocks > 0 {
        html.raw("others <small>").text(grouped(facet.other_blocks)).raw("</small>");
    }
    html.raw("</p>");
    html
}

/// The ways to the pages before and behind.
pub(super) fn navigation(request: &SearchRequest, response: &SearchResponse) -> Html {
    let mut html = Html::new();
    html.raw("<p class=\"more\">");
    if response.offset > 0 {
        let former = response.offset.saturating_sub(request.pages);
        html.raw("<a rel=\"prev\"").attribute("href", address(request, &request.query, former, request.sort));
        html.raw(">← Former pages</a> ");
    }
    if let Some(next) = response.next_offset {
        html.raw("<a rel=\"next\"").attribute("href", address(request, &request.query, next, request.sort));
        html.raw(">More pages →</a>");
    }
    html.raw("</p>");
    html
}
