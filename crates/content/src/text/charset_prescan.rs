//! The encoding that a page declares in its own bytes: `meta` elements and the XML declaration.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

use super::charset::for_label;

/// Bytes in which the standard has browsers look for a declaration before they begin to parse.
const PRESCAN_BYTES: usize = 1024;

/// Bytes in which a declaration is honoured that browsers find only while they parse.
const LATE_BYTES: usize = 16 << 10;

/// The encoding that the page declares in its first bytes.
pub(super) fn declared(body: &[u8]) -> Option<&'static Encoding> {
    let utf16 = match body {
        [b'<', 0, b'?', 0, b'x', 0, ..] => Some(UTF_16LE),
        [0, b'<', 0, b'?', 0, b'x', ..] => Some(UTF_16BE),
        _ => None,
    };
    let early = &body[..body.len().min(PRESCAN_BYTES)];
    let late = &body[..body.len().min(LATE_BYTES)];
    utf16.or_else(|| by_meta(early)).or_else(|| by_xml_declaration(early)).or_else(|| by_meta(late))
}

/// UTF-16 cannot be meant by bytes in which ASCII was just read, and `x-user-defined` stands for the default.
fn as_meant(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

fn by_meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut scan = Scan { bytes, at: 0 };
    while scan.at < bytes.len() {
        let rest = scan.rest();
        if rest.starts_with(b"<!--") {
            // The closing mark may share its dashes with the opening one.
            scan.skip_past(2, b"-->");
        } else if is_meta(rest) {
            scan.at += "<meta".len();
            if let Some(encoding) = scan.meta() {
                return Some(encoding);
            }
        } else if matches!(rest, [b'<', b'a'..=b'z' | b'A'..=b'Z', ..] | [b'<', b'/', b'a'..=b'z' | b'A'..=b'Z', ..]) {
            scan.skip_tag_name();
            while scan.attribute().is_some() {}
        } else if matches!(rest, [b'<', b'!' | b'/' | b'?', ..]) {
            scan.skip_past(0, b">");
        }
        scan.at += 1;
    }
    None
}

fn is_meta(rest: &[u8]) -> bool {
    rest.get(..5).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<meta"))
        && rest.get(5).is_some_and(|&byte| is_space(byte) || byte == b'/')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

/// A place in the bytes.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Moves to the last byte of the next `end`, looking from `ahead` bytes on.
    fn skip_past(&mut self, ahead: usize, end: &[u8]) {
        let rest = self.rest().get(ahead..).unwrap_or_default();
        let len = memmem::find(rest, end).map_or(rest.len(), |at| at + end.len() - 1);
        self.at += ahead + len;
    }

    fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) {
        while self.byte().is_some_and(&is_skipped) {
            self.at += 1;
        }
    }

    fn skip_tag_name(&mut self) {
        self.at += 1;
        self.skip_while(|byte| !is_space(byte) && byte != b'>');
    }

    /// The encoding that the attributes of a `meta` element declare.
    fn meta(&mut self) -> Option<&'static Encoding> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let (mut got_pragma, mut needs_pragma, mut charset) = (false, false, None);
        while let Some((name, value)) = self.attribute() {
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => got_pragma |= value == b"content-type",
                b"content" if charset.is_none() => {
                    charset = charset_in(&value).and_then(for_label);
                    needs_pragma = charset.is_some();
                }
                b"charset" => {
                    charset = for_label(&value);
                    needs_pragma = false;
                }
                _ => {}
            }
            if seen.len() < 16 {
                seen.push(name);
            }
        }
        charset.filter(|_| got_pragma || !needs_pragma).map(as_meant)
    }

    /// The next attribute's name and value, in lower case; `None` at the tag's end.
    fn attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        self.skip_while(|byte| is_space(byte) || byte == b'/');
        self.byte().filter(|&byte| byte != b'>')?;
        let start = self.at;
        self.at += 1;
        self.skip_while(|byte| !is_space(byte) && !matches!(byte, b'=' | b'/' | b'>'));
        let name = self.bytes[start..self.at].to_ascii_lowercase();
        self.skip_while(is_space);
        if self.byte() != Some(b'=') {
            return Some((name, Vec::new()));
        }
        self.at += 1;
        self.skip_while(is_space);
        Some((name, self.value()))
    }

    fn value(&mut self) -> Vec<u8> {
        let quote = self.byte().filter(|byte| matches!(byte, b'"' | b'\''));
        self.at += usize::from(quote.is_some());
        let start = self.at.min(self.bytes.len());
        match quote {
            Some(quote) => self.skip_while(|byte| byte != quote),
            None => self.skip_while(|byte| !is_space(byte) && byte != b'>'),
        }
        let value = self.bytes[start..self.at].to_ascii_lowercase();
        self.at += usize::from(quote.is_some() && self.byte().is_some());
        value
    }
}

