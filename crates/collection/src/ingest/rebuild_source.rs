//! Finding pages again in the archives that they were read from.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use lopper_archive::page::{self, Page, PageId, PageOutcome};
use lopper_archive::{ArchiveReader, ArchiveRecord};
use lopper_content::limits::Limits;
use lopper_store::{ContentDigest, Store, StoredPage};

use crate::body::named_as;

/// Pages by the archive that they were read from, with their digests.
#[derive(Debug, Default)]
pub(super) struct Referred(BTreeMap<PathBuf, HashMap<PageId, Option<ContentDigest>>>);

impl Referred {
    pub(super) fn add(&mut self, archive: PathBuf, page: &StoredPage) {
        self.0.entry(archive).or_default().insert(page.id, page.digest);
    }
}

/// A page that was looked for.
pub(super) enum ReferredPage {
    Page(Box<Page>),
    /// Not there any more, or with other HTML.
    Missing(PageId),
}

/// Reads the archives one after the other and gives each page of `store` once.
pub(super) fn referred<'a>(
    pages: Referred,
    store: &'a Store,
    limits: &Limits,
) -> impl Iterator<Item = ReferredPage> + use<'a> {
    let limits = *limits;
    pages.0.into_iter().flat_map(move |(archive, wanted)| InArchive::open(&archive, wanted, store, limits))
}

struct InArchive<'a> {
    store: &'a Store,
    /// URLs of the pages that are wanted by the files that they are in and their offsets there, once an HTML file was found.
    urls: Option<HashMap<(PathBuf, u64), String>>,
    reader: Option<Box<dyn ArchiveReader + Send>>,
    wanted: HashMap<PageId, Option<ContentDigest>>,
    limits: Limits,
}

impl<'a> InArchive<'a> {
    fn open(archive: &Path, wanted: HashMap<PageId, Option<ContentDigest>>, store: &'a Store, limits: Limits) -> Self {
        Self { store, urls: None, reader: lopper_archive::open(archive, &limits).ok(), wanted, limits }
    }

    /// The record under the URL that it was ingested under.
    fn named(&mut self, record: ArchiveRecord) -> ArchiveRecord {
        if !record.url.starts_with("file:") {
            return record;
        }
        let urls = self.urls.get_or_insert_with(|| {
            // A row that cannot be read names nothing: its page is told as missing.
            let rows = self.wanted.keys().filter_map(|&id| self.store.page(id).ok().flatten());
            rows.map(|page| ((page.provenance.archive, page.provenance.offset_bytes), page.url)).collect()
        });
        // All files within an archive of files begin at its first byte.
        let only = || urls.values().next().filter(|_| urls.len() == 1);
        match urls.get(&(record.archive.clone(), record.offset_bytes)).or_else(only) {
            Some(url) => named_as(url, record.offset_bytes, record),
            None => record,
        }
    }

    /// The next page that is wanted; `None` at the end of the archive.
    fn next_page(&mut self) -> Option<Page> {
        while !self.wanted.is_empty() {
            let Ok(record) = self.reader.as_mut()?.next_record()? else { continue };
            let record = self.named(record);
            if !self.wanted.contains_key(&PageId::of(&record.url, record.captured_at)) {
                continue;
            }
            if let Ok(PageOutcome::Page(page)) = page::decode(record, &self.limits)
                && let Some(digest) = self.wanted.get(&page.id)
                && digest.is_none_or(|digest| digest == ContentDigest::of(&page.html))
            {
                self.wanted.remove(&page.id);
                return Some(*page);
            }
        }
        None
    }
}

impl Iterator for InArchive<'_> {
    type Item = ReferredPage;

    fn next(&mut self) -> Option<ReferredPage> {
        if let Some(page) = self.next_page() {
            return Some(ReferredPage::Page(Box::new(page)));
        }
        self.reader = None;
        // In the order of their ids, so that the result does not depend on the map's.
        let id = self.wanted.keys().min().copied()?;
        self.wanted.remove(&id);
        Some(ReferredPage::Missing(id))
    }
}
