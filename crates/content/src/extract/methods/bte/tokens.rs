//! Steps 0 and 1: a page as a stream of tokens, and the stream as run lengths.

use super::super::PageView;
use super::super::outline::clear_text_len_chars;
use crate::cst::RunId;
use crate::dom::{Display, Dom, Tag};

/// Algorithm 1, lines 13 to 21: neighbouring tokens of one sign as one element, their sum. O(n).
///
/// Differs from the paper: line 14 runs one past the end and line 20 counts twice.
///
/// ```
/// use lopper_content::extract::methods::bte::encode;
///
/// assert_eq!(encode(&[1, 1, -1, -1, -1, -1, -1]), [2, -5]);
/// ```
pub fn encode(binary_tokens: &[i8]) -> Vec<i32> {
    let mut encode = Vec::new();
    for x in binary_tokens {
        push(&mut encode, i32::from(*x));
    }
    encode
}

/// Line 16 asks whether the sum comes nearer to 0, which for single tokens is the same as being of the other sign.
fn push(encode: &mut Vec<i32>, x: i32) {
    match encode.last_mut() {
        Some(last) if x.signum() == last.signum() => *last += x,
        _ if x != 0 => encode.push(x),
        _ => {}
    }
}

/// What tokens count for, and which ones there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct TokenReading {
    /// Weight of a tag, above 0.
    pub(super) tag: i32,
    /// Weight of a word, below 0.
    pub(super) word: i32,
    /// Weight of a word in a link, 0 or below.
    pub(super) linked_word: i32,
    /// Step 0: elements removed with all they hold.
    pub(super) removed: &'static [Tag],
    /// Whether texts without blanks between words have a word for every two characters.
    pub(super) splits_unspaced: bool,
}

/// A text of the page in the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextTokens {
    pub(super) run: RunId,
    pub(super) chars: u32,
    /// Its element of `encode[]`; `None` for removed texts and those that count for nothing before any token.
    pub(super) element: Option<u32>,
}

/// A page's tokens as run lengths, with the texts they stand for.
#[derive(Debug, Clone, Default)]
pub struct TokenStream {
    pub(super) encode: Vec<i32>,
    pub(super) texts: Vec<TextTokens>,
}

impl TokenStream {
    /// The stream that `bte` reads to the letter: the tags and words of the body after step 0.
    pub fn improved(page: &PageView<'_>) -> Self {
        Self::of(page, &super::verdict::LITERAL)
    }

    /// The stream of the original, without step 0: the tags of everything in the document, and its visible words.
    pub fn original(page: &PageView<'_>) -> Self {
        let mut stream = Self::default();
        let dom = page.dom;
        let mut at = dom.first_child(Dom::DOCUMENT);
        while let Some(node) = at {
            if let Some(tag) = dom.tag(node) {
                push(&mut stream.encode, 1);
                if let Some(child) = dom.first_child(node) {
                    at = Some(child);
                    continue;
                }
                push(&mut stream.encode, i32::from(has_end_tag(tag)));
            } else if let (Some(text), Some(run)) = (dom.text(node), page.outline().run_of(node)) {
                stream.push_words(run, clear_text_len_chars(text), -count_words(text, false));
            }
            at = dom.next_sibling(node);
            let mut closing = dom.parent(node);
            while let (None, Some(parent)) = (at, closing) {
                push(&mut stream.encode, i32::from(parent != Dom::DOCUMENT));
                (at, closing) = (dom.next_sibling(parent), dom.parent(parent));
            }
        }
        stream
    }

