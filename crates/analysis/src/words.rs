//! Cutting a text into surface words, the same way for every language.

use unicode_segmentation::UnicodeSegmentation;

/// Words of more characters are dropped; they still take a position.
pub const TOKEN_CHARS_MAX: usize = 64;

/// A stretch of the text that becomes one term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surface<'t> {
    /// The word as it is written.
    pub text: &'t str,
    /// Byte offset of `text` in the analysed text.
    pub start: usize,
    /// Position in words, counting dropped ones.
    pub position: u32,
    /// Whether this is a pair of characters of a script without word borders, which is never stemmed.
    pub is_pair: bool,
}

/// How a character takes part in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    /// Words stand between spaces.
    Spaced,
    /// Han, kana, Hangul syllables, Bopomofo.
    EastAsian,
    /// Thai, Lao, Burmese, Khmer.
    SoutheastAsian,
}

/// Calls `sink` with every surface word of `text`, by increasing start.
///
/// Words of UAX #29 never span an ASCII space or control character, so the text is walked in chunks between those; most chunks
/// are one plain word within punctuation, for which the rules need not be consulted.
pub fn for_each_surface<'t>(text: &'t str, sink: impl FnMut(Surface<'t>)) {
    let mut cutter = Cutter { text, position: 0, run: None, sink };
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && bytes[at] > b' ' {
            at += 1;
        }
        if start < at {
            cutter.chunk(start, &text[start..at]);
        }
        at += 1;
    }
    cutter.finish_run();
}

/// A run of characters without word borders, of which the last unit is still open.
struct ScriptRun {
    script: Script,
    last_start: usize,
    end: usize,
    units: usize,
}

struct Cutter<'t, F> {
    text: &'t str,
    position: u32,
    run: Option<ScriptRun>,
    sink: F,
}

