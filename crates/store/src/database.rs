//! sled behind a guard: the only code that calls it. Short rows that come with every page share rows of sled ([`bucket`]).
//!
//! sled 0.34.7 panics on some damage instead of returning an error (sled #1387, #1189; a flipped byte in `db` does it),
//! on open or at the first read of the page. So every call goes through [`Database::guarded`], which turns a panic
//! into [`StoreError::Damaged`]; after one the handle refuses further calls. The program's panic hook
//! (`telemetry`) does not tell of these.

use std::collections::BTreeMap;
use std::io;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lopper_faults::{failpoint, guard};

use super::bucket::{self, Bucket};
use super::files::database_path;
use super::{DamageCause, DamagedPart, StoreError};

/// Memory that sled may use for its pages.
pub(super) const CACHE_BYTES: u64 = 64 << 20;

/// How long an own former handle may go on holding sled's lock: its threads let go of the file a little after the drop.
const RELEASE_MAX: Duration = Duration::from_secs(10);

/// Rows in key order, in one tree, so that a batch is atomic.
#[derive(Debug)]
pub(super) struct Database {
    /// `None` only while dropping.
    sled: Option<sled::Db>,
    data: PathBuf,
    failed: AtomicBool,
}

/// Changes that are applied together or not at all.
#[derive(Debug, Default)]
pub(super) struct RowBatch(BTreeMap<Vec<u8>, Option<Vec<u8>>>);

impl RowBatch {
    pub(super) fn insert(&mut self, key: &[u8], value: &[u8]) {
        self.0.insert(key.to_vec(), Some(value.to_vec()));
    }

    pub(super) fn remove(&mut self, key: &[u8]) {
        self.0.insert(key.to_vec(), None);
    }

    /// The row as it will be, if it is changed: `Some(None)` where it is removed.
    #[allow(clippy::option_option)] // Not changed, removed, or changed to this.
    pub(super) fn get(&self, key: &[u8]) -> Option<Option<&[u8]>> {
        self.0.get(key).map(Option::as_deref)
    }

    /// Each changed key with its new value, or `None` where the row is removed.
    pub(super) fn changes(&self) -> impl Iterator<Item = (&[u8], Option<&[u8]>)> {
        self.0.iter().map(|(key, value)| (&key[..], value.as_deref()))
    }
}

impl Database {
    /// Opens or makes the database at `path`. The caller holds the lock of the data folder `data`.
    pub(super) fn open(data: &Path, path: &Path) -> Result<Self, StoreError> {
        Self::open_within(data, path, CACHE_BYTES)
    }

    /// The same with a cache of that many bytes.
    pub(super) fn open_within(data: &Path, path: &Path, cache_bytes: u64) -> Result<Self, StoreError> {
        // Nothing is written between commits, and a commit flushes, so the timed flush is off.
        let config = sled::Config::new().path(path).cache_capacity(cache_bytes).flush_every_ms(None);
        let started = Instant::now();
        let sled = loop {
            let opened = guard::guarded(|| config.open());
            match opened {
                Ok(Ok(sled)) => break sled,
                Ok(Err(error)) if is_lock_error(&error) => {
                    if started.elapsed() > RELEASE_MAX {
                        return Err(StoreError::DataInUse { data: data.to_owned() });
                    }
                    std::thread::sleep(Duration::from_millis(5));
                }
                Ok(Err(error)) => return Err(sled_error(data, path, error)),
                Err(panic) => return Err(unreadable(data, panic)),
            }
        };
        Ok(Self { sled: Some(sled), data: data.to_owned(), failed: AtomicBool::new(false) })
    }

