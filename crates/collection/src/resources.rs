//! Pictures and style sheets of archived pages: where an archive has them, and their bodies.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use lopper_archive::page::{self, Resource};
use lopper_archive::{ArchiveError, ArchiveReader, ArchiveRecord, ResumePoint, archive_file};
use lopper_content::limits::Limits;
use url::Url;

/// Bytes of an archive that are looked through. A larger one is looked through from the page on: its pictures are near.
const SCANNED_BYTES_MAX: u64 = 64 << 20;

/// Time that this may take; what was found until then is what there is.
const SCAN_DURATION_MAX: Duration = Duration::from_secs(1);

/// Resources of which the places are kept.
const PLACES_MAX: usize = 200_000;

/// Bytes of a resource.
const RESOURCE_BYTES_MAX: usize = 8 << 20;

/// Bytes of the resources of an archive that cannot be gone into: these are held.
const HELD_BYTES_MAX: usize = 16 << 20;

/// A part of an archive as it is now: when the file changes, so does this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivePart {
    path: PathBuf,
    from: u64,
    len: u64,
    modified: Option<SystemTime>,
}

impl ArchivePart {
    /// The part that may have what belongs to the page at `offset_bytes`; `None` where the archive is not there. Of a file within an archive
    /// (`x.wacz/archive/data.warc.gz`) it is the outermost one.
    pub fn around(archive: &Path, offset_bytes: u64) -> Option<Self> {
        let path = archive_file(archive)?;
        let file = fs::metadata(&path).ok()?;
        let is_whole = file.len() <= SCANNED_BYTES_MAX || path != archive;
        let from = if is_whole { 0 } else { offset_bytes };
        Some(Self { path, from, len: file.len(), modified: file.modified().ok() })
    }
}

/// What a part of an archive has of resources.
#[derive(Debug, Default)]
pub struct Resources {
    path: PathBuf,
    /// By hash of the address and offset of the record; sorted.
    found: Vec<Found>,
    /// Those of an archive that cannot be gone into.
    held: Vec<Held>,
}

/// Hash of an address, offset of its record, and its place among those that are held.
type Found = (u64, u64, Option<usize>);

#[derive(Debug)]
struct Held {
    url: String,
    resource: Resource,
}

impl Resources {
    /// Looks a part of an archive through. The places of resources in WARC and ARC files are noted; those of a WACZ, HAR, MHTML or ZIM are
    /// held, up to 16 MiB.
    pub fn of(part: &ArchivePart, limits: &Limits) -> Self {
        let mut found = Self { path: part.path.clone(), ..Self::default() };
        let point = ResumePoint { offset_bytes: part.from, ordinal: 0 };
        let limits = resource_limits(limits);
        match lopper_archive::open_at(&part.path, point, &limits) {
            Ok(reader) => found.scan(reader, part.from.saturating_add(SCANNED_BYTES_MAX), &limits, false),
            Err(ArchiveError::Unknown { .. }) => {
                if let Ok(reader) = lopper_archive::open_whole(&part.path, &limits) {
                    found.scan(reader, SCANNED_BYTES_MAX, &limits, true);
                }
            }
            Err(_) => {}
        }
        found.found.sort_unstable();
        found
    }

    fn scan(&mut self, mut reader: Box<dyn ArchiveReader + Send>, to: u64, limits: &Limits, hold: bool) {
        let (begun, mut held_bytes) = (Instant::now(), 0);
        while reader.position_bytes() <= to && self.found.len() < PLACES_MAX && begun.elapsed() < SCAN_DURATION_MAX {
            let Some(record) = reader.next_record() else { break };
            let is_wanted =
                |record: &ArchiveRecord| page::resource_type(record, limits).is_some_and(|kind| is_of_use(&kind));
            let Some(record) = record.ok().filter(is_wanted) else { continue };
            let Some(key) = key(&record.url) else { continue };
            let (offset_bytes, url) = (record.offset_bytes, record.url.clone());
            if !hold {
                self.found.push((key, offset_bytes, None));
            } else if let Some(resource) = page::resource(record, limits) {
                held_bytes += resource.body.len();
                if held_bytes > HELD_BYTES_MAX {
                    break;
                }
                self.found.push((key, offset_bytes, Some(self.held.len())));
                self.held.push(Held { url, resource });
            }
        }
    }

    /// The resource with this address that is nearest to a page's.
    fn nearest(&self, url: &str, page_offset: u64) -> Option<Found> {
        let key = key(url)?;
        let from = self.found.partition_point(|(known, ..)| *known < key);
        let same = self.found[from..].iter().take_while(|(known, ..)| *known == key);
        same.min_by_key(|(_, offset, _)| offset.abs_diff(page_offset)).copied()
    }

    /// Whether there is such a resource.
    pub fn has(&self, url: &str) -> bool {
        self.nearest(url, 0).is_some()
    }

