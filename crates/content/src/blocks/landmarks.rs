//! Where the text of a block begins that stands nowhere before it on the page, so that a link can lead there by its words.

use std::ops::Range;

use lopper_analysis::CELL_BORDER;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::MainBlock;
use crate::cst::{APART, ContentStructureTree, RunId};
use crate::text::words::{white_at, words};

/// Words that a link names of a line, at most.
pub const LANDMARK_WORDS: usize = 5;

/// Of these the words as a browser parts them, at most: names in code and letters of scripts without blanks are words too.
const BARE_WORDS_MAX: usize = 16;

/// Lines and cells of a block that are looked at.
const PARTS_MAX: usize = 8;

/// The lines of a block's text, the cells of rows, and what stands between several blanks, of which a browser finds their exact number
/// alone: what it finds as one text.
pub fn parts_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .flat_map(|line| line.split(CELL_BORDER))
        .flat_map(pieces)
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// A text without its tabs and its runs of blanks.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let gap = gap(text);
        rest = gap.as_ref().map(|gap| &text[gap.end..]);
        Some(gap.map_or(text, |gap| &text[..gap.start]))
    })
}

/// The first tab of a text, or the second of two blanks in a row.
fn gap(text: &str) -> Option<Range<usize>> {
    let (mut at, mut blank_end) = (0, None);
    while at < text.len() {
        let Some(bytes) = white_at(text, at) else {
            at += 1;
            continue;
        };
        let blank = at..at + bytes;
        if blank_end == Some(at) || text.as_bytes()[at] == b'\t' {
            return Some(blank);
        }
        at = blank.end;
        blank_end = Some(at);
    }
    None
}

/// The first words of a part, as a link names them: where a bracket stands alone the cells of a signature are one line here, and several
/// texts on the page.
pub fn lead_of(part: &str) -> impl Iterator<Item = &str> + Clone {
    words_of(part)
        .enumerate()
        .take(LANDMARK_WORDS)
        .take_while(|(at, word)| *at == 0 || *word != "(")
        .map(|(_, word)| word)
}

/// The words of a part as they stand on the page, where nothing parts what [`APART`] does here.
pub fn words_of(part: &str) -> impl Iterator<Item = &str> + Clone {
    part.split(|c: char| c.is_whitespace() && c != APART).filter(|word| !word.is_empty())
}

/// A place on a page: a run, and bytes of its text.
pub(super) type RunPlace = (RunId, usize);

/// Sets [`MainBlock::landmark`] of all blocks of a page, which begin at `first`. O(words of the page).
pub(super) fn set_landmarks(tree: &ContentStructureTree, first: &[RunPlace], blocks: &mut [MainBlock]) {
    let mut places = Places::default();
    let mut leads_of = |block: &MainBlock| -> Vec<Option<Lead>> {
        parts_of(&block.text).take(PARTS_MAX).map(|part| places.seek(part)).collect()
    };
    let leads: Vec<_> = blocks.iter().map(&mut leads_of).collect();
    for (run, found) in tree.runs().iter().enumerate() {
        places.read(run, tree.run_text(found));
    }
    for ((block, first), leads) in blocks.iter_mut().zip(first).zip(leads) {
        let is_new = |lead: Option<Lead>| lead.and_then(|lead| places.first(lead)).is_some_and(|place| place >= *first);
        block.landmark = leads.into_iter().position(is_new).map(|at| at as u32);
    }
}

/// The beginning of a line or a cell, by the hash of its words.
type Lead = u64;

/// Where some beginnings of lines stand first on a page.
#[derive(Default)]
struct Places {
    first: FxHashMap<Lead, Option<RunPlace>>,
    /// By the hash of the first word: how many words are sought that begin with it, a bit for each number.
    lengths: FxHashMap<u64, u32>,
    words: Vec<u64>,
    /// Where each of them begins in its text, in bytes.
    starts: Vec<usize>,
}

impl Places {
    /// Nothing where a link would have no words.
    fn seek(&mut self, part: &str) -> Option<Lead> {
        self.set_lead(part);
        *self.lengths.entry(*self.words.first()?).or_default() |= 1 << self.words.len();
        let lead = of_words(&self.words);
        self.first.insert(lead, None);
        Some(lead)
    }

