//! Opening a data folder beside the process that has it, as it was at a commit.

use std::path::Path;
use std::sync::{Arc, Mutex, RwLock};
use std::thread::sleep;
use std::time::{Duration, Instant};

use lopper_content::statistics::StatisticsSnapshot;
use lopper_migrations::DataLock;

use super::blobs::BlobFile;
use super::bodies::BodyFile;
use super::files::{READY_NAME, REBUILD_NAME};
use super::ledger_file::LedgerFile;
use super::open::{Current, Writer, admit, checked_meta};
use super::page_file::PageFile;
use super::published::{PublishedRows, newest};
use super::rebuild::finish_rebuild;
use super::retention::Retention;
use super::row_source::RowSource;
use super::statistics::read_statistics;
use super::takedowns::Takedowns;
use super::{DamagedPart, OpenMode, Sequence, Store, StoreError, keys};

/// How long a reader waits for a folder that is just being made or changed as a whole.
const WAIT_MAX: Duration = Duration::from_secs(10);

/// Time between two tries.
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

impl Store {
    /// Opens the data folder for reading, as it was at the commit `at`, or, where that is no longer there, at the last one.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); never [`StoreError::DataInUse`], but for folders of programs that published nothing for readers.
    pub fn open_at(data: &Path, at: Sequence) -> Result<Self, StoreError> {
        admit(data, OpenMode::Read)?;
        Self::open_published(data, Some(at))
    }

    /// The number of the last commit that readers can open, without opening it; `None` in folders of programs that published nothing.
    pub fn published_sequence(data: &Path) -> Option<Sequence> {
        newest(data).map(Sequence)
    }

    pub(super) fn open_published(data: &Path, at: Option<Sequence>) -> Result<Self, StoreError> {
        let started = Instant::now();
        loop {
            finish_swap(data);
            let sequence = at.map(|at| at.0).filter(|at| matches!(PublishedRows::open(data, *at), Ok(Some(_))));
            let sequence = sequence.or_else(|| newest(data));
            let opened = match sequence {
                Some(sequence) => Self::try_published(data, sequence, read_statistics),
                None => Self::open_unpublished(data).map(Some),
            };
            let is_late = started.elapsed() > WAIT_MAX;
            match opened {
                Ok(Some(store)) => return Ok(store),
                // Another commit, or another store in its place, came between two looks.
                Ok(None) | Err(StoreError::DataInUse { .. }) if !is_late => {}
                Err(StoreError::Damaged { .. }) if newest(data) != sequence && !is_late => {}
                Ok(None) => return Err(StoreError::DataInUse { data: data.to_owned() }),
                Err(error) if error.is_damage_of(DamagedPart::Statistics) => {
                    return Self::open_without_statistics(data, error);
                }
                Err(error @ StoreError::Damaged { .. }) => return Self::open_alone_instead(data, error),
                Err(error) => return Err(error),
            }
            sleep(BETWEEN_TRIES);
        }
    }

    /// What a program left that did not publish rows yet can be read by one process at a time.
    fn open_unpublished(data: &Path) -> Result<Self, StoreError> {
        Self::open_alone(data, OpenMode::ReadAlone)
    }

    /// Where what was published is damaged, the database may be sound.
    fn open_alone_instead(data: &Path, error: StoreError) -> Result<Self, StoreError> {
        let opened = Self::open_alone(data, OpenMode::ReadAlone);
        if opened.is_ok() {
            tracing::warn!("{error}: read from the database instead");
        }
        opened.map_err(|_| error)
    }

    /// A search needs no more of the statistics than that they are there: the ranking counts nothing by them then.
    fn open_without_statistics(data: &Path, error: StoreError) -> Result<Self, StoreError> {
        let none = |_: &Path, epoch| Ok(StatisticsSnapshot::from_layers(epoch, 0, Vec::new()));
        match newest(data).map(|sequence| Self::try_published(data, sequence, none)) {
            Some(Ok(Some(store))) => {
                tracing::warn!("{error}: ranked without statistics until then");
                Ok(store)
            }
            _ => Err(error),
        }
    }

    /// `None` when the files of the commit are gone, or were of another store.
    fn try_published(
        data: &Path,
        sequence: u64,
        read_statistics: impl FnOnce(&Path, u64) -> Result<StatisticsSnapshot, StoreError>,
    ) -> Result<Option<Self>, StoreError> {
        let Some(rows) = PublishedRows::open(data, sequence)? else { return Ok(None) };
        let (part, what) = (DamagedPart::PublishedRows, "its published meta row");
        let row = rows.get(keys::META)?.ok_or_else(|| StoreError::inconsistent(data, part, what))?;
        let meta = checked_meta(data, &row, part, what)?;
        let checksum = rows.checksum();
        let store = Self {
            data: data.to_owned(),
            mode: OpenMode::Read,
            writer: Mutex::new(Writer { poisoned: false, retention: Retention::default() }),
            blobs: BlobFile::open(data, meta.trees_bytes, false)?,
            pages: PageFile::open(data, meta.pages_bytes, false)?,
            bodies: BodyFile::open(data, meta.bodies_bytes, false)?,
            ledger: LedgerFile::open(data, meta.ledger_bytes, false)?,
            current: RwLock::new(Current { statistics: read_statistics(data, meta.epoch)?, meta, published: None }),
            takedowns: RwLock::new(Arc::new(Takedowns::read(data)?)),
            database: RowSource::Published(rows),
            _lock: None,
        };
        // A store that was put in place of this one while its files were opened has other rows under the same number.
        let again = PublishedRows::open(data, sequence)?;
        let is_same = !is_swapped(data) && again.is_some_and(|rows| rows.checksum() == checksum);
        Ok(is_same.then_some(store))
    }
}

