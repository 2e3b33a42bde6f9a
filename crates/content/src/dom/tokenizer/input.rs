//! The input as the tokenizer wants it.

use html5ever::tendril::StrTendril;
use memchr::memchr;

/// Drops a byte order mark and makes every line end a line feed (13.2.3.5 of the standard).
pub(in crate::dom) fn prepare(html: &str) -> StrTendril {
    let html = html.strip_prefix('\u{feff}').unwrap_or(html);
    if memchr(b'\r', html.as_bytes()).is_none() {
        return StrTendril::from_slice(html);
    }
    let mut prepared = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = memchr(b'\r', rest.as_bytes()) {
        prepared.push_str(&rest[..at]);
        prepared.push('\n');
        rest = &rest[at + 1..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    prepared.push_str(rest);
    StrTendril::from(prepared)
}

#[cfg(test)]
mod tests {
    use super::prepare;

    #[test]
    fn line_ends_and_byte_order_mark() {
        for (html, prepared) in
            [("", ""), ("a\r", "a\n"), ("a\r\nb\rc\n\r\r\n", "a\nb\nc\n\n\n"), ("\u{feff}\u{feff}x", "\u{feff}x")]
        {
            assert_eq!(&*prepare(html), prepared, "{html:?}");
        }
    }
}
