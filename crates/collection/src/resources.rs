//! Pictures and style sheets of archived pages: where an archive has them, and their bodies.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use lopper_archive::page::{self, Resource};
use lopper_archive::{ArchiveReader, ResumePoint};
use lopper_content::limits::Limits;
use lopper_content::text::url::{canonical_url, host};
use lopper_store::{Takedown, TakedownScope};
use url::Url;

/// Bytes of an archive that are looked through. A larger one is looked through from the page on: its pictures are near.
const SCANNED_BYTES_MAX: u64 = 64 << 20;

/// Time that this may take; what was found until then is what there is.
const SCAN_DURATION_MAX: Duration = Duration::from_secs(1);

/// Resources of which the places are kept.
const PLACES_MAX: usize = 200_000;

/// Bytes of a resource.
const RESOURCE_BYTES_MAX: usize = 8 << 20;

/// A part of an archive as it is now: when the file changes, so does this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivePart {
    path: PathBuf,
    from: u64,
    len: u64,
    modified: Option<SystemTime>,
}

impl ArchivePart {
    /// The part that may have what belongs to the page at `offset_bytes`; `None` where the archive is not a file, or not there.
    pub fn around(archive: &Path, offset_bytes: u64) -> Option<Self> {
        let file = fs::metadata(archive).ok().filter(fs::Metadata::is_file)?;
        let from = if file.len() <= SCANNED_BYTES_MAX { 0 } else { offset_bytes };
        Some(Self { path: archive.to_owned(), from, len: file.len(), modified: file.modified().ok() })
    }
}

/// Where a part of an archive has resources.
#[derive(Debug, Default)]
pub struct Resources {
    path: PathBuf,
    /// Hash of the address, and offset of the record; sorted.
    places: Vec<(u64, u64)>,
}

impl Resources {
    /// Looks a part of an archive through. WARC and ARC files have resources that can be gone to, others are taken to have none.
    pub fn of(part: &ArchivePart, limits: &Limits) -> Self {
        let mut found = Self { path: part.path.clone(), places: Vec::new() };
        let point = ResumePoint { offset_bytes: part.from, ordinal: 0 };
        if let Ok(reader) = lopper_archive::open_at(&part.path, point, limits) {
            found.scan(reader, part.from.saturating_add(SCANNED_BYTES_MAX), limits);
        }
        found.places.sort_unstable();
        found
    }

    fn scan(&mut self, mut reader: Box<dyn ArchiveReader + Send>, to: u64, limits: &Limits) {
        let begun = Instant::now();
        while reader.position_bytes() <= to && self.places.len() < PLACES_MAX && begun.elapsed() < SCAN_DURATION_MAX {
            match reader.next_record() {
                Some(Ok(record)) if page::resource_type(&record, limits).is_some_and(|kind| is_of_use(&kind)) => {
                    self.places.extend(key(&record.url).map(|key| (key, record.offset_bytes)));
                }
                Some(_) => {}
                None => break,
            }
        }
    }

    /// Offset of the resource with this address that is nearest to a page's.
    fn nearest(&self, url: &str, page_offset: u64) -> Option<u64> {
        let key = key(url)?;
        let from = self.places.partition_point(|(known, _)| *known < key);
        let same = self.places[from..].iter().take_while(|(known, _)| *known == key);
        same.map(|(_, offset)| *offset).min_by_key(|offset| offset.abs_diff(page_offset))
    }

    /// Whether there is such a resource.
    pub fn has(&self, url: &str) -> bool {
        self.nearest(url, 0).is_some()
    }

    /// The resource with this address that is nearest to a page's record; `None` where there is none, or it is larger than 8 MiB.
    pub fn get(&self, url: &str, page_offset: u64, limits: &Limits) -> Option<Resource> {
        let offset_bytes = self.nearest(url, page_offset)?;
        let limits = Limits { payload_bytes_max: RESOURCE_BYTES_MAX, body_bytes_max: RESOURCE_BYTES_MAX, ..*limits };
        let point = ResumePoint { offset_bytes, ordinal: 0 };
        let record = lopper_archive::open_whole_at(&self.path, point, &limits).ok()?.next_record()?.ok()?;
        let is_same = same_address(&record.url) == same_address(url);
        is_same.then(|| page::resource(record, &limits)).flatten()
    }
}

/// Pictures, without those that can hold scripts, and style sheets.
fn is_of_use(content_type: &str) -> bool {
    let content_type = content_type.trim_start().to_ascii_lowercase();
    (content_type.starts_with("image/") && !content_type.starts_with("image/svg"))
        || content_type.starts_with("text/css")
}

/// Whether a takedown keeps an address out.
pub fn is_taken_down(takedowns: &[Takedown], url: &str) -> bool {
    let canonical = canonical_url(url).unwrap_or_else(|| url.to_owned());
    takedowns.iter().any(|takedown| match &takedown.scope {
        TakedownScope::Url(taken) => *taken == canonical,
        TakedownScope::Prefix(prefix) => canonical.starts_with(prefix.as_str()),
        TakedownScope::Host(taken) => host(&canonical).is_some_and(|host| host == *taken),
        _ => false,
    })
}

fn key(url: &str) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    same_address(url)?.hash(&mut hasher);
    Some(hasher.finish())
}

/// An address without what is the same for one who captures: scheme and fragment.
fn same_address(url: &str) -> Option<String> {
    let mut url = Url::parse(url.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    url.set_fragment(None);
    url.as_str().split_once("://").map(|(_, rest)| rest.to_owned())
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
    fn takedowns_hold_for_resources() {
        let takedown = |scope| Takedown { number: 1, since: 0, scope, note: None };
        let host = [takedown(TakedownScope::Host("e.org".to_owned()))];
        assert!(is_taken_down(&host, "http://E.org/a.png") && !is_taken_down(&host, "http://f.org/a.png"));
        let prefix = [takedown(TakedownScope::Prefix("http://e.org/b".to_owned()))];
        assert!(is_taken_down(&prefix, "http://e.org/b/a.png") && !is_taken_down(&prefix, "http://e.org/a.png"));
    }
}
