//! What a page refers to: pictures and style sheets, as their records have them.

use std::borrow::Cow;

use lopper_content::limits::Limits;

use super::decode::may_be_html;
use super::http::HttpHead;
use super::{coding, transfer};
use crate::{ArchiveRecord, Payload, RecordKind};

/// A body that is no page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// Its media type with parameters, as its server had it.
    pub content_type: String,
    /// Its bytes, codings undone.
    pub body: Vec<u8>,
}

/// The media type of a record that is no page by its own head, with status 200; its body may have been left out.
pub fn resource_type(record: &ArchiveRecord, limits: &Limits) -> Option<String> {
    let content_type = match (&record.payload, record.kind) {
        (Payload::Http(message), RecordKind::Response) => {
            let head = HttpHead::parse(message, limits.header_bytes_max).ok().filter(|head| head.status == 200)?;
            head.first("content-type").map(str::to_owned)
        }
        (Payload::Bare { content_type, .. }, _) => content_type.clone(),
        _ => None,
    };
    content_type.filter(|content_type| !may_be_html(content_type))
}

/// The body of a record that [is no page](resource_type) and was read whole; `None` where it is not such a record, or cannot be decoded
/// within `limits`.
pub fn resource(record: ArchiveRecord, limits: &Limits) -> Option<Resource> {
    let content_type = resource_type(&record, limits)?;
    let body = match record.payload {
        Payload::Bare { body, .. } => body,
        Payload::Http(message) => {
            let head = HttpHead::parse(&message, limits.header_bytes_max).ok()?;
            let (body, codings) = transfer::unframed(&head, Cow::Borrowed(&message[head.len..]));
            coding::undo(body, &codings, limits).ok()?.body.into_owned()
        }
        Payload::Skipped => return None,
    };
    (!body.is_empty()).then_some(Resource { content_type, body })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn record(payload: Payload) -> ArchiveRecord {
        ArchiveRecord::new(RecordKind::Response, "http://e.org/a".to_owned(), PathBuf::from("a.warc"), 0, payload)
    }

    fn http(message: &[u8]) -> ArchiveRecord {
        record(Payload::Http(message.to_vec()))
    }

    #[test]
    fn pictures_are_read_and_pages_are_not() {
        let limits = Limits::default();
        let png = http(
            b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n\x89PN\r\n0\r\n\r\n",
        );
        let expected = Resource { content_type: "image/png".to_owned(), body: b"\x89PN".to_vec() };
        assert_eq!(resource(png, &limits), Some(expected));
        for other in [
            &b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"[..],
            b"HTTP/1.1 200 OK\r\n\r\nx",
            b"HTTP/1.1 404 No\r\nContent-Type: image/png\r\n\r\nx",
            b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n",
            b"\x89PNG",
        ] {
            assert_eq!(resource(http(other), &limits), None, "{}", String::from_utf8_lossy(other));
        }
        let bare = Payload::Bare { content_type: Some("text/css".to_owned()), body: b"a{}".to_vec() };
        assert_eq!(resource(record(bare), &limits).unwrap().body, b"a{}");
        assert_eq!(resource_type(&record(Payload::Skipped), &limits), None);
    }
}
