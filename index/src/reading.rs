//! A text as a query reads it: once, for all that an answer tells of it.

use lopper_analysis::{Analyzer, Language, Token, is_further_form};
use xxhash_rust::xxh3::xxh3_64;

use crate::highlight::{FoundWords, QueryTerms};

/// The words of a text, and which of them are a query's.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextReading {
    /// The language that it was read in.
    pub(crate) language: Language,
    found: FoundWords,
    hashes: Vec<u64>,
    pub(crate) words: Vec<ReadWord>,
}

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ReadWord {
    /// That of the query with this number.
    OfQuery(u32),
    /// Another one, by the hash of its term.
    Other(u64),
}

/// Where a token begins and ends.
type TokenPlace = (usize, usize);

impl TextReading {
    /// Reads `text`, looking for `terms`.
    pub fn new(analyzer: &mut Analyzer, text: &str, language: Language, terms: &QueryTerms) -> Self {
        let mut reading = Self { language, ..Self::default() };
        let mut last = (usize::MAX, usize::MAX);
        analyzer.analyze_for_index(text, language, |token| reading.read(&token, terms, &mut last));
        reading
    }

    /// Where the query's words stand; of a word and its further forms the first that is found.
    pub fn found(&self) -> &FoundWords {
        &self.found
    }

    /// Hashes of the text's terms by [`xxh3_64`], in their order, without further forms.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// `last` is where the last word began and ended.
    fn read(&mut self, token: &Token<'_>, terms: &QueryTerms, last: &mut TokenPlace) {
        let place = (token.start, token.end);
        let hash = xxh3_64(token.term.as_bytes());
        let is_further = is_further_form(token.term);
        if !is_further {
            self.hashes.push(hash);
        }
        let is_same = is_further && place == *last;
        match terms.word_of_hashed(hash, token.term, self.language) {
            Some(word) => {
                self.found.add(terms.found(word, token.start..token.end));
                match self.words.last_mut() {
                    // A further form that is the query's word stands in place of the word as it was written.
                    Some(written @ ReadWord::Other(_)) if is_same => *written = ReadWord::OfQuery(word),
                    Some(_) if is_same => {}
                    _ => self.words.push(ReadWord::OfQuery(word)),
                }
            }
            None if is_further => return,
            None => self.words.push(ReadWord::Other(hash)),
        }
        *last = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::highlight::matches;

    #[test]
    fn a_text_is_read_as_its_parts_are() {
        let mut analyzer = Analyzer::new();
        let english = Language::from_code("en");
        let text = "A water-mill grinds; the café's re-built WaterMill ground 水車 slowly.";
        for query in ["watermill cafe", "mill grind 水車", "nothing", ""] {
            let terms = QueryTerms::of_text(&mut analyzer, query, english);
            let reading = TextReading::new(&mut analyzer, text, english, &terms);
            assert_eq!(reading.found().0, matches(&mut analyzer, text, english, &terms), "{query}");
            let mut hashes = Vec::new();
            analyzer.analyze(text, english, |token| hashes.push(xxh3_64(token.term.as_bytes())));
            assert_eq!(reading.hashes(), hashes);
            let of_query = reading.words.iter().filter(|word| matches!(word, ReadWord::OfQuery(_))).count();
            assert!(of_query <= reading.found().0.len() && (of_query == 0) == reading.found().0.is_empty());
        }
    }
}
