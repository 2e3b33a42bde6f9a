//! Numbers records and cuts them into batches.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use lopper_archive::page::{PageId, SkipReason};
use lopper_archive::{ArchiveError, ArchiveRecord, FailureCode};
use lopper_content::statistics::StatisticsSnapshot;
use lopper_store::{ArchiveEntry, ArchiveKey, Checkpoint, RecordFacts, RecordPlace, Store};
use url::Url;

use super::job::{At, Failure, Job, Start, Work};
use super::known::{KnownArchives, is_missing_file, real_path};
use super::record::failure_of;
use super::run::is_address;
use super::shared::Shared;
use super::source::Source;
use super::worker::payload_bytes;
use super::{IngestOptions, Site};
use crate::DataFolder;
use crate::parts::{LinePlace, PartError, PartReader, is_part_name};

/// Records of a new collection's first batch: few, so that it soon has statistics to weigh by.
const FIRST_BATCH_RECORDS: u64 = 200;

pub(super) struct Reader<'a> {
    store: &'a Store,
    shared: &'a Shared,
    options: &'a IngestOptions,
    jobs: SyncSender<Job>,
    known: KnownArchives,
    /// Digest of the collection's parameters.
    params: String,
    /// Archives that this run has begun: a copy of one is not read again.
    begun: HashSet<u128>,
    /// Whether the collection had no pages.
    is_new: bool,
    number: u64,
    batch: u64,
    batch_records: u64,
    batch_bytes: usize,
    /// What the batch is weighed by.
    statistics: StatisticsSnapshot,
}

/// The writer is gone, and there is nobody to read for; or the run was interrupted.
struct Stopped;

impl<'a> Reader<'a> {
    pub(super) fn new(
        collection: &'a DataFolder,
        shared: &'a Shared,
        options: &'a IngestOptions,
        jobs: SyncSender<Job>,
        statistics: StatisticsSnapshot,
    ) -> Self {
        let store = collection.store();
        Self {
            store,
            shared,
            options,
            jobs,
            known: KnownArchives::of(store),
            params: collection.params().digest(),
            begun: HashSet::new(),
            number: 0,
            batch: 0,
            batch_records: 0,
            batch_bytes: 0,
            is_new: store.stats().distinct_pages == 0,
            statistics,
        }
    }

    /// Reads `files` one after the other, until the run is interrupted.
    pub(super) fn read_all(mut self, files: &[PathBuf]) {
        let length = |file: &PathBuf| fs::metadata(file).map_or(0, |metadata| metadata.len());
        self.shared.update_progress(|progress| progress.bytes_total = files.iter().map(length).sum());
        let mut bytes_before = 0;
        for file in files {
            if self.read_file(file, bytes_before).is_err() {
                return;
            }
            bytes_before += length(file);
            self.shared.update_progress(|progress| progress.bytes_read = bytes_before);
        }
    }

    fn read_file(&mut self, file: &Path, bytes_before: u64) -> Result<(), Stopped> {
        self.go_on()?;
        if is_part_name(file) {
            return self.read_part(file, bytes_before);
        }
        let mut source = match Source::open(file, self.store, &self.known, self.options) {
            Ok(source) => source,
            Err(error) => return self.unreadable(file, &error),
        };
        let archive = Arc::new(source.key.clone());
        let first = source.first_page();
        if !self.shared.seen().add(file, &archive.path, archive.id, first.as_ref().map(|facts| facts.id)) {
            return Ok(());
        }
        let (start, passed) = match self.start_of(&archive, source.is_grown) {
            (Start::Done, _) if first.is_some_and(|facts| self.has_lost_its_page(&archive, &facts)) => (Start::Anew, 0),
            start => start,
        };
        self.send(Work::Begin { archive: archive.clone(), start })?;
        if start == Start::Done {
            return Ok(());
        }
        self.begun.insert(archive.id);
        // A row that cannot be read is no place to go on from: what was read is passed over.
        if let (Start::Resumed, false, Ok(Some(point))) = (start, source.is_grown, self.store.resume_point(archive.id))
        {
            source.go_to(point, &self.options.limits);
        }
        self.read_records(source, &archive, passed, bytes_before)
    }

    /// How to read an archive, and how many records to pass over.
    fn start_of(&self, archive: &ArchiveKey, is_grown: bool) -> (Start, u64) {
        if self.begun.contains(&archive.id) {
            return (Start::Done, 0);
        }
        if is_grown {
            // The source stands behind what was read.
            return (Start::Resumed, 0);
        }
        // A store that cannot be read fails the writer at once; until then the file is read anew.
        let entry = self.store.archive(archive.id).ok().flatten();
        match entry.filter(|entry| entry.key.fingerprint == archive.fingerprint && !self.options.again) {
            Some(entry) if entry.finished => (Start::Done, 0),
            Some(entry) => (Start::Resumed, entry.sums.records()),
            None => (Start::Anew, 0),
        }
    }