/// Whether a rebuilt store waits to be put in the place of this one, or just is.
fn is_swapped(data: &Path) -> bool {
    data.join(REBUILD_NAME).join(READY_NAME).exists()
}

/// Puts a rebuilt store in its place that a crash kept from it, where nobody else does.
fn finish_swap(data: &Path) {
    if is_swapped(data)
        && let Ok(_lock) = DataLock::acquire(data)
        && let Err(error) = finish_rebuild(data, OpenMode::Read)
    {
        tracing::warn!(%error, "a rebuilt store cannot be put in its place");
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::files::{rows_path, sequence_path};
    use super::super::support::{batch_of, commit, page, put};
    use super::*;

    const OAK: &str = "http://oak.example/";

    fn open(data: &Path, mode: OpenMode) -> Store {
        Store::open(data, mode).unwrap()
    }

    /// Pages that are counted, pages with their trees, captures.
    type Content = (u64, Vec<(super::super::StoredPage, Vec<u8>)>, Vec<super::super::Capture>);

    /// What a store tells of itself.
    fn content(store: &Store) -> Content {
        let pages = store.pages().map(|page| page.unwrap());
        let pages = pages.map(|page| (page.clone(), store.tree_bytes(page.id).unwrap().unwrap())).collect();
        store.verify().unwrap();
        (store.snapshot().page_count(), pages, store.captures(OAK).unwrap())
    }

    #[test]
    fn readers_see_the_last_commit_beside_the_writer_and_keep_theirs() {
        let folder = tempfile::tempdir().unwrap();
        let writer = open(folder.path(), OpenMode::Write);
        let empty = open(folder.path(), OpenMode::Read);
        assert_eq!((empty.sequence(), empty.pages().count()), (Sequence(0), 0));
        let mut readers = Vec::new();
        for number in 0..40 {
            commit(&writer, OAK, &format!("oak {number}"));
            commit(&writer, &format!("http://elm.example/{number}"), "elm");
            let reader = open(folder.path(), OpenMode::Read);
            assert_eq!(content(&reader), content(&writer));
            readers.push((content(&writer), reader));
        }
        drop(writer);
        for (expected, reader) in &readers {
            assert_eq!(&content(reader), expected);
            let error = reader.commit(batch_of(reader, [put(page(OAK), "new")])).unwrap_err();
            assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
        }
    }

    #[test]
    fn a_reader_asks_for_a_commit_and_gets_the_last_where_it_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let writer = open(folder.path(), OpenMode::Write);
        for number in 0..5 {
            commit(&writer, &format!("http://elm.example/{number}"), "elm");
        }
        let at = |sequence| Store::open_at(folder.path(), Sequence(sequence)).unwrap().sequence().0;
        assert_eq!([2, 4, 5, 9].map(at), [2, 4, 5, 5]);
        drop(writer);
        drop(open(folder.path(), OpenMode::Write));
        assert_eq!([2, 4, 5].map(at), [5, 4, 5], "what the last commit was made from stays");
    }

    #[test]
    fn a_writer_publishes_what_is_missing_or_not_that_of_the_database() {
        let folder = tempfile::tempdir().unwrap();
        commit(&open(folder.path(), OpenMode::Write), OAK, "oak");
        let expected = content(&open(folder.path(), OpenMode::Read));
        for damage in [
            |path: &Path| fs::remove_file(path).unwrap(),
            |path: &Path| fs::write(path, "LOPPERRW").unwrap(),
            |path: &Path| fs::rename(path, path.with_extension("tmp")).unwrap(),
            |path: &Path| assert!(fs::copy(path.with_file_name("rows-0.bin"), path).unwrap() > 0),
        ] {
            damage(&rows_path(folder.path(), 1));
            drop(open(folder.path(), OpenMode::Write));
            assert_eq!(content(&open(folder.path(), OpenMode::Read)), expected);
        }
    }

    #[test]
    fn without_published_rows_or_with_damaged_ones_the_database_is_read() {
        let folder = tempfile::tempdir().unwrap();
        commit(&open(folder.path(), OpenMode::Write), OAK, "oak");
        let expected = content(&open(folder.path(), OpenMode::Read));
        fs::write(rows_path(folder.path(), 1), "LOPPERRW").unwrap();
        assert_eq!(content(&open(folder.path(), OpenMode::Read)), expected);
        for sequence in [0, 1] {
            drop(fs::remove_file(rows_path(folder.path(), sequence)));
        }
        assert_eq!(content(&open(folder.path(), OpenMode::Read)), expected);
        fs::remove_file(sequence_path(folder.path())).unwrap();
        drop(open(folder.path(), OpenMode::Write));
        assert_eq!(content(&open(folder.path(), OpenMode::Read)), expected);
    }

    #[test]
    fn a_damaged_layer_does_not_keep_the_writer_from_committing() {
        let folder = tempfile::tempdir().unwrap();
        let writer = open(folder.path(), OpenMode::Write);
        commit(&writer, OAK, "oak");
        let path = rows_path(folder.path(), 1);
        let mut bytes = fs::read(&path).unwrap();
        bytes[20] ^= 1;
        fs::write(&path, bytes).unwrap();
        commit(&writer, "http://elm.example/", "elm");
        let reader = open(folder.path(), OpenMode::Read);
        assert_eq!((reader.sequence(), content(&reader)), (Sequence(2), content(&writer)));
    }
}
