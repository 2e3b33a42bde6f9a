//! The part of a text that shows best why it was found.

use std::collections::HashSet;
use std::ops::Range;

use lopper_analysis::{Analyzer, Language};
use serde::{Deserialize, Serialize};
use unicode_segmentation::GraphemeCursor;

use crate::highlight::{FoundWords, Match, QueryTerms, joined_ranges, matches};

/// How far a border may move, in characters, to fall between words.
const BORDER_CHARS_MAX: usize = 24;

/// Most parts that [`fragments`] shows of a text.
pub const FRAGMENTS_MAX: usize = 3;

/// A part of a text, with the query's words marked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snippet {
    /// The part, as it stands in the text.
    pub text: String,
    /// Byte ranges of the query's words in `text`, increasing and apart, on character borders.
    pub highlights: Vec<Range<usize>>,
    /// Whether text before the part is left out.
    pub leading_ellipsis: bool,
    /// Whether text behind the part is left out.
    pub trailing_ellipsis: bool,
}

/// The window of at most `max_chars` characters with the most different query words that say something, then with the most different
/// words, then with the most, then the first.
///
/// It begins and ends between words where that is near, never inside a character, and has no outer white space. Without a
/// query word it is the beginning of the text.
pub fn snippet(
    analyzer: &mut Analyzer,
    text: &str,
    language: Language,
    terms: &QueryTerms,
    max_chars: usize,
) -> Snippet {
    let found = matches(analyzer, text, language, terms);
    part(text, &found, best_window(text, &found, max_chars))
}

/// Up to [`FRAGMENTS_MAX`] parts of a text that show most of the query's words, in the text's order, apart from each other,
/// together of at most `max_chars` characters.
///
/// One part, that of [`snippet`], where it holds every word that the text has. Else each shows words that those before it lack. Words that
/// say little count only where the text has no others.
pub fn fragments(text: &str, FoundWords(found): &FoundWords, max_chars: usize) -> Vec<Snippet> {
    let mut windows = vec![best_window(text, found, max_chars)];
    let telling: Vec<Match> = found.iter().copied().filter(|found| !found.is_slight).collect();
    let sought = if telling.is_empty() { found } else { &telling };
    if !holds_every_word(sought, &windows[0]) {
        windows = spread_windows(text, sought, max_chars / FRAGMENTS_MAX);
    }
    windows.into_iter().map(|window| part(text, found, window)).collect()
}

fn holds_every_word(found: &[Match], window: &Range<usize>) -> bool {
    let words = |inside: &mut dyn Iterator<Item = &Match>| inside.map(|found| found.word).collect::<HashSet<_>>();
    words(&mut found.iter()).len() == words(&mut found.iter().filter(|found| is_inside(found, window))).len()
}

fn is_inside(found: &Match, window: &Range<usize>) -> bool {
    window.start <= found.start && found.end <= window.end
}

/// Windows of at most `max_chars` characters, each the best for words that are in none before it, by place. Those that meet are
/// joined.
fn spread_windows(text: &str, found: &[Match], max_chars: usize) -> Vec<Range<usize>> {
    let mut left = found.to_vec();
    let mut windows: Vec<Range<usize>> = Vec::new();
    while windows.len() < FRAGMENTS_MAX && (windows.is_empty() || !left.is_empty()) {
        let window = best_window(text, &left, max_chars);
        let shown: HashSet<u32> =
            left.iter().filter(|found| is_inside(found, &window)).map(|found| found.word).collect();
        if shown.is_empty() && !windows.is_empty() {
            break;
        }
        left.retain(|found| !shown.contains(&found.word));
        windows.push(window);
    }
    windows.sort_unstable_by_key(|window| window.start);
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(windows.len());
    for window in windows {
        match apart.last_mut() {
            Some(last) if is_blank_at_most(&text[last.end.min(window.start)..window.start]) => {
                last.end = last.end.max(window.end);
            }
            _ => apart.push(window),
        }
    }
    apart
}

/// Whether there is nothing, or one blank.
fn is_blank_at_most(gap: &str) -> bool {
    gap.trim().is_empty() && gap.chars().nth(1).is_none()
}

/// The part of `text` in `window`, with its marks.
fn part(text: &str, found: &[Match], window: Range<usize>) -> Snippet {
    let part = trimmed(text, window);
    let inside: Vec<Match> = found.iter().copied().filter(|found| is_inside(found, &part)).collect();
    let highlights = joined_ranges(&inside);
    Snippet {
        highlights: highlights.into_iter().map(|range| range.start - part.start..range.end - part.start).collect(),
        leading_ellipsis: !text[..part.start].trim().is_empty(),
        trailing_ellipsis: !text[part.end..].trim().is_empty(),
        text: text[part].to_owned(),
    }
}

