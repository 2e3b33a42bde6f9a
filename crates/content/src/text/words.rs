//! Words as a reader sees them: what stands between white space.

/// The words of `text`, as by [`str::split_whitespace`], but quick where most characters are ASCII.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = &rest[white_bytes(rest)..];
        let (word, behind) = rest.split_at(word_bytes(rest));
        rest = behind;
        (!word.is_empty()).then_some(word)
    })
}

/// Bytes of the white space that `text` begins with.
fn white_bytes(text: &str) -> usize {
    let mut at = 0;
    while let Some(bytes) = white_at(text, at) {
        at += bytes;
    }
    at
}

/// Bytes of the word that `text` begins with.
fn word_bytes(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            // Nearly all bytes: those above the blank that no white space begins with.
            b'!'..0xC2 => at += 1,
            _ if white_at(text, at).is_some() => break,
            _ => at += 1,
        }
    }
    at
}

/// Bytes of the character at `at`, if it is white space.
pub(crate) fn white_at(text: &str, at: usize) -> Option<usize> {
    match text.as_bytes().get(at)? {
        byte if is_white_ascii(*byte) => Some(1),
        0xC2 | 0xE1..=0xE3 => {
            let char = text.get(at..)?.chars().next()?;
            char.is_whitespace().then(|| char.len_utf8())
        }
        _ => None,
    }
}

fn is_white_ascii(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_white_space_is_known() {
        for char in '\0'..=char::MAX {
            assert_eq!(white_at(&char.to_string(), 0).is_some(), char.is_whitespace(), "{char:?}");
        }
    }

    proptest! {
        #[test]
        fn words_are_those_of_the_standard_library(
            text in prop_oneof![any::<String>(), "[ab \t\u{B}\u{1C}é’\u{A0}\u{85}\u{3000}\u{2003}語]{0,40}"],
        ) {
            prop_assert!(words(&text).eq(text.split_whitespace()));
        }
    }
}
