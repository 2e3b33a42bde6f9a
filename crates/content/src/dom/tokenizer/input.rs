//! The input as the tokenizer wants it.

use html5ever::tendril::StrTendril;
use memchr::{memchr, memchr_iter};

/// Drops a byte order mark and makes every line end a line feed (13.2.3.5 of the standard).
pub(in crate::dom) fn prepare(html: &str) -> StrTendril {
    let html = html.strip_prefix('\u{feff}').unwrap_or(html);
    if memchr(b'\r', html.as_bytes()).is_none() {
        return StrTendril::from_slice(html);
    }
    let mut prepared = StrTendril::with_capacity(u32::try_from(html.len()).unwrap_or(0));
    let mut start = 0;
    for at in memchr_iter(b'\r', html.as_bytes()) {
        prepared.push_slice(&html[start..at]);
        start = at + 1;
        if !html[start..].starts_with('\n') {
            prepared.push_char('\n');
        }
    }
    prepared.push_slice(&html[start..]);
    prepared
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
