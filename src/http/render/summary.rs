//! What stands above the results: how much was found, and how the query was understood.

use lopper_collection::search::SearchResponse;
use lopper_index::{Correction, QueryNote};
use maud::{Markup, html};

use super::figures::{counted, grouped};
use super::navigation::Around;

/// How much was found, and how fast.
pub(super) fn summary(response: &SearchResponse) -> Markup {
    let pages = response.pages.len() as u64;
    let first = response.offset as u64 + 1;
    html! {
        h1.summary tabindex="-1" {
            @if !response.total_is_exact { "At least " }
            (counted(response.total_blocks, "passage matches", "passages match")) " · "
            @if response.offset > 0 || response.next_offset.is_some() {
                "pages " (grouped(first)) "–" (grouped(first + pages.max(1) - 1))
            } @else {
                (counted(pages, "page", "pages"))
            }
            " · " (format_args!("{:.1} ms", response.duration_ms))
        }
    }
}

/// How the query was understood, and whether anything answers it.
pub(super) fn notes(around: &Around<'_>) -> Markup {
    html! {
        @if around.response.is_doubtful() && !around.response.pages.is_empty() {
            p.note { "Perhaps nothing here answers this." }
        }
        @if !around.response.is_complete {
            p.note role="status" { "The search took too long: it ended before all was looked at. These are the best of what was seen." }
        }
        @for note in &around.response.notes {
            p.note { @if let QueryNote::Correction(one) = note { (correction(around, one)) } @else { (in_words(note)) } }
        }
    }
}

/// A spelling to go to, or to go back to.
fn correction(around: &Around<'_>, correction: &Correction) -> Markup {
    let Correction { given, suggested, applied, .. } = correction;
    let replaced = |with: &str| around.to_query(&replaced(&around.response.query, correction, with));
    html! {
        @if *applied {
            "Nothing has “" bdi { (given) } "”; searched for " a href=(replaced(suggested)) { b { bdi { (suggested) } } }
            " instead. " a href=(replaced(&format!("\"{given}\""))) { "Keep “" bdi { (given) } "”" }
        } @else {
            "Did you mean " a href=(replaced(suggested)) { b { bdi { (suggested) } } } "?"
        }
    }
}

/// The query with another spelling of a word.
fn replaced(query: &str, correction: &Correction, with: &str) -> String {
    let start = correction.position_bytes;
    match query.get(start..).and_then(|rest| rest.strip_prefix(correction.given.as_str())) {
        Some(rest) => format!("{}{with}{rest}", &query[..start]),
        None => query.replacen(&correction.given, with, 1),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_replaced_in_their_place() {
        let of = |given: &str, position_bytes| Correction {
            position_bytes,
            given: given.to_owned(),
            suggested: String::new(),
            applied: false,
        };
        assert_eq!(replaced("the teh teh", &of("teh", 8), "tea"), "the teh tea");
        assert_eq!(replaced("Teh", &of("teh", 0), "tea"), "Teh", "nothing that is not there");
    }
}
