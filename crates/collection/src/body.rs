//! A page's HTML, read again from where it is.

use std::path::Path;

use lopper_archive::page::{self, Page, PageOutcome};
use lopper_archive::{ArchiveRecord, ResumePoint, clean_url};
use lopper_content::limits::Limits;
use lopper_store::{BodyPlace, ContentDigest, StoreError, StoredPage};

use crate::DataFolder;

/// Bytes of an archive that are read in search of a record that cannot be gone to.
const SEARCHED_BYTES_MAX: u64 = 64 << 20;

impl DataFolder {
    /// The page with its HTML: from the data folder where it is kept there, else from its archive. `None` where neither has it any more, or has
    /// another one in its place. Of a collection in an engine the archives alone are asked, at the places that they were read from.
    ///
    /// # Errors
    ///
    /// [`StoreError`] for a kept body that cannot be read.
    pub fn body(&self, page: &StoredPage, limits: &Limits) -> Result<Option<Page>, StoreError> {
        match page.body {
            BodyPlace::None => Ok(None),
            _ if self.is_elsewhere() => Ok(in_archive(&page.provenance.archive, page, limits)),
            BodyPlace::Kept => self.store().body(page.id),
            BodyPlace::Archive => Ok(in_archive(&self.store().archive_path(page)?, page, limits)),
        }
    }
}

fn in_archive(archive: &Path, page: &StoredPage, limits: &Limits) -> Option<Page> {
    let offset_bytes = page.provenance.offset_bytes;
    at_place(archive, offset_bytes, page, limits).or_else(|| from_start(archive, offset_bytes, page, limits))
}

/// The record that begins at the place, where the container can be read from there on.
fn at_place(archive: &Path, offset_bytes: u64, page: &StoredPage, limits: &Limits) -> Option<Page> {
    let point = ResumePoint { offset_bytes, ordinal: 0 };
    let mut reader = lopper_archive::open_at(archive, point, limits).ok()?;
    decoded(named_as(&page.url, offset_bytes, reader.next_record()?.ok()?), page, limits)
}

/// The record at the place, of an archive that is read from its start.
fn from_start(archive: &Path, offset_bytes: u64, page: &StoredPage, limits: &Limits) -> Option<Page> {
    if offset_bytes > SEARCHED_BYTES_MAX {
        return None;
    }
    let mut reader = lopper_archive::open(archive, limits).ok()?;
    while reader.position_bytes() <= SEARCHED_BYTES_MAX {
        let Ok(record) = reader.next_record()? else { continue };
        let record = named_as(&page.url, offset_bytes, record);
        if let Some(found) = decoded(record, page, limits) {
            return Some(found);
        }
    }
    None
}

/// The page of that name in a record. Pages of before have URLs as they were written.
fn decoded(record: ArchiveRecord, page: &StoredPage, limits: &Limits) -> Option<Page> {
    if record.url != page.url && record.url != clean_url(page.url.clone()) {
        return None;
    }
    let record = ArchiveRecord { url: page.url.clone(), ..record };
    let Ok(PageOutcome::Page(found)) = page::decode(record, limits) else { return None };
    let same_html = page.digest.is_none_or(|digest| digest == ContentDigest::of(&found.html));
    (found.id == page.id && same_html).then_some(*found)
}

/// The record under the URL that it was ingested under: an HTML file has the one at which it was published then. Its offset says which it is
/// of an archive of files.
pub(crate) fn named_as(url: &str, offset_bytes: u64, record: ArchiveRecord) -> ArchiveRecord {
    if record.url.starts_with("file:") && record.offset_bytes == offset_bytes {
        ArchiveRecord { url: url.to_owned(), ..record }
    } else {
        record
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use lopper_archive::page::PageId;
    use lopper_content::pipeline::ExtractParams;

    use super::*;
    use crate::ingest::{IngestOptions, Silent, ingest};

    fn warc(pages: &[&str]) -> Vec<u8> {
        let record = |(number, html): (usize, &&str)| {
            let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
            format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.org/{number}\r\n\
                 WARC-Date: 2020-01-01T00:00:0{number}Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
                block.len()
            )
        };
        pages.iter().enumerate().map(record).collect::<String>().into_bytes()
    }

    #[test]
    fn a_page_is_read_again_until_its_archive_changes() {
        let folder = tempfile::tempdir().unwrap();
        let archive: PathBuf = folder.path().join("a.warc");
        let pages = ["<title>One</title><p>Old mills grind.", "<title>Two</title><p>New mills grind too."];
        fs::write(&archive, warc(&pages)).unwrap();
        let data = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
        ingest(&data, std::slice::from_ref(&archive), &IngestOptions::default(), &mut Silent).unwrap();
        let limits = Limits::default();
        let second = data.store().page(PageId::of("http://e.org/1", Some(1_577_836_801))).unwrap().unwrap();
        assert_eq!(data.body(&second, &limits).unwrap().unwrap().html, pages[1]);
        fs::write(&archive, warc(&["<p>Other", "<p>Other"])).unwrap();
        assert_eq!(data.body(&second, &limits).unwrap(), None);
        fs::remove_file(&archive).unwrap();
        assert_eq!(data.body(&second, &limits).unwrap(), None);
    }
}
