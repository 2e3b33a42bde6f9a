//! What changed between two captures of a page.

use lopper_store::StoredPage;
use maud::{Markup, html};

use super::captures::day_of;
use super::figures::counted;
use super::layout::Content;
use crate::view::Change;

/// Unchanged texts in a row from which on they are folded.
const FOLDED_FROM: usize = 3;

/// Characters shown of a text.
const TEXT_CHARS_MAX: usize = 1500;

/// The page of the steps from the `earlier` capture to the `later` one.
pub(in crate::http) fn changes(earlier: &StoredPage, later: &StoredPage, steps: &[Change<'_>]) -> Content {
    let heading = if later.title.trim().is_empty() { &later.url } else { &later.title };
    let count = |wanted: fn(&Change<'_>) -> bool| steps.iter().filter(|step| wanted(step)).count() as u64;
    let same = count(|step| matches!(step, Change::Same(_)));
    let main = html! {
        h1 { "What changed: " span dir="auto" { (heading) } }
        p.facts {
            "From " (capture(earlier)) " to " (capture(later)) ": "
            (count(|step| matches!(step, Change::Added(_)))) " added, "
            (count(|step| matches!(step, Change::Removed(_)))) " removed, "
            (count(|step| matches!(step, Change::Changed(..)))) " changed, "
            (counted(same, "part the same", "parts the same")) "."
        }
        div.changes { @for row in rows(steps) { (part(row)) } }
    };
    let title = format!("What changed: {heading} – Lopper");
    Content::new("changed", title, main)
}

fn capture(page: &StoredPage) -> Markup {
    html! { a href={ "page/" (page.id) } { (page.captured_at.map_or_else(|| "an unknown day".to_owned(), day_of)) } }
}

/// The steps in rows: what is the same, and what is not.
fn rows<'s, 'a>(steps: &'s [Change<'a>]) -> impl Iterator<Item = &'s [Change<'a>]> {
    steps.chunk_by(|one, other| matches!(one, Change::Same(_)) == matches!(other, Change::Same(_)))
}

fn part(row: &[Change<'_>]) -> Markup {
    let lines = html! { @for step in row { (line(step)) } };
    html! {
        @if row.len() >= FOLDED_FROM && matches!(row[0], Change::Same(_)) {
            details.same { summary { (row.len()) " parts the same" } (lines) }
        } @else { (lines) }
    }
}

fn line(step: &Change<'_>) -> Markup {
    match step {
        Change::Same(text) => html! { p.same dir="auto" { (shown(text)) } },
        Change::Added(text) => html! { p.added dir="auto" { ins { (shown(text)) } } },
        Change::Removed(text) => html! { p.removed dir="auto" { del { (shown(text)) } } },
        Change::Changed(old, new) => html! {
            div.altered { p.removed dir="auto" { del { (shown(old)) } } p.added dir="auto" { ins { (shown(new)) } } }
        },
    }
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
