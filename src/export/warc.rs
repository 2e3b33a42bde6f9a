//! Pages as a WARC file (1.1): what was read of each, as HTML in UTF-8.
//!
//! The HTTP answer that a page came in is not kept, so these are `resource` records. A page whose HTML is not at hand is told of by a `metadata`
//! record, so that none is missing without a word.

use std::fmt::Write;

use lopper_archive::page::PageId;
use lopper_collection::search::{PageHit, SearchError};
use lopper_collection::{CollectionError, DataFolder, rfc_3339};
use lopper_content::limits::Limits;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use xxhash_rust::xxh3::xxh3_128;

const FIELDS: &str = "application/warc-fields";
const HTML: &str = "text/html; charset=utf-8";

/// A record.
struct Record<'a> {
    kind: &'a str,
    /// Of what it is about; empty for the file itself.
    url: &'a str,
    date: String,
    content_type: &'a str,
    /// The record that the page was first read from.
    origin: Option<&'a str>,
    block: &'a [u8],
}

impl Record<'_> {
    fn write(&self, part: &mut Vec<u8>) {
        let Self { kind, url, date, content_type, origin, block } = self;
        let mut head =
            format!("WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {}\r\nWARC-Date: {date}\r\n", self.id());
        let mut line = |name: &str, value: &str| {
            // Writing to memory cannot fail.
            let _ = write!(head, "{name}: {value}\r\n");
        };
        if !url.is_empty() {
            line("WARC-Target-URI", &plain(url));
        }
        if let Some(origin) = origin {
            line("WARC-Concurrent-To", origin);
        }
        line("WARC-Block-Digest", &digest(block));
        line("Content-Type", content_type);
        line("Content-Length", &block.len().to_string());
        part.extend_from_slice(head.as_bytes());
        part.extend_from_slice(b"\r\n");
        part.extend_from_slice(block);
        part.extend_from_slice(b"\r\n\r\n");
    }

    /// A name that the same record has again, and no other has: a UUID of version 8.
    fn id(&self) -> String {
        let whole = format!("{} {} {} {}", self.kind, self.url, self.date, digest(self.block));
        let bits = xxh3_128(whole.as_bytes()) & !(0xf << 76) & !(0x3 << 62) | (0x8 << 76) | (0x2 << 62);
        let hex = format!("{bits:032x}");
        format!("<urn:uuid:{}-{}-{}-{}-{}>", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }
}

fn digest(block: &[u8]) -> String {
    Sha256::digest(block).iter().fold("sha256:".to_owned(), |digest, byte| digest + &format!("{byte:02x}"))
}

/// A URL without what would end its line.
fn plain(url: &str) -> String {
    let percent = |c: char| c.is_whitespace() || c.is_control();
    url.chars().fold(String::with_capacity(url.len()), |mut plain, c| {
        if percent(c) {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                let _ = write!(plain, "%{byte:02X}");
            }
        } else {
            plain.push(c);
        }
        plain
    })
}

/// The record that says what the file is.
pub(super) fn head(query: &str, now: OffsetDateTime) -> Vec<u8> {
    let query = query.replace(char::is_control, " ");
    let block = format!(
        "software: lopper/{}\r\nformat: WARC File Format 1.1\r\n\
         description: pages that a search found, as HTML in UTF-8\r\nquery: {query}\r\n",
        env!("CARGO_PKG_VERSION")
    );
    let mut head = Vec::new();
    let (kind, date) = ("warcinfo", date_of(now));
    Record { kind, url: "", date, content_type: FIELDS, origin: None, block: block.as_bytes() }.write(&mut head);
    head
}

/// A page's record. Pages without a capture time have that of the file.
pub(super) fn record(
    page: &PageHit,
    collection: &DataFolder,
    limits: &Limits,
    now: OffsetDateTime,
    part: &mut Vec<u8>,
) -> Result<(), SearchError> {
    let failed = |error| SearchError::Collection(CollectionError::from(error));
    let stored = match page.page_id.parse::<PageId>() {
        Ok(id) => collection.page(id).map_err(SearchError::Collection)?,
        Err(_) => None,
    };
    let body = stored.as_ref().map(|stored| collection.body(stored, limits)).transpose().map_err(failed)?.flatten();
    let (kind, content_type, block) = match &body {
        Some(body) => ("resource", HTML, body.html.as_bytes()),
        None => ("metadata", FIELDS, &b"lopper-note: the page's HTML is not at hand any more\r\n"[..]),
    };
    let record_id = page.source.as_ref().and_then(|source| source.record_id.as_deref());
    Record {
        kind,
        url: &page.url,
        date: page.captured_at.clone().unwrap_or_else(|| date_of(now)),
        content_type,
        origin: record_id.filter(|id| is_name(id)),
        block,
    }
    .write(part);
    Ok(())
}

/// Whether it is a record's name as the standard has it.
fn is_name(id: &str) -> bool {
    id.starts_with('<') && id.ends_with('>') && id.bytes().all(|byte| byte.is_ascii_graphic())
}

fn date_of(time: OffsetDateTime) -> String {
    rfc_3339(time.unix_timestamp()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_or_query_ends_no_line() {
        assert_eq!(plain("http://e.org/a b\r\nWARC-Type: x\u{85}ä"), "http://e.org/a%20b%0D%0AWARC-Type:%20x%C2%85ä");
        let head = String::from_utf8(head("mill\r\nformat: none", OffsetDateTime::UNIX_EPOCH)).unwrap();
        assert!(head.contains("query: mill  format: none\r\n"), "{head}");
        assert!(is_name("<urn:uuid:1>") && !is_name("<urn:uuid:1>\r\nX: <y>") && !is_name("urn"));
    }

    #[test]
    fn names_are_of_their_record() {
        let record = |url| Record {
            kind: "resource",
            url,
            date: date_of(OffsetDateTime::UNIX_EPOCH),
            content_type: HTML,
            origin: None,
            block: b"x",
        };
        let id = record("http://e.org/").id();
        assert!(id == record("http://e.org/").id() && id != record("http://e.org/2").id());
        assert_eq!(
            (id.len(), id.as_bytes()[24]),
            ("<urn:uuid:00000000-0000-8000-8000-000000000000>".len(), b'8'),
            "{id}"
        );
    }
}