impl<'t, F: FnMut(Surface<'t>)> Cutter<'t, F> {
    /// Cuts a text without ASCII spaces into words.
    fn chunk(&mut self, start: usize, chunk: &'t str) {
        let is_kept = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        let Some(before) = chunk.as_bytes().iter().position(is_kept) else {
            return; // Punctuation only. A run ends here too, because what follows does not touch it.
        };
        let end = chunk.as_bytes().iter().rposition(is_kept).map_or(before, |last| last + 1);
        let core = &chunk[before..end];
        if core.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            self.finish_run();
            self.emit(start + before, core, core.len());
        } else if core.chars().all(is_plain_letter) {
            self.finish_run();
            self.emit(start + before, core, core.chars().count());
        } else {
            self.uax29_words(start, chunk);
        }
    }

    fn uax29_words(&mut self, start: usize, chunk: &'t str) {
        for (offset, word) in chunk.unicode_word_indices() {
            if word.is_ascii() {
                self.finish_run();
                self.ascii_word(start + offset, word);
            } else {
                self.unicode_word(start + offset, word);
            }
        }
    }

    /// Emits a word of ASCII characters; only those with connectors need a closer look.
    fn ascii_word(&mut self, start: usize, word: &'t str) {
        if word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            self.emit(start, word, word.len());
        } else {
            self.spaced_word(start, word);
        }
    }

    /// Cuts a word at script borders and sends each piece on.
    fn unicode_word(&mut self, start: usize, word: &'t str) {
        // A segment may begin with a space or a sign that carries a mark.
        let trimmed = word.trim_start_matches(|char: char| !char.is_alphanumeric());
        let (start, word) = (start + word.len() - trimmed.len(), trimmed.trim_end_matches('_'));
        let first = word.chars().next().map_or(Script::Spaced, script);
        if first == Script::SoutheastAsian {
            // UAX #29 gives a base character with its marks here, which is the unit.
            self.unit(first, start, start + word.len());
            return;
        }
        let mut spaced_start = None;
        let mut unit_start = None;
        for (offset, char) in word.char_indices() {
            let at = start + offset;
            match script(char) {
                Script::Spaced if unit_start.is_some() && is_mark(char) => {}
                Script::Spaced => {
                    self.close_unit(&mut unit_start, at);
                    spaced_start.get_or_insert(at);
                }
                Script::EastAsian | Script::SoutheastAsian => {
                    self.close_unit(&mut unit_start, at);
                    self.close_spaced(&mut spaced_start, at);
                    unit_start = Some(at);
                }
            }
        }
        let end = start + word.len();
        self.close_unit(&mut unit_start, end);
        self.close_spaced(&mut spaced_start, end);
    }

    fn close_unit(&mut self, unit_start: &mut Option<usize>, end: usize) {
        if let Some(start) = unit_start.take() {
            self.unit(Script::EastAsian, start, end);
        }
    }

    fn close_spaced(&mut self, spaced_start: &mut Option<usize>, end: usize) {
        if let Some(start) = spaced_start.take() {
            self.finish_run();
            self.spaced_word(start, &self.text[start..end]);
        }
    }

    /// Adds one unit to the run it continues, or to a new run.
    fn unit(&mut self, script: Script, start: usize, end: usize) {
        match &mut self.run {
            Some(run) if run.script == script && run.end == start => {
                let pair_start = run.last_start;
                (run.last_start, run.end) = (start, end);
                run.units += 1;
                self.emit_pair(pair_start, end);
            }
            _ => {
                self.finish_run();
                self.run = Some(ScriptRun { script, last_start: start, end, units: 1 });
            }
        }
    }

    /// Ends the open run; a lone unit stands for itself.
    fn finish_run(&mut self) {
        if let Some(run) = self.run.take()
            && run.units == 1
        {
            self.emit_pair(run.last_start, run.end);
        }
    }

    /// Cuts a word of a spaced script at its connectors.
    fn spaced_word(&mut self, start: usize, word: &'t str) {
        let mut piece_start = 0;
        let mut before = None;
        let mut chars = word.char_indices().peekable();
        while let Some((offset, char)) = chars.next() {
            let after = chars.peek().map(|&(_, char)| char);
            let piece_chars_before = word[piece_start..offset].chars().take(2).count();
            let cuts = match char {
                '.' | ':' | '\u{2024}' | '\u{FE52}' | '\u{FF0E}' => !(is_digit(before) && is_digit(after)),
                '\'' | '\u{2019}' | '\u{FF07}' => {
                    let rest = &word[offset + char.len_utf8()..];
                    piece_chars_before == 1 || rest.chars().take_while(|char| char.is_alphanumeric()).count() >= 3
                }
                '\u{202F}' => true,
                _ => false,
            };
            if cuts {
                self.piece(start + piece_start, &word[piece_start..offset]);
                piece_start = offset + char.len_utf8();
            }
            before = Some(char);
        }
        self.piece(start + piece_start, &word[piece_start..]);
    }

    /// Emits a piece without what is no letter or digit before it, such as a space that carries a mark, and without the
    /// underscores behind it.
    fn piece(&mut self, start: usize, piece: &'t str) {
        let trimmed = piece.trim_start_matches(|char: char| !char.is_alphanumeric());
        let start = start + piece.len() - trimmed.len();
        let trimmed = trimmed.trim_end_matches('_');
        if !trimmed.is_empty() {
            let chars = trimmed.chars().take(TOKEN_CHARS_MAX + 1).count();
            self.emit(start, trimmed, chars);
        }
    }

    fn emit(&mut self, start: usize, text: &'t str, chars: usize) {
        if chars <= TOKEN_CHARS_MAX {
            (self.sink)(Surface { text, start, position: self.position, is_pair: false });
        }
        self.position += 1;
    }

    fn emit_pair(&mut self, start: usize, end: usize) {
        let text = &self.text[start..end];
        if text.len() <= 4 * TOKEN_CHARS_MAX {
            (self.sink)(Surface { text, start, position: self.position, is_pair: true });
        }
        self.position += 1;
    }
}

/// Whether a character behind an East Asian one belongs to it: a mark, a variation selector, a half-width voicing sign; but no
/// connector.
fn is_mark(char: char) -> bool {
    matches!(char, '\u{FF9E}' | '\u{FF9F}') || !(char.is_alphanumeric() || char.is_ascii() || char == '\u{2019}')
}