/// Byte range of the best window, on character borders.
fn best_window(text: &str, found: &[Match], max_chars: usize) -> Range<usize> {
    let Some(core) = best_matches(text, found, max_chars) else {
        return cut(text, 0..0, max_chars);
    };
    cut(text, core, max_chars)
}

/// From the first to the last match of the best window, when one match fits at all.
fn best_matches(text: &str, found: &[Match], max_chars: usize) -> Option<Range<usize>> {
    let mut best: Option<((usize, usize, usize), Range<usize>)> = None;
    let mut counts = std::collections::HashMap::<u32, usize>::new();
    let mut telling = 0;
    let mut first = 0;
    let mut span_chars = 0;
    let mut span_end = found.first()?.start;
    for (last, current) in found.iter().enumerate() {
        let end = current.end.max(span_end);
        span_chars += chars(&text[span_end..end]);
        span_end = end;
        let count = counts.entry(current.word).or_default();
        *count += 1;
        telling += usize::from(*count == 1 && !current.is_slight);
        while span_chars > max_chars && first <= last {
            let dropped = &found[first];
            let next_start = found.get(first + 1).map_or(span_end, |next| next.start).min(span_end);
            span_chars -= chars(&text[dropped.start..next_start]);
            if let Some(count) = counts.get_mut(&dropped.word) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&dropped.word);
                    telling -= usize::from(!dropped.is_slight);
                }
            }
            first += 1;
        }
        if first > last {
            // Not even this match fits; the next one begins a new span.
            span_end = found.get(last + 1).map_or(span_end, |next| next.start);
            span_chars = 0;
            continue;
        }
        let score = (telling, counts.len(), last + 1 - first);
        if best.as_ref().is_none_or(|(best, _)| score > *best) {
            best = Some((score, found[first].start..span_end));
        }
    }
    best.map(|(_, core)| core)
}

/// Widens `core` to `max_chars`, a third of the room before it, and moves the borders inwards to fall between words.
fn cut(text: &str, core: Range<usize>, max_chars: usize) -> Range<usize> {
    let room = max_chars.saturating_sub(chars(&text[core.clone()]));
    let behind_chars = chars_up_to(&text[core.end..], room);
    let before_chars = (room / 3).max(room - behind_chars).max(begun_chars(&text[..core.start]).min(room));
    let start = back(text, core.start, before_chars);
    let used = chars(&text[start..core.start]);
    let end = forward(text, core.end, room - used);
    let start = if start == 0 { 0 } else { word_start(text, start, core.start) };
    let end = if end == text.len() { end } else { word_end(text, end, core.end.max(start)) };
    start..end
}

/// Characters at the end of `before` since the last white space: what begins the name that stands behind it. 0 where they are many, and in
/// scripts without capitals, some of which have no spaces.
fn begun_chars(before: &str) -> usize {
    let is_cased = |char: char| !char.is_alphabetic() || char.is_lowercase() || char.is_uppercase();
    let begun = before.chars().rev().take(BORDER_CHARS_MAX + 1).take_while(|char| !char.is_whitespace());
    let count = begun.clone().count();
    if count > BORDER_CHARS_MAX || !begun.into_iter().all(is_cased) { 0 } else { count }
}

/// The first place between words from `start` on, near enough and at most `limit`.
fn word_start(text: &str, start: usize, limit: usize) -> usize {
    let space = text[start..limit].char_indices().take(BORDER_CHARS_MAX).find(|(_, char)| char.is_whitespace());
    let follows_space = text[..start].ends_with(char::is_whitespace);
    match space {
        _ if follows_space => start,
        Some((offset, _)) => start + offset,
        None => {
            let near = |at: &usize| chars(&text[start..*at]) <= BORDER_CHARS_MAX;
            let mut between = borders(text, start..limit).take_while(near);
            between
                .find(|&at| are_of_words(text, at) == (false, true))
                .or_else(|| borders(text, start..limit).next())
                .unwrap_or(limit)
        }
    }
}

/// The last place between words up to `end`, near enough and at least `limit`.
fn word_end(text: &str, end: usize, limit: usize) -> usize {
    let space = text[limit..end].char_indices().rev().take(BORDER_CHARS_MAX).find(|(_, char)| char.is_whitespace());
    let precedes_space = text[end..].starts_with(char::is_whitespace);
    match space {
        _ if precedes_space => end,
        Some((offset, _)) => limit + offset,
        None => {
            let near = |at: &usize| chars(&text[*at..end]) <= BORDER_CHARS_MAX;
            let mut between = borders(text, limit..end + 1).rev().take_while(near);
            between
                .find(|&at| are_of_words(text, at) == (true, false))
                .or_else(|| borders(text, limit..end + 1).next_back())
                .unwrap_or(limit)
        }
    }
}

