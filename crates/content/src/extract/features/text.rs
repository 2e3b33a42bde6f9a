//! What one pass over a run's characters tells.

use super::lexicon::{CLASSES, FUNCTION_WORD, Lexicon, WordHash};
use super::wordset::PageWords;

/// Counts over one run's text. Characters of scripts without blanks are words to half.
#[derive(Debug, Clone, Default)]
pub(super) struct TextStats {
    /// Words; see there for unspaced scripts.
    pub(super) words: f32,
    /// Characters, blanks included.
    pub(super) chars: f32,
    /// Characters in words.
    pub(super) word_chars: f32,
    /// Characters of scripts without blanks.
    pub(super) unspaced: f32,
    /// Digits.
    pub(super) digits: f32,
    /// Words with a capital first letter.
    pub(super) capital_words: f32,
    /// Words of two and more letters, all capitals.
    pub(super) upper_words: f32,
    /// Function words (`the`, `und`, `на` …).
    pub(super) function_words: f32,
    /// Commas, those of Chinese and Arabic too.
    pub(super) commas: f32,
    /// Full stops, question and exclamation marks at a word's end.
    pub(super) sentence_ends: f32,
    /// Separators and ornaments of menus: `|`, `»`, `•` …
    pub(super) ornaments: f32,
    /// Marks of program code: braces, semicolons, equals signs …
    pub(super) code_marks: f32,
    /// Currency signs.
    pub(super) currencies: f32,
    /// Line breaks.
    pub(super) lines: f32,
    /// The last character: 0 other, 1 a sentence's end, 2 a question's, 3 a colon, 4 an ellipsis or arrow.
    pub(super) end: f32,
    /// The first character: 0 other, 1 capital, 2 small letter, 3 digit, 4 ornament.
    pub(super) start: f32,
    /// Words of each class of the [`Lexicon`].
    pub(super) classes: [u8; CLASSES],
    /// Words that are in the page's title, headline or description.
    pub(super) title_words: f32,
    /// Word pairs that are in the text which the page's metadata gives.
    pub(super) described_pairs: f32,
    /// Years and numbers of days: digits groups of 4 that start with 19 or 20.
    pub(super) years: f32,
    /// Hash of the text's words, for repetition.
    pub(super) hash: u32,
}

/// Whether a character belongs to a script that puts no blanks between words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Counts one run's text.
pub(super) fn stats(text: &str, words: &PageWords) -> TextStats {
    let mut scan = Scan::new(words);
    scan.read(text);
    let mut stats = scan.stats;
    stats.chars = text.chars().count() as f32;
    stats.start = start_kind(text);
    stats.end = end_kind(text);
    stats.words += stats.unspaced * 0.5;
    stats.hash = scan.text_hash.0;
    stats
}

fn start_kind(text: &str) -> f32 {
    match text.chars().next() {
        Some(c) if c.is_uppercase() => 1.0,
        Some(c) if c.is_lowercase() => 2.0,
        Some(c) if c.is_numeric() => 3.0,
        Some(c) if is_ornament(c) => 4.0,
        _ => 0.0,
    }
}

fn end_kind(text: &str) -> f32 {
    let closing = |c: char| matches!(c, '"' | '”' | '’' | '\'' | ')' | '»' | '」' | '』' | '）' | ']' | '“');
    match text.trim_end_matches(closing).chars().next_back() {
        Some('?' | '？') => 2.0,
        Some('.' | '!' | '。' | '！' | ';' | '؟' | '।') => 1.0,
        Some(':' | '：') => 3.0,
        Some('…' | '→' | '›' | '»' | '>') => 4.0,
        _ => 0.0,
    }
}

fn is_ornament(c: char) -> bool {
    matches!(
        c,
        '|' | '»'
            | '«'
            | '›'
            | '‹'
            | '•'
            | '·'
            | '→'
            | '←'
            | '▶'
            | '▼'
            | '★'
            | '☆'
            | '©'
            | '®'
            | '™'
            | '✓'
            | '✔'
            | '#'
            | '@'
            | '/'
    )
}

/// The word that is being read and the counts so far.
struct Scan<'a> {
    lexicon: &'static Lexicon,
    page: &'a PageWords,
    stats: TextStats,
    hash: WordHash,
    length: u32,
    capitals: u32,
    digits: u32,
    starts_year: bool,
    starts_capital: bool,
    previous: WordHash,
    text_hash: WordHash,
    after_word: bool,
}

impl<'a> Scan<'a> {
    fn new(page: &'a PageWords) -> Self {
        let empty = WordHash::EMPTY;
        Self {
            lexicon: Lexicon::get(),
            page,
            stats: TextStats::default(),
            hash: empty,
            length: 0,
            capitals: 0,
            digits: 0,
            starts_year: false,
            starts_capital: false,
            previous: empty,
            text_hash: empty,
            after_word: false,
        }
    }

    fn read(&mut self, text: &str) {
        let mut at = 0;
        loop {
            at += self.small_letters(&text.as_bytes()[at..]);
            let Some(next) = text[at..].chars().next() else { break };
            if next.is_ascii() {
                self.push_ascii(next);
            } else {
                self.push_wide(next);
            }
            at += next.len_utf8();
        }
        self.flush();
    }

