//! A query's text to its tokens. Never fails but for parentheses.

use super::ast::Field;
use super::error::{QueryError, QueryErrorKind};
use super::note::QueryNote;
use super::{QUERY_DEPTH_MAX, QUERY_SLOP_MAX};

/// What the name of a thing may begin with. They are looked for in texts too.
const LEADING_SIGNS: [&str; 5] = ["--", ".", "#", "@", "$"];

/// A token at its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// First byte; of a phrase, the one behind the quote.
    pub(super) start: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenKind {
    Open,
    Close,
    And,
    Or,
    Not,
    Plus,
    Minus,
    Field(Field),
    Phrase { text: String, slop: u32 },
    Word { text: String, is_prefix: bool },
}

/// The tokens of `text`: parentheses are balanced and not empty, signs and fields stand before an operand.
pub(super) fn tokens(text: &str, notes: &mut Vec<QueryNote>) -> Result<Vec<Token>, QueryError> {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new(), open: Vec::new(), lone: None, inner: 0, notes };
    while let Some(char) = lexer.peek() {
        lexer.step(char)?;
    }
    lexer.finish()
}

/// Whether a word begins here with signs that belong to it, as `.NET`, `--force` and `__init__`.
fn begins_with_signed_name(rest: &str) -> bool {
    let underscored = Some(rest.trim_start_matches('_')).filter(|behind| behind.len() < rest.len());
    let behind = LEADING_SIGNS.into_iter().find_map(|signs| rest.strip_prefix(signs)).or(underscored);
    behind.is_some_and(|behind| behind.starts_with(char::is_alphanumeric))
}

fn is_quote(char: char) -> bool {
    matches!(char, '"' | '“' | '”' | '„' | '«' | '»' | '＂')
}

struct Lexer<'t, 'n> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
    /// Indices of the tokens of open parentheses.
    open: Vec<usize>,
    /// The first parenthesis that closes none.
    lone: Option<usize>,
    /// Parentheses within words, such as in `f(x)`, that are open since the last space.
    inner: usize,
    notes: &'n mut Vec<QueryNote>,
}

