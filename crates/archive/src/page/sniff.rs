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
    fn knows_what_is_not() {
        for bytes in [&b""[..], b"aa\r\n", b"<?xml version='1.0'?><rss>", b"{\"a\":1}", b"<pre", b"<abbr>", b"%PDF-1.4"]
        {
            assert!(!is_html(bytes), "{}", bytes.escape_ascii());
        }
        assert!(!is_text(b"\x89PNG\r\n\x1a\n\0"));
        assert!(is_text("Grüße\u{1b}".as_bytes()));
    }
}
