//! Gathers results into batches and commits them.

use std::path::Path;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use lopper_archive::FailureCode;
use lopper_archive::page::{Page, PageId, Provenance, SkipReason};
use lopper_content::pipeline::PageAnalyser;
use lopper_content::statistics::StatisticsSnapshot;
use lopper_index::EncodedPage;
use lopper_index::PageEncoder;
use lopper_store::{ArchiveEntry, ArchiveKey, PagePut, Put, RecordFacts, RecordState, Revisit, StoredPage};

use super::job::{At, Done, Failure, InOrder, Outcome, Start};
use super::record::code_of_refused;
use super::shared::Shared;
use super::{IngestError, IngestOptions, IngestReport, Observer, PageBundle};
use crate::open_commit::OpenCommit;
use crate::{CollectionError, DataFolder};

pub(super) struct Writer<'a> {
    collection: &'a DataFolder,
    shared: &'a Shared,
    options: &'a IngestOptions,
    observer: &'a mut dyn Observer,
    /// Its turn is had while anything is in it.
    open: OpenCommit<'a>,
    report: IngestReport,
    turn_since: Instant,
}

/// Time that a run has before it gives way to others that want to commit.
const TURN_MIN: Duration = Duration::from_millis(200);

/// Time after which a run that waits for a page looks whether others want to commit.
const WAIT_MAX: Duration = Duration::from_millis(50);

impl<'a> Writer<'a> {
    pub(super) fn new(
        collection: &'a DataFolder,
        shared: &'a Shared,
        options: &'a IngestOptions,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let (open, report) = (OpenCommit::begin(collection), IngestReport::default());
        Self { collection, shared, options, observer, open, report, turn_since: Instant::now() }
    }

    /// Takes results until the workers end; gives the report without its duration.
    pub(super) fn write_all(mut self, results: &Receiver<Done>) -> Result<IngestReport, IngestError> {
        let mut in_order = InOrder::new(results);
        while let Ok(done) = in_order.next_within(WAIT_MAX) {
            self.give_way()?;
            let Some(done) = done else { continue };
            let payload_bytes = done.payload_bytes;
            self.write(done.result)?;
            self.shared.budget.give_back(payload_bytes);
            let progress = self.shared.update_progress(|_| {});
            self.observer.progress(&progress);
        }
        if in_order.is_waiting() {
            return Err(IngestError::WorkerLost);
        }
        self.end_run()?;
        self.resolve_revisits()?;
        Ok(self.report)
    }

    /// Lets others commit who wait to; what of the batch is there is committed before.
    fn give_way(&mut self) -> Result<(), CollectionError> {
        if !self.open.is_waited_for() || self.turn_since.elapsed() < TURN_MIN {
            return Ok(());
        }
        if !self.open.batch.is_empty() {
            // The rest of the batch is weighed as this part was.
            let epoch = self.open.batch.epoch().unwrap_or_else(|| self.shared.epochs.of_next_batch());
            self.open.batch.within_run(epoch);
            self.commit_batch()?;
        }
        self.open.give_way();
        self.turn_since = Instant::now();
        Ok(())
    }

    fn write(&mut self, result: Outcome) -> Result<(), CollectionError> {
        match result {
            Outcome::Begin { archive, start } => self.begin(&archive, start)?,
            Outcome::Page { at, put, encoded } => self.write_page(&at, *put, encoded)?,
            Outcome::Held { at, facts, page, statistics } => self.write_held(&at, &facts, &page, &statistics)?,
            Outcome::Revisit { at, revisit } => self.write_revisit(&at, *revisit)?,
            Outcome::Skipped { at, reason } => {
                self.remark(&at);
                self.open.batch.skip(&at.place(), reason);
                self.report.records.count(&RecordState::Skipped { reason });
            }
            Outcome::Failed { at, failure } => self.write_failure(&at, failure),
            Outcome::Checkpoint { archive, checkpoint } => self.open.batch.checkpoint(&archive, checkpoint),
            Outcome::Commit => {
                self.open.batch.within_run(self.shared.epochs.of_next_batch());
                self.commit()?;
            }
        }
        Ok(())
    }

