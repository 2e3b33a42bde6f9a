//! The last sentence of a paragraph, which goes with what it leads to where the paragraph does not.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::pieces::{CLOSING_SIGNS, SENTENCE_ENDS, word_count};

/// Signs that a reference behind a quotation stands between: `[Mill, Op. Cit., p. 3] As Weir puts it:`.
const BRACKETS: [(char, char); 2] = [('[', ']'), ('(', ')')];

/// Signs that end a reference.
const REFERENCE_ENDS: [char; 4] = [']', ')', '.', ','];

/// Longest word before a dot that is taken for an abbreviation if it is capitalised, in letters: `Op. Cit.`, `Dr. Weir`.
const ABBREVIATION_LETTERS_MAX: usize = 3;

/// Where the last sentences of `text` begin that have so many words together: the shortest end with at least `words.start`, or none if it
/// has `words.end` or more, or is the whole. O(text).
pub(super) fn last_sentence(text: &str, words: Range<usize>) -> Option<usize> {
    let starts: Vec<usize> = text.split_sentence_bound_indices().map(|(at, _)| at).collect();
    let mut held = 0;
    let mut end = text.len();
    for at in starts.into_iter().skip(1).rev() {
        held += word_count(&text[at..end]);
        end = at;
        if held >= words.end {
            return None;
        }
        if held >= words.start && is_start(&text[..at], &text[at..]) {
            return Some(behind_reference(text, at));
        }
    }
    None
}

/// Whether a sentence ends with `before` and another begins with `rest`.
fn is_start(before: &str, rest: &str) -> bool {
    let before = before.trim_end();
    let bare = before.trim_end_matches(CLOSING_SIGNS).trim_end_matches(']');
    let word = bare.trim_end_matches('.').rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    let is_abbreviation = bare == before
        && bare.ends_with('.')
        && word.starts_with(char::is_uppercase)
        && word.chars().count() <= ABBREVIATION_LETTERS_MAX;
    let goes_on = rest.starts_with(|c: char| c.is_lowercase() || c.is_numeric());
    bare.ends_with(SENTENCE_ENDS) && !is_abbreviation && !goes_on
}

/// `at`, or where the sentence behind the reference that stands there begins.
fn behind_reference(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let close = BRACKETS.iter().find(|(open, _)| rest.starts_with(*open)).and_then(|(_, close)| rest.find(*close));
    let Some(close) = close else { return at };
    let behind = rest[close..].trim_start_matches(|c: char| c.is_whitespace() || REFERENCE_ENDS.contains(&c));
    if behind.starts_with(char::is_uppercase) { text.len() - behind.len() } else { at }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(text: &str) -> Option<&str> {
        last_sentence(text, 5..12).map(|at| &text[at..])
    }

    #[test]
    fn the_last_sentence_leads_on() {
        assert_eq!(last("Mills grind corn. As Weir said of them, in print:"), Some("As Weir said of them, in print:"));
        assert_eq!(
            last("One here. Mills grind corn. It asked:"),
            Some("Mills grind corn. It asked:"),
            "short ones alone say little"
        );
        assert_eq!(last("It grinds. As Dr. Weir said on p. 3 of it:"), Some("As Dr. Weir said on p. 3 of it:"));
        assert_eq!(last("“It grinds.” [Op. Cit., p. 31] As Weir said of them:"), Some("As Weir said of them:"));
        assert_eq!(last("“It grinds.” ([Mill, p. 31]). Thus it says:"), Some("Thus it says:"));
        assert_eq!(last("“It grinds.” [Mill of Weir] as it says:"), Some("[Mill of Weir] as it says:"));
        assert_eq!(last("磨坊磨谷物。正如韦尔所说的那样他写道："), Some("正如韦尔所说的那样他写道："));
        let others = ["تطحن الطواحين؟ كما قال عنها الكاتب في كتابه:", "चक्की पीसती है। जैसा लेखक ने उसके बारे में कहा:"];
        for (text, at) in others.map(|text| (text, text.find(['؟', '।']).unwrap_or(0))) {
            let behind = text[at..].chars().next().map_or(0, char::len_utf8) + 1;
            assert_eq!(last(text), Some(&text[at + behind..]));
        }
    }

    #[test]
    fn no_part_is_the_whole_or_long() {
        assert_eq!(last("As Weir said of the mills:"), None);
        assert_eq!(last(""), None);
        assert_eq!(last(&format!("One. As {}said:", "word ".repeat(12))), None);
    }
}