    /// The resource with this address that is nearest to a page's record; `None` where there is none, or it is larger than 8 MiB.
    pub fn get(&self, url: &str, page_offset: u64, limits: &Limits) -> Option<Resource> {
        let is_same = |found: &str| same_address(found) == same_address(url);
        match self.nearest(url, page_offset)? {
            (.., Some(held)) => self.held.get(held).filter(|held| is_same(&held.url)).map(|held| held.resource.clone()),
            (_, offset_bytes, None) => {
                let (point, limits) = (ResumePoint { offset_bytes, ordinal: 0 }, resource_limits(limits));
                let mut reader = lopper_archive::open_whole_at(&self.path, point, &limits).ok()?;
                let record = reader.next_record()?.ok().filter(|record| is_same(&record.url))?;
                page::resource(record, &limits)
            }
        }
    }
}

fn resource_limits(limits: &Limits) -> Limits {
    Limits { payload_bytes_max: RESOURCE_BYTES_MAX, body_bytes_max: RESOURCE_BYTES_MAX, ..*limits }
}

/// Pictures, without those that can hold scripts, and style sheets.
fn is_of_use(content_type: &str) -> bool {
    let content_type = content_type.trim_start().to_ascii_lowercase();
    (content_type.starts_with("image/") && !content_type.starts_with("image/svg"))
        || content_type.starts_with("text/css")
}

fn key(url: &str) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    same_address(url)?.hash(&mut hasher);
    Some(hasher.finish())
}

/// An address without what is the same for one who captures: scheme and fragment. Parts of a message and entries of a ZIM have
/// addresses of their own kind (`cid:`, `file:`).
fn same_address(url: &str) -> Option<String> {
    let mut url = Url::parse(url.trim()).ok()?;
    url.set_fragment(None);
    match url.scheme() {
        "http" | "https" | "file" => url.as_str().split_once("://").map(|(_, rest)| rest.to_owned()),
        "cid" => Some(url.into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(url: &str, content_type: &str, body: &str) -> String {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n{body}");
        let head =
            format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {}", block.len());
        format!("{head}\r\n\r\n{block}\r\n\r\n")
    }

    #[test]
    fn the_nearest_of_an_address_is_read_until_the_archive_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        let records = [
            record("http://e.org/a.css", "text/css", "old"),
            record("http://e.org/", "text/html", "<p>Page"),
            record("https://e.org/a.css", "text/css", "new"),
        ];
        fs::write(&path, records.concat()).unwrap();
        let limits = Limits::default();
        let part = ArchivePart::around(&path, 0).unwrap();
        let resources = Resources::of(&part, &limits);
        let body = |url: &str, near: usize| resources.get(url, near as u64, &limits).map(|found| found.body);
        assert_eq!(body("http://e.org/a.css#x", 1), Some(b"old".to_vec()));
        assert_eq!(body("http://e.org/a.css", records.concat().len()), Some(b"new".to_vec()));
        assert_eq!(body("http://e.org/", 0), None, "a page is none");
        assert_eq!((resources.has("http://e.org/a.css"), resources.has("http://e.org/b.css")), (true, false));
        fs::write(&path, [record("http://e.org/other", "text/css", "x"), "x".repeat(999)].concat()).unwrap();
        assert_eq!(body("http://e.org/a.css", 0), None, "another record stands there");
        assert_ne!(ArchivePart::around(&path, 0).unwrap(), part);
        assert_eq!(ArchivePart::around(folder.path(), 0), None);
    }

    #[test]
    fn parts_of_a_message_are_held() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("saved.mhtml");
        let part = |head: &str, body: &str| format!("--b\r\n{head}\r\n\r\n{body}\r\n");
        let message = [
            "From: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"b\"\r\n\r\n".to_owned(),
            part("Content-Type: text/html\r\nContent-Location: http://e.org/", "<p>Page"),
            part("Content-Type: text/css\r\nContent-Location: cid:css-1@mhtml.blink", "p{color:red}"),
            part(
                "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\nContent-Location: http://e.org/a.png",
                "iVBORw0KGgo=",
            ),
            "--b--\r\n".to_owned(),
        ];
        fs::write(&path, message.concat()).unwrap();
        let limits = Limits::default();
        let resources = Resources::of(&ArchivePart::around(&path, 0).unwrap(), &limits);
        let body = |url: &str| resources.get(url, 0, &limits).map(|found| found.body);
        assert_eq!(body("https://e.org/a.png"), Some(b"\x89PNG\r\n\x1a\n".to_vec()));
        assert_eq!(body("cid:css-1@mhtml.blink"), Some(b"p{color:red}".to_vec()));
        assert_eq!((body("http://e.org/"), body("file:///etc/passwd")), (None, None));
    }
}