    fn begin(&mut self, archive: &ArchiveKey, start: Start) -> Result<(), CollectionError> {
        self.observer.archive(archive);
        match start {
            Start::Anew => self.open.batch.restart(archive),
            Start::Resumed => self.report.archives_resumed += 1,
            Start::Done => {
                self.report.archives_already_ingested += 1;
                self.follow(archive)?;
            }
        }
        self.report.archives += u64::from(start != Start::Done);
        Ok(())
    }

    /// Notes where an archive is now that is no longer where it was read. Of copies that are both there the first one stays.
    fn follow(&mut self, archive: &ArchiveKey) -> Result<(), CollectionError> {
        let known = self.collection.store().archive(archive.id)?;
        let is_gone = |path: &Path| path != archive.path && (path.is_relative() || !path.exists());
        let Some(known) = known.filter(|known| known.finished) else { return Ok(()) };
        if is_gone(&known.key.path) {
            self.open.batch.place(archive);
            self.report.archives_moved += 1;
        } else if archive.site.is_some() && known.key.site != archive.site {
            self.open.batch.place(archive);
        }
        Ok(())
    }

    /// Ties a page of a site to the file that it is read from now: where it was read first may be gone tomorrow.
    fn take_over(&mut self, at: &At, page: PageId, provenance: &Provenance) -> Result<(), CollectionError> {
        if self.options.site.is_none() || !at.archive.is_by_place() {
            return Ok(());
        }
        let store = self.collection.store();
        let is_other_file = |owner: &ArchiveEntry| owner.key.id != at.archive.id && owner.key.is_by_place();
        if store.archive_of_page(page)?.is_some_and(|owner| is_other_file(&owner)) {
            self.open.batch.move_page(store, &at.place(), page, provenance.clone())?;
            self.shared.seen().has_taken_over = true;
        }
        Ok(())
    }

    /// Where a takedown keeps the record's page out: notes that, and gives `true`.
    fn refuse(&mut self, at: &At, facts: &RecordFacts) -> bool {
        let refused = self.open.batch.refuse(self.collection.store(), &at.place(), facts);
        if refused {
            self.report.records.count(&RecordState::Skipped { reason: SkipReason::TakenDown });
        }
        refused
    }

    fn write_page(&mut self, at: &At, put: PagePut, encoded: EncodedPage) -> Result<(), CollectionError> {
        if self.refuse(at, &put.facts()) {
            self.remark(at);
            return Ok(());
        }
        if let Some(failure) = self.damaged_copy(at, put.page())? {
            self.write_failure(at, failure);
            return Ok(());
        }
        self.remark(at);
        let (page, provenance) = (put.page().id, put.page().provenance.clone());
        let (became, blocks) = self.open.put(&at.place(), put, encoded)?;
        let state = match became {
            Put::Duplicate(original) => {
                self.count_duplicate(at);
                return self.take_over(at, original, &provenance);
            }
            Put::Page { replaced: true, .. } => RecordState::Replaced { page },
            Put::Page { replaced: false, .. } => RecordState::Indexed { page },
        };
        self.report.records.count(&state);
        self.report.records.blocks += blocks as u64;
        self.shared.update_progress(|progress| progress.pages += 1);
        Ok(())
    }

    /// Counts a record that holds what is here already: one more capture, or one that is known.
    fn count_duplicate(&mut self, at: &At) {
        let Some(state) = self.open.batch.last_state(&at.archive) else { return };
        self.report.records.count(state);
        let is_page = matches!(state, RecordState::Duplicate { .. });
        self.shared.update_progress(|progress| progress.pages += u64::from(is_page));
    }

    /// A record that is not whole, of whose page the collection already has more: that stays.
    fn damaged_copy(&self, at: &At, page: &StoredPage) -> Result<Option<Failure>, CollectionError> {
        let Some(remark) = at.remark.as_ref().filter(|_| at.is_damaged) else { return Ok(None) };
        if !self.open.batch.has_more_of(self.collection.store(), page.id, page.html_bytes)? {
            return Ok(None);
        }
        let (archive, offset_bytes) = (at.archive.path.display(), at.offset_bytes);
        let message =
            format!("{archive} at byte {offset_bytes}: {remark}; the longer copy of {} that is here is kept", page.url);
        Ok(Some(Failure { code: FailureCode::DamagedCopy, message, record_id: page.provenance.record_id.clone() }))
    }

