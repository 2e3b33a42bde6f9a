//! Words that are written as one: `str.join`, `std::vec`, `e-mail`, `C++`, `camelCase`.

use super::words::{Surface, for_each_surface};

/// Surface words of the longest compound; what goes on longer begins a new one.
const COMPOUND_WORDS_MAX: usize = 6;

/// Underscores on one side of a name that are looked at.
const UNDERSCORES_MAX: usize = 8;

/// Calls `sink` with the surface words of `text`, those of one compound together; a pair of characters stands alone.
pub(super) fn for_each_compound<'t>(text: &'t str, mut sink: impl FnMut(&[Surface<'t>])) {
    let none = Surface { text: "", start: 0, position: 0, is_pair: false };
    let mut compound = [none; COMPOUND_WORDS_MAX];
    let mut length = 0;
    for_each_surface(text, |surface| {
        let goes_on = length > 0 && is_connected(text, &compound[length - 1], &surface);
        if length > 0 && (!goes_on || length == COMPOUND_WORDS_MAX) {
            sink(&compound[..length]);
            length = 0;
        }
        compound[length] = surface;
        length += 1;
    });
    if length > 0 {
        sink(&compound[..length]);
    }
}

/// Whether nothing but a connector is between two neighbours.
fn is_connected(text: &str, last: &Surface<'_>, next: &Surface<'_>) -> bool {
    let end = last.start + last.text.len();
    if last.is_pair || next.is_pair || next.position != last.position + 1 || next.start > end + 4 {
        return false;
    }
    match text.get(end..next.start) {
        Some("\'" | "\u{2019}") => last.text.ends_with(is_cyrillic) && next.text.starts_with(is_cyrillic),
        Some(between) => match between.trim_matches('_') {
            "" => !between.is_empty(),
            "." | "::" | "-" | "->" | "@" | "#" | "\u{2010}" | "\u{2011}" => true,
            _ => false,
        },
        None => false,
    }
}

fn is_cyrillic(char: char) -> bool {
    matches!(char, '\u{400}'..='\u{52F}')
}

/// What a lone word is called together with the signs that are part of its name: `C++`, `C#`, `.NET`, `#hashtag`, `@name`,
/// `$PATH`, `-o`, `--option`; and any word, with the underscores around it: `__init__`, `and_`.
///
/// `end` is the first byte behind the name and `start` its first.
pub(super) struct SignedName {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl SignedName {
    /// The word at `start..end` of `text` with the underscores around it, if there are any.
    pub(super) fn with_underscores(text: &str, start: usize, end: usize) -> Option<Self> {
        let (before, after) = (text.as_bytes().get(..start)?, text.as_bytes().get(end..)?);
        let is_underscore = |byte: &&u8| **byte == b'_';
        let leading = before.iter().rev().take(UNDERSCORES_MAX).take_while(is_underscore).count();
        let trailing = after.iter().take(UNDERSCORES_MAX).take_while(is_underscore).count();
        (leading + trailing > 0).then_some(Self { start: start - leading, end: end + trailing })
    }

    /// The name around the word at `start..end` of `text`, if it has such signs.
    pub(super) fn around(text: &str, start: usize, end: usize) -> Option<Self> {
        let (before, after) = (text.as_bytes().get(..start)?, text.as_bytes().get(end..)?);
        let mut name = Self { start, end };
        if after.starts_with(b"++") {
            name.end += 2;
        } else if after.first() == Some(&b'#') && !after.get(1).is_some_and(u8::is_ascii_alphanumeric) {
            name.end += 1;
        }
        let is_open =
            |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b'[' | b'"' | b'\'' | b'`' | b',');
        let signs = match before {
            [.., b'-', b'-'] => 2,
            [.., b'.' | b'#' | b'@' | b'$' | b'-'] => 1,
            _ => 0,
        };
        if before[..before.len() - signs].last().is_none_or(is_open) {
            name.start -= signs;
        }
        (name.start < start || name.end > end).then_some(name)
    }
}

/// The words that a programmer's name of ASCII characters is made of, with their places in it; none when it is made of one.
///
/// They stand between underscores, between a small letter and a capital, and between capitals and the last of them that begins
/// a word (`HTMLParser`); digits end a word (`utf8`). Words of one character and mere digits are left out.
pub(super) fn parts(name: &str) -> Vec<(usize, &str)> {
    let bytes = name.as_bytes();
    if !name.is_ascii() || bytes.iter().skip(1).all(u8::is_ascii_lowercase) {
        return Vec::new(); // Nearly every word.
    }
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 1..=bytes.len() {
        let ends = at == bytes.len() || is_border(bytes[at - 1], bytes[at]) || begins_after_capitals(bytes, at);
        if ends {
            push_part(&mut parts, start, &name[start..at]);
            start = at;
        }
    }
    parts.retain(|(_, part)| part.len() < name.len());
    parts
}

fn push_part<'n>(parts: &mut Vec<(usize, &'n str)>, start: usize, part: &'n str) {
    let trimmed = part.trim_start_matches('_');
    let start = start + part.len() - trimmed.len();
    let trimmed = trimmed.trim_end_matches('_');
    if trimmed.len() >= 2 && !trimmed.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        parts.push((start, trimmed));
    }
}

