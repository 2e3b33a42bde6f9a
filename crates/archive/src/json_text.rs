//! JSON as programs of the web write it: texts with half a pair of surrogates are read too.

use serde::de::DeserializeOwned;

/// Hexadecimal digits of an escape `\\uXXXX`, and its bytes.
const HEX_DIGITS: usize = 4;
const ESCAPE_BYTES: usize = 2 + HEX_DIGITS;

/// Reads `json`. Half a pair of surrogates, which a text cut off within a character leaves, stands for U+FFFD.
pub(super) fn from_json<T: DeserializeOwned>(json: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(json).or_else(|error| match without_halves(json) {
        Some(mended) => serde_json::from_slice(&mended),
        None => Err(error),
    })
}

/// `json` with U+FFFD for each half of a pair; `None` if there is no such half.
fn without_halves(json: &[u8]) -> Option<Vec<u8>> {
    let mut mended: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &json[at..]) {
        at += found;
        at += match (surrogate(&json[at..]), surrogate(&json[(at + ESCAPE_BYTES).min(json.len())..])) {
            (Some(Half::High), Some(Half::Low)) => 2 * ESCAPE_BYTES,
            (Some(_), _) => {
                let mended = mended.get_or_insert_with(|| json.to_vec());
                mended[at + 2..at + ESCAPE_BYTES].copy_from_slice(b"fffd");
                ESCAPE_BYTES
            }
            // A backslash and what it escapes, which may be another.
            (None, _) => 2,
        };
        at = at.min(json.len());
    }
    mended
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    High,
    Low,
}

/// The half of a pair that `bytes` begin with, as an escape.
fn surrogate(bytes: &[u8]) -> Option<Half> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..HEX_DIGITS)?;
    match u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> String {
        from_json(json.as_bytes()).unwrap()
    }

    #[test]
    fn halves_of_pairs_are_replaced() {
        assert_eq!(read("\"a\\ud83d b\""), "a\u{fffd} b");
        assert_eq!(read("\"\\ude00\\ud83d\\ude00\\ud83d\""), "\u{fffd}\u{1f600}\u{fffd}");
        assert_eq!(read("\"\\ud83d\\ud83d\\ude00\""), "\u{fffd}\u{1f600}");
    }

    #[test]
    fn escaped_backslashes_stay() {
        assert_eq!(read("\"\\\\ud83d \\ud83d\""), "\\ud83d \u{fffd}");
        assert!(from_json::<String>(b"\"\\ud83d").is_err());
        assert!(from_json::<String>(b"\"\\").is_err());
    }
}