    fn read(&mut self, run: RunId, text: &str) {
        self.clear();
        self.add_words(text, text);
        for (at, word) in self.words.iter().enumerate() {
            let Some(lengths) = self.lengths.get(word) else { continue };
            for length in (1..=BARE_WORDS_MAX).filter(|length| lengths >> length & 1 == 1) {
                let Some(words) = self.words.get(at..at + length) else { break };
                if let Some(first) = self.first.get_mut(&of_words(words)) {
                    first.get_or_insert((run, self.starts[at]));
                }
            }
        }
    }

    fn first(&self, lead: Lead) -> Option<RunPlace> {
        self.first.get(&lead).copied().flatten()
    }

    /// The words that a link would name; none where they are signs alone, which are found within any text.
    fn set_lead(&mut self, part: &str) {
        self.clear();
        if lead_of(part).any(|word| word.contains(is_letter)) {
            for word in lead_of(part) {
                self.add_words(part, word);
            }
        }
        self.words.truncate(BARE_WORDS_MAX);
    }

    fn clear(&mut self) {
        self.words.clear();
        self.starts.clear();
    }

    /// Words as a browser compares them: capitals are small, and signs part them and are none, but where they stand alone. Scripts without
    /// blanks have a word for every letter: a browser finds words of theirs within a text.
    fn add_words(&mut self, text: &str, part: &str) {
        for word in words(part) {
            let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if is_plain || !word.contains(is_letter) {
                self.add_word(text, word);
                continue; // Nearly every word.
            }
            for run in word.split(|c: char| !is_letter(c)).filter(|run| !run.is_empty()) {
                let mut rest = run;
                while let Some(first) = rest.chars().next() {
                    let length = match rest.find(has_no_blanks) {
                        Some(0) => first.len_utf8(),
                        Some(at) => at,
                        None => rest.len(),
                    };
                    let (word, behind) = rest.split_at(length);
                    self.add_word(text, word);
                    rest = behind;
                }
            }
        }
    }

    fn add_word(&mut self, text: &str, word: &str) {
        self.starts.push(word.as_ptr() as usize - text.as_ptr() as usize);
        self.words.push(word.bytes().fold(word.len() as u64, |hash, byte| {
            (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
        }));
    }
}

/// Whether a sign is of a word, as a browser sees it.
fn is_letter(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Whether a letter is of a script that is written without blanks: Chinese and Japanese.
fn has_no_blanks(letter: char) -> bool {
    ('\u{2e80}'..='\u{9fff}').contains(&letter)
}

fn of_words(words: &[u64]) -> Lead {
    words.iter().fold(words.len() as u64, |hash, word| xxh3_64_with_seed(&word.to_le_bytes(), hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_what_a_browser_finds_as_one_text() {
        let parts = |text| parts_of(text).collect::<Vec<_>>();
        assert_eq!(parts("a b | c\n  d"), ["a b", "c", "d"]);
        assert_eq!(parts("*  [ES] small  signs\tend "), ["*", "[ES] small", "signs", "end"]);
        assert_eq!(parts("a\u{a0}\u{a0}b\u{a0}c"), ["a", "b\u{a0}c"]);
        let lead = |text: &str| lead_of(text).collect::<Vec<_>>().join(" ");
        assert_eq!(lead("One two three four five six"), "One two three four five");
        assert_eq!(lead("1\u{200a}One of\u{200a}a b c d e"), "1\u{200a}One of\u{200a}a b c d");
        assert_eq!(lead("size_t of_type ( int a )"), "size_t of_type");
        assert_eq!(lead("( a ) b"), "( a ) b");
    }

    #[test]
    fn words_are_those_of_a_browser() {
        let words = |text: &str| {
            let mut places = Places::default();
            places.set_lead(text);
            (places.words, places.starts)
        };
        assert_eq!(words("__DOC7(n1, \"x\")").1, [0, 7, 12]);
        assert_eq!(words("その他 a").1, [0, 3, 6, 10]);
        assert_eq!(words("A-b").0, words("a b").0);
        assert_ne!(words("a - b").0, words("a b").0);
        assert_ne!(words("a_b").0, words("a b").0);
        assert!(words("* ?").0.is_empty());
        assert_eq!(words(&"a.b-c.d-e.f ".repeat(5)).0.len(), BARE_WORDS_MAX);
    }
}
