//! The append-only file of kept page bodies, `bodies.bin`. It can be read without the database.
//!
//! ```text
//! file   = "LOPPERBO" version:u32 0:u32 record*
//! record = "PAGE" head:u32 body:u32 html:u32 at:u64 checksum:u64 head body
//! head   = JSON of [`BodyHead`]; body = zstd(HTML, UTF-8)    lengths in bytes; html: uncompressed; checksum: xxh3_64 of the rest
//! ```
//!
//! A page whose HTML is that of another page kept before has a head and no body: `at` is the offset of the record that has it.

use std::path::Path;

use lopper_archive::page::{Page, PageId, Provenance};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::append_file::{AppendFile, FileFormat, HEADER_BYTES, unpacked};
use super::files::BODIES_NAME;
use super::pack::packed;
use super::{ContentDigest, StoreError};

pub(super) const FORMAT: FileFormat = FileFormat { name: BODIES_NAME, magic: *b"LOPPERBO", version: 1 };
const RECORD_MAGIC: &[u8; 4] = b"PAGE";
const RECORD_HEADER_BYTES: usize = 32;
const COMPRESSION_LEVEL: i32 = 3;

/// Bytes of a page's HTML that are believed when reading.
const HTML_BYTES_MAX: usize = 1 << 30;

/// All of a page but its HTML.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyHead {
    /// Identity, in hexadecimal digits.
    pub page_id: String,
    /// URL as the archive has it.
    pub url: String,
    /// Capture time, seconds since 1970-01-01T00:00:00Z.
    pub captured_at: Option<i64>,
    /// HTTP status.
    pub status: u16,
    /// Media type without parameters.
    pub media_type: String,
    /// Encoding that the page was decoded with.
    pub charset: String,
    /// `Content-Language` of the HTTP message.
    pub content_language: Option<String>,
    /// Title by the archive's list of pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed_title: Option<String>,
    /// Archive file.
    pub archive: std::path::PathBuf,
    /// Offset of the record in it.
    pub offset_bytes: u64,
    /// `WARC-Record-ID` as written.
    pub record_id: Option<String>,
    /// Digest of the HTML, in hexadecimal digits.
    pub digest: String,
}

impl BodyHead {
    fn of(page: &Page, digest: ContentDigest) -> Self {
        Self {
            page_id: page.id.to_string(),
            url: page.url.clone(),
            captured_at: page.captured_at,
            status: page.status,
            media_type: page.media_type.clone(),
            charset: page.charset.to_owned(),
            content_language: page.content_language.clone(),
            listed_title: page.listed_title.clone(),
            archive: page.provenance.archive.clone(),
            offset_bytes: page.provenance.offset_bytes,
            record_id: page.provenance.record_id.clone(),
            digest: digest.to_string(),
        }
    }

    fn into_page(self, html: String) -> Option<Page> {
        Some(Page {
            id: self.page_id.parse::<PageId>().ok()?,
            url: self.url,
            captured_at: self.captured_at,
            status: self.status,
            media_type: self.media_type,
            charset: encoding_rs::Encoding::for_label(self.charset.as_bytes()).map_or("UTF-8", |found| found.name()),
            content_language: self.content_language,
            listed_title: self.listed_title,
            remark: None,
            html,
            provenance: Provenance {
                archive: self.archive,
                offset_bytes: self.offset_bytes,
                record_id: self.record_id,
            },
        })
    }
}

/// A page's body on its way into the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptBody {
    head: Vec<u8>,
    compressed: Vec<u8>,
    html_bytes: u32,
}

impl KeptBody {
    /// Compresses the page's HTML. `None` where that cannot be done, above 1 GiB.
    pub fn of(page: &Page, digest: ContentDigest) -> Option<Self> {
        let head = serde_json::to_vec(&BodyHead::of(page, digest)).ok()?;
        let is_kept = page.html.len() <= HTML_BYTES_MAX;
        let compressed = is_kept.then(|| packed(page.html.as_bytes(), COMPRESSION_LEVEL).ok())??;
        Some(Self { head, compressed, html_bytes: page.html.len() as u32 })
    }

    pub(super) fn size_bytes(&self) -> usize {
        self.head.len() + self.compressed.len()
    }

