//! Tokens to the tree of a query.

use serde::{Deserialize, Serialize};

use super::ast::{Field, Node, Place};
use super::error::{QueryError, QueryErrorKind};
use super::filter;
use super::lexer::{Token, TokenKind, tokens};
use super::note::QueryNote;
use super::{QUERY_BYTES_MAX, QUERY_PARTS_MAX};

/// A query's text, understood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParsedQuery {
    /// The tree; nothing where the text has no word.
    pub root: Option<Node>,
    /// What needs telling of how the text was read.
    pub notes: Vec<QueryNote>,
}

/// Parses any text.
///
/// ```text
/// list    := or*
/// or      := and ("OR" and)*
/// and     := part ("AND" part)*
/// part    := ("NOT" | "+" | "-")* operand
/// operand := WORD | PHRASE | FIELD operand | "(" list ")"
/// ```
///
/// # Errors
/// [`QueryError`] tells where the text cannot be understood. No engine is asked for that.
pub fn parse(text: &str) -> Result<ParsedQuery, QueryError> {
    let cut = cut_at_word(text, QUERY_BYTES_MAX);
    let mut notes = Vec::new();
    if cut < text.len() {
        notes.push(QueryNote::TextCut { ignored_bytes: text.len() - cut });
    }
    let mut tokens = tokens(&text[..cut], &mut notes)?;
    demote_shouted_operators(&mut tokens, &mut notes);
    demote_idle_operators(&mut tokens, &mut notes);
    let mut parser = Parser { tokens: tokens.into_iter().peekable(), scope: None, costly: 0 };
    let root = parser.list()?;
    debug_assert!(parser.tokens.next().is_none(), "parentheses are balanced");
    Ok(ParsedQuery { root, notes })
}

/// Bytes of a word that is left out rather than cut.
const CUT_WORD_BYTES_MAX: usize = 64;

/// Where a text ends that may have so many bytes: not within a word, unless it is a long one.
fn cut_at_word(text: &str, bytes_max: usize) -> usize {
    let cut = text.floor_char_boundary(bytes_max);
    if cut == text.len() || text[cut..].starts_with(char::is_whitespace) {
        return cut;
    }
    text[..cut].rfind(char::is_whitespace).filter(|space| cut - space <= CUT_WORD_BYTES_MAX).unwrap_or(cut)
}

/// So many more words than operators, side by side and all in capitals, are a sentence that is written so, whose `AND` is a word. What `NOT`
/// alone leaves out stays out.
const SHOUTED_WORDS_MIN: usize = 4;

/// Turns the operators of a sentence in capitals into words, which stay in capitals as the others.
fn demote_shouted_operators(tokens: &mut [Token], notes: &mut Vec<QueryNote>) {
    let (mut operators, mut joining, mut shouted) = (0, 0, 0);
    for token in tokens.iter() {
        match &token.kind {
            TokenKind::And | TokenKind::Or => (operators, joining) = (operators + 1, joining + 1),
            TokenKind::Not => operators += 1,
            TokenKind::Word { text, is_prefix: false } if !text.contains(char::is_lowercase) => {
                shouted += usize::from(text.contains(char::is_uppercase));
            }
            _ => return,
        }
    }
    if joining == 0 || shouted < operators + SHOUTED_WORDS_MIN {
        return;
    }
    for token in tokens {
        let word = match token.kind {
            TokenKind::And => "AND",
            TokenKind::Or => "OR",
            TokenKind::Not => "NOT",
            _ => continue,
        };
        token.kind = TokenKind::Word { text: word.to_owned(), is_prefix: false };
        notes.push(QueryNote::ShoutedOperator { position_bytes: token.start });
    }
}

/// Turns operators without something to work on into words.
fn demote_idle_operators(tokens: &mut [Token], notes: &mut Vec<QueryNote>) {
    for at in (0..tokens.len()).rev() {
        if tokens[at].kind == TokenKind::Not && !tokens.get(at + 1).is_some_and(begins_operand) {
            demote(&mut tokens[at], "not", notes);
        }
    }
    for at in 0..tokens.len() {
        let word = match tokens[at].kind {
            TokenKind::And => "and",
            TokenKind::Or => "or",
            _ => continue,
        };
        let has_left = at > 0 && ends_operand(&tokens[at - 1]);
        if !has_left || !tokens.get(at + 1).is_some_and(begins_operand) {
            demote(&mut tokens[at], word, notes);
        }
    }
}

fn demote(token: &mut Token, word: &str, notes: &mut Vec<QueryNote>) {
    token.kind = TokenKind::Word { text: word.to_owned(), is_prefix: false };
    notes.push(QueryNote::OperatorAsWord { position_bytes: token.start });
}

