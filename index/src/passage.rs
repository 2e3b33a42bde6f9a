//! The part of a block that answers: pruning within the block, by the query it was found with.

use std::ops::Range;

use lopper_analysis::{Analyzer, Language};
use serde::{Deserialize, Serialize};

use crate::document::BlockDocument;
use crate::highlight::{FoundWords, QueryTerms, distinct, matches};

/// Share of the block's query weight that heading or first line hold from which on the block as a whole is the answer.
const HEADED_SHARE: f32 = 0.6;

/// Share of the block's query weight that the passage must hold.
const COVERED_SHARE: f32 = 0.999;

/// Words of a passage at least, where the block has them.
const WORDS_MIN: usize = 30;

/// The same where its last line only announces what follows.
const ANNOUNCED_WORDS_MIN: usize = 70;

/// Words below which a line is a title of what follows rather than a text.
const TITLE_WORDS_MAX: usize = 12;

/// Words of a passage below which what follows on the page is shown with it.
const ALONE_WORDS_MIN: usize = 30;

/// Words that are then shown in all, where the page has them.
const JOINED_WORDS_MIN: usize = 60;

/// Blocks that may follow a passage.
const FOLLOWING_MAX: i32 = 3;

/// Share of the query's weight below which a block is shown among its neighbours: it holds a part of the answer at best.
const ALONE_SHARE: f32 = 0.65;

/// Share of the heaviest word's weight from which on a word that is not there is told: small words of a sentence are not missed.
const MISSING_SHARE: f32 = 0.35;

/// Words of a block that is so shown, at most.
const SHORT_WORDS_MAX: usize = 150;

/// Words that are then shown in all, where the page has them.
const AMONG_WORDS: usize = 200;

/// The same at most: a neighbour that would bring it above is left out, with those behind it.
const AMONG_WORDS_MAX: usize = 250;

/// Neighbours that are then shown at most.
const NEIGHBOURS_MAX: usize = 12;

/// What of a block answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The lines of its body, in bytes.
    range: Range<usize>,
    /// Whether the block holds much less than the query asks for.
    is_partial: bool,
    /// Words of the query that the block lacks, by number.
    missing: Vec<u32>,
}

/// What answers of a block.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Passage {
    /// The lines of the block's body that answer, in bytes.
    pub range: Range<usize>,
    /// The text before the block on its page, a line each, where the block is short and holds only a part of what was asked for: one of
    /// many options or entries.
    pub(crate) preceding: String,
    /// The text that follows the block on its page, a line each, in the same case, and where the passage alone is too short to say much: a
    /// heading with a line under it, and below them further sections, or what opens the page.
    pub following: String,
    /// Words of the query, by their numbers in its terms, that neither the block nor what stands above it has, nor what is shown beside it.
    #[serde(default)]
    pub missing: Vec<u32>,
}

