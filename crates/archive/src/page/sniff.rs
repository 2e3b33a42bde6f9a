//! Tells HTML from other bytes where nobody says what they are.

/// Bytes that are looked at.
const SNIFFED_BYTES: usize = 1024;

/// Beginnings that only HTML has; each must be followed by a space, a `>` or a `/`.
const TAGS: &[&[u8]] = &[
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<body",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<h2",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<br",
    b"<p",
    b"<meta",
    b"<link",
    b"<base",
    b"<center",
    b"<frameset",
    b"<noscript",
    b"<ul",
    b"<article",
    b"<main",
    b"<header",
    b"<section",
    b"<span",
    b"<form",
    b"<img",
    b"<nav",
];

/// Whether `bytes`, the beginning of a body, look like HTML.
pub(crate) fn is_html(bytes: &[u8]) -> bool {
    let narrowed = narrow(&bytes[..bytes.len().min(2 * SNIFFED_BYTES)]);
    let text = narrowed[..narrowed.len().min(SNIFFED_BYTES)].trim_ascii_start();
    if text.starts_with(b"<!--") || has_prefix(text, b"<?xml") || has_prefix(text, b"<!doctype") {
        return contains_html_tag(text);
    }
    TAGS.iter().any(|tag| begins_with_tag(text, tag))
}

/// Whether `bytes`, the beginning of a body, hold text of any kind.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    has_utf16_mark(bytes) || !bytes[..bytes.len().min(SNIFFED_BYTES)].iter().any(|&byte| is_binary_byte(byte))
}

/// First bytes of documents that are text for a while.
const TEXT_MAGICS: [&[u8]; 3] = [b"%PDF-", b"%!PS-", b"{\\rtf"];

/// First bytes of images.
const IMAGES: [&[u8]; 6] = [b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*"];

/// Whether `bytes` begin as images do: their comments may look like anything.
pub(crate) fn is_image(bytes: &[u8]) -> bool {
    IMAGES.iter().any(|magic| bytes.starts_with(magic))
}

/// First bytes of what else is declared as HTML by mistake: icons, documents, sound, films, fonts, archives, programs.
const MAGICS: &[&[u8]] = &[
    b"RIFF",
    b"\0\0\x01\0",
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0",
    b"ID3",
    b"OggS",
    b"fLaC",
    b"\x1a\x45\xdf\xa3",
    b"FWS",
    b"CWS",
    b"wOFF",
    b"wOF2",
    b"Rar!",
    b"7z\xbc\xaf",
    b"\x7fELF",
    b"\0asm",
];

/// Whether `bytes`, a body that is declared as HTML, are something else: they begin as no text does, or hold many bytes that no text has
/// and none of the tags that make a document.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    /// Bytes that are looked at.
    const LOOKED_AT_BYTES: usize = 4096;
    /// Bytes of text to one that is none.
    const TEXT_PER_BINARY: usize = 20;
    let head = &bytes[..bytes.len().min(LOOKED_AT_BYTES)];
    let text: Vec<u8> = if is_wide(head) { without_zeros(head) } else { head.to_vec() };
    let binary = text.iter().filter(|byte| is_binary_byte(**byte)).count();
    let has_magic = (is_image(head) || MAGICS.iter().any(|magic| head.starts_with(magic))) && binary > 0;
    let has_text_magic = TEXT_MAGICS.iter().any(|magic| head.starts_with(magic));
    let is_noise = !has_utf16_mark(head) && binary * TEXT_PER_BINARY > text.len();
    has_magic || has_text_magic || (is_noise && !contains_html_tag(&without_zeros(head)))
}

/// Document elements of feeds and lists of addresses.
const DATA_ELEMENTS: [&[u8]; 6] = [b"<rss", b"<feed", b"<rdf:rdf", b"<opml", b"<urlset", b"<sitemapindex"];

/// Whether a body that is declared as HTML is what programs read: a feed, a list of addresses, or JSON.
pub(crate) fn is_data(body: &[u8]) -> bool {
    let text = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii();
    match text.first() {
        Some(b'<') => DATA_ELEMENTS.iter().any(|element| begins_with_tag(document_element(text), element)),
        Some(b'{' | b'[') => serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok(),
        _ => false,
    }
}

