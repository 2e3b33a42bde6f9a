//! [`TermText`](crate::term_text::TermText) on its way into tantivy.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::term_text::{Item, Items, PART_GAP};
use lopper_analysis::is_further_form;

/// Splits a text of terms for the engine.
#[derive(Debug, Clone, Default)]
pub(crate) struct TermTokenizer {
    token: Token,
}

impl Tokenizer for TermTokenizer {
    type TokenStream<'a> = TermTokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermTokens<'a> {
        self.token.reset();
        TermTokens { items: Items(text), token: &mut self.token, next_position: 0, repeats: 0 }
    }
}

/// The terms of one [`TermText`], with positions.
pub(crate) struct TermTokens<'a> {
    items: Items<'a>,
    token: &'a mut Token,
    next_position: usize,
    /// How often the token is still to be given again.
    repeats: usize,
}

impl TokenStream for TermTokens<'_> {
    fn advance(&mut self) -> bool {
        if self.repeats > 0 {
            self.repeats -= 1;
            return true;
        }
        for item in self.items.by_ref() {
            match item {
                Item::Dropped => self.next_position += 1,
                Item::PartBreak => self.next_position += PART_GAP,
                Item::Again(0) => {}
                Item::Again(times) => {
                    self.repeats = times - 1;
                    return true;
                }
                Item::Term(term) => {
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
    use crate::term_text::{NUMBER_MAX, TermText};
    use lopper_analysis::{Analyzer, Language};

    fn tokens(text: &TermText) -> Vec<(String, usize)> {
        let mut tokenizer = TermTokenizer::default();
        let mut found = Vec::new();
        tokenizer.token_stream(text.as_str()).process(&mut |token| found.push((token.text.clone(), token.position)));
        found
    }

    #[test]
    fn positions_survive_the_way() {
        let long = "x".repeat(100);
        let mut analyzer = Analyzer::new();
        let mut terms = TermText::default();
        terms.push_text(&mut analyzer, &format!("One {long} twö tres"), Language::UNDETERMINED);
        let mut joined = TermText::default();
        joined.push_text(&mut analyzer, "Zero", Language::UNDETERMINED);
        joined.push_terms(&terms);

        let expected = [("zero", 0), ("one", 101), ("twö", 103), ("\u{2}two", 103), ("tres", 104)];
        assert_eq!(tokens(&joined), expected.map(|(term, position)| (term.to_owned(), position)));
        assert_eq!((joined.tokens(), joined.words(), joined.last_part().start), (5, 4, 101));
        assert!(joined.terms().eq(expected.map(|(term, _)| term)));
        assert!(joined.placed().into_iter().eq(expected.map(|(term, position)| (term.to_owned(), position as u32))));
    }

    #[test]
    fn terms_of_any_length_and_number_pass() {
        let long = "ж".repeat(2000);
        let mut text = TermText::default();
        text.push_repeated("a", 0);
        text.push_token("", 0, 0);
        text.push_repeated(&long, 3);
        text.push_repeated("b", NUMBER_MAX + 2);
        text.push_repeated(&"x".repeat(NUMBER_MAX), 1);
        text.push_repeated("c", 1);
        let found = tokens(&text);
        let count = |term: &str| found.iter().filter(|(found, _)| found == term).count();
        assert_eq!((count(&long), count("b"), count("c")), (3, NUMBER_MAX + 2, 1));
        assert_eq!(found.len(), NUMBER_MAX + 6);
    }
}
