//! Line breaks of the source: where they are shown, and where they are not even blanks.

use std::borrow::Cow;

use crate::dom::{AttributeName, Dom, DomId};

/// White space around a line break that goes with it.
const AROUND: [char; 5] = [' ', '\t', '\n', '\r', '\u{c}'];

/// `text` without the line breaks between two wide characters: such a text has no blanks, so none is meant where its source
/// was wrapped. O(text).
///
/// CSS Text Module Level 3, §4.1.3 (segment break transformation rules): a break is nothing where both sides are East Asian
/// full-width, wide or half-width and neither is Hangul; else it is a blank. Differs from that: 1) breaks at the ends of a
/// text node stay, since inline elements on lines of their own (tags, links) are most often set apart by style; 2) `text`
/// must not be preformatted.
pub(crate) fn without_wide_breaks(text: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let (mut from, mut at) = (0, 0);
    while let Some(line_end) = text[at..].find('\n') {
        let before = text[at..at + line_end].trim_end_matches(AROUND);
        let behind = text[at + line_end..].trim_start_matches(AROUND);
        let (end, start) = (at + before.len(), text.len() - behind.len());
        if before.ends_with(is_wide) && behind.starts_with(is_wide) {
            kept.push_str(&text[from..end]);
            from = start;
        }
        at = start;
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    kept.push_str(&text[from..]);
    Cow::Owned(kept)
}

/// Whether a character is as wide as an ideograph, or a narrow form of such, by Unicode's East Asian Width (W, F, H): Han,
/// kana, bopomofo, Yi, their signs. Not Hangul, whose words stand between blanks, and not emoji.
fn is_wide(char: char) -> bool {
    matches!(char,
        '\u{2E80}'..='\u{303E}'     // radicals, and signs of East Asia
        | '\u{3041}'..='\u{312F}'   // kana, bopomofo
        | '\u{3190}'..='\u{31FF}'
        | '\u{3220}'..='\u{325F}' | '\u{3280}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{A4CF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FE10}'..='\u{FE19}' | '\u{FE30}'..='\u{FE6B}'
        | '\u{FF01}'..='\u{FF9F}'   // full-width and half-width forms, but for Hangul
        | '\u{FFE0}'..='\u{FFE6}'
        | '\u{16FE0}'..='\u{18CFF}' | '\u{1AFF0}'..='\u{1B2FF}'
        | '\u{20000}'..='\u{3FFFD}')
}

/// Whether an element's own style says that line ends in its text are shown.
pub(crate) fn keeps_lines(dom: &Dom, element: DomId) -> bool {
    let Some(style) = dom.attribute(element, AttributeName::Style) else { return false };
    let value = style.split_once("white-space").and_then(|(_, rest)| rest.trim_start().strip_prefix(':'));
    value.is_some_and(|value| {
        ["pre-wrap", "pre-line", "break-spaces"].iter().any(|kept| value.trim_start().starts_with(kept))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_han_and_kana_are_joined() {
        for (text, expected) in [
            ("日本語では\n改行は", "日本語では改行は"),
            ("第一行。 \r\n\t 第二行", "第一行。第二行"),
            ("カナ\n\n\n（注）\n終", "カナ（注）終"),
            ("ｶﾅ\nｶﾅ", "ｶﾅｶﾅ"),
            ("한국어\n문장", "한국어\n문장"),
            ("漢字\n한국", "漢字\n한국"),
            ("（주）\n한국", "（주）\n한국"),
            ("系统，\nLinux", "系统，\nLinux"),
            ("終。\u{3000}\n始", "終。\u{3000}始"),
            ("漢字\nword\n漢字", "漢字\nword\n漢字"),
            ("漢 字", "漢 字"),
            ("\n漢字\n", "\n漢字\n"),
            ("ภาษา\nไทย", "ภาษา\nไทย"),
            ("終\n😀", "終\n😀"),
            ("plain\ntext", "plain\ntext"),
        ] {
            assert_eq!(without_wide_breaks(text), expected, "{text:?}");
        }
    }
}
