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
        @for notes in around.response.notes.chunk_by(are_one_question) {
            p.note {
                @match &notes[0] {
                    QueryNote::Correction(one) if one.applied => (applied(around, one)),
                    QueryNote::Correction(_) => (question(around, notes)),
                    other => (in_words(other)),
                }
            }
        }
    }
}

/// Whether both ask what was meant by the same word.
fn are_one_question(one: &QueryNote, other: &QueryNote) -> bool {
    match (one, other) {
        (QueryNote::Correction(one), QueryNote::Correction(other)) => {
            !one.applied && !other.applied && one.position_bytes == other.position_bytes && one.given == other.given
        }
        _ => false,
    }
}

/// A spelling that was searched for, with the way back.
fn applied(around: &Around<'_>, correction: &Correction) -> Markup {
    let Correction { given, .. } = correction;
    let kept = around.to_query(&replaced(&around.response.query, correction, &format!("\"{given}\"")));
    html! {
        "Nothing has “" bdi { (given) } "”; searched for " (way_to(around, correction)) " instead. "
        a href=(kept) { "Keep “" bdi { (given) } "”" }
    }
}

/// Spellings of one word to go to.
fn question(around: &Around<'_>, notes: &[QueryNote]) -> Markup {
    let corrections = notes.iter().filter_map(|note| match note {
        QueryNote::Correction(one) => Some(one),
        _ => None,
    });
    html! {
        "Did you mean "
        @for (place, one) in corrections.enumerate() {
            @if place > 0 { " or " }
            (way_to(around, one))
        }
        "?"
    }
}

/// A link to the query with another spelling of a word.
fn way_to(around: &Around<'_>, correction: &Correction) -> Markup {
    let suggested = &correction.suggested;
    let query = around.to_query(&replaced(&around.response.query, correction, suggested));
    html! { a href=(query) { b { bdi { (suggested) } } } }
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

    #[test]
    fn spellings_of_one_word_are_asked_about_together() {
        let of = |given: &str, position_bytes, applied| {
            let (given, suggested) = (given.to_owned(), "tea".to_owned());
            QueryNote::Correction(Correction { position_bytes, given, suggested, applied })
        };
        let is_one = |other: &QueryNote| are_one_question(&of("teh", 0, false), other);
        assert!(is_one(&of("teh", 0, false)));
        for other in [of("teh", 8, false), of("the", 0, false), of("teh", 0, true), QueryNote::NoWords] {
            assert!(!is_one(&other), "{other}");
        }
    }
}
