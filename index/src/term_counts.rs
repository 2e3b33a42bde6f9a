//! How often each term stands in a page.

use xxhash_rust::xxh3::xxh3_64;

use crate::term_text::TermText;

/// Slots of the table in the beginning; a power of two.
const SLOTS_MIN: usize = 1 << 10;

/// The different terms of some texts with their counts, in the order of their first places.
#[derive(Debug, Default)]
pub(crate) struct TermCounts {
    /// All terms, one behind the other.
    bytes: String,
    counted: Vec<Counted>,
    /// Places in `counted` plus one, by hash; 0 is free. At most half of them are taken.
    slots: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Counted {
    hash: u32,
    start: u32,
    end: u32,
    count: u32,
}

impl TermCounts {
    /// Forgets all, and keeps the memory for the next page.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.counted.clear();
        self.slots.clear();
        self.slots.resize(SLOTS_MIN, 0);
    }

    /// Counts the terms of `text`.
    pub(crate) fn add(&mut self, text: &TermText) {
        text.terms().for_each(|term| self.count(term));
    }

    /// Calls `sink` with every term and its count.
    pub(crate) fn for_each(&self, mut sink: impl FnMut(&str, usize)) {
        for term in &self.counted {
            sink(&self.bytes[term.start as usize..term.end as usize], term.count as usize);
        }
    }

    /// Counts one term.
    pub(crate) fn count(&mut self, term: &str) {
        if self.counted.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let hash = xxh3_64(term.as_bytes()) as u32;
        let mut slot = hash as usize & (self.slots.len() - 1);
        while let Some(place) = (self.slots[slot] as usize).checked_sub(1) {
            let known = self.counted[place];
            if known.hash == hash && self.bytes[known.start as usize..known.end as usize] == *term {
                self.counted[place].count += 1;
                return;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let start = self.bytes.len() as u32;
        self.bytes.push_str(term);
        self.counted.push(Counted { hash, start, end: self.bytes.len() as u32, count: 1 });
        self.slots[slot] = self.counted.len() as u32;
    }

    /// Doubles the table.
    fn grow(&mut self) {
        let slots = (self.slots.len() * 2).max(SLOTS_MIN);
        self.slots.clear();
        self.slots.resize(slots, 0);
        for (place, term) in self.counted.iter().enumerate() {
            let mut slot = term.hash as usize & (slots - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (slots - 1);
            }
            self.slots[slot] = place as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_analysis::{Analyzer, Language};

    #[test]
    fn many_terms_are_counted_in_their_order() {
        let words: Vec<String> = (0..5000).map(|number| format!("w{}", number * 7 % 3000)).collect();
        let mut text = TermText::default();
        text.push_words(&mut Analyzer::new(), &words.join(" "), Language::UNDETERMINED);
        let mut counts = TermCounts::default();
        for _ in 0..2 {
            counts.clear();
            counts.add(&text);
            let mut found = Vec::new();
            counts.for_each(|term, count| found.push((term.to_owned(), count)));
            assert_eq!(found.len(), 3000);
            assert!(found.iter().zip(&words).all(|((term, _), word)| term == word));
            assert!(found.iter().enumerate().all(|(place, (_, count))| *count == 1 + usize::from(place < 2000)));
        }
    }
}
