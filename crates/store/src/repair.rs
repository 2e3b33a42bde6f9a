//! Putting right what one file of a data folder lost and the others tell: headers, the database, the number of the last commit, the statistics.
//!
//! Nothing is guessed. A header says the same in every file of its kind, and each record behind it has its own checksum. The database's rows
//! have a digest, and readers have them all in files of their own, with the same digest. The number of the last commit is that of both. The statistics are counted from the trees; no page's HTML is needed for that. What
//! is put right stands in the other files still, so a crash on the way loses nothing, and the next repair goes on.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lopper_archive::page::PageId;
use lopper_content::statistics::{CountLayer, PageKeys, StatisticsSnapshot};
use lopper_migrations::DataLock;
use serde::Serialize;

use super::append_file::{AppendFile, FileFormat};
use super::blobs::BlobFile;
use super::counting::Counting;
use super::damaged::without_snapshots;
use super::database::{Database, RowBatch};
use super::files::database_path;
use super::meta::Meta;
use super::open::{LOST_ROWS, admit, holds_commits, read_meta, write_sequence, written_sequence};
use super::page::PageRow;
use super::page_file::{PageFile, PagePlace};
use super::restore::WholeRows;
use super::rows::{decode, encode};
use super::statistics::{read_statistics, write_statistics};
use super::verify::RowsDigest;
use super::{
    DamageCause, DamagedPart, OpenMode, Sequence, Store, StoreError, blobs, bodies, keys, ledger_file, page_file,
};

/// Pages by which it is told how long counting takes.
const TIMED_PAGES: u64 = 500;

/// The files that only grow.
pub(super) const FORMATS: [FileFormat; 4] = [blobs::FORMAT, page_file::FORMAT, bodies::FORMAT, ledger_file::FORMAT];

/// What brings back the records of each, where the file lost them.
const AGAIN: [&str; FORMATS.len()] = [
    "trees: `lopper repair --from-bodies` makes them again from the pages' HTML",
    "pages' rows: `lopper repair --from-bodies` makes them again from the HTML that was kept",
    "kept HTML: `lopper ingest --again --bodies keep` with the archives keeps it again",
    "states of records: `lopper ingest --again` with the archives writes them anew",
];

/// Something that was damaged and is put right from what is sound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RepairStep {
    /// What is damaged.
    pub fault: String,
    /// What puts it right.
    pub action: String,
    /// What does not come back.
    pub loss: Option<String>,
    /// How long it takes, about, where that is more than a moment.
    pub takes: Option<Duration>,
    /// Whether it was done.
    pub done: bool,
}

/// What a repair of the store's files found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FileRepair {
    /// What is put right, in this order.
    pub steps: Vec<RepairStep>,
    /// What the other files do not tell.
    pub beyond: Option<String>,
}

impl Store {
    /// Finds what is damaged of the files of `data`, and unless it is a `dry_run`, puts right what the other files tell. O(pages) where the
    /// statistics are damaged, else a moment.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), but for damage, which is in the report.
    pub fn repair_files(data: &Path, dry_run: bool) -> Result<FileRepair, StoreError> {
        admit(data, OpenMode::Read)?;
        let lock = DataLock::acquire(data)?;
        let mut repair = FileRepair::default();
        if !holds_commits(data) {
            return Ok(repair);
        }
        match repair.all(data, dry_run) {
            Err(StoreError::Damaged { what, .. }) => repair.beyond = Some(what),
            done => done?,
        }
        drop(lock);
        Ok(repair)
    }
}

impl FileRepair {
    fn all(&mut self, data: &Path, dry_run: bool) -> Result<(), StoreError> {
        for format in FORMATS {
            self.header(data, format, dry_run)?;
        }
        let (database, meta) = self.database(data, dry_run)?;
        let lengths = [meta.trees_bytes, meta.pages_bytes, meta.bodies_bytes, meta.ledger_bytes];
        for ((format, valid_bytes), again) in FORMATS.into_iter().zip(lengths).zip(AGAIN) {
            self.cut_off(data, format, valid_bytes, again, dry_run)?;
        }
        // Of a database that was not written again yet no more can be told.
        let Some(database) = database else { return Ok(()) };
        self.statistics(data, &database, &meta, dry_run)
    }

    /// The database that counts, with its meta row: the one that is there, or, where that lost rows or commits, one of the rows that were
    /// published for readers. Of a dry run that one is not there.
    fn database(&mut self, data: &Path, dry_run: bool) -> Result<(Option<Database>, Meta), StoreError> {
        let written = written_sequence(data);
        let (error, found) = match open_whole(data) {
            Ok((database, meta)) => {
                let told = written.as_ref().ok().copied().flatten();
                if told.is_some_and(|told| told <= meta.sequence) {
                    return Ok((Some(database), meta));
                }
                let published = WholeRows::newest(data).map(|rows| rows.meta.sequence);
                if published <= Some(meta.sequence) && (published.is_some() || told.is_none()) {
                    self.sequence(data, &meta, written, dry_run)?;
                    return Ok((Some(database), meta));
                }
                let told = told.max(published).unwrap_or_default();
                let what = format!("its database is at commit {} of {told}", meta.sequence);
                (StoreError::inconsistent(data, DamagedPart::Database, what), meta.sequence)
            }
            Err(error @ StoreError::Damaged { .. }) => (error, Sequence(0)),
            Err(error) => return Err(error),
        };
        let told = written.ok().flatten().unwrap_or_default().max(found);
        // An older commit would cut off what later ones appended.
        let Some(rows) = WholeRows::newest(data).filter(|rows| rows.meta.sequence >= told) else { return Err(error) };
        self.restore(data, &rows, &error, dry_run)
    }