    /// The record; when another one has the HTML, with that one's offset in place of it.
    fn record(&self, other: Option<u64>) -> Vec<u8> {
        let body = if other.is_some() { &[][..] } else { &self.compressed };
        let mut record = Vec::with_capacity(RECORD_HEADER_BYTES + self.head.len() + body.len());
        record.extend_from_slice(RECORD_MAGIC);
        for number in [self.head.len() as u32, body.len() as u32, self.html_bytes] {
            record.extend_from_slice(&number.to_le_bytes());
        }
        record.extend_from_slice(&other.unwrap_or(0).to_le_bytes());
        record.extend_from_slice(&[0; 8]);
        record.extend_from_slice(&self.head);
        record.extend_from_slice(body);
        let checksum = checksum(&record);
        record[24..RECORD_HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
        record
    }
}

fn checksum(record: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&record[..24]);
    hasher.update(&record[RECORD_HEADER_BYTES..]);
    hasher.digest()
}

/// Lengths in the header of a record.
struct Lengths {
    head: usize,
    body: usize,
    html: usize,
    /// The record that has the body; 0: this one.
    at: u64,
}

impl Lengths {
    fn parse(header: &[u8]) -> Option<Self> {
        let number = |at: usize, len: usize| {
            header[at..at + len].iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
        };
        let lengths = Self {
            head: number(4, 4) as usize,
            body: number(8, 4) as usize,
            html: number(12, 4) as usize,
            at: number(16, 8),
        };
        (header.starts_with(RECORD_MAGIC) && lengths.html <= HTML_BYTES_MAX).then_some(lengths)
    }

    fn record(&self) -> usize {
        RECORD_HEADER_BYTES + self.head + self.body
    }
}

/// The open file.
#[derive(Debug)]
pub(super) struct BodyFile(pub(super) AppendFile);

impl BodyFile {
    pub(super) fn open(data: &Path, valid_bytes: u64, writable: bool) -> Result<Self, StoreError> {
        Ok(Self(AppendFile::open(data, FORMAT, valid_bytes, writable)?))
    }

