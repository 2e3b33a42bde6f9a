//! The captures of a page over time.

use lopper_collection::rfc_3339;
use lopper_store::{Capture, CaptureKind, StoredPage};
use maud::{Markup, html};

use crate::http::dates::day;

/// Captures shown on the line.
const SHOWN_MAX: usize = 60;

/// The captures on a line, by their times; nothing where there is only one.
pub(super) fn timeline(page: &StoredPage, captures: &[Capture]) -> Markup {
    let dated: Vec<(&Capture, i64)> =
        captures.iter().filter_map(|capture| Some((capture, capture.captured_at?))).collect();
    let (Some((_, from)), Some((_, to))) = (dated.first().copied(), dated.last().copied()) else { return html! {} };
    let left_out = dated.len().saturating_sub(SHOWN_MAX);
    let place = |time: i64| 100.0 * (time - from) as f64 / (to - from).max(1) as f64;
    html! {
        @if dated.len() > 1 {
            nav.captures aria-label="Captures of this page" {
                span.when { (day_of(from)) }
                svg.line viewBox="-2 0 104 10" preserveAspectRatio="none" aria-hidden="true" {
                    path d="M0 5H100" {}
                    @for (capture, time) in &dated {
                        circle.here[capture.page == page.id] cx=(format_args!("{:.2}", place(*time))) cy="5" r="1" {}
                    }
                }
                span.when { (day_of(to)) }
                details {
                    summary { (dated.len()) " captures" }
                    ol {
                        @for (capture, time) in dated.iter().rev().take(SHOWN_MAX) { (entry(page, capture, *time)) }
                    }
                    @if left_out > 0 { p.small { (left_out) " earlier ones are not shown." } }
                }
            }
        }
    }
}

fn entry(page: &StoredPage, capture: &Capture, time: i64) -> Markup {
    let is_here = capture.page == page.id;
    html! {
        li {
            @if is_here { b { (day_of(time)) } } @else { a href={ "page/" (capture.page) } { (day_of(time)) } }
            @match capture.kind {
                CaptureKind::Page => {}
                CaptureKind::Duplicate | CaptureKind::Revisit => span.small { " unchanged" },
            }
            @if !is_here { " · " a href={ "page/" (page.id) "/changes?with=" (capture.page) } { "what changed" } }
        }
    }
}

/// The day of a capture; its seconds where it has none.
pub(super) fn day_of(time: i64) -> String {
    rfc_3339(time).and_then(|time| day(&time)).unwrap_or_else(|| time.to_string())
}
