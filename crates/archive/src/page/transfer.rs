//! The chunked transfer coding, undone.

use std::borrow::Cow;

use memchr::memchr;

use super::http::HttpHead;

/// Bytes of a chunk's size line, extensions included.
const SIZE_LINE_BYTES_MAX: usize = 4096;

/// The body of a message without its framing, and the content codings that it still has, the last applied last.
pub(super) fn unframed<'a>(head: &HttpHead, mut body: Cow<'a, [u8]>) -> (Cow<'a, [u8]>, Vec<String>) {
    let mut codings = head.list("content-encoding");
    for coding in head.list("transfer-encoding") {
        match coding.as_str() {
            "chunked" => body = dechunk(&body).map_or(body, Cow::Owned),
            _ => codings.push(coding),
        }
    }
    (body, codings)
}

/// Undoes the chunked coding of `body`; `None` when it has none, whatever its headers say.
///
/// Where a chunk's size is wrong, the rest is kept as it is: it is more likely text than framing. Trailers are dropped.
fn dechunk(body: &[u8]) -> Option<Vec<u8>> {
    let (mut size, mut rest) = size_line(body)?;
    let mut decoded = Vec::with_capacity(body.len());
    while size > 0 {
        let chunk = rest.get(..size).unwrap_or(rest);
        decoded.extend_from_slice(chunk);
        rest = &rest[chunk.len()..];
        let Some(next) = next_chunk(rest, &decoded) else {
            decoded.extend_from_slice(without_line_ends(rest));
            break;
        };
        (size, rest) = next;
    }
    Some(decoded)
}

/// The size of the next chunk and what follows it, if the line is where it must be: behind a line end, which a size that
/// is a little too large has already swept up.
fn next_chunk<'a>(rest: &'a [u8], decoded: &[u8]) -> Option<(usize, &'a [u8])> {
    let line = strip_line_end(rest);
    let is_parted = line.len() < rest.len() || decoded.ends_with(b"\n");
    size_line(line).filter(|_| is_parted)
}

/// Nothing, if only line ends are left.
fn without_line_ends(rest: &[u8]) -> &[u8] {
    if rest.trim_ascii().is_empty() { &[] } else { rest }
}

/// The size that a line gives, and what follows the line.
fn size_line(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let head = &bytes[..bytes.len().min(SIZE_LINE_BYTES_MAX)];
    let (line, rest) = match memchr(b'\n', head) {
        Some(end) => (&head[..end], &bytes[end + 1..]),
        None if head.len() == bytes.len() => (head, &[][..]),
        None => return None,
    };
    let size = line.split(|&byte| byte == b';').next()?.trim_ascii();
    let size = std::str::from_utf8(size).ok().filter(|size| !size.starts_with('+'))?;
    Some((usize::from_str_radix(size, 16).ok()?, rest))
}

fn strip_line_end(bytes: &[u8]) -> &[u8] {
    let rest = bytes.strip_prefix(b"\r").unwrap_or(bytes);
    rest.strip_prefix(b"\n").unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::dechunk;

    fn text(body: &str) -> Option<String> {
        dechunk(body.as_bytes()).map(|body| String::from_utf8(body).unwrap())
    }

    #[test]
    fn undoes_chunks() {
        assert_eq!(text("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: 1\r\n\r\n").unwrap(), "abcde");
        assert_eq!(text("3\nabc\n0\n\n").unwrap(), "abc");
        assert_eq!(text("0\r\n\r\n").unwrap(), "");
    }

    #[test]
    fn keeps_what_is_readable() {
        assert_eq!(text("9\r\nabc").unwrap(), "abc", "cut off");
        assert_eq!(text("3\r\nabcdef\r\n0\r\n\r\n").unwrap(), "abcdef\r\n0\r\n\r\n", "too small a size");
        assert_eq!(text("3\r\nabc\r\n<p>").unwrap(), "abc\r\n<p>", "the next size is missing");
        assert_eq!(text("ffffffffffffffff\r\nabc").unwrap(), "abc");
    }

    #[test]
    fn leaves_what_is_not_chunked() {
        for body in ["", "<html>", "\r\n<html>", "fffffffffffffffff\r\n", "-1\r\n", "+1\r\na"] {
            assert_eq!(text(body), None, "{body}");
        }
    }
}