    /// Appends `body` at `offset_bytes`, the end of the file, and gives the new end; `same` is the record of a page with the same HTML.
    pub(super) fn append(&self, offset_bytes: u64, body: &KeptBody, same: Option<u64>) -> Result<u64, StoreError> {
        let same = same.map(|same| self.owner(same)).transpose()?;
        let record = body.record(same);
        self.0.write(offset_bytes, &record)?;
        Ok(offset_bytes + record.len() as u64)
    }

    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.0.sync()
    }

    /// The record that has the body of the one at `offset_bytes`.
    fn owner(&self, offset_bytes: u64) -> Result<u64, StoreError> {
        let lengths = self.lengths(offset_bytes)?;
        Ok(if lengths.at == 0 { offset_bytes } else { lengths.at })
    }

    fn lengths(&self, offset_bytes: u64) -> Result<Lengths, StoreError> {
        let header = self.0.read(offset_bytes, RECORD_HEADER_BYTES)?;
        Lengths::parse(&header).ok_or_else(|| self.0.damaged(offset_bytes, "no page begins here"))
    }

    /// The record at `offset_bytes`, checked: its lengths, its head and what follows.
    fn record(&self, offset_bytes: u64) -> Result<(Lengths, Vec<u8>), StoreError> {
        let lengths = self.lengths(offset_bytes)?;
        let record = self.0.read(offset_bytes, lengths.record())?;
        if record[24..RECORD_HEADER_BYTES] != checksum(&record).to_le_bytes() {
            return Err(self.0.damaged(offset_bytes, "wrong checksum"));
        }
        Ok((lengths, record))
    }

    /// The page whose record is at `offset_bytes`.
    pub(super) fn page(&self, offset_bytes: u64) -> Result<Page, StoreError> {
        let (lengths, record) = self.record(offset_bytes)?;
        let damaged = || self.0.damaged(offset_bytes, "the head of a page is unreadable");
        let head = &record[RECORD_HEADER_BYTES..RECORD_HEADER_BYTES + lengths.head];
        let head: BodyHead = serde_json::from_slice(head).map_err(|_| damaged())?;
        let html = match lengths.at {
            0 => self.html(offset_bytes, &lengths, &record)?,
            owner => {
                let (lengths, record) = self.record(owner)?;
                self.html(owner, &lengths, &record)?
            }
        };
        head.into_page(html).ok_or_else(damaged)
    }

    /// The body of the record at `offset_bytes`, to be written elsewhere.
    pub(super) fn kept(&self, offset_bytes: u64) -> Result<KeptBody, StoreError> {
        let (lengths, record) = self.record(offset_bytes)?;
        let (head, own) = record[RECORD_HEADER_BYTES..].split_at(lengths.head);
        let compressed = match lengths.at {
            0 => own.to_vec(),
            owner => {
                let (lengths, record) = self.record(owner)?;
                record[RECORD_HEADER_BYTES + lengths.head..].to_vec()
            }
        };
        Ok(KeptBody { head: head.to_vec(), compressed, html_bytes: lengths.html as u32 })
    }

    fn html(&self, offset_bytes: u64, lengths: &Lengths, record: &[u8]) -> Result<String, StoreError> {
        let body = &record[RECORD_HEADER_BYTES + lengths.head..];
        let html = unpacked(body, lengths.html).map_err(|error| self.0.damaged(offset_bytes, error))?;
        String::from_utf8(html).map_err(|error| self.0.damaged(offset_bytes, error))
    }

    /// Offsets of all records up to the first that is not whole, and where that is.
    pub(super) fn scan(&self) -> Result<(Vec<u64>, u64), StoreError> {
        let length = self.0.length()?;
        let (mut offsets, mut offset_bytes) = (Vec::new(), HEADER_BYTES);
        while offset_bytes < length {
            let Ok((lengths, _)) = self.record(offset_bytes) else { break };
            offsets.push(offset_bytes);
            offset_bytes += lengths.record() as u64;
        }
        Ok((offsets, offset_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(url: &str, html: &str) -> Page {
        Page {
            id: PageId::of(url, Some(1)),
            url: url.to_owned(),
            captured_at: Some(1),
            status: 200,
            media_type: "text/html".to_owned(),
            charset: "windows-1252",
            content_language: Some("de".to_owned()),
            listed_title: Some("Listed".to_owned()),
            remark: None,
            html: html.to_owned(),
            provenance: Provenance { archive: "a.warc".into(), offset_bytes: 9, record_id: Some("<urn:1>".into()) },
        }
    }

    fn kept(page: &Page) -> KeptBody {
        KeptBody::of(page, ContentDigest::of(&page.html)).unwrap()
    }

    #[test]
    fn pages_come_back_also_those_that_share_their_body() {
        let folder = tempfile::tempdir().unwrap();
        let bodies = BodyFile::open(folder.path(), HEADER_BYTES, true).unwrap();
        let pages = ["http://a.example/", "http://b.example/", "http://c.example/"].map(|url| page(url, "<p>Bäume"));
        let second = bodies.append(HEADER_BYTES, &kept(&pages[0]), None).unwrap();
        let third = bodies.append(second, &kept(&pages[1]), Some(HEADER_BYTES)).unwrap();
        let end = bodies.append(third, &kept(&pages[2]), Some(second)).unwrap();
        for (at, page) in [HEADER_BYTES, second, third].into_iter().zip(&pages) {
            assert_eq!(bodies.page(at).unwrap(), *page);
        }
        assert_eq!(bodies.scan().unwrap(), (vec![HEADER_BYTES, second, third], end));
    }

    #[test]
    fn a_scan_ends_where_the_file_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let bodies = BodyFile::open(folder.path(), HEADER_BYTES, true).unwrap();
        let page = page("http://a.example/", "<p>Trees");
        let second = bodies.append(HEADER_BYTES, &kept(&page), None).unwrap();
        bodies.append(second, &kept(&page), None).unwrap();
        let path = folder.path().join(BODIES_NAME);
        let sound = std::fs::read(&path).unwrap();
        for at in second as usize..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(bodies.scan().unwrap(), (vec![HEADER_BYTES], second), "byte {at}");
            assert!(bodies.page(second).is_err());
        }
    }
}