impl Passage {
    /// The text to show of a block with this body.
    pub fn text(&self, body: &str) -> String {
        let own = body.get(self.range.clone()).unwrap_or(body);
        let texts = [&self.preceding, own, &self.following];
        texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// Without those of the missing words that `words_in` finds in the text beside the block.
    pub(crate) fn found_beside(mut self, terms: &QueryTerms, mut words_in: impl FnMut(&str) -> Vec<u32>) -> Self {
        for text in [&self.preceding, &self.following] {
            if !self.missing.is_empty() && !text.is_empty() {
                let found = words_in(text);
                self.missing.retain(|word| !terms.is_among(*word, &found));
            }
        }
        self
    }

    /// The passage in `block`; `beside` gives the blocks after it on its page, and with distances below 0 those before it.
    pub(crate) fn of<E>(
        Answer { range, is_partial, missing }: Answer,
        block: &BlockDocument,
        beside: impl FnMut(i32) -> Result<Option<BlockDocument>, E>,
    ) -> Result<Self, E> {
        let passage = if is_partial && word_count(&block.body) < SHORT_WORDS_MAX {
            Self::among_neighbours(block, beside)
        } else {
            Self::with_following(range, block, beside)
        };
        Ok(Self { missing, ..passage? })
    }

    /// The whole block with what stands around it in the same section, a block after it and one before it by turns.
    fn among_neighbours<E>(
        block: &BlockDocument,
        mut beside: impl FnMut(i32) -> Result<Option<BlockDocument>, E>,
    ) -> Result<Self, E> {
        let mut words = word_count(&block.body);
        let (mut before, mut after): (Vec<String>, Vec<String>) = Default::default();
        let mut open = [true, true];
        for side in [0, 1].into_iter().cycle() {
            if words >= AMONG_WORDS || open == [false, false] || before.len() + after.len() == NEIGHBOURS_MAX {
                break;
            }
            if !open[side] {
                continue;
            }
            let distance = if side == 0 { after.len() as i32 + 1 } else { -(before.len() as i32) - 1 };
            let neighbour = beside(distance)?.filter(|other| is_of_section(block, other));
            let count = neighbour.as_ref().map_or(0, |other| word_count(&other.body));
            match neighbour {
                Some(other) if words + count <= AMONG_WORDS_MAX => {
                    words += count;
                    if side == 0 { after.push(other.body) } else { before.push(other.body) }
                }
                _ => open[side] = false,
            }
        }
        before.reverse();
        let (preceding, following) = (before.join("\n"), after.join("\n"));
        Ok(Self { range: 0..block.body.len(), preceding, following, missing: Vec::new() })
    }

    fn with_following<E>(
        range: Range<usize>,
        block: &BlockDocument,
        mut next: impl FnMut(i32) -> Result<Option<BlockDocument>, E>,
    ) -> Result<Self, E> {
        let mut words = word_count(&block.body[range.clone()]);
        let mut lines: Vec<String> = Vec::new();
        if words >= ALONE_WORDS_MIN || range.end < block.body.len() {
            return Ok(Self { range, ..Self::default() });
        }
        let opens_page = opens_page(block, &mut next)?;
        for place in 1..=FOLLOWING_MAX {
            let Some(following) = next(place)? else { break };
            if !opens_page && !goes_on(block, &following) {
                break;
            }
            for line in following.body.lines() {
                if words >= JOINED_WORDS_MIN {
                    break;
                }
                words += word_count(line);
                lines.push(line.to_owned());
            }
        }
        Ok(Self { range, following: lines.join("\n"), ..Self::default() })
    }
}

/// Whether a block stands in the section around another's own, as the other options or entries of its list do.
fn is_of_section(block: &BlockDocument, other: &BlockDocument) -> bool {
    let around = block.heading_path.split_last().map(|(_, around)| around);
    around.is_some_and(|around| other.heading_path.starts_with(around))
}

/// Whether what a block opens, a section or an element with a name, goes on in a block after it.
fn goes_on(block: &BlockDocument, following: &BlockDocument) -> bool {
    let is_below = !block.heading_path.is_empty() && following.heading_path.starts_with(&block.heading_path);
    is_below || following.anchor.as_ref().is_some_and(|anchor| block.names.contains(anchor))
}

/// Whether a block opens its page: it is the first, or a short one alone stands before it that no heading is above, as the head of a manual
/// page before its name. `beside` gives the blocks before and after it.
fn opens_page<E>(
    block: &BlockDocument,
    mut beside: impl FnMut(i32) -> Result<Option<BlockDocument>, E>,
) -> Result<bool, E> {
    match block.ordinal {
        0 => Ok(true),
        1 => {
            Ok(beside(-1)?
                .is_some_and(|first| first.heading_path.is_empty() && word_count(&first.body) < ALONE_WORDS_MIN))
        }
        _ => Ok(false),
    }
}

/// Whether a block defines what it is named for: its first line is its heading or term, and has one of its names, or the last part of one
/// (`str.split` or `method.split`), as a word. Headings of prose have names of several words (`usage-notes`), or in other letters (`usage`).
fn defines(block: &BlockDocument) -> bool {
    let Some(heading) = block.heading_path.last() else { return false };
    let is_sign = |sign: char| !sign.is_alphanumeric() && sign != '_';
    let words = || block.lead.split(is_sign).filter(|word| !word.is_empty());
    let last_part =
        |name: &str| name.rsplit(['.', ':', '/']).next().is_some_and(|last| words().any(|word| word == last));
    heading.starts_with(&block.lead) && block.names.iter().any(|name| last_part(name))
}

/// The lines of a block's body that answer a query.
///
/// Where the query's words stand in the block's heading or first line, the block is about them and all of it is shown. Else it
/// is the fewest lines in a row that hold all of the query's words that the block holds, and as many lines after (at the end
/// before) them as make 30 words, or 70 where the last of them is a question, a title or ends with a colon. Of a definition all lines before
/// them are shown too: its name, and what it says first of it. `found` are the words in the body, and `word_weights` are by the numbers of
/// the words in `terms`.
pub(crate) fn passage(
    analyzer: &mut Analyzer,
    block: &BlockDocument,
    terms: &QueryTerms,
    found: &FoundWords,
    word_weights: &[f32],
) -> Answer {
    let whole = 0..block.body.len();
    let lines = lines(&block.body);
    let mut words_in = |text: &str| words_in(analyzer, text, block.language, terms);
    let found = found.by_part(&lines);
    let weight = |words: &[u32]| -> f32 {
        (0..).zip(word_weights).filter(|(word, _)| terms.is_among(*word, words)).map(|(_, weight)| weight).sum()
    };
    let in_body = distinct(found.iter().flatten().copied());
    let (heading, around) = block.heading_path.split_last().map_or(("", &[][..]), |(last, rest)| (last.as_str(), rest));
    let (in_heading, above) = (words_in(heading), words_in(&around.join("\n")));
    let held = distinct(in_body.iter().chain(&above).chain(&in_heading).copied());
    let is_partial = weight(&held) < ALONE_SHARE * word_weights.iter().sum::<f32>();
    let lacks = |word: &u32| !terms.is_among(*word, &held);
    let heaviest = word_weights.iter().copied().fold(0.0, f32::max);
    let is_told = |word: &u32| word_weights[*word as usize] >= MISSING_SHARE * heaviest;
    let mut missing: Vec<u32> = (0..word_weights.len() as u32).filter(is_told).filter(lacks).collect();
    if !missing.is_empty() {
        let in_title = words_in(&block.title);
        missing.retain(|word| !terms.is_among(*word, &in_title));
    }
    let answer = |range: Range<usize>| Answer { range, is_partial, missing: missing.clone() };
    let total = weight(&in_body);
    if lines.len() < 2 || total <= 0.0 {
        return answer(whole);
    }
    let headed = distinct(in_heading.into_iter().chain(words_in(&block.lead)));
    if weight(&headed) >= HEADED_SHARE * total {
        return answer(whole);
    }
    let counts: Vec<usize> = lines.iter().map(|line| word_count(&block.body[line.clone()])).collect();
    let Some(shortest) = shortest(&counts, &found, &|words| weight(words) >= COVERED_SHARE * total) else {
        return answer(whole);
    };
    let shown = lengthened(&block.body, &lines, &counts, shortest);
    let begin = if defines(block) { 0 } else { lines[shown.start].start };
    answer(begin..lines[shown.end - 1].end)
}

fn lines(text: &str) -> Vec<Range<usize>> {
    let mut begin = 0;
    let line = |line: &str| {
        let range = begin..begin + line.len();
        begin = range.end + 1;
        range
    };
    text.split('\n').map(line).collect()
}

pub(crate) fn words_in(analyzer: &mut Analyzer, text: &str, language: Language, terms: &QueryTerms) -> Vec<u32> {
    distinct(matches(analyzer, text, language, terms).into_iter().map(|found| found.word))
}

fn word_count(text: &str) -> usize {
    if !text.is_ascii() {
        return text.split_whitespace().count();
    }
    let is_blank = |byte: u8| matches!(byte, b'\t'..=b'\r' | b' ');
    let (mut words, mut was_blank) = (0, true);
    for byte in text.bytes() {
        let is_blank = is_blank(byte);
        words += usize::from(was_blank && !is_blank);
        was_blank = is_blank;
    }
    words
}

/// The lines in a row with fewest words that hold enough; the first of equals. `counts` are the words of each line, `found` those of the
/// query in it, increasing.
fn shortest(counts: &[usize], found: &[Vec<u32>], is_enough: &dyn Fn(&[u32]) -> bool) -> Option<Range<usize>> {
    let mut best: Option<(usize, Range<usize>)> = None;
    let mut held: Vec<u32> = Vec::new();
    for begin in (0..counts.len()).filter(|line| !found[*line].is_empty()) {
        let mut words = 0;
        held.clear();
        for end in begin..counts.len() {
            words += counts[end];
            if best.as_ref().is_some_and(|(fewest, _)| words >= *fewest) {
                break;
            }
            if add_new(&mut held, &found[end]) && is_enough(&held) {
                best = Some((words, begin..end + 1));
                break;
            }
        }
    }
    best.map(|(_, range)| range)
}

/// Adds the words that `held`, which increases, lacks; tells whether there was one.
fn add_new(held: &mut Vec<u32>, words: &[u32]) -> bool {
    let before = held.len();
    for word in words {
        if let Err(place) = held.binary_search(word) {
            held.insert(place, *word);
        }
    }
    held.len() > before
}

/// With lines after it, then before it, until there are enough words. `counts` are the words of the lines.
fn lengthened(text: &str, lines: &[Range<usize>], counts: &[usize], mut shown: Range<usize>) -> Range<usize> {
    let count = |line: usize| counts[line];
    let mut words: usize = shown.clone().map(count).sum();
    let last = text[lines[shown.end - 1].clone()].trim_end();
    let announces = last.ends_with(['?', ':', '？', '：']) || count(shown.end - 1) < TITLE_WORDS_MAX;
    let words_min = if announces { ANNOUNCED_WORDS_MIN } else { WORDS_MIN };
    while words < words_min && shown.end < lines.len() {
        words += count(shown.end);
        shown.end += 1;
    }
    while words < words_min && shown.start > 0 {
        shown.start -= 1;
        words += count(shown.start);
    }
    shown
}

#[cfg(test)]
mod tests;