/// Namespace of XHTML.
const XHTML: &[u8] = b"http://www.w3.org/1999/xhtml";

/// Whether `body`, a file that is named `.xml` or declares to be XML, is another document than XHTML: the document element tells. One that is
/// named so must have the namespace.
pub(crate) fn is_other_xml(body: &[u8], is_named: bool) -> bool {
    let text = narrow(&body[..body.len().min(LOOKED_FOR_ELEMENT_BYTES)]);
    let text = text.trim_ascii_start();
    if !is_named && !has_prefix(text, b"<?xml") {
        return false;
    }
    let element = document_element(text);
    let name: Vec<u8> = element.iter().skip(1).copied().take_while(|&byte| is_name_byte(byte)).collect();
    let tag = &element[..memchr::memchr(b'>', element).unwrap_or(element.len())];
    let is_named_html =
        name.split(|&byte| byte == b':').next_back().is_some_and(|name| name.eq_ignore_ascii_case(b"html"));
    let is_xhtml = is_named_html && memchr::memmem::find(tag, XHTML).is_some();
    if is_named {
        !is_xhtml
    } else {
        element.starts_with(b"<") && !is_named_html && !name.is_empty() && !is_html_element(&name)
    }
}

/// Bytes in which a document element is looked for.
const LOOKED_FOR_ELEMENT_BYTES: usize = 64 << 10;

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b":-_.".contains(&byte) || byte >= 0x80
}

/// Whether an element without a namespace is one that pages begin with.
fn is_html_element(name: &[u8]) -> bool {
    TAGS.iter().any(|tag| tag[1..].eq_ignore_ascii_case(name))
}

/// What begins behind declarations, comments and instructions.
fn document_element(mut text: &[u8]) -> &[u8] {
    loop {
        let end: &[u8] = match text {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'?', ..] => b"?>",
            // Declarations may stand within that of the type.
            [b'<', b'!', ..] if memchr::memchr2(b'[', b'>', text).is_some_and(|at| text[at] == b'[') => b"]>",
            [b'<', b'!', ..] => b">",
            _ => return text,
        };
        let Some(at) = memchr::memmem::find(text, end) else { return b"" };
        text = text[at + end.len()..].trim_ascii_start();
    }
}

/// Whether `bytes` are UTF-16 of a language whose characters have a zero for their upper byte, hardly a one without.
fn is_wide(bytes: &[u8]) -> bool {
    let zeros = |parity: usize| bytes.iter().skip(parity).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let (few, many) = (even.min(odd), even.max(odd));
    few * 20 <= many && many * 3 > bytes.len()
}

fn without_zeros(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().filter(|&byte| byte != 0).collect()
}

/// Whether `bytes`, of which a file's name says that they are HTML, may be: there is a tag, and hardly a byte that no text has.
pub(crate) fn may_be_html(bytes: &[u8]) -> bool {
    /// Bytes of text to one that is none.
    const TEXT_PER_BINARY: usize = 20;
    let binary = bytes.iter().filter(|byte| is_binary_byte(**byte)).count();
    let is_tag = |at: usize| bytes.get(at + 1).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'!');
    binary * TEXT_PER_BINARY <= bytes.len() && memchr::memchr_iter(b'<', bytes).any(is_tag)
}