impl Lexer<'_, '_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Whether a sign or parenthesis here is one of the language, and none within a word.
    fn is_border(&self) -> bool {
        let before = self.text[..self.at].chars().next_back();
        let follows_token = self.tokens.last().is_some_and(|last| {
            matches!(last.kind, TokenKind::Plus | TokenKind::Minus | TokenKind::Field(_) | TokenKind::Open)
                && last.end() == self.at
        });
        follows_token || self.follows_close() || before.is_none_or(char::is_whitespace)
    }

    fn step(&mut self, char: char) -> Result<(), QueryError> {
        match char {
            char if char.is_whitespace() => {
                self.inner = 0;
                self.at += char.len_utf8();
            }
            char if is_quote(char) => self.quote(char),
            '(' if self.is_border() => self.open()?,
            '(' => {
                self.inner += 1;
                self.at += 1;
            }
            ')' => self.close(),
            '+' | '-' if self.is_border() && self.has_operand(1) => {
                let kind = if char == '+' { TokenKind::Plus } else { TokenKind::Minus };
                self.push(kind, 1);
            }
            char if char.is_alphanumeric() => self.chunk(),
            _ if self.is_border() && begins_with_signed_name(self.rest()) => self.word(),
            char => self.at += char.len_utf8(),
        }
        Ok(())
    }

    /// Whether a group ends right before.
    fn follows_close(&self) -> bool {
        self.tokens.last().is_some_and(|last| last.kind == TokenKind::Close && last.end() == self.at)
    }

    /// Whether an operand begins so many bytes further on.
    fn has_operand(&self, bytes: usize) -> bool {
        let rest = &self.rest()[bytes..];
        match rest.chars().next() {
            Some('(') => true,
            Some(char) if is_quote(char) => rest[char.len_utf8()..].contains(is_quote),
            Some(char) => char.is_alphanumeric() || begins_with_signed_name(rest),
            None => false,
        }
    }

    fn push(&mut self, kind: TokenKind, bytes: usize) {
        self.tokens.push(Token { kind, start: self.at });
        self.at += bytes;
    }

    fn quote(&mut self, quote: char) {
        let start = self.at;
        let quoted = &self.text[start + quote.len_utf8()..];
        let Some((phrase, after)) = quoted.split_once(is_quote) else {
            if quoted.contains(char::is_alphanumeric) {
                self.notes.push(QueryNote::UnclosedQuote { position_bytes: start });
            }
            self.at += quote.len_utf8();
            return;
        };
        let (slop, slop_bytes) = slop(after);
        self.at = self.text.len() - after.len() + slop_bytes;
        if !phrase.contains(char::is_alphanumeric) {
            self.drop_prefixes();
            return;
        }
        if slop > QUERY_SLOP_MAX {
            self.notes.push(QueryNote::SlopCut { position_bytes: start });
        }
        let kind = TokenKind::Phrase { text: phrase.to_owned(), slop: slop.min(QUERY_SLOP_MAX) };
        self.tokens.push(Token { kind, start: start + quote.len_utf8() });
    }

    fn open(&mut self) -> Result<(), QueryError> {
        if self.open.len() == QUERY_DEPTH_MAX {
            return Err(QueryError::at(self.at, QueryErrorKind::TooDeep));
        }
        self.open.push(self.tokens.len());
        self.push(TokenKind::Open, 1);
        Ok(())
    }

    fn close(&mut self) {
        if self.inner > 0 {
            self.inner -= 1;
        } else if let Some(open) = self.open.pop() {
            if open + 1 == self.tokens.len() {
                self.tokens.pop();
                self.drop_prefixes();
            } else {
                self.tokens.push(Token { kind: TokenKind::Close, start: self.at });
            }
        } else {
            self.lone.get_or_insert(self.at);
        }
        self.at += 1;
    }

    /// Removes signs and fields that turn out to stand before nothing.
    fn drop_prefixes(&mut self) {
        while let Some(TokenKind::Plus | TokenKind::Minus | TokenKind::Field(_)) =
            self.tokens.last().map(|last| &last.kind)
        {
            self.tokens.pop();
        }
    }

    /// A field's name, an operator or a word.
    fn chunk(&mut self) {
        if let Some(field) = self.field() {
            let bytes = field.name().len() + 1;
            self.push(TokenKind::Field(field), bytes);
            let opens = self.peek().is_some_and(|char| char == '(' || is_quote(char));
            if !opens {
                self.word();
            }
            return;
        }
        self.word();
    }

    /// The field that is named here and has a value behind its colon.
    fn field(&self) -> Option<Field> {
        let (name, _) = self.rest().split_once(':')?;
        let field = Field::ALL.into_iter().find(|field| field.name().eq_ignore_ascii_case(name))?;
        let value = &self.rest()[name.len() + 1..];
        let has_value = match value.chars().next()? {
            char if is_quote(char) => value[char.len_utf8()..].contains(is_quote),
            char => !char.is_whitespace() && char != ')',
        };
        has_value.then_some(field)
    }

    /// Everything up to a space, a quote, or a parenthesis that does not belong to it.
    fn word(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let mut depth = 0;
        let mut end = rest.len();
        for (offset, char) in rest.char_indices() {
            match char {
                '(' => depth += 1,
                ')' if depth > 0 => depth -= 1,
                char if char == ')' || char.is_whitespace() || is_quote(char) => {
                    end = offset;
                    break;
                }
                _ => {}
            }
        }
        let kind = word_or_operator(&rest[..end], self.is_border() && self.is_free());
        self.inner += depth;
        self.at += end;
        self.tokens.push(Token { kind, start });
    }

    /// Whether no sign or field stands right before.
    fn is_free(&self) -> bool {
        !self.tokens.last().is_some_and(|last| {
            matches!(last.kind, TokenKind::Plus | TokenKind::Minus | TokenKind::Field(_)) && last.end() == self.at
        })
    }

    fn finish(mut self) -> Result<Vec<Token>, QueryError> {
        let structured = self.tokens.iter().any(|token| {
            use TokenKind::{And, Field, Minus, Not, Or, Plus};
            matches!(token.kind, And | Or | Not | Plus | Minus | Field(_))
        });
        let unclosed = self.open.last().map(|&open| self.tokens[open].start);
        let unclosed = unclosed.map(|at| (at, QueryErrorKind::UnclosedParenthesis));
        let lone = self.lone.map(|at| (at, QueryErrorKind::UnopenedParenthesis)).or(unclosed);
        if let Some((position_bytes, kind)) = lone {
            if structured {
                return Err(QueryError::at(position_bytes, kind));
            }
            self.notes.push(QueryNote::LoneParenthesis { position_bytes });
        }
        // From the last on, so that the others keep their place.
        for &open in self.open.iter().rev() {
            self.tokens.remove(open);
        }
        Ok(self.tokens)
    }
}

impl Token {
    /// Byte behind a token of fixed length.
    fn end(&self) -> usize {
        match self.kind {
            TokenKind::Field(field) => self.start + field.name().len() + 1,
            _ => self.start + 1,
        }
    }
}

/// The slop written behind a phrase, `~3`, and its bytes.
fn slop(after: &str) -> (u32, usize) {
    let Some(digits) = after.strip_prefix('~') else { return (0, 0) };
    let len = digits.bytes().take_while(u8::is_ascii_digit).count();
    if len == 0 || digits[len..].starts_with(char::is_alphanumeric) {
        return (0, 0);
    }
    (digits[..len].parse().unwrap_or(u32::MAX), 1 + len)
}

/// An operator is one only where it stands free; elsewhere it is a word, in lower case so that it stays one.
fn word_or_operator(chunk: &str, is_free: bool) -> TokenKind {
    match chunk {
        "AND" if is_free => TokenKind::And,
        "OR" if is_free => TokenKind::Or,
        "NOT" if is_free => TokenKind::Not,
        "AND" | "OR" | "NOT" => TokenKind::Word { text: chunk.to_ascii_lowercase(), is_prefix: false },
        _ => match chunk.strip_suffix('*') {
            Some(prefix) if prefix.ends_with(char::is_alphanumeric) && !prefix.contains('*') => {
                TokenKind::Word { text: prefix.to_owned(), is_prefix: true }
            }
            _ => TokenKind::Word { text: chunk.to_owned(), is_prefix: false },
        },
    }
}
