//! The rows as readers have them: published at each commit in files that any process may read beside the writer.
//!
//! sled is for one process, which must be able to write. So each commit also writes the rows that it changes as a [layer](super::row_layer),
//! merged with those before it that are not at least twice as large, and names the layers below. The file of a commit and those it names are
//! all rows as they were then, the meta row among them; they stay for some seconds after the next commits, so that who is just opening them
//! finds them whole.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lopper_faults::disk::sync_folder;

use super::database::{Database, Row, RowBatch};
use super::files::{published_sequences, rows_path, rows_unfinished_path};
use super::merged_rows::{BoxedRows, Merged, boxed, changed, is_removed};
use super::row_layer::{RowLayer, write_layer};
use super::{DamagedPart, StoreError, keys};

/// Layers below this size count as large as this: smaller ones would only be many.
const LAYER_BYTES_MIN: u64 = 64 << 10;

/// All rows as of one commit.
#[derive(Debug, Clone)]
pub(super) struct PublishedRows {
    data: PathBuf,
    /// Oldest first.
    layers: Vec<Arc<RowLayer>>,
}

/// A layer that is written and not yet published.
pub(super) struct NextRows {
    data: PathBuf,
    sequence: u64,
    below: Vec<Arc<RowLayer>>,
}

impl PublishedRows {
    /// The rows of commit `sequence`, or `None` when they are not there (any more).
    pub(super) fn open(data: &Path, sequence: u64) -> Result<Option<Self>, StoreError> {
        match RowLayer::open(data, sequence)? {
            Some(newest) => Self::with_former(data, newest),
            None => Ok(None),
        }
    }

    fn with_former(data: &Path, newest: RowLayer) -> Result<Option<Self>, StoreError> {
        let mut layers = Vec::with_capacity(newest.former.len() + 1);
        for former in &newest.former {
            match RowLayer::open(data, *former)? {
                Some(layer) => layers.push(Arc::new(layer)),
                None => return Ok(None),
            }
        }
        layers.push(Arc::new(newest));
        Ok(Some(Self { data: data.to_owned(), layers }))
    }

    /// The rows for the writer that opens the folder: those that were published, or that were about to be; else all of them are published anew.
    pub(super) fn recover(data: &Path, database: &Database, sequence: u64) -> Result<Self, StoreError> {
        let meta = database.get(keys::META)?;
        let is_current = |rows: &Self| rows.get(keys::META).is_ok_and(|row| row == meta);
        if let Ok(Some(rows)) = Self::open(data, sequence)
            && is_current(&rows)
        {
            return Ok(rows);
        }
        let unfinished = RowLayer::open_file(data, &rows_unfinished_path(data, sequence));
        if let Ok(Some(newest)) = unfinished
            && newest.sequence == sequence
            && let Ok(Some(rows)) = Self::with_former(data, newest)
            && is_current(&rows)
        {
            let below = rows.layers[..rows.layers.len() - 1].to_vec();
            return NextRows { data: data.to_owned(), sequence, below }.publish();
        }
        NextRows::write_all(data, sequence, database.scan(&[]), &RowBatch::default())?.publish()
    }

    /// Writes what commit `sequence` changes, durably, but publishes it not yet.
    pub(super) fn write_next(&self, sequence: u64, changes: &RowBatch) -> Result<NextRows, StoreError> {
        let new: u64 = changes.changes().map(|(key, row)| (key.len() + row.map_or(0, <[u8]>::len) + 5) as u64).sum();
        let (mut kept, mut bytes) = (self.layers.len(), new.max(LAYER_BYTES_MIN));
        while kept > 0 && self.layers[kept - 1].bytes.max(LAYER_BYTES_MIN) < 2 * bytes {
            bytes += self.layers[kept - 1].bytes;
            kept -= 1;
        }
        let (below, merged) = self.layers.split_at(kept);
        let former: Vec<u64> = below.iter().map(|layer| layer.sequence).collect();
        let mut parts: Vec<BoxedRows<'_>> = merged.iter().map(|layer| boxed(layer.rows_from(&[]))).collect();
        parts.push(boxed(changed(changes)));
        // With nothing below, nothing is there that a removed row would hide.
        let rows = Merged::new(parts).filter(|row| !below.is_empty() || !is_removed(row));
        write_layer(&rows_unfinished_path(&self.data, sequence), sequence, &former, rows)?;
        Ok(NextRows { data: self.data.clone(), sequence, below: below.to_vec() })
    }

    pub(super) fn data(&self) -> &Path {
        &self.data
    }

    /// The commit whose rows these are.
    pub(super) fn sequence(&self) -> u64 {
        self.layers.last().map_or(0, |layer| layer.sequence)
    }

    /// Tells these from rows of the same number in another folder.
    pub(super) fn checksum(&self) -> u64 {
        self.layers.last().map_or(0, |layer| layer.checksum)
    }

    /// The files with all of them.
    pub(super) fn held(&self) -> Result<Vec<(String, File)>, StoreError> {
        self.layers.iter().map(|layer| layer.held()).collect()
    }

    /// The commits whose files these rows are in.
    pub(super) fn files(&self) -> BTreeSet<u64> {
        self.layers.iter().map(|layer| layer.sequence).collect()
    }