/// Control characters that no text has, as the standard for sniffing names them.
fn is_binary_byte(byte: u8) -> bool {
    matches!(byte, 0x00..=0x08 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

fn has_utf16_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

/// The bytes without a byte order mark, UTF-16 reduced to its ASCII.
fn narrow(bytes: &[u8]) -> Vec<u8> {
    if has_utf16_mark(bytes) || matches!(bytes, [b'<', 0, ..] | [0, b'<', ..]) {
        bytes.iter().copied().filter(|&byte| !matches!(byte, 0 | 0xfe | 0xff)).collect()
    } else {
        bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).to_vec()
    }
}

fn has_prefix(text: &[u8], prefix: &[u8]) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

fn begins_with_tag(text: &[u8], tag: &[u8]) -> bool {
    has_prefix(text, tag) && text.get(tag.len()).is_none_or(|byte| byte.is_ascii_whitespace() || b">/".contains(byte))
}

/// Comments, XML declarations and document types say nothing themselves; a document element does.
fn contains_html_tag(text: &[u8]) -> bool {
    let is_document = |at: usize| {
        [&b"<html"[..], b"<!doctype html", b"<head", b"<body"].iter().any(|tag| begins_with_tag(&text[at..], tag))
    };
    memchr::memchr_iter(b'<', text).any(is_document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_html() {
        for bytes in [
            &b"<!DOCTYPE html>\n<html>"[..],
            b"  \r\n<HTML lang=en>",
            b"\xef\xbb\xbf<html>",
            b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0'><html>",
            b"<!-- saved --><html>",
            b"<p>x",
            b"\xff\xfe<\0h\0t\0m\0l\0>\0",
        ] {
            assert!(is_html(bytes), "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn knows_xml_that_is_no_page() {
        let xhtml =
            b"<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a 'b'>]>\n<html xmlns='http://www.w3.org/1999/xhtml'>";
        for (body, is_named, expected) in [
            (&b"<div element='book' href=''>"[..], true, true),
            (b"<?xml version='1.0'?><html><body>", true, true),
            (xhtml, true, false),
            (b"\xef\xbb\xbf<h:html xmlns:h=\"http://www.w3.org/1999/xhtml\">", true, false),
            (b"words", true, true),
            (b"<div element='book' href=''>", false, false),
            (b"<?xml version='1.0'?><xsl:stylesheet><html>", false, true),
            (b"<?xml version='1.0'?><html><body>", false, false),
            (b"<?xml version='1.0'?><body>", false, false),
            (b"<?xml version='1.0'?>words", false, false),
            (xhtml, false, false),
        ] {
            assert_eq!(is_other_xml(body, is_named), expected, "{}", body.escape_ascii());
        }
        assert!(is_image(b"\xff\xd8\xff\xe0") && !is_image(b"<html>"));
    }

    #[test]
    fn knows_what_is_not() {
        for bytes in [&b""[..], b"aa\r\n", b"<?xml version='1.0'?><rss>", b"{\"a\":1}", b"<pre", b"<abbr>", b"%PDF-1.4"]
        {
            assert!(!is_html(bytes), "{}", bytes.escape_ascii());
        }
        assert!(!is_text(b"\x89PNG\r\n\x1a\n\0"));
        assert!(is_text("Grüße\u{1b}".as_bytes()));
    }

    #[test]
    fn knows_data_that_is_declared_as_html() {
        for body in [
            &b"\xef\xbb\xbf<?xml version='1.0'?>\n<?xml-stylesheet href='a.css'?><!-- <html> --><rss version='2.0'>"[..],
            b"<feed xmlns='http://www.w3.org/2005/Atom'/>",
            b"<!DOCTYPE rdf:RDF><rdf:RDF xmlns='x'>",
            b"<?x a='>'?><!DOCTYPE rss [<!ENTITY nbsp '&#160;'>]><rss>",
            b" {\"a\": [1, \"<p>\"]}\n",
            b"[]",
        ] {
            assert!(is_data(body), "{}", body.escape_ascii());
        }
        for body in [
            &b""[..],
            b"<",
            b"<!-- ",
            b"<!DOCTYPE html><html><rss>",
            b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>",
            b"<feedback>",
            b"[Home] <p>Words",
            b"{{ title }} <p>Words",
            b"words",
        ] {
            assert!(!is_data(body), "{}", body.escape_ascii());
        }
    }

    #[test]
    fn knows_binary_data_that_is_declared_as_html() {
        let noise: Vec<u8> = (0..4000_u32).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect();
        for bytes in [&b"%PDF-1.4\n1 0 obj"[..], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"GIF89a\x01", &[0; 600], &noise] {
            assert!(is_binary(bytes), "{}", bytes[..bytes.len().min(20)].escape_ascii());
        }
        let wide: Vec<u8> = "Words of a page".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let with_noise = [&b"\x01\x02\x03\x04<html><body><p>Words"[..], &noise[..40]].concat();
        let jis = b"\x1b$B%F%9%H\x1b(B and words\x1b$B%F%9%H\x1b(B";
        for bytes in [&b""[..], b"Just words", &wide, &with_noise, jis, "\u{feff}Grüße, Привет".as_bytes()] {
            assert!(!is_binary(bytes), "{}", bytes.escape_ascii());
        }
    }
}