    /// A record that a worker took for a duplicate. Where a record before it replaced the page meanwhile, it is analysed after all.
    fn write_held(
        &mut self,
        at: &At,
        facts: &RecordFacts,
        page: &Page,
        statistics: &StatisticsSnapshot,
    ) -> Result<(), CollectionError> {
        if self.refuse(at, facts) {
            return Ok(());
        }
        if let Some(original) = self.open.batch.duplicate(self.collection.store(), &at.place(), facts)? {
            self.remark(at);
            self.count_duplicate(at);
            return self.take_over(at, original, &page.provenance);
        }
        let mut analyser = PageAnalyser::new(self.collection.params(), self.options.limits);
        match PageBundle::analyse(page, statistics, &mut analyser, self.options.bodies) {
            Ok(bundle) => {
                let PageBundle { put, documents, cut_short } = bundle.declaring(facts.declared_digest.clone());
                let encoded = documents.encoded(&mut PageEncoder::default(), &mut analyser);
                self.write_page(&at.clone().cut_short_by(cut_short), put, encoded)
            }
            Err(error) => {
                let (code, record_id) = (code_of_refused(&error), page.provenance.record_id.clone());
                let message = format!("{} at byte {}: {error}", at.archive.path.display(), at.offset_bytes);
                self.write_failure(at, Failure { code, message, record_id });
                Ok(())
            }
        }
    }

    /// Counts and tells what is wrong with a record that could be read.
    fn remark(&mut self, at: &At) {
        if let Some(remark) = &at.remark {
            let message = format!("{} at byte {}: {remark}", at.archive.path.display(), at.offset_bytes);
            tracing::debug!("{message}");
            self.report.remarks += 1;
            self.report.remark(message);
        }
    }

    fn write_revisit(&mut self, at: &At, revisit: Revisit) -> Result<(), CollectionError> {
        if self.refuse(at, &revisit.facts()) {
            return Ok(());
        }
        self.open.batch.revisit(self.collection.store(), &at.place(), revisit)?;
        if let Some(state) = self.open.batch.last_state(&at.archive) {
            self.report.records.count(state);
        }
        Ok(())
    }

    fn write_failure(&mut self, at: &At, failure: Failure) {
        let Failure { code, message, record_id } = failure;
        let archive = &at.archive.path;
        tracing::debug!(archive = %archive.display(), record.offset_bytes = at.offset_bytes, code = code.as_str(), "{message}");
        if code.is_of_file() {
            self.report.unreadable.push(archive.clone());
        }
        self.report.records.failed += 1;
        self.report.message(message.clone());
        self.open.batch.fail(&at.place(), record_id, code, message);
        self.shared.update_progress(|progress| progress.failed += 1);
    }

    /// Commits the rest. A run that ends with a full batch commits once more, so that the store knows that it ended.
    fn end_run(&mut self) -> Result<(), CollectionError> {
        self.open.batch.end_run();
        if self.open.batch.is_empty() && self.collection.store().is_within_run() {
            return self.open.commit();
        }
        self.commit()
    }

    fn commit(&mut self) -> Result<(), CollectionError> {
        if !self.open.batch.is_empty() {
            self.commit_batch()?;
        }
        self.shared.epochs.committed(self.collection.store().snapshot());
        Ok(())
    }

    fn commit_batch(&mut self) -> Result<(), CollectionError> {
        self.open.commit()?;
        self.observer.committed(self.collection.store().sequence(), self.report.records.records());
        Ok(())
    }

    /// Looks once more for the originals of revisits, now that all archives are read.
    fn resolve_revisits(&mut self) -> Result<(), CollectionError> {
        loop {
            let resolved = self.collection.store().resolve_revisits(&mut self.open.batch)?;
            if resolved.count() == 0 {
                return Ok(());
            }
            self.commit()?;
            self.report.records.resolve(resolved);
        }
    }
}