/// The places in `range` where a character as the reader sees it ends.
fn borders(text: &str, range: Range<usize>) -> impl DoubleEndedIterator<Item = usize> {
    range.filter(|&at| is_border(text, at))
}

/// Whether the characters before and behind `at` are of a word: letters or digits.
fn are_of_words(text: &str, at: usize) -> (bool, bool) {
    let is_of_word = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    (is_of_word(text[..at].chars().next_back()), is_of_word(text[at..].chars().next()))
}

fn is_border(text: &str, at: usize) -> bool {
    text.is_char_boundary(at) && GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0) == Ok(true)
}

/// `range` without white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

fn chars_up_to(text: &str, limit: usize) -> usize {
    text.chars().take(limit).count()
}

/// The place `chars` characters before `at`, or the beginning.
fn back(text: &str, at: usize, chars: usize) -> usize {
    match chars {
        0 => at,
        _ => text[..at].char_indices().rev().nth(chars - 1).map_or(0, |(offset, _)| offset),
    }
}

/// The place `chars` characters behind `at`, or the end.
fn forward(text: &str, at: usize, chars: usize) -> usize {
    text[at..].char_indices().nth(chars).map_or(text.len(), |(offset, _)| at + offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, query: &str, max_chars: usize, expected: &str) {
        let mut analyzer = Analyzer::new();
        let english = Language::from_code("en");
        let terms = QueryTerms::of_text(&mut analyzer, query, english);
        let found = snippet(&mut analyzer, text, english, &terms, max_chars);
        let mut shown = String::new();
        let mut at = 0;
        for range in &found.highlights {
            shown.extend([&found.text[at..range.start], "[", &found.text[range.clone()], "]"]);
            at = range.end;
        }
        shown += &found.text[at..];
        let ellipsis = |left_out| if left_out { "…" } else { "" };
        let shown = format!("{}{shown}{}", ellipsis(found.leading_ellipsis), ellipsis(found.trailing_ellipsis));
        assert_eq!(shown, expected);
        assert!(chars(&found.text) <= max_chars);
    }

    #[test]
    fn short_texts_are_shown_whole() {
        check("  Pruned trees. ", "tree", 100, "Pruned [trees].");
        check("", "tree", 100, "");
        check("  ", "", 1, "");
    }

    #[test]
    fn the_window_with_most_different_words_wins() {
        let text = "tree tree tree tree, then a long way to go to the words that matter: prune the tree now, and so on";
        check(text, "prune trees", 30, "…[prune] the [tree] now, and…");
    }

    #[test]
    fn words_that_say_little_do_not_choose_the_window() {
        let mut analyzer = Analyzer::new();
        let english = Language::from_code("en");
        let mut terms = QueryTerms::of_text(&mut analyzer, "where is the mill", english);
        let text =
            "Where the road is, the fields begin and go on for a long time, until at last a mill comes in sight.";
        let shown = |analyzer: &mut Analyzer, terms: &QueryTerms| {
            let found = FoundWords::new(analyzer, text, english, terms);
            fragments(text, &found, 48).into_iter().map(|part| part.text).collect::<Vec<_>>()
        };
        assert_eq!(shown(&mut analyzer, &terms).len(), 2);
        terms.weigh([1.0, 0.5, 0.6, 5.0].into_iter());
        assert_eq!(shown(&mut analyzer, &terms), ["long time, until at last a mill comes in sight."]);
    }

    #[test]
    fn without_a_match_the_beginning_is_shown() {
        check("one two three four", "zebra", 9, "one two…");
        check("onetwothree", "zebra", 5, "onetw…");
    }

    #[test]
    fn parts_begin_and_end_between_the_words_of_names() {
        let text = "It is named pandas.DataFrame.merge(right, how) and merges.";
        check(text, "merge", 26, "…pandas.DataFrame.[merge]…");
        check(text, "merge", 16, "…DataFrame.[merge]…");
        check("call.of.fillna('missing').then.dropna('any')", "missing", 20, "…of.fillna('[missing]…");
    }

    #[test]
    fn borders_respect_characters() {
        check("東京の森林公園で散歩する", "森林公園", 6, "…[森林公園]で散…");
        check("e\u{301}e\u{301}e\u{301}", "zebra", 3, "e\u{301}…");
        check("a very-long-word", "word", 2, "a…");
    }
}
