//! Where a block stands: for a browser, a program, a reader.

use lopper_content::blocks::{LANDMARK_WORDS, lead_of, parts_of, words_of};
use lopper_content::cst::APART;
use lopper_index::BlockDocument;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use serde::Serialize;

/// In an anchor, all but letters, digits, `.`, `_`, `~` and `-`: a colon could begin the text fragment.
const ENCODED_IN_ANCHOR: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'_').remove(b'~').remove(b'-');

/// In a text fragment `-` too: `-`, `,` and `&` are signs of its own.
const ENCODED_IN_TEXT: &AsciiSet = &ENCODED_IN_ANCHOR.add(b'-');

/// The ways to a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Locator {
    /// The page's URL with a text fragment that makes a browser scroll to the block and mark it, behind the anchor, to which it scrolls
    /// where it does not find the text.
    pub url: String,
    /// CSS selector of the element that the block begins in.
    pub css_path: String,
    /// The nearest name before the block that links can lead to: of an element around it or of the heading above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// Place in the content structure tree.
    pub block_path: String,
}

impl Locator {
    /// The ways to an indexed block.
    pub fn of(block: &BlockDocument) -> Self {
        Self {
            url: with_text_fragment(&block.url, block.anchor.as_deref(), &block.body, block.landmark),
            css_path: block.css_path.clone(),
            anchor: block.anchor.clone(),
            block_path: block.block_path.clone(),
        }
    }
}

/// `url#anchor:~:text=first words,last words` (WICG scroll-to-text-fragment). A browser matches each side within one block of the page,
/// so the sides are taken from lines and cells: the last one, and the first one that a browser does not find before the block, as a heading
/// is found in a table of contents. Where there is none the anchor alone leads there, if there is one. A browser does not find words that
/// stand apart in the block and touch on the page ([`lopper_content`'s trees](lopper_content::cst) part them), nor what scripts have changed
/// since: then the anchor counts.
fn with_text_fragment(url: &str, anchor: Option<&str>, text: &str, landmark: Option<u32>) -> String {
    let page = url.split('#').next().unwrap_or(url);
    let anchor = utf8_percent_encode(anchor.unwrap_or(""), ENCODED_IN_ANCHOR).to_string();
    let is_named = landmark.is_some() || anchor.is_empty();
    let mut parts = parts_of(text).skip(landmark.unwrap_or(0) as usize);
    let Some(first_part) = parts.next().filter(|_| is_named) else {
        return if anchor.is_empty() { page.to_owned() } else { format!("{page}#{anchor}") };
    };
    let first: Vec<&str> = lead_of(first_part).collect();
    let mut fragment = with_number_apart(&first);
    let last_words: Vec<&str> = match parts.last() {
        Some(last_part) => words_of(last_part).collect(),
        None => words_of(first_part).skip(first.len()).collect(),
    };
    let tail = &last_words[last_words.len().saturating_sub(LANDMARK_WORDS)..];
    // Brackets that stand alone are cells on the page.
    let tail = tail.rsplit(|word| matches!(*word, "(" | ")")).next().unwrap_or(tail);
    if !tail.is_empty() {
        fragment = format!("{fragment},{}", percent_encoded(&joined(tail)));
    }
    format!("{page}#{anchor}:~:text={fragment}")
}

/// The words that a text fragment begins with. A number before them, of a section or a line of code, is what stands before the text that is
/// sought (`1.2-,Closing%20files`): browsers find it so whatever blanks are between them, and there may be several.
fn with_number_apart(words: &[&str]) -> String {
    match words {
        [number, rest @ ..] if !rest.is_empty() && is_number(number) => {
            format!("{}-,{}", percent_encoded(number), percent_encoded(&joined(rest)))
        }
        _ => percent_encoded(&joined(words)).to_string(),
    }
}

/// Words as they stand on the page: there, nothing parts what [`APART`] does in a block.
fn joined(words: &[&str]) -> String {
    words.join(" ").replace(APART, "")
}

/// Whether a word is like `12`, `1.2.` and `A.1`.
fn is_number(word: &str) -> bool {
    let digits =
        word.strip_prefix(|c: char| c.is_ascii_uppercase()).filter(|rest| rest.starts_with('.')).unwrap_or(word);
    digits.contains(|c: char| c.is_ascii_digit()) && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
}

fn percent_encoded(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, ENCODED_IN_TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_name_both_ends() {
        let url = with_text_fragment(
            "http://e.org/a#b",
            None,
            "One two three four five six\nmid\nlast line, here-now",
            Some(0),
        );
        assert_eq!(url, "http://e.org/a#:~:text=One%20two%20three%20four%20five,last%20line%2C%20here%2Dnow");
        assert_eq!(with_text_fragment("u", None, "Short é", Some(0)), "u#:~:text=Short%20%C3%A9");
        assert_eq!(with_text_fragment("u#x", None, " \n ", Some(0)), "u");
        assert_eq!(with_text_fragment("u", None, "a | b\nc d | e f", Some(0)), "u#:~:text=a,e%20f");
        assert_eq!(with_text_fragment("u", None, "a b c d e f g", Some(0)), "u#:~:text=a%20b%20c%20d%20e,f%20g");
    }

    #[test]
    fn fragments_begin_where_the_text_is_not_found_before() {
        let of = |anchor, landmark| with_text_fragment("u", anchor, "Note\nSails turn | West", landmark);
        assert_eq!(of(None, Some(1)), "u#:~:text=Sails%20turn,West");
        assert_eq!(of(Some("n"), Some(2)), "u#n:~:text=West");
        assert_eq!(of(Some("n"), None), "u#n", "all of it stands before");
        assert_eq!(of(None, None), "u#:~:text=Note,West");
    }

    #[test]
    fn fragments_hold_nothing_that_a_browser_sees_otherwise() {
        let of = |text| with_text_fragment("u", None, text, Some(0));
        assert_eq!(of("1.9 Tools of mills\nlast"), "u#:~:text=1.9-,Tools%20of%20mills,last");
        assert_eq!(of("A.1. Sails"), "u#:~:text=A.1.-,Sails");
        assert_eq!(of("36 public:"), "u#:~:text=36-,public%3A");
        assert_eq!(of("1999"), "u#:~:text=1999");
        assert_eq!(of("2nd mill"), "u#:~:text=2nd%20mill");
        assert_eq!(of("key  value of it"), "u#:~:text=key,value%20of%20it");
        assert_eq!(of("size_t of ( int a )\nIt tells."), "u#:~:text=size_t%20of,It%20tells.");
        assert_eq!(of("1\u{200a}Blessed is he\u{200a}a\nlast.\u{200a}b"), "u#:~:text=1Blessed%20is%20hea,last.b");
        assert_eq!(of("size_t of ( int a )"), "u#:~:text=size_t%20of");
    }

    #[test]
    fn anchors_stand_before_the_text() {
        assert_eq!(
            with_text_fragment("http://e.org/a#b", Some("how-to"), "So-so", Some(0)),
            "http://e.org/a#how-to:~:text=So%2Dso"
        );
        assert_eq!(with_text_fragment("u", Some("a b:~:c"), "Short", Some(0)), "u#a%20b%3A~%3Ac:~:text=Short");
        assert_eq!(with_text_fragment("u", Some("usage"), "", Some(0)), "u#usage");
    }
}
