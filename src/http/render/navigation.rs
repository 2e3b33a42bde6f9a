//! Ways from one part of an answer to others: pages before and behind, other orders, narrower and wider queries.

use lopper_collection::search::{Collapse, SearchRequest, SearchResponse};
use lopper_index::{Facet, FacetValue, Order};
use maud::{Markup, html};

use super::figures::{counted, grouped};
use super::filters::{filters, with_only, without};
use super::text::encoded;

/// Height of the tallest bar of the histogram.
const BAR_HEIGHT: u64 = 40;

/// An answer with what was asked.
pub(super) struct Around<'a> {
    pub(super) request: &'a SearchRequest,
    pub(super) response: &'a SearchResponse,
    /// The first line of the block that more like it are asked for.
    pub(super) like: Option<&'a str>,
}

impl Around<'_> {
    /// The address of the answer to another query.
    pub(super) fn to_query(&self, query: &str) -> String {
        address(&SearchRequest { query: query.to_owned(), offset: 0, ..self.request.clone() })
    }
}

/// The address of a part of the answer to a query, from the search page of its collection on.
pub(in crate::http) fn address(request: &SearchRequest) -> String {
    let parameters: Vec<String> =
        parameters(request).into_iter().map(|(name, value)| format!("{name}={}", encoded(&value))).collect();
    format!("?{}", parameters.join("&"))
}

/// What such an address says, the words first.
fn parameters(request: &SearchRequest) -> Vec<(&'static str, String)> {
    let default = SearchRequest::default();
    let mut parameters = vec![("q", request.query.clone())];
    parameters.extend(request.like.clone().map(|like| ("like", like)));
    if request.offset > 0 {
        parameters.push(("offset", request.offset.to_string()));
    }
    if request.pages != default.pages {
        parameters.push(("pages", request.pages.to_string()));
    }
    if request.sort != default.sort {
        parameters.push(("sort", request.sort.name().to_owned()));
    }
    if request.collapse == Collapse::Similar {
        parameters.push(("collapse", "similar".to_owned()));
    }
    parameters
}

/// The orders to choose from, and whether what is nearly the same is shown once.
pub(super) fn orders(around: &Around<'_>) -> Markup {
    let request = around.request;
    let is_collapsed = request.collapse == Collapse::Similar;
    let collapse = if is_collapsed { Collapse::Captures } else { Collapse::Similar };
    html! {
        p.orders {
            @for (sort, name) in [(Order::Relevance, "Best first"), (Order::Date, "Newest first")] {
                @if sort == request.sort {
                    b { (name) } " "
                } @else {
                    a href=(address(&SearchRequest { sort, offset: 0, ..request.clone() })) { (name) } " "
                }
            }
            a href=(address(&SearchRequest { collapse, offset: 0, ..request.clone() })) {
                @if is_collapsed { "Show similar ones" } @else { "Hide similar ones" }
            }
        }
    }
}

/// The chosen filters, each with a way to be without it.
pub(super) fn chips(around: &Around<'_>) -> Markup {
    let query = &around.request.query;
    let chosen = filters(query);
    html! {
        @if !chosen.is_empty() || around.like.is_some() {
            ul.chips aria-label="Chosen filters" {
                @if let Some(like) = around.like {
                    (chip(&format!("like “{like}”"), &address(&SearchRequest { like: None, offset: 0, ..around.request.clone() })))
                }
                @for filter in &chosen {
                    (chip(&format!("{}: {}", filter.field, filter.value), &around.to_query(&without(query, filter))))
                }
            }
        }
    }
}

fn chip(name: &str, away: &str) -> Markup {
    html! { li { a.chip href=(away) { bdi { (name) } span aria-hidden="true" { " ×" } span.unseen { " (take away)" } } } }
}

/// Counts over all that matches; each ticks and unticks its filter.
pub(super) fn facets(around: &Around<'_>) -> Markup {
    html! {
        @if let Some(facets) = &around.response.facets {
            div.facets {
                (facet(around, "Website", "site", &facets.host))
                (facet(around, "Language", "lang", &facets.language))
                (years(around, &facets.year))
                (facet(around, "Type", "type", &facets.page_type))
            }
        }
    }
}

fn facet(around: &Around<'_>, name: &str, field: &str, facet: &Facet) -> Markup {
    html! {
        @if !facet.values.is_empty() {
            details.facet name="facet" {
                summary { (name) }
                div.panel { (values(around, field, &facet.values)) (rest(facet)) }
            }
        }
    }
}

fn values(around: &Around<'_>, field: &str, values: &[FacetValue]) -> Markup {
    let query = &around.request.query;
    let chosen = filters(query);
    let is_chosen = |value: &str| chosen.iter().any(|filter| filter.field == field && filter.value == value);
    html! {
        ul {
            @for FacetValue { value, blocks } in values {
                @let is_chosen = is_chosen(value);
                @let wanted = if is_chosen { with_only(query, field, None) } else { with_only(query, field, Some(value)) };
                li {
                    a href=(around.to_query(&wanted)) aria-current=[is_chosen.then_some("true")] { bdi { (value) } }
                    " " small { (grouped(*blocks)) }
                }
            }
        }
    }
}

fn rest(facet: &Facet) -> Markup {
    html! { @if facet.other_blocks > 0 { p.small { "others " small { (grouped(facet.other_blocks)) } } } }
}

/// Years as a histogram, each of them, and a range to choose.
fn years(around: &Around<'_>, facet: &Facet) -> Markup {
    let mut by_year = facet.values.clone();
    by_year.sort_by(|a, b| a.value.cmp(&b.value));
    let others = with_only(&around.request.query, "date", None);
    html! {
        @if !by_year.is_empty() {
            details.facet name="facet" {
                summary { "Year" }
                div.panel {
                    (histogram(&by_year))
                    (values(around, "date", &by_year))
                    (rest(facet))
                    form.range method="get" {
                        input type="hidden" name="q" value=(others);
                        @for (name, value) in parameters(&SearchRequest { offset: 0, ..around.request.clone() }).iter().skip(1) {
                            input type="hidden" name=(name) value=(value);
                        }
                        label { span { "from" } input name="from" inputmode="numeric" maxlength="10" placeholder="2008"; }
                        label { span { "to" } input name="to" inputmode="numeric" maxlength="10" placeholder="2014-06"; }
                        button { "Set" }
                    }
                }
            }
        }
    }
}

fn histogram(years: &[FacetValue]) -> Markup {
    let most = years.iter().map(|year| year.blocks).max().unwrap_or(1).max(1);
    html! {
        svg.histogram viewBox={ "0 0 " (years.len() * 20) " " (BAR_HEIGHT) } role="img"
            aria-label={ "Passages by year, most " (counted(most, "passage", "passages")) } {
            @for (place, year) in years.iter().enumerate() {
                @let height = (BAR_HEIGHT * year.blocks / most).max(1);
                rect x=(place * 20 + 2) y=(BAR_HEIGHT - height) width="16" height=(height) rx="2" {
                    title { (year.value) ": " (year.blocks) }
                }
            }
        }
    }
}

/// The ways to the pages before and behind.
pub(super) fn navigation(around: &Around<'_>) -> Markup {
    let Around { request, response, .. } = around;
    let part = |offset| address(&SearchRequest { offset, ..(*request).clone() });
    html! {
        nav.more aria-label="Pages of results" {
            @if response.offset > 0 {
                a rel="prev" href=(part(response.offset.saturating_sub(request.pages))) { "← Former pages" } " "
            }
            @if let Some(next) = response.next_offset {
                a rel="next" href=(part(next)) { "More pages →" }
            }
        }
    }
}
