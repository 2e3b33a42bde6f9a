//! Checking that the rows are those that were committed.
//!
//! sled takes a damaged record in its log for the end of that part of the log and goes on behind it: a few rows are gone or
//! as they were before, and neither opening nor reading says so. One flipped byte did this in 23 of 1,600 trials.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::database::{Row, RowBatch};
use super::published::{NextRows, PublishedRows, newest};
use super::{Store, StoreError, keys};

/// Sum of the hashes of all rows but the meta row, which keeps it. Order does not matter, and what was added can be
/// taken out, so each commit updates it by the rows that it changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RowsDigest(u64);

impl RowsDigest {
    /// Of all rows, the meta row among them.
    pub(super) fn of(rows: impl Iterator<Item = Result<Row, StoreError>>) -> Result<Self, StoreError> {
        let mut digest = Self::default();
        for row in rows {
            let (key, value) = row?;
            if key != keys::META {
                digest.add(&key, &value);
            }
        }
        Ok(digest)
    }

    pub(super) fn add(&mut self, key: &[u8], value: &[u8]) {
        self.0 = self.0.wrapping_add(row_hash(key, value));
    }

    pub(super) fn remove(&mut self, key: &[u8], value: &[u8]) {
        self.0 = self.0.wrapping_sub(row_hash(key, value));
    }
}

fn row_hash(key: &[u8], value: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&(key.len() as u64).to_le_bytes());
    hasher.update(key);
    hasher.update(value);
    hasher.digest()
}

impl Store {
    /// Reads all rows, those of the pages too, and compares them with what was committed. Commits wait until it is done. Trees are not read:
    /// each has its own checksum.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn verify(&self) -> Result<(), StoreError> {
        self.verify_rows()?;
        self.pages().try_for_each(|page| page.map(drop))
    }

    /// Compares what is published for readers with the database. A folder of a program that published nothing is right too.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn check_published(&self) -> Result<(), StoreError> {
        let _no_commit = self.writer();
        if newest(&self.data).is_none() {
            return Ok(());
        }
        let rows = PublishedRows::open(&self.data, self.sequence().0)?;
        let rows = rows.ok_or_else(|| self.strange("the rows for readers are of another commit"))?;
        let digest = RowsDigest::of(rows.scan(&[]))?;
        if digest == self.meta().rows_digest && rows.get(keys::META)? == self.database.get(keys::META)? {
            Ok(())
        } else {
            Err(self.strange("the rows for readers are not those of the database"))
        }
    }

    /// Publishes all rows for readers anew.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn publish_again(&self) -> Result<(), StoreError> {
        let _no_commit = self.writer();
        let mut current = self.current();
        let rows = self.database.scan(&[]);
        let rows = NextRows::write_all(&self.data, current.meta.sequence.0, rows, &RowBatch::default())?;
        current.published = Some(rows.publish()?);
        self.publish(current);
        Ok(())
    }

    /// The same as [`verify`](Self::verify) for the database alone.
    ///
    /// # Errors
    ///
    /// As [`verify`](Self::verify).
    pub fn verify_rows(&self) -> Result<(), StoreError> {
        let _no_commit = self.writer();
        if RowsDigest::of(self.database.scan(&[]))? == self.meta().rows_digest {
            Ok(())
        } else {
            Err(self.strange("its database has lost or altered rows"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::support::{commit, page};
    use super::super::{OpenMode, StoreError, keys};
    use super::*;

    #[test]
    fn lost_altered_and_additional_rows_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), OpenMode::Write).unwrap();
        commit(&store, "http://oak.example/", "oak");
        commit(&store, "http://oak.example/", "elm");
        store.verify().unwrap();
        let key = keys::page(page("http://oak.example/").id);
        let sound = store.database.get(&key).unwrap().unwrap();
        for value in [None, Some(&b"altered"[..])] {
            let mut batch = RowBatch::default();
            match value {
                Some(value) => batch.insert(&key, value),
                None => batch.remove(&key),
            }
            store.database.apply(&batch).unwrap();
            let error = store.verify().unwrap_err();
            assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        }
        let mut batch = RowBatch::default();
        batch.insert(&key, &sound);
        batch.insert(b"x", b"");
        store.database.apply(&batch).unwrap();
        assert!(store.verify().is_err());
        drop(store);
        for mode in [OpenMode::ReadAlone, OpenMode::Write] {
            let error = Store::open(folder.path(), mode).unwrap_err();
            assert!(error.to_string().contains("lost or altered rows"), "{error}");
        }
    }
}
