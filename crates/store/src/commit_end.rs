//! The end of a commit: what was appended is made to count.

use lopper_archive::page::PageId;
use lopper_faults::failpoint;

use super::commit::Commit;
use super::open::write_sequence;
use super::published::{NextRows, PublishedRows};
use super::rows::encode;
use super::{Sequence, StoreError, keys};

impl Commit<'_> {
    /// Writes all rows at once: the commit proper.
    pub(super) fn finish(mut self) -> Result<Sequence, StoreError> {
        for (host, &count) in &self.hosts {
            match count {
                0 => self.rows.remove(&keys::host(host)),
                _ => (self.rows).insert(&keys::host(host), &count.to_le_bytes()),
            }
        }
        self.last_batch();
        self.update_digest()?;
        self.next.meta.sequence.0 += 1;
        let sequence = self.next.meta.sequence;
        self.rows.insert(keys::META, &encode(&self.next.meta));
        let published = self.next.published.take();
        let rows = published.map(|rows| self.write_rows(&rows)).transpose()?;
        failpoint::pass("store.rows");
        self.store.database.apply(&self.rows)?;
        failpoint::pass("database.flushed");
        self.next.published = rows.map(NextRows::publish).transpose()?;
        failpoint::pass("store.published");
        write_sequence(&self.store.data, sequence)?;
        failpoint::pass("store.sequence");
        self.store.publish(self.next);
        Ok(sequence)
    }

    /// Writes what readers will have of this commit: a layer, or, where one that it is merged with is damaged, all rows.
    fn write_rows(&self, published: &PublishedRows) -> Result<NextRows, StoreError> {
        let sequence = self.next.meta.sequence.0;
        match published.write_next(sequence, &self.rows) {
            Err(StoreError::Damaged { what, .. }) => {
                tracing::warn!("{what} is damaged: all rows are published anew");
                NextRows::write_all(&self.store.data, sequence, self.store.database.scan(&[]), &self.rows)
            }
            written => written,
        }
    }

    /// Takes all changes over into the digest; only the meta row is not noted yet.
    fn update_digest(&mut self) -> Result<(), StoreError> {
        for (key, value) in self.rows.changes() {
            let digest = &mut self.next.meta.rows_digest;
            if let Some(old) = self.store.database.get(key)? {
                digest.remove(key, &old);
            }
            if let Some(value) = value {
                digest.add(key, value);
            }
        }
        Ok(())
    }

    fn last_batch(&mut self) {
        // A page that was deleted and put again is among those put.
        let removed = self.removed.iter().filter(|id| !self.pages.contains_key(id));
        let changed: Vec<PageId> = self.order.iter().chain(removed).copied().collect();
        let chunks = changed.chunks(keys::LAST_BATCH_CHUNK);
        let former = self.next.meta.last_batch_chunks;
        self.next.meta.last_batch_chunks = chunks.len() as u32;
        for (number, ids) in (0..).zip(chunks) {
            let ids: Vec<u8> = ids.iter().flat_map(|id| id.0.to_be_bytes()).collect();
            self.rows.insert(&keys::last_batch(number), &ids);
        }
        for number in self.next.meta.last_batch_chunks..former {
            self.rows.remove(&keys::last_batch(number));
        }
    }
}
