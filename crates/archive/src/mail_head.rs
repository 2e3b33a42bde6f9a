//! The head of a mail message or of one of its parts.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

use super::mail_coding::{base64, quoted_printable};
use super::warc_head::fields;

/// The fields that matter here.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct MailHead {
    pub(super) content_type: Option<String>,
    /// `Content-Transfer-Encoding`, lower case.
    pub(super) coding: String,
    /// `Content-Location`, or where the browser says that the page was.
    pub(super) location: Option<String>,
    /// What the parts are parted by, if it has parts.
    pub(super) boundary: Option<Vec<u8>>,
    /// Seconds since 1970-01-01T00:00:00Z.
    pub(super) date: Option<i64>,
}

impl MailHead {
    /// Reads a head; broken lines are passed over.
    pub(super) fn read(block: &[u8]) -> Self {
        let fields = fields(block);
        let value = |name: &str| {
            let field = fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name));
            field.map(|(_, value)| value.trim().to_owned()).filter(|value| !value.is_empty())
        };
        let content_type = value("content-type");
        let date = value("date").and_then(|date| OffsetDateTime::parse(&date, &Rfc2822).ok());
        Self {
            boundary: content_type.as_deref().and_then(boundary),
            coding: value("content-transfer-encoding").unwrap_or_default().to_ascii_lowercase(),
            location: value("snapshot-content-location").or_else(|| value("content-location")),
            date: date.map(OffsetDateTime::unix_timestamp),
            content_type,
        }
    }

    /// A body with its transfer encoding undone.
    pub(super) fn decoded(&self, body: Vec<u8>) -> Vec<u8> {
        match self.coding.as_str() {
            "quoted-printable" => quoted_printable(&body),
            "base64" => base64(&body),
            _ => body,
        }
    }

    pub(super) fn is_html(&self) -> bool {
        let essence = self.content_type.as_deref().unwrap_or_default().split(';').next().unwrap_or_default();
        let essence = essence.trim();
        essence.eq_ignore_ascii_case("text/html") || essence.eq_ignore_ascii_case("application/xhtml+xml")
    }
}

/// The `boundary` of a multipart media type.
fn boundary(content_type: &str) -> Option<Vec<u8>> {
    let is_multipart = content_type.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("multipart/"));
    let parameters = content_type.split(';').skip(1).filter(|_| is_multipart);
    let boundary = parameters.filter_map(|parameter| parameter.split_once('=')).find_map(|(name, value)| {
        name.trim().eq_ignore_ascii_case("boundary").then(|| value.trim().trim_matches('"').as_bytes().to_vec())
    });
    boundary.filter(|boundary| !boundary.is_empty())
}

/// Whether `bytes`, the beginning of a file, are the head of a mail message with parts, or of one that is a page.
pub(super) fn begins_message(bytes: &[u8]) -> bool {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
    let has_name = name.len() < line.len() && !name.is_empty();
    let is_field = has_name && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    let says_mime = || {
        let lines = bytes.split(|&byte| byte == b'\n').take_while(|line| !line.trim_ascii().is_empty());
        lines.into_iter().any(|line| line.get(..13).is_some_and(|name| name.eq_ignore_ascii_case(b"mime-version:")))
    };
    is_field && {
        let head = MailHead::read(bytes);
        head.boundary.is_some() || (head.is_html() && says_mime())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_heads_of_browsers() {
        let block = b"From: <Saved by Blink>\r\nSnapshot-Content-Location: https://a.example/\r\n\
            Date: Thu, 2 Nov 2023 15:42:03 -0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\
            \ttype=\"text/html\";\r\n\tboundary=\"----x--\"\r\n\r\nbody";
        assert!(begins_message(block));
        let page = b"From: <Saved by Microsoft Internet Explorer 5>\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>";
        assert!(begins_message(page) && !begins_message(b"Content-Type: text/html\r\n\r\nMIME-Version: 1.0"));
        let head = MailHead::read(block);
        assert_eq!(head.boundary.as_deref(), Some(&b"----x--"[..]));
        assert_eq!(head.location.as_deref(), Some("https://a.example/"));
        assert_eq!(head.date, Some(1_698_939_723));
        assert!(!head.is_html());
    }

    #[test]
    fn other_texts_are_no_messages() {
        for text in ["", "Date: x\n\nbody", "words: of a text\n", "<html>", "Content-Type: text/html\n\n<p>"] {
            assert!(!begins_message(text.as_bytes()), "{text}");
        }
    }
}