/// Whether a character is a letter of Latin, Greek or Cyrillic, between two of which there is no border. (U+0345 is a mark that
/// Unicode calls alphabetic.)
fn is_plain_letter(char: char) -> bool {
    char.is_ascii_alphabetic() || (char < '\u{530}' && char != '\u{345}' && char.is_alphabetic())
}

fn is_digit(char: Option<char>) -> bool {
    char.is_some_and(char::is_numeric)
}

fn script(char: char) -> Script {
    if char < '\u{0E00}' {
        return Script::Spaced; // most characters, without going through the ranges
    }
    match char as u32 {
        0x0E01..=0x0E4E
        | 0x0E80..=0x0ECF
        | 0x0EDC..=0x0EDF
        | 0x1000..=0x103F
        | 0x1050..=0x108F
        | 0x1780..=0x17D3
        | 0xAA60..=0xAA7F => Script::SoutheastAsian,
        0x2E80..=0x2FDF
        | 0x3005..=0x3007
        | 0x3021..=0x3029
        | 0x3041..=0x3096
        | 0x309D..=0x30FA
        | 0x30FC..=0x312F
        | 0x31A0..=0x31FF
        | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFF66..=0xFF9D
        | 0x1AFF0..=0x1B16F
        | 0x20000..=0x323AF => Script::EastAsian,
        _ => Script::Spaced,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut found = Vec::new();
        for_each_surface(text, |surface| {
            assert_eq!(&text[surface.start..][..surface.text.len()], surface.text);
            found.push(surface.text);
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn connectors_cut_between_letters_only() {
        check("os.path.join pi=3.14 1,000", &["os", "path", "join", "pi", "3.14", "1,000"]);
        check("a std::vec key:value 12:30", &["a", "std", "vec", "key", "value", "12", "30"]);
        check("__init__ snake_case _em_", &["init", "snake_case", "em"]);
        check("l'homme don't I'm qu\u{2019}elle dogs'", &["l", "homme", "don't", "I", "m", "qu", "elle", "dogs"]);
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        check("森林公園", &["森林", "林公", "公園"]);
        check("東 京", &["東", "京"]);
        check("カタカナの語", &["カタ", "タカ", "カナ", "ナの", "の語"]);
        check("한국어 검색", &["한국", "국어", "검색"]);
        check("ภาษาไทย", &["ภา", "าษ", "ษา", "าไ", "ไท", "ทย"]);
        check("ที่นี่", &["ที่นี่"]);
    }

    #[test]
    fn scripts_part_words() {
        check("iPhone手机壳2024年", &["iPhone", "手机", "机壳", "2024", "年"]);
        check("KBS한국abc", &["KBS", "한국", "abc"]);
        check("국_국어_ _a_국", &["국", "국어", "a", "국"]);
    }

    proptest! {
        #[test]
        fn chunks_give_the_words_of_uax29(
            text in prop_oneof![
                any::<String>(),
                "[a-c1-3A-Zéßжωª .,:_'’\\-()\t\r\n\u{301}\u{345}\u{AD}\u{BBE}\u{200D}\u{3000}]{0,40}",
                "[森ガカﾊﾞ한국ที่ ab12_.]{0,40}",
            ],
        ) {
            let mut plain = Vec::new();
            let sink = |surface| plain.push(surface);
            let mut cutter = Cutter { text: &text, position: 0, run: None, sink };
            cutter.uax29_words(0, &text);
            cutter.finish_run();
            let mut chunked = Vec::new();
            for_each_surface(&text, |surface| chunked.push(surface));
            prop_assert_eq!(chunked, plain);
        }
    }

    #[test]
    fn long_words_keep_their_position() {
        let text = format!("a {} b", "x".repeat(TOKEN_CHARS_MAX + 1));
        let mut positions = Vec::new();
        for_each_surface(&text, |surface| positions.push(surface.position));
        assert_eq!(positions, [0, 2]);
    }
}
