//! Texts too long for one passage, cut into pieces: at paragraphs, else at lines that begin a sentence, else at lines, else at sentences,
//! else at clauses where only these have blanks between them, else between words.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::cut::BlockParams;

/// A run is cut from so many times the longest passage on.
const STRETCH: usize = 2;

/// Signs that end a sentence.
pub(super) const SENTENCE_ENDS: [char; 18] =
    ['.', '!', '?', '…', '。', '！', '？', '．', '｡', '؟', '۔', '।', '॥', '։', '።', '။', '។', '៕'];

/// Signs that may stand behind these.
pub(super) const CLOSING_SIGNS: [char; 8] = [')', '"', '\'', '»', '”', '」', '』', '）'];

/// Letters and marks that a word of Thai, Lao, Khmer or Burmese is taken to have.
const SOUTHEAST_ASIAN_LETTERS: usize = 5;

/// Words of a text. Of scripts without blanks every two ideographs or kana count as one, and every five letters of Southeast Asia
/// ([`SOUTHEAST_ASIAN_LETTERS`]).
pub(super) fn word_count(text: &str) -> usize {
    let spaced = text.split_whitespace().count();
    if text.is_ascii() {
        return spaced;
    }
    let (mut wide, mut southeast_asian) = (0, 0);
    for char in text.chars() {
        wide += usize::from(('\u{2e80}'..='\u{9fff}').contains(&char));
        southeast_asian += usize::from(is_southeast_asian(char));
    }
    spaced + wide / 2 + southeast_asian / SOUTHEAST_ASIAN_LETTERS
}

/// Whether a character is a letter or mark of Thai, Lao, Burmese or Khmer, which have blanks between clauses and sentences only.
fn is_southeast_asian(char: char) -> bool {
    matches!(char, '\u{e01}'..='\u{e4e}' | '\u{e81}'..='\u{ecf}' | '\u{1000}'..='\u{103f}' | '\u{1780}'..='\u{17d3}')
}

/// The pieces of a run's text of so many words, in order, without the white space between them; the text as a whole unless it is too
/// long for one passage.
pub(super) fn pieces(text: &str, words: usize, params: BlockParams) -> Vec<Range<usize>> {
    if words <= params.words_max.saturating_mul(STRETCH) {
        return std::iter::once(0..text.len()).collect();
    }
    let mut parts = Vec::new();
    part(
        text,
        0,
        &[paragraphs, lines_of_sentences, lines, sentences, clauses, words_of],
        params.words_max.max(1),
        &mut parts,
    );
    joined(parts, params)
}

/// Where parts of a text may begin, besides at its beginning; parts of at most so many words are wanted.
type Borders = fn(&str, usize) -> Vec<usize>;

/// Adds the parts of `text`, which begins at `start`, of at most `words_max` words each, or that cannot be cut.
fn part(text: &str, start: usize, borders: &[Borders], words_max: usize, parts: &mut Vec<(Range<usize>, usize)>) {
    let words = word_count(text);
    let [first, finer @ ..] = borders else {
        parts.push((start..start + text.len(), words));
        return;
    };
    if words <= words_max {
        parts.push((start..start + text.len(), words));
        return;
    }
    let mut begin = 0;
    for end in first(text, words_max).into_iter().chain([text.len()]) {
        let inside = &text[begin..end];
        let trimmed = inside.trim_start();
        if !trimmed.is_empty() {
            let at = end - trimmed.len();
            part(trimmed.trim_end(), start + at, finer, words_max, parts);
        }
        begin = end;
    }
}

/// Neighbours taken together, as long as they are short or fit.
fn joined(parts: Vec<(Range<usize>, usize)>, params: BlockParams) -> Vec<Range<usize>> {
    let mut pieces: Vec<(Range<usize>, usize)> = Vec::new();
    for (range, words) in parts {
        match pieces.last_mut() {
            Some((last, held)) if *held < params.words_min || *held + words <= params.words_max => {
                last.end = range.end;
                *held += words;
            }
            _ => pieces.push((range, words)),
        }
    }
    // A short rest goes with what is before it.
    if let [.., (before, _), (rest, words)] = &mut pieces[..]
        && *words < params.words_min
    {
        before.end = rest.end;
        pieces.pop();
    }
    pieces.into_iter().map(|(range, _)| range).collect()
}

/// Where lines begin behind an empty one.
fn paragraphs(text: &str, _: usize) -> Vec<usize> {
    let mut borders = Vec::new();
    let mut was_empty = false;
    for (at, line) in with_places(text.split_inclusive('\n')) {
        let is_empty = line.trim().is_empty();
        if was_empty && !is_empty {
            borders.push(at);
        }
        was_empty = is_empty;
    }
    borders
}