    fn restore(
        &mut self,
        data: &Path,
        rows: &WholeRows,
        error: &StoreError,
        dry_run: bool,
    ) -> Result<(Option<Database>, Meta), StoreError> {
        let action = format!(
            "it is written again from the {} rows that readers have of commit {}",
            rows.count, rows.meta.sequence
        );
        if dry_run {
            self.step(error.fault(), &action, dry_run);
            return Ok((None, rows.meta.clone()));
        }
        let started = Instant::now();
        rows.restore(data)?;
        write_sequence(data, rows.meta.sequence)?;
        self.step(error.fault(), &action, dry_run).takes = Some(started.elapsed());
        let (database, meta) = open_whole(data)?;
        Ok((Some(database), meta))
    }

    fn step(&mut self, fault: String, action: &str, dry_run: bool) -> &mut RepairStep {
        let action = action.to_owned();
        self.steps.push(RepairStep { fault, action, loss: None, takes: None, done: !dry_run });
        let last = self.steps.len() - 1;
        &mut self.steps[last]
    }

    fn header(&mut self, data: &Path, format: FileFormat, dry_run: bool) -> Result<(), StoreError> {
        if AppendFile::has_wrong_header(data, format)? {
            if !dry_run {
                AppendFile::write_header(data, format)?;
            }
            let action = "the header is written again, which says the same in every such file";
            self.step(format!("{} has a wrong header", format.name), action, dry_run);
        }
        Ok(())
    }

    fn cut_off(
        &mut self,
        data: &Path,
        format: FileFormat,
        valid_bytes: u64,
        again: &str,
        dry_run: bool,
    ) -> Result<(), StoreError> {
        let length = fs::metadata(data.join(format.name)).map_or(0, |metadata| metadata.len());
        if length < valid_bytes {
            if !dry_run {
                AppendFile::pad(data, format, valid_bytes)?;
            }
            let fault = format!("{} has {length} bytes of {valid_bytes}", format.name);
            let step = self.step(fault, "it gets its length again, so that what is left of it can be read", dry_run);
            step.loss = Some(format!("what lay behind byte {length}, {again}"));
        }
        Ok(())
    }

    /// The number of the last commit, where the file of it holds none, or one that nothing else knows.
    fn sequence(
        &mut self,
        data: &Path,
        meta: &Meta,
        written: Result<Option<Sequence>, StoreError>,
        dry_run: bool,
    ) -> Result<(), StoreError> {
        let fault = match written {
            Ok(None) => return Ok(()),
            Ok(Some(number)) => format!(
                "its sequence file says {number}, and neither the database nor the rows for readers know such a commit"
            ),
            Err(StoreError::Damaged { what, .. }) => format!("{what} holds no number"),
            Err(error) => return Err(error),
        };
        if !dry_run {
            write_sequence(data, meta.sequence)?;
        }
        self.step(fault, "it gets the number of the database's last commit", dry_run);
        Ok(())
    }

    fn statistics(&mut self, data: &Path, database: &Database, meta: &Meta, dry_run: bool) -> Result<(), StoreError> {
        let next = meta.next_batch_epoch.filter(|epoch| *epoch != meta.epoch);
        let is_next_lost = next.is_some_and(|epoch| read_statistics(data, epoch).is_err());
        let fault = match read_statistics(data, meta.epoch) {
            Err(StoreError::Damaged { what, .. }) => Some(what),
            read => read.map(|_| None)?,
        };
        let pages = meta.counters.pages;
        let Some(what) = fault else {
            if is_next_lost {
                self.forget_next(database, meta, dry_run)?;
            }
            return Ok(());
        };
        let action = format!("the statistics are counted again from the trees of {pages} pages");
        let mut trees = Trees::new(data, meta)?;
        let started = Instant::now();
        let counted_max = if dry_run { TIMED_PAGES } else { u64::MAX };
        let statistics = trees.count(database, counted_max)?;
        let timed = started.elapsed().mul_f64(pages as f64 / pages.clamp(1, counted_max) as f64);
        if !dry_run {
            write_layers(data, meta.epoch, &statistics)?;
        }
        let step = self.step(what, &action, dry_run);
        step.takes = Some(timed);
        if trees.unreadable > 0 {
            let unreadable = trees.unreadable;
            step.loss = Some(format!(
                "{unreadable} trees cannot be read and are not counted; `lopper repair --from-bodies` makes them again"
            ));
        }
        if next.is_some() {
            self.forget_next(database, meta, dry_run)?;
        }
        Ok(())
    }

