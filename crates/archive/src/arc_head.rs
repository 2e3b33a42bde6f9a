//! The line that an ARC record begins with, of version 1 or 2.

use std::net::IpAddr;

use memchr::memchr;

use super::framing::ARC_LINE_BYTES;
use super::warc_date;
use super::warc_head::{WarcHead, text};

/// Digits of a record's date: fourteen by the standard.
const DATE_DIGITS: std::ops::RangeInclusive<usize> = 8..=20;

/// Bytes of a date that count: some writers add fractions of a second.
const ARC_DATE_BYTES: usize = 14;

/// Fields of a line of version 2; those of version 1 are five.
const FIELDS_OF_VERSION_2: usize = 10;

/// Whether `bytes` begin with the line of an ARC record: a URL, an address, a date, a media type, and a length as last.
pub(super) fn is_arc_start(bytes: &[u8]) -> bool {
    let has_scheme = bytes.iter().take(32).position(|&byte| byte == b':').is_some_and(|colon| {
        let is_url = bytes.get(colon + 1).is_some_and(|byte| !byte.is_ascii_whitespace());
        is_url && colon > 0 && bytes[..colon].iter().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
    });
    has_scheme && ArcLine::read(bytes).is_some()
}

/// The fields of a line.
struct ArcLine<'a> {
    url: &'a [u8],
    date: &'a [u8],
    content_type: &'a [u8],
    length: &'a [u8],
}

impl<'a> ArcLine<'a> {
    /// Reads the line that `bytes` begin with. URLs and media types of some writers hold spaces, so the fields are found
    /// from the date, which stands behind an address.
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let bytes = &bytes[..bytes.len().min(ARC_LINE_BYTES)];
        let line = bytes[..memchr(b'\n', bytes).unwrap_or(bytes.len())].trim_ascii_end();
        let fields: Vec<(usize, &[u8])> = fields(line).collect();
        let dates = || 2..fields.len().saturating_sub(2);
        let readable = dates().find(|&at| is_date(fields[at].1) && is_address(fields[at - 1].1));
        let date = readable.or_else(|| dates().find(|&at| is_about_unreadable_date(&fields, at)))?;
        let (type_at, last) = (fields[date + 1].0, fields.last()?);
        let is_version_2 = fields.len() - (date - 2) >= FIELDS_OF_VERSION_2;
        let content_type = if is_version_2 { fields[date + 1].1 } else { line[type_at..last.0].trim_ascii_end() };
        let url = line[..fields[date - 1].0].trim_ascii_end();
        Some(Self { url, date: fields[date].1, content_type, length: last.1 })
    }
}

/// The words of a line with where they begin.
fn fields(line: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let begins = move |word: &[u8]| word.as_ptr() as usize - line.as_ptr() as usize;
    line.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).map(move |word| (begins(word), word))
}

fn is_date(field: &[u8]) -> bool {
    DATE_DIGITS.contains(&field.len()) && field.iter().all(u8::is_ascii_digit)
}

/// Whether the field at `at` stands where the date does, though it is none: all that is around it must be right.
fn is_about_unreadable_date(fields: &[(usize, &[u8])], at: usize) -> bool {
    let (address, media_type) = (fields[at - 1].1, fields[at + 1].1);
    let length = fields.last().map_or(&b""[..], |field| field.1);
    let is_media_byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"/+-._;=".contains(byte);
    let is_ip = std::str::from_utf8(address).is_ok_and(|address| address.parse::<IpAddr>().is_ok());
    is_ip
        && media_type.contains(&b'/')
        && media_type[0].is_ascii_alphabetic()
        && media_type.iter().all(is_media_byte)
        && length.iter().all(u8::is_ascii_digit)
}

/// An address of either version, or what stands for none.
fn is_address(field: &[u8]) -> bool {
    field == b"-" || (field.iter().all(|byte| byte.is_ascii_hexdigit() || b".:".contains(byte)) && field.len() >= 2)
}

impl WarcHead {
    /// Reads a record's line, line end included.
    pub(super) fn of_arc(line: &[u8]) -> Self {
        let Some(line) = ArcLine::read(line) else { return Self::default() };
        let url = text(line.url);
        let is_description = url.starts_with("filedesc:");
        let content_type = text(line.content_type);
        let date = text(&line.date[..line.date.len().min(ARC_DATE_BYTES)]);
        let captured_at = warc_date::parse(&date);
        Self {
            record_type: if is_description { "warcinfo" } else { "response" }.to_owned(),
            content_length: text(line.length).parse().ok(),
            captured_at,
            unreadable_date: captured_at.is_none().then_some(date),
            content_type: Some(content_type).filter(|content_type| content_type.contains('/')),
            target_uri: url,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_lines_of_both_versions() {
        for line in [
            "http://a.example/ 10.0.0.1 20140102000000 text/html 1270\n",
            "filedesc://a.arc.gz 0.0.0.0 20060305082251 text/plain 76\nmore",
            "http://a.example/ 10.0.0.1 20140102000000 text/html 200 AAAA - 42 a.arc.gz 1270\r\n",
            "dns:a.example ::1 20140102000000 text/dns -1",
            "http://a.example/a b 10.0.0.1 20140102000000 text/html; charset=utf-8 12\n",
            "http://a.example/ 10.0.0.1 2014O1020000xx text/html 1270\n",
            "http://a.example/ 10.0.0.1 - text/html 200 AAAA - 42 a.arc.gz 1270\n",
        ] {
            assert!(is_arc_start(line.as_bytes()), "{line}");
        }
        for line in [
            "",
            "URL IP-address Archive-date Content-type Archive-length\n",
            "1 0 InternetArchive\n",
            "Date: Fri, 17 Dec 2010 22:39:59 GMT\n",
            "http://www.bt.dk/node/100",
            "http://a.example/ 10.0.0.1 yesterday by somebody 12\n",
            "http://a.example/ 10 of 20 and/or 12\n",
            "http://a.example/ 10.0.0.1 yesterday text/html twelve\n",
            "CREATOR: XV Version 3.10a Rev: 12/29/94  Quality = 75, Smoothing = 0\n",
            "note:XV Version 3.10a Rev: 12/29/94  Quality = 75\n",
            "http://a.example/ 3.10a yesterday text/html 12\n",
            "<a href=http://a.example/> 10.0.0.1 20140102000000 text/html 1\n",
        ] {
            assert!(!is_arc_start(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn reads_the_fields() {
        let head = WarcHead::of_arc(b"http://a.example/a b 10.0.0.1 20080430204825 text/html; charset=x 12\n");
        assert_eq!(head.target_uri, "http://a.example/a b");
        assert_eq!(head.content_type.as_deref(), Some("text/html; charset=x"));
        assert_eq!((head.content_length, head.captured_at), (Some(12), Some(1_209_588_505)));
        let head = WarcHead::of_arc(b"http://a.example/ 10.0.0.1 20140102000000 text/html 200 AAAA - 42 a.arc.gz 7\n");
        assert_eq!((head.content_type.as_deref(), head.content_length), (Some("text/html"), Some(7)));
        assert_eq!(WarcHead::of_arc(b"http://a.example/ 1.1.1.1 20140102000000 text/html abc\n").content_length, None);
        let head = WarcHead::of_arc(b"http://a.example/ 10.0.0.1 2014xx02000000 text/html 7\n");
        assert_eq!((head.captured_at, head.content_length), (None, Some(7)));
        assert_eq!(head.unreadable_date.as_deref(), Some("2014xx02000000"));
    }
}