/// Where a line begins that goes on with no sentence of the line before, as far as signs and letters tell: prose that is set in lines, as
/// in a `pre`, has no empty ones between its paragraphs here.
fn lines_of_sentences(text: &str, _: usize) -> Vec<usize> {
    let mut borders = Vec::new();
    let mut was_end = false;
    for (at, line) in with_places(text.split_inclusive('\n')) {
        if was_end && !line.trim_start().starts_with(char::is_lowercase) {
            borders.push(at);
        }
        was_end = line.trim_end().trim_end_matches(CLOSING_SIGNS).ends_with(SENTENCE_ENDS);
    }
    borders
}

fn lines(text: &str, _: usize) -> Vec<usize> {
    with_places(text.split_inclusive('\n')).map(|(at, _)| at).skip(1).collect()
}

fn sentences(text: &str, _: usize) -> Vec<usize> {
    text.split_sentence_bound_indices().map(|(at, _)| at).skip(1).collect()
}

/// Where clauses begin in Thai, Lao, Burmese or Khmer: behind each blank. Thai has no other sign between sentences.
fn clauses(text: &str, _: usize) -> Vec<usize> {
    let southeast_asian = text.chars().filter(|char| is_southeast_asian(*char)).count();
    if southeast_asian * 2 < text.chars().count() {
        return Vec::new();
    }
    with_places(text.split_inclusive(char::is_whitespace)).map(|(at, _)| at).skip(1).collect()
}

/// Where some of the words begin, of scripts without blanks some of the characters.
fn words_of(text: &str, words_max: usize) -> Vec<usize> {
    let step = (words_max / 4).max(1);
    text.split_word_bound_indices().map(|(at, _)| at).step_by(step).skip(1).collect()
}

fn with_places<'a>(parts: impl Iterator<Item = &'a str>) -> impl Iterator<Item = (usize, &'a str)> {
    let mut at = 0;
    parts.map(move |part| {
        let begin = at;
        at += part.len();
        (begin, part)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts_of(text: &str) -> Vec<&str> {
        pieces(text, word_count(text), BlockParams { words_min: 4, words_max: 8 })
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn a_text_that_fits_is_whole() {
        let text = "a b c d e f g h\n\ni j k l m n o p";
        assert_eq!(texts_of(text), [text]);
    }

    #[test]
    fn long_texts_are_cut_where_it_shows_least() {
        let six = "One two three four five six.";
        assert_eq!(
            texts_of(&format!("{six}\nx\n\n{six}\ny\n\n\n{six}")),
            [format!("{six}\nx"), format!("{six}\ny"), six.into()]
        );
        assert_eq!(texts_of(&[six; 4].join("\n")), [six; 4]);
        assert_eq!(texts_of(&[six; 4].join(" ")), [six; 4]);
        assert_eq!(
            texts_of(&"word ".repeat(20)),
            [["word"; 8].join(" "), ["word"; 8].join(" "), ["word"; 4].join(" ")]
        );
        let prose =
            ["One two three\nfour. Five\nsix.", "(Eight nine\nten.)\nOne two three four\nfive six seven eight."];
        assert_eq!(texts_of(&prose.join("\n")), prose);
        let unspaced = "森林公園".repeat(20);
        assert!(
            texts_of(&unspaced).iter().all(|piece| (4..=8).contains(&word_count(piece))),
            "{:?}",
            texts_of(&unspaced)
        );
        let thai = "ห้องสมุดเก็บสำเนาของหน้าเว็บเก่าๆ";
        assert_eq!(texts_of(&[thai; 6].join(" ")), [thai; 6], "clauses are whole");
        let of_one_clause = thai.repeat(10);
        assert!(
            texts_of(&of_one_clause).iter().all(|piece| (4..=8).contains(&word_count(piece))),
            "{:?}",
            texts_of(&of_one_clause)
        );
        assert_eq!(word_count("library ห้องสมุด"), 3, "words and letters");
        assert_eq!(texts_of(&format!("{six} {six} {six} end")), [six.to_owned(), six.to_owned(), format!("{six} end")]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_is_long(text in "(one |two\\. |\n|\n\n|森林|ห้องสมุด|เก็บ |\u{301}|x){0,120}") {
            let found = texts_of(&text);
            let letters = |text: &str| text.split_whitespace().collect::<String>();
            if word_count(&text) > 16 {
                prop_assert_eq!(letters(&found.concat()), letters(&text));
                prop_assert!(found.iter().all(|piece| word_count(piece) <= 16 && piece.trim() == *piece));
            } else {
                prop_assert_eq!(found, [text.as_str()]);
            }
        }
    }
}