/// Whether a word of a name may end between two characters. (Not between a letter and `'s` or other signs.)
fn is_border(before: u8, after: u8) -> bool {
    match (before, after) {
        (b'_', _) | (_, b'_') => true,
        _ if before.is_ascii_lowercase() || before.is_ascii_digit() => {
            after.is_ascii_uppercase() || (before.is_ascii_lowercase() && after.is_ascii_digit())
        }
        _ => before.is_ascii_uppercase() && after.is_ascii_digit(),
    }
}

/// Whether `at` is the `P` of `HTMLParser`; the `F` of `PDFs` is not.
fn begins_after_capitals(bytes: &[u8], at: usize) -> bool {
    let is_capital = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_uppercase);
    let is_small = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
    at > 0 && is_capital(at - 1) && is_capital(at) && is_small(at + 1) && is_small(at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compounds_hold_together() {
        let text = "Call str.join or std::vec, e-mail a@b.org. word--word end. Next 2024-01-05 об'єднання 森林公園 foo._bar key:value";
        let mut found = Vec::new();
        for_each_compound(text, |words| {
            if words.len() > 1 {
                found.push(words.iter().map(|word| word.text).collect::<Vec<_>>().join(" "));
            }
        });
        let expected = ["str join", "std vec", "e mail", "a b org", "2024 01 05", "об єднання", "foo bar"];
        assert_eq!(found, expected);
    }

    #[test]
    fn names_are_taken_apart() {
        for (name, expected) in [
            ("read_csv", "read csv"),
            ("JSON_EXTRACT", "JSON EXTRACT"),
            ("camelCase", "camel Case"),
            ("HTMLParser", "HTML Parser"),
            ("XMLHttpRequest", "XML Http Request"),
            ("iPhone15", "Phone"),
            ("sha256", "sha"),
            ("utf8_decode", "utf decode"),
            ("PDFs", ""),
            ("word", ""),
            ("__init__", "init"),
            ("20x", ""),
            ("don't", ""),
        ] {
            let found: Vec<&str> = parts(name).into_iter().map(|(_, part)| part).collect();
            assert_eq!(found.join(" "), expected, "{name}");
            assert!(parts(name).iter().all(|&(start, part)| name[start..].starts_with(part)));
        }
    }

    #[test]
    fn underscores_belong_to_names() {
        for (text, word, expected) in [
            ("def __init__(self)", "init", Some("__init__")),
            ("object.__init__", "init", Some("__init__")),
            ("sql and_, or_", "and", Some("and_")),
            ("an _em_ word", "em", Some("_em_")),
            ("snake_case", "snake_case", None),
            ("a_ b", "b", None),
        ] {
            let start = text.find(word).unwrap();
            let found = SignedName::with_underscores(text, start, start + word.len());
            assert_eq!(found.map(|name| &text[name.start..name.end]), expected, "{text}");
        }
    }

    #[test]
    fn signs_belong_to_names() {
        for (text, word, expected) in [
            ("C++", "C", Some("C++")),
            ("C#", "C", Some("C#")),
            ("a .NET b", "NET", Some(".NET")),
            ("a #rust", "rust", Some("#rust")),
            ("($PATH)", "PATH", Some("$PATH")),
            ("git --force", "force", Some("--force")),
            ("a -f", "f", Some("-f")),
            ("a - f", "f", None),
            ("a-f", "f", None),
            ("so--not", "not", None),
            ("---so", "so", None),
            ("the end.", "end", None),
            ("and ...so", "so", None),
            ("x#y", "x", None),
        ] {
            let start = text.find(word).unwrap();
            let end = start + word.len();
            let found = SignedName::around(text, start, end).map(|name| &text[name.start..name.end]);
            assert_eq!(found, expected, "{text}");
        }
    }
}
