//! What the store and a batch hold together: the batch's changes over the store's rows.

use std::collections::{HashMap, HashSet};

use lopper_archive::page::PageId;
use lopper_content::text::url::canonical_or_written;

use super::batch::RecordFacts;
use super::captures::Revisit;
use super::digest::{declared_digest_hash, url_hash};
use super::page::PageOrigin;
use super::paths::to_bytes;
use super::{ContentDigest, Store, StoreError};

/// Captures of a URL in the store by which a further one is known. Where there are more, some are taken for others.
const KNOWN_CAPTURES_MAX: usize = 10_000;

/// A page, as far as decisions need it.
#[derive(Debug, Clone)]
pub(super) struct SeenPage {
    pub(super) digest: Option<ContentDigest>,
    pub(super) origin: PageOrigin,
    pub(super) main_blocks: u32,
    pub(super) html_bytes: u64,
}

/// The pages of a batch that is being filled.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    pages: HashMap<PageId, SeenPage>,
    /// By content and URL: the page that was last put with it, which may have other content now.
    contents: HashMap<(ContentDigest, u128), PageId>,
    /// A page of each content.
    by_content: HashMap<ContentDigest, PageId>,
    declared: HashMap<u128, PageId>,
    /// Time and page of each capture, by URL.
    captures: HashMap<u128, Vec<(Option<i64>, PageId)>>,
    /// Which archives have given which page at a URL and a time: those of the batch, and of the store where the URL was asked for.
    given: HashMap<(u128, i64), Vec<(PageId, u128)>>,
    /// URLs that were.
    asked_for: HashSet<u128>,
    /// Where the archives of the batch are.
    paths: HashMap<u128, Vec<u8>>,
}

impl Seen {
    pub(super) fn page(&self, store: &Store, id: PageId) -> Result<Option<SeenPage>, StoreError> {
        if let Some(page) = self.pages.get(&id) {
            return Ok(Some(page.clone()));
        }
        let row = store.page_row(id)?;
        Ok(row.map(|row| SeenPage {
            digest: row.digest(),
            origin: row.origin(),
            main_blocks: row.main_blocks,
            html_bytes: row.html_bytes,
        }))
    }

    /// The page of that URL with that content, unless the batch has put another one in its place.
    pub(super) fn content(
        &self,
        store: &Store,
        digest: ContentDigest,
        url: u128,
    ) -> Result<Option<PageId>, StoreError> {
        let found = match self.contents.get(&(digest, url)) {
            Some(page) => Some(*page),
            None => store.page_with(digest, url)?,
        };
        let has_it = |page: &PageId| self.pages.get(page).is_none_or(|seen| seen.digest == Some(digest));
        Ok(found.filter(has_it))
    }

    /// A page of another URL with the same content, whose tree can be shared. A page that is replaced shares none.
    pub(super) fn same_content(
        &self,
        store: &Store,
        facts: &RecordFacts,
    ) -> Result<Option<(PageId, SeenPage)>, StoreError> {
        let Some(digest) = facts.digest else { return Ok(None) };
        let found = match self.by_content.get(&digest) {
            Some(page) => Some(*page),
            None => store.page_with_content(digest)?,
        };
        let Some(page) = found.filter(|page| *page != facts.id) else { return Ok(None) };
        Ok(self.page(store, page)?.filter(|seen| seen.digest == Some(digest)).map(|seen| (page, seen)))
    }

    pub(super) fn declared(&self, store: &Store, digest_hash: u128) -> Result<Option<PageId>, StoreError> {
        match self.declared.get(&digest_hash) {
            Some(page) => Ok(Some(*page)),
            None => store.page_declared(digest_hash),
        }
    }

    pub(super) fn add_declared(&mut self, digest_hash: u128, page: PageId) {
        self.declared.insert(digest_hash, page);
    }

    pub(super) fn add_capture(&mut self, url: u128, origin: &PageOrigin, page: PageId) {
        let &PageOrigin { captured_at, archive_id, .. } = origin;
        self.paths.entry(archive_id).or_insert_with(|| origin.path.clone());
        self.captures.entry(url).or_default().push((captured_at, page));
        self.add_given(url, captured_at, (page, archive_id));
    }

