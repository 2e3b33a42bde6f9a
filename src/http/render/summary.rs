//! What stands above the results: how much was found, and how the query was understood.

use lopper_collection::search::SearchResponse;
use lopper_index::QueryNote;
use maud::{Markup, html};

use super::figures::{counted, grouped};

/// How much was found, and how fast.
pub(super) fn summary(response: &SearchResponse) -> Markup {
    let pages = response.pages.len() as u64;
    let first = response.offset as u64 + 1;
    html! {
        p.summary {
            @if !response.total_is_exact { "At least " }
            (counted(response.total_blocks, "block matches", "blocks match")) " · "
            @if response.offset > 0 || response.next_offset.is_some() {
                "pages " (grouped(first)) "–" (grouped(first + pages - 1))
            } @else {
                (counted(pages, "page", "pages"))
            }
            " · " (format_args!("{:.1} ms", response.duration_ms))
        }
    }
}

/// How the query was understood.
pub(super) fn notes(response: &SearchResponse) -> Markup {
    html! {
        @if !response.is_complete { p.note { "The search took too long: it ended before all was looked at." } }
        @for note in &response.notes { p.note { (in_words(note)) } }
    }
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
