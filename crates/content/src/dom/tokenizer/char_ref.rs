//! Character references.

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use html5ever::tendril::StrTendril;

/// The names that make up most of the references on the web, for a look-up without hashing.
const FREQUENT: [(&[u8], char); 9] = [
    (b"amp;", '&'),
    (b"nbsp;", '\u{a0}'),
    (b"quot;", '"'),
    (b"lt;", '<'),
    (b"gt;", '>'),
    (b"copy;", '\u{a9}'),
    (b"raquo;", '\u{bb}'),
    (b"rsquo;", '\u{2019}'),
    (b"mdash;", '\u{2014}'),
];

/// A reference that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CharRef {
    characters: (char, Option<char>),
    /// Bytes of its source after the `&`.
    pub(super) length: usize,
}

impl CharRef {
    /// Reads what follows a `&`; `None` when it is no reference and the `&` stands for itself.
    pub(super) fn read(rest: &[u8], in_attribute: bool) -> Option<Self> {
        match rest.first()? {
            b'#' => numeric(rest),
            byte if byte.is_ascii_alphanumeric() => frequent(rest).or_else(|| named(rest, in_attribute)),
            _ => None,
        }
    }

    /// Its characters.
    pub(super) fn text(&self) -> StrTendril {
        let mut text = StrTendril::from_char(self.characters.0);
        if let Some(second) = self.characters.1 {
            text.push_char(second);
        }
        text
    }
}

fn frequent(rest: &[u8]) -> Option<CharRef> {
    let (name, character) = FREQUENT.iter().find(|(name, _)| rest.starts_with(name))?;
    Some(CharRef { characters: (*character, None), length: name.len() })
}

/// The longest name that the text begins with. The table knows all beginnings of names, with 0 for those that are no name.
fn named(rest: &[u8], in_attribute: bool) -> Option<CharRef> {
    let mut found = None;
    for length in 1..=rest.len() {
        let Some((first, second)) = str::from_utf8(&rest[..length]).ok().and_then(|name| NAMED_ENTITIES.get(name))
        else {
            break;
        };
        if let (Some(first @ '\u{1}'..), second) = (char::from_u32(*first), *second) {
            let second = char::from_u32(second).filter(|second| *second != '\0');
            found = Some(CharRef { characters: (first, second), length });
        }
    }
    let reference = found?;
    let ended = rest[reference.length - 1] == b';';
    let goes_on = rest.get(reference.length).is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric());
    (ended || !(in_attribute && goes_on)).then_some(reference)
}

/// `#` and digits.
fn numeric(rest: &[u8]) -> Option<CharRef> {
    let (radix, prefix) = if matches!(rest.get(1), Some(b'x' | b'X')) { (16, 2) } else { (10, 1) };
    let digits = rest[prefix..].iter().map_while(|byte| char::from(*byte).to_digit(radix));
    let (mut number, mut length) = (0_u32, prefix);
    for digit in digits {
        number = number.saturating_mul(radix).saturating_add(digit);
        length += 1;
    }
    if length == prefix {
        return None;
    }
    length += usize::from(rest.get(length) == Some(&b';'));
    Some(CharRef { characters: (character(number), None), length })
}

/// The character of a number: those of the C1 range are read as windows-1252.
fn character(number: u32) -> char {
    let character = match number {
        0 => None,
        0x80..=0x9f => C1_REPLACEMENTS[(number - 0x80) as usize].or(char::from_u32(number)),
        _ => char::from_u32(number),
    };
    character.unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rest: &str, in_attribute: bool) -> Option<(String, usize)> {
        CharRef::read(rest.as_bytes(), in_attribute).map(|reference| (reference.text().to_string(), reference.length))
    }

    #[test]
    fn references_are_those_of_the_standard() {
        let cases = [
            ("amp;x", "&", 4),
            ("ampx", "&", 3),
            ("notit;", "¬", 3),
            ("notin;", "∉", 6),
            ("acE;", "\u{223e}\u{333}", 4),
            ("#65;", "A", 4),
            ("#x41 ", "A", 4),
            ("#X80;", "€", 5),
            ("#0;", "\u{fffd}", 3),
            ("#xD800;", "\u{fffd}", 7),
            ("#99999999999999;", "\u{fffd}", 16),
            ("#13;", "\r", 4),
        ];
        for (rest, text, length) in cases {
            assert_eq!(read(rest, false), Some((text.to_owned(), length)), "{rest}");
        }
        for rest in ["", " ", "#", "#x", "#;", "#xg", "x;", "é", "=amp"] {
            assert_eq!(read(rest, false), None, "{rest}");
        }
    }

    #[test]
    fn in_attributes_parameters_of_addresses_are_no_references() {
        assert_eq!(read("copy=1", true), None);
        assert_eq!(read("copyx", true), None);
        assert_eq!(read("copy=1", false), Some(("©".to_owned(), 4)));
        assert_eq!(read("copy&", true), Some(("©".to_owned(), 4)));
        assert_eq!(read("copy;=1", true), Some(("©".to_owned(), 5)));
    }

    #[test]
    fn frequent_ones_are_in_the_table() {
        for (name, character) in FREQUENT {
            let name = str::from_utf8(name).unwrap();
            assert_eq!(NAMED_ENTITIES.get(name), Some(&(character as u32, 0)));
        }
    }
}