    pub(super) fn of(page: &PageView<'_>, reading: &TokenReading) -> Self {
        let mut stream = Self::default();
        let entries = page.outline().entries();
        let mut open_ends: Vec<u32> = Vec::new();
        let mut removed_end = 0;
        let mut link_end = 0;
        for (place, entry) in entries.iter().enumerate() {
            let place = place as u32;
            while open_ends.pop_if(|end| *end <= place).is_some() {
                push(&mut stream.encode, reading.tag);
            }
            let is_removed = entry.tag.is_some_and(|tag| reading.removed.contains(&tag));
            removed_end = removed_end.max(if is_removed { entry.end } else { 0 });
            link_end = link_end.max(if entry.tag == Some(Tag::A) { entry.end } else { 0 });
            match entry.tag {
                _ if place < removed_end && entry.tag.is_none() => {
                    stream.texts.push(TextTokens { run: entry.run(), chars: entry.text_len_chars, element: None });
                }
                // Step 0 takes the tags of images out.
                Some(tag) if place >= removed_end && tag != Tag::Img => {
                    push(&mut stream.encode, reading.tag);
                    open_ends.extend(has_end_tag(tag).then_some(entry.end));
                }
                Some(_) => {}
                None => {
                    let text = page.dom.text(entry.source).unwrap_or("");
                    let weight = if place < link_end { reading.linked_word } else { reading.word };
                    let words = count_words(text, reading.splits_unspaced);
                    stream.push_words(entry.run(), entry.text_len_chars, words * weight);
                }
            }
        }
        push(&mut stream.encode, reading.tag * open_ends.len() as i32);
        stream
    }

    fn push_words(&mut self, run: RunId, chars: u32, weight: i32) {
        push(&mut self.encode, weight);
        let element = self.encode.len().checked_sub(1).map(|at| at as u32);
        self.texts.push(TextTokens { run, chars, element });
    }

    /// The run lengths: `encode[]`.
    pub fn encode(&self) -> &[i32] {
        &self.encode
    }

    /// The tokens one by one: `binary_tokens[]`. Only of a stream whose tokens all count 1.
    pub fn binary_tokens(&self) -> Vec<i8> {
        let runs = self.encode.iter();
        runs.flat_map(|run| std::iter::repeat_n(run.signum() as i8, run.unsigned_abs() as usize)).collect()
    }
}

fn has_end_tag(tag: Tag) -> bool {
    let is_void = matches!(
        tag,
        Tag::Area
            | Tag::Base
            | Tag::Br
            | Tag::Col
            | Tag::Embed
            | Tag::Frame
            | Tag::Hr
            | Tag::Img
            | Tag::Input
            | Tag::Link
            | Tag::Meta
            | Tag::Param
            | Tag::Source
            | Tag::Track
            | Tag::Wbr
    );
    debug_assert!(!is_void || tag.info().display != Display::Block);
    !is_void
}

/// Words between white space; when asked, a script that writes none has a word for every two characters.
fn count_words(text: &str, splits_unspaced: bool) -> i32 {
    if !splits_unspaced || text.is_ascii() {
        return text.split_whitespace().count() as i32;
    }
    let of_word = |word: &str| word.chars().filter(|c| is_unspaced(*c)).count().div_ceil(2).max(1) as i32;
    text.split_whitespace().map(of_word).sum()
}

/// Thai, Lao, Khmer and Burmese letters, kana and Han characters.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::with_page;
    use super::*;

    #[test]
    fn tokens_of_a_page_by_hand() {
        let html =
            "<title>t</title><p>one two three four<br>five</p><img src=i><form><input>six</form><script>x</script>";
        with_page(html, |page| {
            // <body><p> one … four <br> five </p><form> six </form></body>
            assert_eq!(TokenStream::improved(page).encode(), [2, -4, 1, -1, 2, -1, 2]);
            // <html><head><title></title></head><body><p> … </p><img><form><input> six </form><script></script></body></html>
            assert_eq!(TokenStream::original(page).encode(), [7, -4, 1, -1, 4, -1, 5]);
            assert_eq!(TokenStream::improved(page).binary_tokens(), [1, 1, -1, -1, -1, -1, 1, -1, 1, 1, -1, 1, 1]);
        });
    }

    #[test]
    fn weights_and_removed_elements() {
        let reading = TokenReading { tag: 2, word: -4, linked_word: -1, removed: &[Tag::Nav], splits_unspaced: true };
        with_page("<nav><p>no</p></nav><p>yes <a href=x>l m</a></p>", |page| {
            let stream = TokenStream::of(page, &reading);
            // <body><p> yes <a> l m </a></p></body>
            assert_eq!(stream.encode(), [4, -4, 2, -2, 6]);
            let elements: Vec<_> = stream.texts.iter().map(|text| text.element).collect();
            assert_eq!(elements, [None, Some(1), Some(3)]);
        });
    }

    #[test]
    fn words_without_blanks() {
        assert_eq!(count_words("two words", true), 2);
        assert_eq!(count_words("今天天气很好 ok", true), 4);
        assert_eq!(count_words("今天天气很好 ok", false), 2);
    }
}
