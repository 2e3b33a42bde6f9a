//! Pages by what they hold.

use lopper_archive::page::PageId;

use super::digest::url_hash;
use super::page::PageOrigin;
use super::{ContentDigest, RecordFacts, RecordPlace, Store, StoreError, keys};

impl Store {
    /// Whether the record at `place` is a duplicate, as far as committed pages tell: [`PageBatch::duplicate`](super::PageBatch::duplicate)
    /// has the last word.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn is_duplicate(&self, place: &RecordPlace<'_>, facts: &RecordFacts) -> Result<bool, StoreError> {
        let Some(digest) = facts.digest else { return Ok(false) };
        if self.page_with(digest, url_hash(&facts.canonical_url))?.is_none() {
            return Ok(false);
        }
        let origin = PageOrigin::new(place, facts.captured_at);
        Ok(!self.page_row(facts.id)?.is_some_and(|row| row.origin().is_same_record(&origin)))
    }

    /// The page of that URL with that content.
    pub(super) fn page_with(&self, digest: ContentDigest, url_hash: u128) -> Result<Option<PageId>, StoreError> {
        self.page_named(&keys::content(digest, url_hash))
    }

    /// A page with that content.
    pub(super) fn page_with_content(&self, digest: ContentDigest) -> Result<Option<PageId>, StoreError> {
        let row = self.database.scan(&keys::contents(digest)).next().transpose()?;
        row.map(|(_, page)| self.page_id(&page)).transpose()
    }

    /// The pages with that content.
    pub(super) fn pages_with_content(&self, digest: ContentDigest) -> Result<Vec<PageId>, StoreError> {
        self.database.scan(&keys::contents(digest)).map(|row| self.page_id(&row?.1)).collect()
    }

    /// A page whose archive declares that payload digest.
    pub(super) fn page_declared(&self, digest_hash: u128) -> Result<Option<PageId>, StoreError> {
        self.page_named(&keys::declared(digest_hash))
    }

    fn page_named(&self, key: &[u8]) -> Result<Option<PageId>, StoreError> {
        let row = self.database.get(key)?;
        row.map(|page| self.page_id(&page)).transpose()
    }
}