    pub(super) fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        if let Some((bucket, rest)) = bucket::place(key)
            && let Some(bucket) = self.guarded(|sled| sled.get(bucket))?
            && let Some(row) = bucket::find(&bucket, rest).map_err(|error| self.malformed(error))?
        {
            return Ok(Some(row.to_vec()));
        }
        self.sled_row(key)
    }

    /// Rows whose key begins with `prefix`, in key order. Ends after an error.
    pub(super) fn scan(&self, prefix: &[u8]) -> Rows<'_> {
        let bucket = bucket::place(prefix).map_or(prefix, |(bucket, _)| bucket);
        Rows {
            database: self,
            prefix: prefix.to_vec(),
            iter: self.guarded(|sled| Ok(sled.scan_prefix(bucket))).map(Some),
            ahead: None,
            bucket: Vec::new().into_iter().peekable(),
        }
    }

    /// Applies `batch` and returns when it is on disk.
    pub(super) fn apply(&self, batch: &RowBatch) -> Result<(), StoreError> {
        let batch = self.sled_batch(batch)?;
        self.guarded(|sled| {
            sled.apply_batch(batch)?;
            failpoint::pass("database.applied");
            sled.flush().map(drop)
        })
    }

    /// The batch for sled, in which the changes of a bucket are one.
    fn sled_batch(&self, batch: &RowBatch) -> Result<sled::Batch, StoreError> {
        let mut sled_batch = sled::Batch::default();
        let mut put = |key: &[u8], value: Option<&[u8]>| match value {
            Some(value) => sled_batch.insert(key, value),
            None => sled_batch.remove(key),
        };
        let mut buckets: BTreeMap<&[u8], Vec<bucket::Change<'_>>> = BTreeMap::new();
        for (key, value) in batch.changes() {
            match bucket::place(key) {
                Some((bucket, rest)) => buckets.entry(bucket).or_default().push((rest, value)),
                None => put(key, value),
            }
        }
        for (key, changes) in buckets {
            let present = self.sled_row(key)?.unwrap_or_default();
            let mut bucket = Bucket::new(&present).map_err(|error| self.malformed(error))?;
            for (rest, row) in changes {
                let own = [key, rest].concat();
                let is_own = !bucket.holds(rest) && self.guarded(|sled| sled.contains_key(&own))?;
                let fits = !is_own && bucket.change(rest, row);
                if !fits {
                    put(&own, row);
                }
            }
            put(key, Some(&bucket.into_bytes()[..]).filter(|bucket| !bucket.is_empty()));
        }
        Ok(sled_batch)
    }

    fn sled_row(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.guarded(|sled| sled.get(key))?.map(|row| row.to_vec()))
    }

    fn malformed(&self, what: &'static str) -> StoreError {
        StoreError::inconsistent(&self.data, DamagedPart::Database, what)
    }

    fn guarded<T>(&self, call: impl FnOnce(&sled::Db) -> sled::Result<T>) -> Result<T, StoreError> {
        let sled = match &self.sled {
            Some(sled) if !self.failed.load(Ordering::Acquire) => sled,
            _ => return Err(self.refused()),
        };
        match guard::guarded(|| call(sled)) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(sled_error(&self.data, &database_path(&self.data), error)),
            Err(panic) => {
                self.failed.store(true, Ordering::Release);
                Err(unreadable(&self.data, panic))
            }
        }
    }

    fn refused(&self) -> StoreError {
        self.malformed("its database failed before")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let sled = self.sled.take();
        // sled flushes on drop, which panics on damage like everything else; there is nobody left to tell.
        let _ = guard::guarded(|| drop(sled));
    }
}

/// A row: key and value.
pub(super) type Row = (Vec<u8>, Vec<u8>);

/// Iterator over rows; see [`Database::scan`].
pub(super) struct Rows<'a> {
    database: &'a Database,
    prefix: Vec<u8>,
    iter: Result<Option<sled::Iter>, StoreError>,
    /// sled's row that comes next.
    ahead: Option<Row>,
    /// What is left of the present bucket. Rows for which it had no room stand behind it in sled.
    bucket: Peekable<std::vec::IntoIter<Row>>,
}

