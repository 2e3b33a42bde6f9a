//! A WARC record's header block.

use super::record::{RecordKind, Revisit};
use super::warc_date;

/// The header fields that matter here.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct WarcHead {
    pub(super) record_type: String,
    pub(super) content_length: Option<u64>,
    pub(super) content_type: Option<String>,
    pub(super) target_uri: String,
    pub(super) record_id: Option<String>,
    pub(super) captured_at: Option<i64>,
    /// The date as written, where it is none.
    pub(super) unreadable_date: Option<String>,
    pub(super) payload_digest: Option<String>,
    /// What a revisit says of its original.
    pub(super) revisit: Option<Box<Revisit>>,
}

impl WarcHead {
    /// Reads a header block, version line included. Unknown and broken lines are passed over; of several fields of one
    /// name the first counts.
    pub(super) fn parse(block: &[u8]) -> Self {
        let version_line = memchr::memchr(b'\n', block).map_or(block.len(), |end| end + 1);
        let fields = fields(&block[version_line..]);
        let value = |name: &str| {
            fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
        };
        let text = |name: &str| value(name).filter(|value| !value.is_empty()).map(str::to_owned);
        let record_type = value("warc-type").unwrap_or_default().to_ascii_lowercase();
        let uri = |name: &str| text(name).map(|uri| without_brackets(&uri).to_owned());
        let revisit = (record_type == "revisit").then(|| {
            Box::new(Revisit {
                profile: uri("warc-profile"),
                refers_to_id: text("warc-refers-to"),
                refers_to_url: uri("warc-refers-to-target-uri"),
                refers_to_date: value("warc-refers-to-date").and_then(warc_date::parse),
                http_head: Vec::new(),
            })
        });
        let captured_at = value("warc-date").and_then(warc_date::parse);
        Self {
            content_length: value("content-length").and_then(|value| value.parse().ok()),
            content_type: text("content-type"),
            target_uri: without_brackets(value("warc-target-uri").unwrap_or_default()).to_owned(),
            record_id: text("warc-record-id"),
            captured_at,
            unreadable_date: text("warc-date").filter(|_| captured_at.is_none()),
            payload_digest: text("warc-payload-digest"),
            revisit,
            record_type,
        }
    }

    pub(super) fn kind(&self) -> RecordKind {
        match self.record_type.as_str() {
            "response" => RecordKind::Response,
            "resource" => RecordKind::Resource,
            "revisit" => RecordKind::Revisit,
            "warcinfo" => RecordKind::Warcinfo,
            "request" => RecordKind::Request,
            "metadata" => RecordKind::Metadata,
            "conversion" => RecordKind::Conversion,
            "continuation" => RecordKind::Continuation,
            _ => RecordKind::Other,
        }
    }

    /// Whether the block of this response is an HTTP message by its media type.
    pub(super) fn is_http(&self) -> bool {
        let content_type = self.content_type.as_deref().unwrap_or_default().to_ascii_lowercase();
        content_type.starts_with("application/http") || content_type.contains("msgtype=response")
    }
}

/// Header lines as names and values: folded lines joined, line ends of any kind, UTF-8 or else Latin-1.
pub(super) fn fields(block: &[u8]) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in block.split(|&byte| byte == b'\n') {
        let line = text(line);
        let folded = line.starts_with([' ', '\t']);
        match (folded, fields.last_mut(), line.split_once(':')) {
            (true, Some((_, value)), _) => append_folded(value, line.trim()),
            (false, _, Some((name, value))) => fields.push((name.trim().to_owned(), value.trim().to_owned())),
            _ => {}
        }
    }
    fields
}

fn append_folded(value: &mut String, more: &str) {
    if !value.is_empty() && !more.is_empty() {
        value.push(' ');
    }
    value.push_str(more);
}

/// Header bytes as text: UTF-8 if they are, else Latin-1.
pub(super) fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| byte as char).collect(),
    }
}

/// Old writers put the target in `<…>`.
fn without_brackets(uri: &str) -> &str {
    uri.strip_prefix('<').and_then(|uri| uri.strip_suffix('>')).unwrap_or(uri).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ordinary_heads() {
        let head = WarcHead::parse(
            b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a.example/>\r\nContent-Length: 12\r\n\
              Content-Type: application/http; msgtype=response\r\nWARC-Date: 2008-04-30T20:48:25Z\r\n\r\n",
        );
        assert_eq!(head.kind(), RecordKind::Response);
        assert_eq!(head.target_uri, "http://a.example/");
        assert_eq!(head.content_length, Some(12));
        assert_eq!(head.captured_at, Some(1_209_588_505));
        assert!(head.is_http());
    }

    #[test]
    fn reads_odd_heads() {
        let head = WarcHead::parse(
            b"WARC/0.17\nwarc-TYPE:\n\tREVISIT\ncontent-length : 7 \nContent-Length: 8\nno colon\n\
              WARC-Target-URI: http://\xe9.example/\r\r\nContent-Type:\n\n",
        );
        assert_eq!(head.kind(), RecordKind::Revisit);
        assert_eq!(head.content_length, Some(7));
        assert_eq!(head.target_uri, "http://é.example/");
        assert_eq!(head.content_type, None);
        assert_eq!(WarcHead::parse(b"WARC/1.0\nContent-Length: -3\n").content_length, None);
        assert_eq!(WarcHead::parse(b""), WarcHead::default());
    }
}