    /// The statistics that a run which was cut off would have gone on with are not to be had.
    fn forget_next(&mut self, database: &Database, meta: &Meta, dry_run: bool) -> Result<(), StoreError> {
        if !dry_run {
            let mut batch = RowBatch::default();
            batch.insert(keys::META, &encode(&Meta { next_batch_epoch: None, ..meta.clone() }));
            database.apply(&batch)?;
        }
        let fault = "the statistics of the run that was cut off are damaged".to_owned();
        let step = self.step(fault, "the next run weighs by the newest ones", dry_run);
        step.loss =
            Some("weights of its pages may differ a little from those of a run that was never cut off".to_owned());
        Ok(())
    }
}

/// The database with its meta row, its rows compared with what was committed. One that is not there is not made.
fn open_whole(data: &Path) -> Result<(Database, Meta), StoreError> {
    let path = database_path(data);
    if !path.exists() {
        return Err(StoreError::inconsistent(data, DamagedPart::Database, LOST_ROWS));
    }
    match open_compared(data, &path) {
        Err(error @ StoreError::Damaged { .. }) => without_snapshots(data, error, || open_compared(data, &path)),
        opened => opened,
    }
}

fn open_compared(data: &Path, path: &Path) -> Result<(Database, Meta), StoreError> {
    let database = Database::open(data, path)?;
    let meta = read_meta(data, &database, None)?;
    let is_whole = RowsDigest::of(database.scan(&[]))? == meta.rows_digest;
    let what = "its database has lost or altered rows";
    is_whole.then_some((database, meta)).ok_or_else(|| StoreError::inconsistent(data, DamagedPart::Database, what))
}

/// The trees of a folder whose statistics are counted.
struct Trees<'a> {
    data: &'a Path,
    blobs: BlobFile,
    pages: PageFile,
    unreadable: u64,
}

impl<'a> Trees<'a> {
    fn new(data: &'a Path, meta: &Meta) -> Result<Self, StoreError> {
        let blobs = BlobFile::open(data, meta.trees_bytes, false)?;
        Ok(Self { data, blobs, pages: PageFile::open(data, meta.pages_bytes, false)?, unreadable: 0 })
    }

    /// Of the first `pages_max` pages.
    fn count(&mut self, database: &Database, pages_max: u64) -> Result<StatisticsSnapshot, StoreError> {
        let mut counting = Counting::default();
        for row in database.scan(keys::PAGES).take(usize::try_from(pages_max).unwrap_or(usize::MAX)) {
            let (key, place) = row?;
            match self.keys(&key, &place) {
                Err(StoreError::Damaged { .. }) => self.unreadable += 1,
                keys => counting.add(&keys?),
            }
        }
        Ok(counting.statistics())
    }

    fn keys(&self, key: &[u8], place: &[u8]) -> Result<PageKeys, StoreError> {
        let damaged = |cause: DamageCause| StoreError::damaged(self.data, DamagedPart::Database, "a page's row", cause);
        let id = key.get(1..).and_then(|id| id.try_into().ok()).map(u128::from_be_bytes).map(PageId);
        let id = id.ok_or_else(|| damaged("a key that is none".into()))?;
        let place: PagePlace = decode(place).map_err(|error| damaged(error.into()))?;
        let row: PageRow = decode(&self.pages.row(id, &place)?).map_err(|error| damaged(error.into()))?;
        self.blobs.keys(&row.links.tree)
    }
}

/// Writes `counted` as the statistics of `epoch`: its layers get the epochs up to there.
fn write_layers(data: &Path, epoch: u64, counted: &StatisticsSnapshot) -> Result<(), StoreError> {
    let layers = counted.layers();
    let first = (epoch + 1).checked_sub(layers.len() as u64).filter(|first| *first > 0 || layers.is_empty());
    let what = "its statistics, of fewer commits than they have parts";
    let first = first.ok_or_else(|| StoreError::inconsistent(data, DamagedPart::Statistics, what))?;
    let damaged = |error| StoreError::damaged(data, DamagedPart::Statistics, "its counted statistics", error);
    let mut written: Vec<Arc<CountLayer>> = Vec::with_capacity(layers.len());
    for (epoch, layer) in (first..).zip(layers) {
        let layer = CountLayer::from_bytes(epoch, &layer.to_bytes());
        written.push(Arc::new(layer.map_err(damaged)?));
        write_statistics(data, &StatisticsSnapshot::from_layers(epoch, counted.page_count(), written.clone()))?;
    }
    if layers.is_empty() {
        write_statistics(data, &StatisticsSnapshot::from_layers(epoch, 0, Vec::new()))?;
    }
    Ok(())
}

/// Writes wrong headers again: for opening a folder that is to be made anew.
pub(super) fn mend_headers(data: &Path) -> Result<(), StoreError> {
    let mut repair = FileRepair::default();
    FORMATS.into_iter().try_for_each(|format| repair.header(data, format, false))
}
