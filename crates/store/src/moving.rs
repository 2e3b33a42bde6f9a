//! Pages that are here already: which of two copies counts, and from which a page is read.

use lopper_archive::page::{PageId, Provenance};

use super::batch::Change;
use super::page::PageOrigin;
use super::seen::SeenPage;
use super::{PageBatch, RecordPlace, Store, StoreError};

impl PageBatch {
    /// Whether the page of that identity is there with more HTML than `html_bytes`: what a damaged copy of it must not replace.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn has_more_of(&self, store: &Store, page: PageId, html_bytes: u64) -> Result<bool, StoreError> {
        Ok(self.seen.page(store, page)?.is_some_and(|seen| seen.html_bytes > html_bytes))
    }

    /// Ties a page to the record at `place`, a [duplicate](Self::duplicate) of it: its HTML is read from there from now on.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn move_page(
        &mut self,
        store: &Store,
        place: &RecordPlace<'_>,
        page: PageId,
        provenance: Provenance,
    ) -> Result<(), StoreError> {
        let Some(seen) = self.seen.page(store, page)? else { return Ok(()) };
        let origin = PageOrigin::new(place, seen.origin.captured_at);
        self.seen.move_page(page, SeenPage { origin: origin.clone(), ..seen });
        self.changes.push(Change::Move { page, origin, provenance });
        Ok(())
    }
}