    /// Reads the small letters that a text begins with; gives their number.
    #[inline]
    fn small_letters(&mut self, text: &[u8]) -> usize {
        let (mut hash, mut count) = (self.hash, 0);
        for letter in text.iter().take_while(|byte| byte.is_ascii_lowercase()) {
            hash.push(char::from(*letter));
            count += 1;
        }
        self.hash = hash;
        self.length += count as u32;
        count
    }

    #[inline]
    fn push_ascii(&mut self, c: char) {
        match c {
            ' ' => {
                self.flush();
                self.after_word = false;
            }
            'A'..='Z' => self.letter(c.to_ascii_lowercase(), true),
            '0'..='9' => self.digit(c),
            '_' => self.letter(c, false),
            '\'' | '-' | '+' if self.length > 0 => {
                self.flush();
            }
            _ => {
                self.flush();
                self.mark(c);
            }
        }
    }

    fn push_wide(&mut self, c: char) {
        if is_unspaced(c) {
            self.flush();
            self.unspaced(c);
        } else if c.is_alphabetic() {
            let capital = c.is_uppercase();
            let lower = if capital { c.to_lowercase().next().unwrap_or(c) } else { c };
            self.letter(lower, capital);
        } else if c.is_numeric() {
            self.digit(c);
        } else {
            self.flush();
            self.mark(c);
        }
    }

    #[inline]
    fn letter(&mut self, lower: char, capital: bool) {
        if self.length == 0 {
            self.starts_capital = capital;
        }
        self.hash.push(lower);
        self.length += 1;
        self.capitals += u32::from(capital);
    }

    fn digit(&mut self, c: char) {
        if self.length == 0 {
            self.starts_year = c == '1' || c == '2';
        }
        self.hash.push(c);
        self.length += 1;
        self.digits += 1;
    }

    fn mark(&mut self, c: char) {
        let stats = &mut self.stats;
        match c {
            ',' | '，' | '、' | '،' => stats.commas += 1.0,
            '.' | '!' | '?' if self.after_word => stats.sentence_ends += 1.0,
            '。' | '！' | '？' => stats.sentence_ends += 1.0,
            '\n' => stats.lines += 1.0,
            '$' | '€' | '£' | '¥' | '₹' | '₫' | '₽' | '¢' => stats.currencies += 1.0,
            '{' | '}' | ';' | '=' | '<' | '>' | '[' | ']' | '\\' | '`' => stats.code_marks += 1.0,
            c if is_ornament(c) => stats.ornaments += 1.0,
            _ => {}
        }
        self.after_word = false;
    }

    fn unspaced(&mut self, c: char) {
        let mut hash = WordHash::EMPTY;
        hash.push(c);
        self.stats.unspaced += 1.0;
        self.stats.word_chars += 1.0;
        self.look_up(hash);
    }

    /// Ends the word that is being read.
    #[inline]
    fn flush(&mut self) {
        self.after_word = self.length > 0;
        if self.length == 0 {
            return;
        }
        let stats = &mut self.stats;
        stats.words += 1.0;
        stats.word_chars += self.length as f32;
        stats.digits += self.digits as f32;
        stats.capital_words += f32::from(u8::from(self.starts_capital));
        stats.upper_words += f32::from(u8::from(self.capitals == self.length && self.length > 1));
        stats.years += f32::from(u8::from(self.digits == 4 && self.length == 4 && self.starts_year));
        let hash = self.hash;
        self.look_up(hash);
        self.hash = WordHash::EMPTY;
        self.length = 0;
        self.capitals = 0;
        self.digits = 0;
        self.starts_capital = false;
    }

    fn look_up(&mut self, hash: WordHash) {
        let pair = self.previous.then(hash);
        let word = self.lexicon.classes(hash);
        let classes = (word | self.lexicon.classes(pair)) & (FUNCTION_WORD - 1);
        self.stats.function_words += f32::from(u8::from(word & FUNCTION_WORD != 0));
        if classes != 0 {
            for (class, count) in self.stats.classes.iter_mut().enumerate() {
                *count = count.saturating_add((classes >> class & 1) as u8);
            }
        }
        if word & FUNCTION_WORD == 0 {
            self.stats.title_words += f32::from(u8::from(self.page.title.contains(hash)));
        }
        self.stats.described_pairs += f32::from(u8::from(self.page.described.contains(pair)));
        self.text_hash = self.text_hash.then(hash);
        self.previous = hash;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_counted() {
        let stats = stats("By Ann Lee, 4 May 2021. Share | NASA?", &PageWords::default());
        assert!((stats.words - 8.0).abs() < 1e-6);
        assert!((stats.capital_words - 6.0).abs() < 1e-6, "{stats:?}");
        assert!((stats.years - 1.0).abs() < 1e-6);
        assert!((stats.commas - 1.0).abs() < 1e-6);
        assert!((stats.sentence_ends - 2.0).abs() < 1e-6);
        assert!((stats.end - 2.0).abs() < 1e-6);
        assert_eq!(stats.classes[2], 1);
    }

    #[test]
    fn chinese_is_counted_by_characters() {
        let stats = stats("相关新闻，更多。", &PageWords::default());
        assert!((stats.words - 3.0).abs() < 1e-6);
        assert_eq!((stats.classes[4], stats.classes[5]), (1, 1));
        assert!((stats.commas - 1.0).abs() < 1e-6);
    }
}