    fn add_given(&mut self, url: u128, captured_at: Option<i64>, page_and_archive: (PageId, u128)) {
        let Some(time) = captured_at else { return };
        let given = self.given.entry((url, time)).or_default();
        if !given.contains(&page_and_archive) {
            given.push(page_and_archive);
        }
    }

    /// Whether another archive than that of `origin` has given the same capture: one of the same URL and time that holds the same page, which
    /// tells that it is the same archive, compressed or cut in another way. Captures without a time are not told apart so. What is another
    /// part or state of one file is no other archive.
    pub(super) fn is_known(
        &mut self,
        store: &Store,
        canonical_url: &str,
        origin: &PageOrigin,
        page: PageId,
    ) -> Result<bool, StoreError> {
        let Some(time) = origin.captured_at else { return Ok(false) };
        let url = url_hash(canonical_url);
        if self.asked_for.insert(url) {
            for row in store.capture_rows(url).take(KNOWN_CAPTURES_MAX) {
                let row = row?;
                self.add_given(url, row.captured_at, (row.page(), row.archive_id));
            }
        }
        let given = self.given.get(&(url, time)).into_iter().flatten();
        let others: Vec<u128> =
            given.filter(|(of, by)| *of == page && *by != origin.archive_id).map(|(_, by)| *by).collect();
        for archive in others {
            if !self.is_at(store, archive, &origin.path)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_at(&self, store: &Store, archive: u128, path: &[u8]) -> Result<bool, StoreError> {
        match self.paths.get(&archive) {
            Some(known) => Ok(known == path),
            None => Ok(store.archive(archive)?.is_some_and(|entry| to_bytes(&entry.key.path) == path)),
        }
    }

    /// Notes that a page is read from another record.
    pub(super) fn move_page(&mut self, id: PageId, page: SeenPage) {
        self.pages.insert(id, page);
    }

    /// Adds a page that shares the tree of `shares`.
    pub(super) fn add(&mut self, facts: &RecordFacts, page: SeenPage, shares: Option<PageId>) {
        let url = url_hash(&facts.canonical_url);
        if let Some(digest) = facts.digest {
            self.contents.insert((digest, url), facts.id);
            self.by_content.entry(digest).or_insert(shares.unwrap_or(facts.id));
        }
        self.add_capture(url, &page.origin, facts.id);
        self.pages.insert(facts.id, page);
    }

    /// The original of a revisit: the page captured at the URL and time that it names, or one with the payload digest that it declares. Of
    /// a revisit that names neither, the newest capture of the URL that is not newer.
    pub(super) fn original(&self, store: &Store, revisit: &Revisit) -> Result<Option<PageId>, StoreError> {
        if let (Some(url), Some(time)) = (&revisit.refers_to_url, revisit.refers_to_time) {
            let id = PageId::of(url, Some(time));
            if self.page(store, id)?.is_some() {
                return Ok(Some(id));
            }
            let captures = self.captures_of(store, url)?;
            if let Some((_, page)) = captures.into_iter().find(|(captured_at, _)| *captured_at == Some(time)) {
                return Ok(Some(page));
            }
        }
        if let Some(declared) = &revisit.payload_digest {
            return self.declared(store, declared_digest_hash(declared));
        }
        if revisit.refers_to_time.is_some() {
            return Ok(None);
        }
        let url = revisit.refers_to_url.as_ref().unwrap_or(&revisit.canonical_url);
        let captures = self.captures_of(store, url)?.into_iter();
        let former = captures.filter(|(captured_at, _)| *captured_at <= revisit.captured_at);
        Ok(former.max_by_key(|(captured_at, _)| *captured_at).map(|(_, page)| page))
    }

    fn captures_of(&self, store: &Store, url: &str) -> Result<Vec<(Option<i64>, PageId)>, StoreError> {
        let hash = url_hash(&canonical_or_written(url));
        let rows = store.capture_rows(hash).map(|row| row.map(|row| (row.captured_at, row.page())));
        let mut captures = rows.collect::<Result<Vec<(Option<i64>, PageId)>, _>>()?;
        let added = self.captures.get(&hash).into_iter().flatten();
        captures.extend(added);
        Ok(captures)
    }
}