    /// Whether an HTML file that was read has no page now, though nothing keeps that out; or its page is tied to another file, which is gone.
    /// What cannot be read of the store fails the writer.
    fn has_lost_its_page(&self, archive: &ArchiveKey, facts: &RecordFacts) -> bool {
        let entry = self.store.archive(archive.id).ok().flatten();
        let is_page = |entry: &ArchiveEntry| archive.is_by_place() && entry.sums.records() == 1;
        let Some(entry) = entry.filter(is_page).filter(|_| !self.begun.contains(&archive.id)) else { return false };
        let was_removed = [SkipReason::Deleted, SkipReason::TakenDown];
        if was_removed.iter().any(|reason| entry.sums.skipped.get(reason).is_some_and(|records| *records > 0)) {
            let place = RecordPlace { archive, ordinal: 0, offset_bytes: 0 };
            return !self.store.keeps_out(&place, facts);
        }
        let owner = self.store.archive_of_page(facts.id).ok().flatten();
        owner.is_some_and(|owner| owner.key.id != archive.id && is_missing_file(&owner.key))
    }

    fn read_records(
        &mut self,
        mut source: Source,
        archive: &Arc<ArchiveKey>,
        passed: u64,
        bytes_before: u64,
    ) -> Result<(), Stopped> {
        while let Some((ordinal, next)) = source.next() {
            let position_bytes = source.reader.position_bytes();
            self.shared.update_progress(|progress| {
                progress.bytes_read = bytes_before + position_bytes;
                progress.records += u64::from(ordinal >= passed);
            });
            if ordinal >= passed {
                self.read_record(archive, ordinal, next)?;
                if self.batch_is_full() {
                    self.send(Work::Checkpoint { archive: archive.clone(), checkpoint: source.checkpoint(false) })?;
                    self.end_batch()?;
                }
                if self.go_on().is_err() {
                    let checkpoint = source.checkpoint(false);
                    return self.send(Work::Checkpoint { archive: archive.clone(), checkpoint });
                }
            }
        }
        self.send(Work::Checkpoint { archive: archive.clone(), checkpoint: source.checkpoint(true) })
    }

    fn read_record(
        &mut self,
        archive: &Arc<ArchiveKey>,
        ordinal: u64,
        next: Result<ArchiveRecord, ArchiveError>,
    ) -> Result<(), Stopped> {
        self.batch_records += 1;
        match next {
            Ok(record) => {
                let remark = record.remark.as_ref().map(|remark| remark.message.clone());
                let at = At { remark, ..At::new(archive.clone(), ordinal, record.offset_bytes) };
                let statistics = self.statistics.clone();
                self.send(Work::Record { at, record: Box::new(record), statistics })
            }
            Err(error) => self.send(broken(archive, ordinal, &error)),
        }
    }

