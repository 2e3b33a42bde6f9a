//! Revisits: with their original, and those whose original comes after them.

use std::ops::AddAssign;

use lopper_archive::page::{PageId, SkipReason};

use super::batch::Change;
use super::captures::{CaptureKind, PendingRow, Revisit};
use super::ledger::{ArchiveKey, RecordPlace};
use super::page::PageOrigin;
use super::states::{RecordEntry, RecordState};
use super::{PageBatch, Store, StoreError};

/// Revisits that are resolved in one commit.
const RESOLVED_MAX: u64 = 10_000;

/// Revisits that had no original, and have one now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResolvedRevisits {
    /// One more capture of their original each.
    pub revisits: u64,
    /// Captures that another archive has given already.
    pub known: u64,
}

impl ResolvedRevisits {
    /// All of them.
    pub fn count(self) -> u64 {
        self.revisits + self.known
    }
}

impl AddAssign for ResolvedRevisits {
    fn add_assign(&mut self, other: Self) {
        self.revisits += other.revisits;
        self.known += other.known;
    }
}

impl Store {
    /// Looks once more for the originals of revisits that had none, and fills `batch` with those that have one now, up to 10,000. When there are
    /// some, the batch is to be committed and the call repeated.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn resolve_revisits(&self, batch: &mut PageBatch) -> Result<ResolvedRevisits, StoreError> {
        let mut resolved = ResolvedRevisits::default();
        for row in self.pending_rows(None) {
            let (key, value) = row?;
            let (id, ordinal) = pending_key(&key).ok_or_else(|| self.strange("a revisit's key"))?;
            let row: PendingRow = self.decoded(&value, "a revisit's row")?;
            let Some(archive) = self.archive(id)? else { continue };
            resolved += batch.resolve(self, &archive.key, ordinal, &row)?;
            if resolved.count() == RESOLVED_MAX {
                break;
            }
        }
        Ok(resolved)
    }
}

impl PageBatch {
    /// Adds a revisit record, and gives its original when that is there. Without it the record is
    /// [`SkipReason::RevisitUnresolved`] until [`Store::resolve_revisits`] finds it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn revisit(
        &mut self,
        store: &Store,
        place: &RecordPlace<'_>,
        revisit: Revisit,
    ) -> Result<Option<PageId>, StoreError> {
        let original = self.seen.original(store, &revisit)?;
        if let Some(page) = original {
            let origin = PageOrigin::new(place, revisit.captured_at);
            if self.seen.is_known(store, &revisit.canonical_url, &origin, page)? {
                self.skip(place, SkipReason::KnownCapture);
                return Ok(Some(page));
            }
            self.note(place, None, RecordState::Revisit { page });
            self.capture(&revisit.canonical_url, &origin, page, CaptureKind::Revisit);
            self.changes.push(Change::Resolved { archive: place.archive.id, ordinal: place.ordinal });
        } else {
            self.skip(place, SkipReason::RevisitUnresolved);
            let row = PendingRow { revisit, offset_bytes: place.offset_bytes };
            self.changes.push(Change::Pending { archive: place.archive.id, ordinal: place.ordinal, row });
        }
        Ok(original)
    }

    /// Takes up a revisit of a former batch again; nothing, when its original is still not there.
    pub(super) fn resolve(
        &mut self,
        store: &Store,
        archive: &ArchiveKey,
        ordinal: u64,
        row: &PendingRow,
    ) -> Result<ResolvedRevisits, StoreError> {
        let mut resolved = ResolvedRevisits::default();
        let Some(page) = self.seen.original(store, &row.revisit)? else { return Ok(resolved) };
        let place = RecordPlace { archive, ordinal, offset_bytes: row.offset_bytes };
        if store.keeps_out(&place, &row.revisit.facts()) {
            return Ok(resolved);
        }
        let (url, origin) = (&row.revisit.canonical_url, PageOrigin::new(&place, row.revisit.captured_at));
        let state = if self.seen.is_known(store, url, &origin, page)? {
            resolved.known = 1;
            RecordState::Skipped { reason: SkipReason::KnownCapture }
        } else {
            resolved.revisits = 1;
            self.capture(url, &origin, page, CaptureKind::Revisit);
            RecordState::Revisit { page }
        };
        let delta = self.archives.entry(archive.id).or_default();
        delta.corrections.push(RecordEntry::new(ordinal, row.offset_bytes, None, state));
        delta.resolved += resolved;
        self.changes.push(Change::Resolved { archive: archive.id, ordinal });
        Ok(resolved)
    }
}

fn pending_key(key: &[u8]) -> Option<(u128, u64)> {
    let (archive, ordinal) = key.get(1..)?.split_at_checked(16)?;
    Some((u128::from_be_bytes(archive.try_into().ok()?), u64::from_be_bytes(ordinal.try_into().ok()?)))
}
