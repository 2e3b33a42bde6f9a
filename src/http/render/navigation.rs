//! Ways from one part of an answer to others: pages before and behind, other orders, narrower queries.

use lopper_collection::search::{SearchRequest, SearchResponse};
use lopper_index::{Facet, Order};
use maud::{Markup, html};

use super::figures::grouped;
use super::text::encoded;

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
pub(super) fn orders(request: &SearchRequest) -> Markup {
    html! {
        p.orders {
            @for (sort, name) in [(Order::Relevance, "Best first"), (Order::Date, "Newest first")] {
                @if sort == request.sort {
                    b { (name) } " "
                } @else {
                    a href=(address(request, &request.query, 0, sort)) { (name) } " "
                }
            }
        }
    }
}

/// Counts over all that matches; each links to the query with that filter.
pub(super) fn facets(request: &SearchRequest, response: &SearchResponse) -> Markup {
    html! {
        @if let Some(facets) = &response.facets {
            details.facets {
                summary { "Narrow down" }
                (facet(request, "Host", "site", &facets.host))
                (facet(request, "Language", "lang", &facets.language))
                (facet(request, "Year", "date", &facets.year))
                (facet(request, "Type", "type", &facets.page_type))
            }
        }
    }
}

fn facet(request: &SearchRequest, name: &str, filter: &str, facet: &Facet) -> Markup {
    let narrowed = |value: &str| format!("{} {filter}:{value}", request.query);
    html! {
        @if !facet.values.is_empty() {
            p {
                (name) ": "
                @for value in &facet.values {
                    a href=(address(request, &narrowed(&value.value), 0, request.sort)) { bdi { (value.value) } }
                    " " small { (grouped(value.blocks)) } " "
                }
                @if facet.other_blocks > 0 { "others " small { (grouped(facet.other_blocks)) } }
            }
        }
    }
}

/// The ways to the pages before and behind.
pub(super) fn navigation(request: &SearchRequest, response: &SearchResponse) -> Markup {
    let part = |offset| address(request, &request.query, offset, request.sort);
    html! {
        p.more {
            @if response.offset > 0 {
                a rel="prev" href=(part(response.offset.saturating_sub(request.pages))) { "← Former pages" } " "
            }
            @if let Some(next) = response.next_offset {
                a rel="next" href=(part(next)) { "More pages →" }
            }
        }
    }
}
