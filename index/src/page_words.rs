//! The words of a page as they are written, each once: the dictionary that spellings and beginnings of words are looked up in. The other
//! fields hold stems.

use lopper_analysis::{Language, normalise};

use crate::term_counts::TermCounts;

/// Longest word, in bytes: what is longer is nothing that people type.
const WORD_BYTES_MAX: usize = 40;

/// The different words of one page in their normal form, which have a letter and stand between spaces.
#[derive(Debug, Default)]
pub(crate) struct PageWords {
    words: TermCounts,
    normal: String,
}

impl PageWords {
    /// Forgets all, and keeps the memory for the next page.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
    }

    /// Adds a word as it stands in the text.
    pub(crate) fn add(&mut self, word: &str) {
        if word.len() > WORD_BYTES_MAX || !word.contains(char::is_alphabetic) {
            return;
        }
        if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            self.words.count(word);
            return;
        }
        self.normal.clear();
        normalise(word, Language::UNDETERMINED, &mut self.normal);
        if !self.normal.is_empty() {
            self.words.count(&self.normal);
        }
    }

    /// Calls `sink` with every word.
    pub(crate) fn for_each(&self, mut sink: impl FnMut(&str)) {
        self.words.for_each(|word, _| sink(word));
    }
}