impl Rows<'_> {
    /// Reads sled's next row, which may be a bucket, unless it is read already. After an error there is none.
    fn read_ahead(&mut self) -> Result<(), StoreError> {
        if self.ahead.is_some() {
            return Ok(());
        }
        let iter = match &mut self.iter {
            Ok(Some(iter)) => iter,
            Ok(None) => return Ok(()),
            Err(_) => return std::mem::replace(&mut self.iter, Ok(None)).map(drop),
        };
        let read = self.database.guarded(|_| iter.next().transpose());
        if read.is_err() {
            self.iter = Ok(None);
        }
        self.ahead = read?.map(|(key, value)| (key.to_vec(), value.to_vec()));
        Ok(())
    }

    /// The rows of a bucket that begin with the prefix.
    fn unpack(&self, key: &[u8], bucket: &[u8]) -> Result<Vec<Row>, StoreError> {
        let rows = bucket::entries(bucket).map(|entry| entry.map(|(rest, row)| ([key, rest].concat(), row.to_vec())));
        let rows = rows.filter(|row| row.as_ref().map_or(true, |(key, _)| key.starts_with(&self.prefix)));
        rows.collect::<Result<_, _>>().map_err(|error| self.database.malformed(error))
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Row, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Err(error) = self.read_ahead() {
                return Some(Err(error));
            }
            let bucket_first = match (self.bucket.peek(), &self.ahead) {
                (Some((row, _)), Some((ahead, _))) => bucket::is_bucket(ahead) || row < ahead,
                (row, _) => row.is_some(),
            };
            if bucket_first {
                return self.bucket.next().map(Ok);
            }
            let (key, value) = self.ahead.take()?;
            if bucket::is_bucket(&key) {
                match self.unpack(&key, &value) {
                    Ok(rows) => self.bucket = rows.into_iter().peekable(),
                    Err(error) => {
                        self.iter = Ok(None);
                        return Some(Err(error));
                    }
                }
            } else if key.starts_with(&self.prefix) {
                return Some(Ok((key, value)));
            }
        }
    }
}

fn is_lock_error(error: &sled::Error) -> bool {
    matches!(error, sled::Error::Io(cause) if cause.to_string().contains("could not acquire lock"))
}

fn sled_error(data: &Path, path: &Path, error: sled::Error) -> StoreError {
    match error {
        sled::Error::Io(source) if source.kind() != std::io::ErrorKind::UnexpectedEof => {
            StoreError::io("use the database", path)(source)
        }
        // On a full disk the database cannot write what it reads back, and takes that for damage.
        other => match room_for_writing(data) {
            Err(full) => StoreError::io("use the database", path)(full),
            Ok(()) => unreadable(data, other),
        },
    }
}

/// An error where nothing can be written since the disk is full.
fn room_for_writing(data: &Path) -> io::Result<()> {
    /// Bytes that are tried.
    const BYTES: usize = 64 << 10;
    let probe = data.join("probe.part");
    let written = std::fs::write(&probe, vec![1; BYTES]);
    // What is left of it is nothing to anybody.
    let _ = std::fs::remove_file(&probe);
    written.or_else(|error| if error.kind() == io::ErrorKind::StorageFull { Err(error) } else { Ok(()) })
}

fn unreadable(data: &Path, cause: impl Into<DamageCause>) -> StoreError {
    StoreError::damaged(data, DamagedPart::Database, "its database is unreadable", cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of one bucket and of its neighbours, far more than it has room for, added, changed and removed.
    #[test]
    fn rows_beyond_a_bucket_are_found_changed_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(folder.path(), &folder.path().join("store")).unwrap();
        let mut model: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        let key = |number: u32| [&b"cab"[..], &(number % 3).to_be_bytes(), &number.to_be_bytes()].concat();
        let other = |number: u32| [&b"cac"[..], &number.to_be_bytes()].concat();
        for round in 0..6u32 {
            let mut batch = RowBatch::default();
            for number in (0..400u32).filter(|number| (number * 7 + round * 5) % 4 < 3) {
                let value = vec![round as u8; 20 + ((number + round) % 50) as usize];
                for key in [key(number), other(number)] {
                    if (number + round) % 5 == 0 {
                        batch.remove(&key);
                        model.remove(&key);
                    } else {
                        batch.insert(&key, &value);
                        model.insert(key, value.clone());
                    }
                }
            }
            batch.insert(b"m", &[1]);
            database.apply(&batch).unwrap();
            for prefix in [&b"c"[..], b"cab", b"cac", b"cab\0\0\0\x01", b"cad"] {
                let expected: Vec<Row> = model.clone().into_iter().filter(|(key, _)| key.starts_with(prefix)).collect();
                let read: Vec<Row> = database.scan(prefix).map(Result::unwrap).collect();
                assert_eq!(read, expected, "round {round}");
            }
            for number in 0..400 {
                assert_eq!(database.get(&key(number)).unwrap().as_ref(), model.get(&key(number)));
            }
        }
        let rows = database.guarded(|sled| Ok(sled.len())).unwrap();
        assert!((100..model.len()).contains(&rows), "{rows} rows of sled for {}", model.len());
    }
}
