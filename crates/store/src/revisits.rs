//! Revisits whose original comes after them.

use std::ops::AddAssign;

use super::captures::PendingRow;
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

fn pending_key(key: &[u8]) -> Option<(u128, u64)> {
    let (archive, ordinal) = key.get(1..)?.split_at_checked(16)?;
    Some((u128::from_be_bytes(archive.try_into().ok()?), u64::from_be_bytes(ordinal.try_into().ok()?)))
}
