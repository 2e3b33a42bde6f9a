//! The transfer codings of mail, undone leniently.

/// Undoes base64. Bytes of no meaning in it are passed over; so is a last group that is cut off.
pub(super) fn base64(coded: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(coded.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0);
    for digit in coded.iter().filter_map(|&byte| base64_digit(byte)) {
        bits = bits << 6 | digit;
        held += 6;
        if held >= 8 {
            held -= 8;
            decoded.push((bits >> held) as u8);
        }
    }
    decoded
}

fn base64_digit(byte: u8) -> Option<u32> {
    let digit = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(digit))
}

/// Undoes quoted-printable. A `=` that codes nothing stays as it is.
pub(super) fn quoted_printable(coded: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(coded.len());
    let mut rest = coded;
    while let Some(at) = memchr::memchr(b'=', rest) {
        decoded.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        match rest {
            [_, b'\n', more @ ..] | [_, b'\r', b'\n', more @ ..] => rest = more,
            [_, high, low, more @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                decoded.push(hex(*high) << 4 | hex(*low));
                rest = more;
            }
            [_] => rest = &[],
            _ => {
                decoded.push(b'=');
                rest = &rest[1..];
            }
        }
    }
    decoded.extend_from_slice(rest);
    decoded
}

fn hex(digit: u8) -> u8 {
    (digit as char).to_digit(16).unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undoes_base64() {
        assert_eq!(base64(b"aGVs\r\nbG8="), b"hello");
        assert_eq!(base64(b"aGVsbG"), b"hell");
        assert_eq!(base64(b""), b"");
    }

    #[test]
    fn undoes_quoted_printable() {
        assert_eq!(quoted_printable(b"a=3Db=\r\nc=C3=A9=\n"), "a=bcé".as_bytes());
        assert_eq!(quoted_printable(b"a=zz b=4"), b"a=zz b=4");
        assert_eq!(quoted_printable(b"a="), b"a");
    }
}