fn begins_operand(token: &Token) -> bool {
    !matches!(token.kind, TokenKind::And | TokenKind::Or | TokenKind::Close)
}

fn ends_operand(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Word { .. } | TokenKind::Phrase { .. } | TokenKind::Close)
}

/// A parser by descent; parentheses, the one way down, are bounded by the lexer.
struct Parser {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    /// The field whose value is being parsed.
    scope: Option<Field>,
    /// Phrases, prefixes and values of filters met.
    costly: usize,
}

impl Parser {
    fn next_is(&mut self, kind: &TokenKind) -> bool {
        self.tokens.next_if(|token| token.kind == *kind).is_some()
    }

    /// Parts side by side, up to a parenthesis or the end.
    fn list(&mut self) -> Result<Option<Node>, QueryError> {
        let mut parts = Vec::new();
        while self.tokens.peek().is_some_and(|token| token.kind != TokenKind::Close) {
            parts.extend(self.or()?);
        }
        Ok(Node::of_many(parts, Node::List))
    }

    fn or(&mut self) -> Result<Option<Node>, QueryError> {
        let mut parts: Vec<Node> = self.and()?.into_iter().collect();
        while self.next_is(&TokenKind::Or) {
            parts.extend(self.and()?);
        }
        Ok(Node::of_many(parts, Node::Or))
    }

    fn and(&mut self) -> Result<Option<Node>, QueryError> {
        let mut parts: Vec<Node> = self.part()?.into_iter().collect();
        while self.next_is(&TokenKind::And) {
            parts.extend(self.part()?);
        }
        Ok(Node::of_many(parts, Node::And))
    }

    fn part(&mut self) -> Result<Option<Node>, QueryError> {
        let mut signs = Vec::new();
        while let Some(token) = self.tokens.next_if(|token| is_sign(&token.kind)) {
            signs.push(token.kind);
        }
        let mut part = self.operand(signs.last() == Some(&TokenKind::Minus))?;
        for sign in signs.into_iter().rev() {
            part = part.map(if sign == TokenKind::Plus { Node::require } else { Node::not });
        }
        Ok(part)
    }

    /// What signs and fields stand before; `is_after_hyphen` where the last of them is one.
    fn operand(&mut self, is_after_hyphen: bool) -> Result<Option<Node>, QueryError> {
        let Some(token) = self.tokens.next() else { return Ok(None) };
        match token.kind {
            TokenKind::Word { text, is_prefix } => self
                .leaf(Node::Word {
                    text,
                    is_prefix,
                    place: Place { start: token.start, is_after_hyphen, is_quoted: false },
                })
                .map(Some),
            TokenKind::Phrase { text, slop } => self
                .leaf(Node::Phrase {
                    text,
                    slop,
                    place: Place { start: token.start, is_after_hyphen, is_quoted: false },
                })
                .map(Some),
            TokenKind::Field(field) => self.field(field),
            TokenKind::Open => {
                let list = self.list()?;
                self.next_is(&TokenKind::Close);
                Ok(list)
            }
            // The lexer and `demote_idle_operators` leave none of these where an operand is due.
            TokenKind::Close | TokenKind::And | TokenKind::Or | TokenKind::Not | TokenKind::Plus | TokenKind::Minus => {
                Ok(None)
            }
        }
    }

    fn field(&mut self, field: Field) -> Result<Option<Node>, QueryError> {
        let outer = self.scope.replace(field);
        let value = self.operand(false);
        self.scope = outer;
        Ok(value?.map(|value| Node::Field(field, Box::new(value))))
    }

    fn leaf(&mut self, leaf: Node) -> Result<Node, QueryError> {
        let is_cheap = matches!(leaf, Node::Word { is_prefix: false, .. });
        self.costly += usize::from(!is_cheap || self.scope.is_some_and(Field::is_filter));
        if self.costly > QUERY_PARTS_MAX {
            return Err(QueryError::at(filter::value(&leaf).1.start, QueryErrorKind::TooManyParts));
        }
        if let Some(field) = self.scope {
            filter::check(field, &leaf)?;
        }
        Ok(leaf)
    }
}

fn is_sign(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Not | TokenKind::Plus | TokenKind::Minus)
}

#[cfg(test)]
mod tests {
    use super::cut_at_word;

    #[test]
    fn a_text_is_cut_between_words() {
        assert_eq!(cut_at_word("mill river", 20), 10);
        assert_eq!(cut_at_word("mill river", 7), 4);
        assert_eq!(cut_at_word("mill river", 4), 4);
        assert_eq!(cut_at_word("millriver", 5), 5);
        assert_eq!(cut_at_word(&format!("mill {}", "r".repeat(100)), 90), 90);
        assert_eq!(cut_at_word("mühle", 2), 1);
    }
}
