//! Where the text of a block begins that stands nowhere before it on the page, so that a link can lead there by its words.

use std::collections::HashMap;

use lopper_analysis::CELL_BORDER;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::MainBlock;
use crate::cst::{ContentStructureTree, RunId};

/// Words that a link names of a line, at most.
pub const LANDMARK_WORDS: usize = 5;

/// Lines and cells of a block that are looked at.
const PARTS_MAX: usize = 8;

/// The lines of a block's text, and the cells of rows: what a browser finds as one text.
pub fn parts_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split(CELL_BORDER)).filter(|part| !part.trim().is_empty())
}

/// A place on a page: a run, and bytes of its text.
pub(super) type RunPlace = (RunId, usize);

/// Sets [`MainBlock::landmark`] of all blocks of a page, which begin at `first`. O(words of the page).
pub(super) fn set_landmarks(tree: &ContentStructureTree, first: &[RunPlace], blocks: &mut [MainBlock]) {
    let mut places = Places::default();
    for block in blocks.iter() {
        parts_of(&block.text).take(PARTS_MAX).for_each(|part| places.seek(part));
    }
    for (run, found) in tree.runs().iter().enumerate() {
        places.read(run, tree.run_text(found));
    }
    for (block, first) in blocks.iter_mut().zip(first) {
        let mut parts = parts_of(&block.text).take(PARTS_MAX);
        block.landmark =
            parts.position(|part| places.first(part).is_none_or(|place| place >= *first)).map(|at| at as u32);
    }
}

/// Where some beginnings of lines stand first on a page.
#[derive(Default)]
struct Places {
    /// By the hash of the words.
    first: HashMap<u64, Option<RunPlace>>,
    /// By the hash of the first word: how many words are sought that begin with it, a bit for each number.
    lengths: HashMap<u64, u8>,
    words: Vec<u64>,
    /// Where each of them begins in its text, in bytes.
    starts: Vec<usize>,
}

impl Places {
    fn seek(&mut self, part: &str) {
        self.set_words(part, LANDMARK_WORDS);
        let Some(word) = self.words.first() else { return };
        *self.lengths.entry(*word).or_default() |= 1 << self.words.len();
        self.first.insert(of_words(&self.words), None);
    }

    fn read(&mut self, run: RunId, text: &str) {
        self.set_words(text, usize::MAX);
        for (at, word) in self.words.iter().enumerate() {
            let Some(lengths) = self.lengths.get(word) else { continue };
            for length in (1..=LANDMARK_WORDS).filter(|length| lengths >> length & 1 == 1) {
                let Some(words) = self.words.get(at..at + length) else { break };
                if let Some(first) = self.first.get_mut(&of_words(words)) {
                    first.get_or_insert((run, self.starts[at]));
                }
            }
        }
    }

    fn first(&mut self, part: &str) -> Option<RunPlace> {
        self.set_words(part, LANDMARK_WORDS);
        self.first.get(&of_words(&self.words)).copied().flatten()
    }

    /// Words as a browser compares them: capitals are small, and signs around them are no part of them. What is signs alone is a word.
    fn set_words(&mut self, text: &str, most: usize) {
        self.words.clear();
        self.starts.clear();
        for word in text.split_whitespace().take(most) {
            self.starts.push(word.as_ptr() as usize - text.as_ptr() as usize);
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            let word = if bare.is_empty() { word } else { bare };
            self.words.push(word.bytes().fold(word.len() as u64, |hash, byte| {
                (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
            }));
        }
    }
}

fn of_words(words: &[u64]) -> u64 {
    words.iter().fold(words.len() as u64, |hash, word| xxh3_64_with_seed(&word.to_le_bytes(), hash))
}