/// The value of `charset` in a media type, as it stands in HTTP headers and in `content` attributes.
pub(super) fn charset_in(content_type: &[u8]) -> Option<&[u8]> {
    let mut rest = content_type;
    loop {
        let at = rest.windows(7).position(|window| window.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[at + 7..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            return charset_value(value.trim_ascii_start());
        }
    }
}

fn charset_value(value: &[u8]) -> Option<&[u8]> {
    let (value, is_end): (&[u8], fn(&u8) -> bool) = match value {
        [b'"', rest @ ..] => (rest, |&byte| byte == b'"'),
        [b'\'', rest @ ..] => (rest, |&byte| byte == b'\''),
        _ => (value, |&byte| is_space(byte) || matches!(byte, b';' | b',' | b'"' | b'\'')),
    };
    let end = value.iter().position(is_end).unwrap_or(value.len());
    Some(value[..end].trim_ascii()).filter(|value| !value.is_empty())
}

/// `encoding` in an XML declaration at the page's very beginning.
fn by_xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr::memchr(b'>', declaration)?];
    let at = memmem::find(declaration, b"encoding")?;
    let rest = declaration[at + 8..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (&quote, rest) = rest.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    let label = &rest[..memchr::memchr(quote, rest)?];
    for_label(label).map(as_meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(html: &str) -> Option<&'static str> {
        declared(html.as_bytes()).map(Encoding::name)
    }

    #[test]
    fn reads_meta_elements() {
        for (html, encoding) in [
            ("<meta charset=koi8-r>", Some("KOI8-R")),
            ("<META CHARSET = 'Shift_JIS' />", Some("Shift_JIS")),
            ("<html><head><meta http-equiv=\"Content-Type\" content=\"text/html; charset=gb2312\">", Some("GBK")),
            ("<meta content='text/html;charset=\"euc-kr\"' http-equiv=content-type>", Some("EUC-KR")),
            ("<meta content='text/html; charset=euc-kr'>", None),
            ("<meta name=x content='charset=y'><meta charset=utf-8>", Some("UTF-8")),
            ("<meta charset=utf-16>", Some("UTF-8")),
            ("<meta charset=x-user-defined>", Some("windows-1252")),
            ("<metacharset=utf-8>", None),
            ("<meta charset=utf-8", Some("UTF-8")),
            ("<meta charset=", None),
        ] {
            assert_eq!(name(html), encoding, "{html}");
        }
    }

    #[test]
    fn is_not_led_astray() {
        for (html, encoding) in [
            ("<!-- <meta charset=koi8-r> --><meta charset=utf-8>", Some("UTF-8")),
            ("<!--><meta charset=utf-8>", Some("UTF-8")),
            ("<!-- <meta charset=koi8-r>", None),
            ("<a title='<meta charset=koi8-r>'><meta charset=utf-8>", Some("UTF-8")),
            ("<!doctype html><?php x ?></ ><meta charset=utf-8>", Some("UTF-8")),
            ("<", None),
            ("<!", None),
            ("<!--", None),
            ("<meta ", None),
        ] {
            assert_eq!(name(html), encoding, "{html}");
        }
    }

    #[test]
    fn reads_the_xml_declaration() {
        assert_eq!(name("<?xml version='1.0' encoding='iso-8859-2'?>"), Some("ISO-8859-2"));
        assert_eq!(name("<?xml encoding='koi8-r'?><meta charset=utf-8>"), Some("UTF-8"), "meta goes first");
        assert_eq!(name(" <?xml encoding='koi8-r'?>"), None);
        assert_eq!(declared(b"<\0?\0x\0m\0l\0"), Some(UTF_16LE));
    }

    #[test]
    fn late_declarations_count() {
        let late = format!("<script>{}</script><meta charset=koi8-r>", " ".repeat(3000));
        assert_eq!(name(&late), Some("KOI8-R"));
    }

    #[test]
    fn finds_charsets_in_media_types() {
        for (value, charset) in [
            ("text/html; charset=UTF-8", Some("UTF-8")),
            ("text/html;charset = \"a b\"; x", Some("a b")),
            ("text/html; charset utf-8; charset=x", Some("x")),
            ("text/html; charset=", None),
            ("text/html", None),
        ] {
            assert_eq!(charset_in(value.as_bytes()), charset.map(str::as_bytes), "{value}");
        }
    }
}