    pub(super) fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        for layer in self.layers.iter().rev() {
            if let Some(row) = layer.get(key)? {
                return Ok(row);
            }
        }
        Ok(None)
    }

    /// Rows whose key begins with `prefix`, in key order. Ends after an error.
    pub(super) fn scan(&self, prefix: &[u8]) -> impl Iterator<Item = Result<Row, StoreError>> + use<'_> {
        let end = prefix.to_vec();
        let rows = Merged::new(self.layers.iter().map(|layer| layer.rows_from(prefix)).collect());
        let rows = rows.take_while(move |row| row.as_ref().map_or(true, |(key, _)| key.starts_with(&end)));
        rows.filter_map(|row| row.map(|(key, row)| Some((key, row?))).transpose())
    }
}

impl NextRows {
    /// Writes `rows`, which are all, with the changes of commit `sequence`, as one layer.
    pub(super) fn write_all(
        data: &Path,
        sequence: u64,
        rows: impl Iterator<Item = Result<Row, StoreError>>,
        changes: &RowBatch,
    ) -> Result<Self, StoreError> {
        let rows = boxed(rows.map(|row| row.map(|(key, row)| (key, Some(row)))));
        let rows = Merged::new(vec![rows, boxed(changed(changes))]).filter(|row| !is_removed(row));
        write_layer(&rows_unfinished_path(data, sequence), sequence, &[], rows)?;
        Ok(Self { data: data.to_owned(), sequence, below: Vec::new() })
    }

    /// Makes the layer what readers find.
    pub(super) fn publish(self) -> Result<PublishedRows, StoreError> {
        let (unfinished, path) =
            (rows_unfinished_path(&self.data, self.sequence), rows_path(&self.data, self.sequence));
        fs::rename(&unfinished, &path).map_err(StoreError::io("rename", &unfinished))?;
        sync_folder(&self.data).map_err(StoreError::io("sync", &self.data))?;
        let newest = RowLayer::open(&self.data, self.sequence)?.ok_or_else(|| {
            let what = format!("rows-{}.bin is missing", self.sequence);
            StoreError::inconsistent(&self.data, DamagedPart::PublishedRows, what)
        })?;
        let layers = self.below.into_iter().chain([Arc::new(newest)]).collect();
        Ok(PublishedRows { data: self.data, layers })
    }
}

/// The commit whose rows count: that of the sequence file, if its rows are there, else the newest one.
pub(super) fn newest(data: &Path) -> Option<u64> {
    let there = published_sequences(data);
    let noted = fs::read_to_string(super::files::sequence_path(data)).ok();
    let noted = noted.and_then(|text| text.trim().parse().ok()).filter(|noted| there.contains(noted));
    noted.or_else(|| there.last().copied())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Commits of few and of many rows, and removed ones, against a map.
    #[test]
    fn layers_give_the_rows_of_each_commit() {
        let folder = tempfile::tempdir().unwrap();
        let none = std::iter::empty();
        let mut rows = NextRows::write_all(folder.path(), 0, none, &RowBatch::default()).unwrap().publish().unwrap();
        let mut model: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        let mut layers_max = 0;
        for commit in 1..30u32 {
            let mut batch = RowBatch::default();
            let many = if commit % 10 == 1 { 3000 } else { 20 };
            for number in 0..many {
                let key = [&b"p"[..], &(number * 37 % 4000u32 + commit % 3).to_be_bytes()].concat();
                if (number + commit) % 4 == 0 {
                    batch.remove(&key);
                    model.remove(&key);
                } else {
                    let value = vec![commit as u8; (number % 40 + many / 20) as usize];
                    batch.insert(&key, &value);
                    model.insert(key, value);
                }
            }
            rows = rows.write_next(commit.into(), &batch).unwrap().publish().unwrap();
            layers_max = layers_max.max(rows.layers.len());
            let read = PublishedRows::open(folder.path(), commit.into()).unwrap().unwrap();
            for prefix in [&b""[..], b"p\0\0\x05", b"q"] {
                let expected: Vec<Row> = model.clone().into_iter().filter(|(key, _)| key.starts_with(prefix)).collect();
                assert!(read.scan(prefix).map(Result::unwrap).collect::<Vec<_>>() == expected, "commit {commit}");
            }
            for number in (0..4010u32).step_by(37) {
                let key = [&b"p"[..], &number.to_be_bytes()].concat();
                assert_eq!(read.get(&key).unwrap().as_ref(), model.get(&key));
            }
        }
        assert!((2..6).contains(&layers_max), "{layers_max} layers");
        assert_eq!(newest(folder.path()), Some(29));
        std::fs::write(folder.path().join("sequence"), "28\n").unwrap();
        assert_eq!(newest(folder.path()), Some(28), "commit 29 is not done");
    }

    #[test]
    fn a_layer_that_is_gone_is_not_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let batch = |number: u32| {
            let mut batch = RowBatch::default();
            (0..number).for_each(|key| batch.insert(&[&b"p"[..], &key.to_be_bytes()].concat(), &[7; 50]));
            batch
        };
        let all = NextRows::write_all(folder.path(), 0, std::iter::empty(), &batch(5000)).unwrap().publish().unwrap();
        let rows = all.write_next(1, &batch(9)).unwrap().publish().unwrap();
        assert_eq!(rows.files(), BTreeSet::from([0, 1]));
        std::fs::remove_file(rows_path(folder.path(), 0)).unwrap();
        assert!(PublishedRows::open(folder.path(), 1).unwrap().is_none());
        assert!(rows.get(&[b'p', 0, 0, 1, 0]).unwrap().is_some(), "who has it open reads on");
    }
}
