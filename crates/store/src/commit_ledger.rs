//! What a commit notes in the ledger.

use super::batch::ArchiveDelta;
use super::commit::Commit;
use super::ledger::ArchiveRow;
use super::ledger_file::Chunk;
use super::resume::ResumeRow;
use super::rows::encode;
use super::states::RecordEntry;
use super::{ArchiveEntry, StoreError, keys};

impl Commit<'_> {
    /// Appends an archive's records to the ledger and notes its row.
    pub(super) fn archive(&mut self, id: u128, delta: ArchiveDelta) -> Result<(), StoreError> {
        let former = self.store.archive(id)?;
        let mut entry = match (delta.key, former) {
            (Some(key), None) => ArchiveEntry::new(key),
            (Some(key), Some(_)) if delta.restart => ArchiveEntry::new(key),
            (Some(key), Some(former)) => ArchiveEntry { key, ..former },
            (None, Some(former)) => former,
            (None, None) => return Err(self.store.strange("an archive's row is missing")),
        };
        self.append_chunk(&mut entry, &delta.entries, false)?;
        self.append_chunk(&mut entry, &delta.corrections, true)?;
        entry.sums.add(&delta.sums);
        entry.sums.resolve(delta.resolved);
        entry.sums.delete(&delta.deleted);
        if delta.restart {
            self.rows.remove(&keys::resume(id));
        }
        if let Some(checkpoint) = delta.checkpoint {
            entry.position_bytes = checkpoint.position_bytes;
            entry.finished = checkpoint.finished;
            match checkpoint.resume_point.filter(|_| !checkpoint.finished) {
                Some(point) => self.rows.insert(&keys::resume(id), &encode(&ResumeRow::from(point))),
                None => self.rows.remove(&keys::resume(id)),
            }
        }
        self.rows.insert(&keys::archive(id), &encode(&ArchiveRow::from(&entry)));
        Ok(())
    }

    fn append_chunk(
        &mut self,
        entry: &mut ArchiveEntry,
        entries: &[RecordEntry],
        corrects: bool,
    ) -> Result<(), StoreError> {
        if entries.is_empty() {
            return Ok(());
        }
        let chunk = Chunk { archive: entry.key.id, previous: entry.last_chunk, corrects, entries };
        let ledger_bytes = &mut self.next.meta.ledger_bytes;
        entry.last_chunk = *ledger_bytes;
        *ledger_bytes = self.store.ledger.append(*ledger_bytes, &chunk)?;
        Ok(())
    }

    /// Removes the revisits without original that an earlier reading of the archive left.
    pub(super) fn forget_pending(&mut self, archive: u128) -> Result<(), StoreError> {
        for row in self.store.pending_rows(Some(archive)) {
            self.rows.remove(&row?.0);
        }
        Ok(())
    }
}