    /// Reads a part in the place of the archive that it was made of: the ledger, the batches and what follows from them are the same.
    fn read_part(&mut self, file: &Path, bytes_before: u64) -> Result<(), Stopped> {
        // A copy stays until the part is read.
        let copy = match self.copy_of(file) {
            Ok(copy) => copy,
            Err(error) => return self.unreadable_part(file, &error),
        };
        let path = copy.as_ref().map_or(file, |copy| (**copy).as_ref());
        let opened = PartReader::open_whole_as(path, file).and_then(|part| self.accept(file, part));
        let (mut part, key) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.unreadable_part(file, &error),
        };
        let archive = Arc::new(key);
        let (start, passed) = self.start_of(&archive, false);
        self.send(Work::Begin { archive: archive.clone(), start })?;
        if start == Start::Done {
            return Ok(());
        }
        self.begun.insert(archive.id);
        let mut checkpoint = Checkpoint::default();
        loop {
            let next = part.next_text();
            let (place, line) = match next {
                Ok(Some(next)) => next,
                Ok(None) => break,
                // It was whole a moment ago. What is before that stays, and the archive is not done: a part made anew goes on with it.
                Err(error) => {
                    self.send(Work::Checkpoint { archive, checkpoint })?;
                    return self.unreadable_part(file, &error);
                }
            };
            self.shared.update_progress(|progress| {
                progress.bytes_read = bytes_before + part.position_bytes();
                progress.records += u64::from(place.ordinal >= passed);
            });
            checkpoint.position_bytes = place.position_bytes;
            if place.ordinal >= passed {
                self.read_line(&archive, place, line)?;
                if self.batch_is_full() {
                    self.send(Work::Checkpoint { archive: archive.clone(), checkpoint })?;
                    self.end_batch()?;
                }
                if self.go_on().is_err() {
                    return self.send(Work::Checkpoint { archive, checkpoint });
                }
            }
        }
        let position_bytes = part.end().map_or(0, |end| end.position_bytes);
        self.send(Work::Checkpoint { archive, checkpoint: Checkpoint { position_bytes, finished: true, ..checkpoint } })
    }

    /// A copy of a part that is elsewhere.
    fn copy_of(&self, file: &Path) -> Result<Option<Box<dyn AsRef<Path> + Send>>, PartError> {
        match &self.options.fetch {
            Some(fetch) if is_address(file) => fetch.fetch(file).map(Some),
            _ => Ok(None),
        }
    }

    /// A part that was made for this collection's parameters, and the archive it was made of.
    fn accept(&self, file: &Path, part: PartReader) -> Result<(PartReader, ArchiveKey), PartError> {
        let key = part.head().key().filter(|_| part.head().params == self.params);
        let key = key.ok_or_else(|| PartError::OtherParameters { path: file.to_owned() })?;
        Ok((part, key))
    }

    fn read_line(&mut self, archive: &Arc<ArchiveKey>, place: LinePlace, line: String) -> Result<(), Stopped> {
        self.batch_records += 1;
        let LinePlace { ordinal, offset_bytes, payload_bytes, remark, .. } = place;
        let at = At { remark, ..At::new(archive.clone(), ordinal, offset_bytes) };
        let statistics = self.statistics.clone();
        self.send(Work::Judged { at, line, payload_bytes: payload_bytes as usize, statistics })
    }

    fn unreadable_part(&mut self, file: &Path, error: &PartError) -> Result<(), Stopped> {
        let part = Arc::new(ArchiveKey::by_place(&real_path(file), 0));
        self.send(Work::Begin { archive: part.clone(), start: Start::Anew })?;
        let failure = Failure { code: FailureCode::PartUnreadable, message: error.to_string(), record_id: None };
        self.send(Work::Broken { at: At::new(part, 0, 0), failure })
    }

    fn unreadable(&mut self, file: &Path, error: &ArchiveError) -> Result<(), Stopped> {
        let path = real_path(file);
        let url = Url::from_file_path(&path).map(String::from).unwrap_or_default();
        let site = self.options.site.as_ref();
        let address = site.and_then(|site| site.address_of(file, &url));
        // Its pages, if it had any, stay, and are those of its site.
        let key = ArchiveKey::by_place(&path, 0);
        let known = self.store.archive(key.id).ok().flatten().and_then(|known| known.key.site);
        let of_site = site.filter(|_| address.is_some()).and_then(Site::folder_url);
        let archive = Arc::new(ArchiveKey { site: of_site.or(known), ..key });
        self.shared.seen().add(file, &path, archive.id, Some(PageId::of(&address.unwrap_or(url), None)));
        self.send(Work::Begin { archive: archive.clone(), start: Start::Anew })?;
        self.send(broken(&archive, 0, error))
    }

    /// Stops an interrupted run.
    fn go_on(&self) -> Result<(), Stopped> {
        if self.options.interrupt.is_asked() {
            self.shared.interrupted();
            return Err(Stopped);
        }
        Ok(())
    }

    fn batch_is_full(&self) -> bool {
        let first_max = if self.batch == 0 && self.is_new { FIRST_BATCH_RECORDS } else { u64::MAX };
        let records_max = self.options.batch_records_max.min(first_max);
        self.batch_records >= records_max || self.batch_bytes >= self.options.batch_bytes_max
    }

    /// Asks for a commit, and waits for what the next batch is weighed by.
    fn end_batch(&mut self) -> Result<(), Stopped> {
        self.send(Work::Commit)?;
        self.batch += 1;
        self.statistics = self.shared.epochs.of_batch(self.batch).ok_or(Stopped)?;
        (self.batch_records, self.batch_bytes) = (0, 0);
        Ok(())
    }

    fn send(&mut self, work: Work) -> Result<(), Stopped> {
        let bytes = payload_bytes(&work);
        self.shared.budget.take(bytes);
        self.batch_bytes += bytes;
        let job = Job { number: self.number, work };
        self.number += 1;
        self.jobs.send(job).map_err(|_| Stopped)
    }
}

fn broken(archive: &Arc<ArchiveKey>, ordinal: u64, error: &ArchiveError) -> Work {
    let at = At::new(archive.clone(), ordinal, error.offset_bytes());
    Work::Broken { at, failure: failure_of(error) }
}
