//! Analysed text on its way into the engine.
//!
//! The engine's own way for tokens made elsewhere, `PreTokenizedString`, passes every document through JSON. So terms travel as
//! one string, which the tokenizer of the text fields only splits: an item a line, an empty line for a dropped word,
//! [`PART_BREAK`] between texts that no phrase may span. A further form takes the position of the word before it.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::analysis::{Analyzer, Language, is_further_form};

/// Stands for [`PART_GAP`] positions without a word. No term holds a control character but the mark of a further form.
const PART_BREAK: &str = "\u{1}";

/// Positions between the parts of one field.
const PART_GAP: usize = 100;

/// The terms of one or more texts in the form [`TermTokenizer`] reads.
#[derive(Debug, Default)]
pub(crate) struct TermText(String);

impl TermText {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Analyses `text` as a new part, with all forms that it can be found by.
    pub(crate) fn push_text(&mut self, analyzer: &mut Analyzer, text: &str, language: Language) {
        self.begin_part();
        let mut next_position = 0;
        analyzer.analyze_for_index(text, language, |token| {
            debug_assert!(token.position >= next_position || is_further_form(token.term));
            self.push_token(token.term, token.position, &mut next_position);
        });
    }

    /// Analyses `text` as a new part into the words as they stand alone, so that its length is theirs.
    pub(crate) fn push_words(&mut self, analyzer: &mut Analyzer, text: &str, language: Language) {
        self.begin_part();
        let mut next_position = 0;
        analyzer.analyze(text, language, |token| self.push_token(token.term, token.position, &mut next_position));
    }

    fn push_token(&mut self, term: &str, position: u32, next_position: &mut u32) {
        for _ in *next_position..position {
            self.0.push('\n');
        }
        self.0.push_str(term);
        self.0.push('\n');
        *next_position = position + 1;
    }

    /// Appends the parts of another text, already analysed.
    pub(crate) fn push_terms(&mut self, terms: &Self) {
        if !terms.0.is_empty() {
            self.begin_part();
            self.0.push_str(&terms.0);
        }
    }

    fn begin_part(&mut self) {
        if !self.0.is_empty() {
            self.0.push_str(PART_BREAK);
            self.0.push('\n');
        }
    }
}

/// Splits a [`TermText`] for the engine.
#[derive(Debug, Clone, Default)]
pub(crate) struct TermTokenizer {
    token: Token,
}

impl Tokenizer for TermTokenizer {
    type TokenStream<'a> = TermTokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermTokens<'a> {
        self.token.reset();
        TermTokens { lines: text.split('\n'), token: &mut self.token, next_position: 0 }
    }
}

/// The terms of one [`TermText`], with positions.
pub(crate) struct TermTokens<'a> {
    lines: std::str::Split<'a, char>,
    token: &'a mut Token,
    next_position: usize,
}

impl TokenStream for TermTokens<'_> {
    fn advance(&mut self) -> bool {
        for line in self.lines.by_ref() {
            match line {
                "" => self.next_position += 1,
                PART_BREAK => self.next_position += PART_GAP,
                term => {
                    self.token.text.clear();
                    self.token.text.push_str(term);
                    if is_further_form(term) {
                        self.token.position = self.next_position.saturating_sub(1);
                    } else {
                        self.token.position = self.next_position;
                        self.next_position += 1;
                    }
                    return true;
                }
            }
        }
        false
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_survive_the_way() {
        let long = "x".repeat(100);
        let mut analyzer = Analyzer::new();
        let mut terms = TermText::default();
        terms.push_text(&mut analyzer, &format!("One {long} twö tres"), Language::UNDETERMINED);
        let mut joined = TermText::default();
        joined.push_text(&mut analyzer, "Zero", Language::UNDETERMINED);
        joined.push_terms(&terms);

        let mut tokenizer = TermTokenizer::default();
        let mut stream = tokenizer.token_stream(joined.as_str());
        let mut found = Vec::new();
        stream.process(&mut |token| found.push((token.text.clone(), token.position)));
        let expected = [("zero", 0), ("one", 101), ("twö", 103), ("\u{2}two", 103), ("tres", 104)];
        assert_eq!(found, expected.map(|(term, position)| (term.to_owned(), position)));
    }
}
