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
const FOLLOWING_MAX: usize = 3;

/// What answers of a block.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Passage {
    /// The lines of the block's body that answer, in bytes.
    pub range: Range<usize>,
    /// The text that follows the block on its page, a line each, where the passage alone is too short to say much: a heading with a
    /// line under it, and below them further sections.
    pub following: String,
}

impl Passage {
    /// The text to show of a block with this body.
    pub fn text(&self, body: &str) -> String {
        let own = body.get(self.range.clone()).unwrap_or(body);
        if self.following.is_empty() { own.to_owned() } else { format!("{own}\n{}", self.following) }
    }

    /// The passage in `block`; `next` gives the blocks after it on its page.
    pub(crate) fn of<E>(
        range: Range<usize>,
        block: &BlockDocument,
        mut next: impl FnMut(usize) -> Result<Option<BlockDocument>, E>,
    ) -> Result<Self, E> {
        let mut words = word_count(&block.body[range.clone()]);
        let mut lines: Vec<String> = Vec::new();
        if words >= ALONE_WORDS_MIN || range.end < block.body.len() {
            return Ok(Self { range, following: String::new() });
        }
        for place in 1..=FOLLOWING_MAX {
            let Some(following) = next(place)? else { break };
            if !goes_on(block, &following) {
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
        Ok(Self { range, following: lines.join("\n") })
    }
}

/// Whether what a block opens, a section or an element with a name, goes on in a block after it.
fn goes_on(block: &BlockDocument, following: &BlockDocument) -> bool {
    let is_below = !block.heading_path.is_empty() && following.heading_path.starts_with(&block.heading_path);
    let opens = block.anchor.as_ref().is_some_and(|anchor| block.names.contains(anchor));
    is_below || opens && following.anchor == block.anchor
}

/// The lines of a block's body that answer a query, as a range of bytes.
///
/// Where the query's words stand in the block's heading or first line, the block is about them and all of it is shown. Else it
/// is the fewest lines in a row that hold all of the query's words that the block holds, and as many lines after (at the end
/// before) them as make 30 words, or 70 where the last of them is a question, a title or ends with a colon. `found` are the words in the
/// body, and `word_weights` are by the numbers of the words in `terms`.
pub(crate) fn passage(
    analyzer: &mut Analyzer,
    block: &BlockDocument,
    terms: &QueryTerms,
    found: &FoundWords,
    word_weights: &[f32],
) -> Range<usize> {
    let whole = 0..block.body.len();
    let lines = lines(&block.body);
    let mut words_in = |text: &str| words_in(analyzer, text, block.language, terms);
    let found = found.by_part(&lines);
    let weight = |words: &[u32]| -> f32 {
        words.iter().map(|word| word_weights.get(*word as usize).copied().unwrap_or(0.0)).sum()
    };
    let total = weight(&distinct(found.iter().flatten().copied()));
    if lines.len() < 2 || total <= 0.0 {
        return whole;
    }
    let heading = block.heading_path.last().map_or("", String::as_str);
    let headed = distinct(words_in(heading).into_iter().chain(words_in(&block.lead)));
    if weight(&headed) >= HEADED_SHARE * total {
        return whole;
    }
    let Some(shortest) = shortest(&block.body, &lines, &found, &|words| weight(words) >= COVERED_SHARE * total) else {
        return whole;
    };
    let shown = lengthened(&block.body, &lines, shortest);
    lines[shown.start].start..lines[shown.end - 1].end
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

fn words_in(analyzer: &mut Analyzer, text: &str, language: Language, terms: &QueryTerms) -> Vec<u32> {
    distinct(matches(analyzer, text, language, terms).into_iter().map(|found| found.word))
}

fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The lines in a row with fewest words that hold enough; the first of equals.
fn shortest(
    text: &str,
    lines: &[Range<usize>],
    found: &[Vec<u32>],
    is_enough: &dyn Fn(&[u32]) -> bool,
) -> Option<Range<usize>> {
    let mut best: Option<(usize, Range<usize>)> = None;
    for begin in (0..lines.len()).filter(|line| !found[*line].is_empty()) {
        let (mut held, mut words) = (Vec::new(), 0);
        for end in begin..lines.len() {
            words += word_count(&text[lines[end].clone()]);
            if best.as_ref().is_some_and(|(fewest, _)| words >= *fewest) {
                break;
            }
            held = distinct(held.into_iter().chain(found[end].iter().copied()));
            if is_enough(&held) {
                best = Some((words, begin..end + 1));
                break;
            }
        }
    }
    best.map(|(_, range)| range)
}

/// With lines after it, then before it, until there are enough words.
fn lengthened(text: &str, lines: &[Range<usize>], mut shown: Range<usize>) -> Range<usize> {
    let count = |line: usize| word_count(&text[lines[line].clone()]);
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
mod tests {
    use super::*;

    fn shown<'a>(block: &'a BlockDocument, query: &str) -> &'a str {
        let mut analyzer = Analyzer::new();
        let terms = QueryTerms::of_text(&mut analyzer, query, Language::from_code("en"));
        let found = FoundWords::new(&mut analyzer, &block.body, block.language, &terms);
        let range = passage(&mut analyzer, block, &terms, &found, &[1.0; 8]);
        &block.body[range]
    }

    #[test]
    fn the_lines_that_hold_the_words() {
        let filler = "word ".repeat(40);
        let body = format!("About wind\n{filler}\nSails of linen turn {filler}\n{filler}");
        let block = BlockDocument {
            lead: "About wind".to_owned(),
            heading_path: vec!["Mills".to_owned()],
            body,
            language: "en".into(),
            ..BlockDocument::default()
        };
        assert!(shown(&block, "linen sails").starts_with("Sails") && shown(&block, "linen sails").lines().count() == 1);
        assert_eq!(shown(&block, "wind"), block.body, "the first line is about it");
        assert_eq!(shown(&block, "water"), block.body, "nothing is found");
        assert!(shown(&block, "wind linen sails").starts_with("About"), "all words, wherever they stand");
        let short =
            BlockDocument { body: "a sail\nb\nc".to_owned(), language: "en".into(), ..BlockDocument::default() };
        assert_eq!(shown(&short, "sail"), short.body);
    }

    #[test]
    fn a_short_opening_is_shown_with_what_follows() {
        let block = |path: &[&str], body: &str, names: &[&str], ordinal| BlockDocument {
            heading_path: path.iter().map(|heading| (*heading).to_owned()).collect(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            anchor: Some("page".to_owned()),
            body: body.to_owned(),
            ordinal,
            ..BlockDocument::default()
        };
        let first = block(&["Mill"], "Mill\nA machine.", &["page"], 0);
        let after = [block(&["Use"], "Use\nFlour.", &["use"], 1), block(&["Age"], &"old ".repeat(80), &[], 2)];
        let passage = |block: &BlockDocument, range| {
            let next = |place: usize| Ok::<_, ()>(after.get(block.ordinal as usize + place - 1).cloned());
            Passage::of(range, block, next).unwrap()
        };
        let whole = |block: &BlockDocument| passage(block, 0..block.body.len()).text(&block.body);
        assert!(whole(&first).starts_with("Mill\nA machine.\nUse\nFlour.\nold "), "its element goes on");
        assert_eq!(whole(&after[0]), "Use\nFlour.", "another section follows");
        let within = BlockDocument { heading_path: vec!["Age".to_owned()], ..after[0].clone() };
        assert!(whole(&within).contains("old"), "its section goes on");
        assert_eq!(passage(&first, 0..4).text(&first.body), "Mill", "the rest of the block was left out");
    }
}
