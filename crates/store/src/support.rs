//! Pages for the tests of this module.

use lopper_archive::page::{PageId, Provenance};
use lopper_content::page_type::PageType;
use lopper_content::statistics::PageKeys;

use super::{ArchiveKey, BodyPlace, ContentDigest, OpenMode, PageBatch, PagePut, RecordPlace, Store, StoredPage};

/// An empty store, and the folder that goes with it.
pub(super) fn open() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), OpenMode::Write).unwrap();
    (folder, store)
}

pub(super) fn page(url: &str) -> StoredPage {
    let host = url.split('/').nth(2).unwrap_or_default();
    StoredPage {
        id: PageId::of(url, Some(1)),
        url: url.to_owned(),
        canonical_url: url.to_owned(),
        host: host.to_owned(),
        title: "Trees".to_owned(),
        description: "About trees".to_owned(),
        language: Some("en".to_owned()),
        page_type: Some(PageType::Forum),
        captured_at: Some(1),
        status: 200,
        charset: "UTF-8".to_owned(),
        provenance: Provenance { archive: "trees.warc".into(), offset_bytes: 0, record_id: None },
        html_bytes: 100,
        main_blocks: 3,
        runs: 7,
        digest: None,
        simhash: 0,
        body: BodyPlace::Archive,
    }
}

pub(super) fn archive() -> ArchiveKey {
    ArchiveKey::by_content("trees.warc".as_ref(), 7)
}

/// A place in an archive.
pub(super) fn at(archive: &ArchiveKey, offset_bytes: u64) -> RecordPlace<'_> {
    RecordPlace { archive, ordinal: offset_bytes, offset_bytes }
}

/// A put of a page whose tree is `text` and whose terms are its words.
pub(super) fn put(page: StoredPage, text: &str) -> PagePut {
    PagePut::new(page, text.as_bytes(), 0, PageKeys::of_terms(text.split(' '))).unwrap()
}

/// A capture of `url` at `time`, from the record at that offset, with the HTML `text`.
pub(super) fn capture(url: &str, time: i64, offset_bytes: u64, text: &str) -> PagePut {
    let mut page = page(url);
    page.id = PageId::of(url, Some(time));
    page.captured_at = Some(time);
    page.provenance.offset_bytes = offset_bytes;
    page.digest = Some(ContentDigest::of(text));
    put(page, text)
}

pub(super) fn batch_of(store: &Store, puts: impl IntoIterator<Item = PagePut>) -> PageBatch {
    let mut batch = PageBatch::new();
    for put in puts {
        let offset_bytes = put.page.provenance.offset_bytes;
        batch.put(store, &at(&archive(), offset_bytes), put).unwrap();
    }
    batch
}

/// Commits one page with `text`.
pub(super) fn commit(store: &Store, url: &str, text: &str) {
    store.commit(batch_of(store, [put(page(url), text)])).unwrap();
}
