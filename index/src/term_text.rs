//! Analysed text on its way into the engine.
//!
//! The engine's own way for tokens made elsewhere, `PreTokenizedString`, passes every document through JSON. So terms travel as
//! one string, which the tokenizer of the text fields only splits. It is a row of items, each led by a character that says what it
//! is: [`DROPPED`], [`PART_BREAK`], [`AGAIN`], or the length of the term that follows it. A further form takes the position of the
//! word before it.

use lopper_analysis::{Analyzer, Language, is_further_form};

/// Leads nothing: a word stood here that is no term.
const DROPPED: char = '\u{0}';

/// Stands for [`PART_GAP`] positions without a word.
const PART_BREAK: char = '\u{1}';

/// Leads a character whose number tells how often the term before it is repeated.
const AGAIN: char = '\u{2}';

/// A character of this number and more leads a term of that many bytes less.
const TERM: u32 = 3;

/// The greatest number of a character before the gap in Unicode: bytes of the longest term, and repeats at once.
pub(crate) const NUMBER_MAX: usize = 0xD7FF;

/// Positions between the parts of one field.
pub(crate) const PART_GAP: usize = 100;

/// The terms of one or more texts in the form [`TermTokenizer`](crate::embedded::TermTokenizer) reads.
#[derive(Debug, Default)]
pub(crate) struct TermText {
    items: String,
    next_position: usize,
    /// Terms with those of further forms.
    tokens: usize,
    /// Terms without them.
    words: usize,
    last_part: LastPart,
}

/// The part of a [`TermText`] that was added last.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LastPart {
    /// Its first position.
    pub(crate) start: usize,
    /// Terms without further forms.
    pub(crate) words: usize,
}

impl TermText {
    pub(crate) fn as_str(&self) -> &str {
        &self.items
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Number of terms, further forms among them.
    pub(crate) fn tokens(&self) -> usize {
        self.tokens
    }

    /// Number of words: of terms that are no further forms.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    pub(crate) fn last_part(&self) -> LastPart {
        self.last_part
    }

    pub(crate) fn clear(&mut self) {
        self.items.clear();
        (self.next_position, self.tokens, self.words) = (0, 0, 0);
        self.last_part = LastPart::default();
    }

    /// Analyses `text` as a new part, with all forms that it can be found by.
    pub(crate) fn push_text(&mut self, analyzer: &mut Analyzer, text: &str, language: Language) {
        self.push_text_seen(analyzer, text, language, |_| {});
    }

    /// The same; `seen` is called with every word as it stands in the text, but not with the pairs of a script without word borders.
    pub(crate) fn push_text_seen(
        &mut self,
        analyzer: &mut Analyzer,
        text: &str,
        language: Language,
        mut seen: impl FnMut(&str),
    ) {
        self.begin_part();
        let part = self.next_position;
        analyzer.analyze_for_index(text, language, |token| {
            if !is_further_form(token.term) && !token.is_pair {
                seen(&text[token.start..token.end]);
            }
            self.push_token(token.term, part, token.position);
        });
    }

    /// Analyses `text` as a new part into its words alone, so that its length is theirs. Acronyms are not stemmed.
    pub(crate) fn push_words(&mut self, analyzer: &mut Analyzer, text: &str, language: Language) {
        self.begin_part();
        let part = self.next_position;
        analyzer.analyze_names(text, language, |token| self.push_token(token.term, part, token.position));
    }

    pub(crate) fn push_token(&mut self, term: &str, part: usize, position: u32) {
        let position = part + position as usize;
        debug_assert!(position >= self.next_position || is_further_form(term));
        for _ in self.next_position..position {
            self.items.push(DROPPED);
        }
        self.push_term(term);
        self.next_position = position + 1;
    }

    /// Appends a term where the last one ended. One without a character, of a word that cannot be seen, and one that is longer than
    /// any word leave their place empty.
    fn push_term(&mut self, term: &str) {
        let has_lead = (1..=NUMBER_MAX - TERM as usize).contains(&term.len());
        let lead = has_lead.then(|| char::from_u32(TERM + term.len() as u32)).flatten();
        self.items.push(lead.unwrap_or(DROPPED));
        if lead.is_some() {
            self.items.push_str(term);
            self.tokens += 1;
            let word = usize::from(!is_further_form(term));
            self.words += word;
            self.last_part.words += word;
        }
    }

    /// Appends `term` so many times; positions are not kept, so this is for fields without them.
    pub(crate) fn push_repeated(&mut self, term: &str, times: usize) {
        if times == 0 {
            return;
        }
        self.push_term(term);
        let mut left = times - 1;
        while left > 0 {
            let now = left.min(NUMBER_MAX);
            self.items.push(AGAIN);
            self.items.extend(char::from_u32(now as u32));
            left -= now;
        }
    }

    /// Appends the parts of another text, already analysed; gives the position of the first.
    pub(crate) fn push_terms(&mut self, terms: &Self) -> usize {
        if terms.is_empty() {
            return self.next_position;
        }
        self.begin_part();
        let start = self.next_position;
        self.items.push_str(&terms.items);
        self.next_position += terms.next_position;
        self.tokens += terms.tokens;
        self.words += terms.words;
        self.last_part = LastPart { start: start + terms.last_part.start, words: terms.last_part.words };
        start
    }

    fn begin_part(&mut self) {
        if !self.items.is_empty() {
            self.items.push(PART_BREAK);
            self.next_position += PART_GAP;
        }
        self.last_part = LastPart { start: self.next_position, words: 0 };
    }

    /// The terms in their order, without their positions.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &str> {
        let mut items = Items(&self.items);
        std::iter::from_fn(move || {
            loop {
                if let Item::Term(term) = items.next()? {
                    return Some(term);
                }
            }
        })
    }
}

/// A term with its position.
pub type PlacedTerm = (String, u32);

impl TermText {
    /// The terms in their order with their positions; a further form has that of the word before it.
    pub(crate) fn placed(&self) -> Vec<PlacedTerm> {
        let mut placed: Vec<PlacedTerm> = Vec::with_capacity(self.tokens);
        let mut next = 0;
        for item in Items(&self.items) {
            match item {
                Item::Dropped => next += 1,
                Item::PartBreak => next += PART_GAP as u32,
                Item::Again(times) => {
                    let last = placed.last().cloned();
                    placed.extend(std::iter::repeat_n(last, times).flatten());
                }
                Item::Term(term) if is_further_form(term) => placed.push((term.to_owned(), next.saturating_sub(1))),
                Item::Term(term) => {
                    placed.push((term.to_owned(), next));
                    next += 1;
                }
            }
        }
        placed
    }
}

/// What one item says.
pub(crate) enum Item<'a> {
    Dropped,
    PartBreak,
    Again(usize),
    Term(&'a str),
}

/// The items of a [`TermText`].
pub(crate) struct Items<'a>(pub(crate) &'a str);

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    #[inline]
    fn next(&mut self) -> Option<Item<'a>> {
        match self.take_char()? {
            DROPPED => Some(Item::Dropped),
            PART_BREAK => Some(Item::PartBreak),
            AGAIN => Some(Item::Again(self.take_char()? as usize)),
            lead => {
                let (term, rest) = self.0.split_at_checked((lead as u32 - TERM) as usize)?;
                self.0 = rest;
                Some(Item::Term(term))
            }
        }
    }
}

impl Items<'_> {
    #[inline]
    fn take_char(&mut self) -> Option<char> {
        let mut chars = self.0.chars();
        let first = chars.next();
        self.0 = chars.as_str();
        first
    }
}
