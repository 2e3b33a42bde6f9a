//! A body's bytes decoded to text, by the encoding that a browser would find, unless the bytes belie it.

use std::borrow::Cow;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8};

use super::{charset_alias, charset_detect, charset_prescan};

/// Decodes `body` and tells the encoding by its WHATWG name.
///
/// In this order the encoding comes from: a byte order mark, `charset` in the HTTP `Content-Type`, `meta` elements, the
/// XML declaration, the bytes themselves (`host` helps with its top-level domain), and windows-1252. What is declared does not count where
/// the bytes cannot be in it: three sequences or more that are broken as UTF-8 and fewer that are whole, or text in another encoding that is
/// UTF-8 without fault.
pub fn decode(body: Cow<'_, [u8]>, content_type: Option<&str>, host: Option<&str>) -> (String, &'static str) {
    let (encoding, mark_len) = match Encoding::for_bom(&body) {
        Some(found) => found,
        None => (find(&body, content_type, host), 0),
    };
    let mut body = body;
    if encoding == UTF_8 && mark_len == 0 {
        match String::from_utf8(body.into_owned()) {
            Ok(text) => return (text, encoding.name()),
            Err(error) => body = Cow::Owned(error.into_bytes()),
        }
    }
    let (text, _) = encoding.decode_without_bom_handling(&body[mark_len..]);
    (text.into_owned(), encoding.name())
}

fn find(body: &[u8], content_type: Option<&str>, host: Option<&str>) -> &'static Encoding {
    content_type
        .and_then(|content_type| charset_prescan::charset_in(content_type.as_bytes()))
        .and_then(for_label)
        .or_else(|| charset_prescan::declared(body))
        .filter(|declared| !charset_detect::belies(body, declared))
        .unwrap_or_else(|| charset_detect::detect(body, host))
}

/// The encoding of a label, also of labels that only the web knows.
///
/// The replacement encoding guards browsers against attacks by script; here it would lose the page, so it is left to
/// detection.
pub(super) fn for_label(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label).or_else(|| charset_alias::for_alias(label))?;
    (encoding != REPLACEMENT).then_some(encoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(body: &[u8], content_type: Option<&str>) -> (String, &'static str) {
        decode(Cow::Borrowed(body), content_type, None)
    }

    #[test]
    fn the_mark_goes_before_the_header() {
        let header = Some("text/html; charset=iso-8859-1");
        assert_eq!(decoded("\u{feff}é".as_bytes(), header), ("é".to_owned(), "UTF-8"));
        assert_eq!(decoded(b"\xff\xfea\0", header), ("a".to_owned(), "UTF-16LE"));
    }

    #[test]
    fn the_header_goes_before_the_meta() {
        let body = b"<meta charset=utf-8>\xe9";
        assert_eq!(decoded(body, Some("text/html; CharSet=\"ISO-8859-1\"")).1, "windows-1252");
        assert_eq!(decoded(body, Some("text/html; charset=nonsense")).1, "UTF-8");
        assert_eq!(decoded(body, None).1, "UTF-8");
    }

    #[test]
    fn aliases_count_as_labels() {
        assert_eq!(decoded(b"\xa4\xa4", Some("text/html; charset=Big5_Solaris")), ("中".to_owned(), "Big5"));
        assert_eq!(decoded(b"<meta charset=iso-8559-1>\xe9", None).1, "windows-1252");
    }

    #[test]
    fn undeclared_bytes_are_looked_at() {
        assert_eq!(decoded("grün".as_bytes(), None), ("grün".to_owned(), "UTF-8"));
        assert_eq!(decoded(b"gr\xfcn", None), ("grün".to_owned(), "windows-1252"));
        assert_eq!(decoded(b"plain", None), ("plain".to_owned(), "windows-1252"));
        assert_eq!(decoded(b"\xef\xbb", None).1, "windows-1252");
    }

    #[test]
    fn bytes_belie_what_is_declared() {
        let german = "Größere Städte wie Köln: schöne Häuser, süße Äpfel und fünf Öfen in großen Straßen";
        let (latin, _, _) = encoding_rs::WINDOWS_1252.encode(german);
        assert_eq!(decoded(&latin, Some("text/html; charset=utf-8")), (german.to_owned(), "windows-1252"));
        assert_eq!(decoded(german.as_bytes(), Some("text/html; charset=iso-8859-1")), (german.to_owned(), "UTF-8"));
        let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю";
        assert_eq!(decoded(russian.as_bytes(), Some("text/html; charset=windows-1251")).0, russian);
        let (cyrillic, _, _) = encoding_rs::WINDOWS_1251.encode(russian);
        assert_eq!(decoded(&cyrillic, Some("text/html; charset=utf-8")).0, russian);
        assert_eq!(decoded(&cyrillic, Some("text/html; charset=windows-1251")).0, russian);
        let cut = &german.as_bytes()[..=german.find('ö').unwrap()];
        assert_eq!(decoded(cut, Some("text/html; charset=utf-8")).1, "UTF-8", "cut off, not belied");
    }

    #[test]
    fn the_replacement_encoding_loses_no_page() {
        assert_eq!(decoded(b"words", Some("text/html; charset=iso-2022-kr")).0, "words");
    }
}
