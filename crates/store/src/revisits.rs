//! Revisits whose original comes after them.

use std::collections::BTreeMap;

use super::captures::PendingRow;
use super::{PageBatch, Store, StoreError};

/// Revisits that are resolved in one commit.
const RESOLVED_MAX: usize = 10_000;

impl Store {
    /// Looks once more for the originals of revisits that had none, and fills `batch` with those that have one now, up to 10,000. Gives
    /// their number by archive; when there are some, the batch is to be committed and the call repeated.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn resolve_revisits(&self, batch: &mut PageBatch) -> Result<BTreeMap<u128, u64>, StoreError> {
        let mut resolved = BTreeMap::new();
        let mut left = RESOLVED_MAX;
        for row in self.pending_rows(None) {
            let (key, value) = row?;
            let (id, ordinal) = pending_key(&key).ok_or_else(|| self.strange("a revisit's key"))?;
            let row: PendingRow = self.decoded(&value, "a revisit's row")?;
            let Some(archive) = self.archive(id)? else { continue };
            if batch.resolve(self, &archive.key, ordinal, &row)? {
                *resolved.entry(id).or_default() += 1;
                left -= 1;
            }
            if left == 0 {
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
