//! Texts of archives in a page.

use lopper_collection::search::HighlightedText;
use maud::{Markup, html};

/// A text with its marks, its lines in one.
pub(super) fn marked(text: &HighlightedText) -> Markup {
    let HighlightedText { text, highlights } = text;
    let ends = highlights.iter().map(|highlight| highlight.end);
    html! {
        @for (from, highlight) in std::iter::once(0).chain(ends).zip(highlights) {
            (one_line(&text[from..highlight.start])) mark { (one_line(&text[highlight.clone()])) }
        }
        (one_line(&text[highlights.last().map_or(0, |last| last.end)..]))
    }
}

fn one_line(text: &str) -> Markup {
    html! {
        @for (place, line) in text.split('\n').enumerate() {
            @if place > 0 { " " i { "·" } " " }
            (line)
        }
    }
}

/// A text as the value of a query parameter.
pub(super) fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_elements_and_lines_are_parted() {
        let text = HighlightedText { text: "<old> mill\nold".to_owned(), highlights: vec![1..4, 6..10, 11..14] };
        let expected = "&lt;<mark>old</mark>&gt; <mark>mill</mark> <i>·</i> <mark>old</mark>";
        assert_eq!(marked(&text).into_string(), expected);
        let plain = HighlightedText { text: "a & b".to_owned(), highlights: Vec::new() };
        assert_eq!(marked(&plain).into_string(), "a &amp; b");
    }
}
