//! Gathers results into batches and commits them.

use std::collections::HashSet;
use std::sync::mpsc::Receiver;

use super::job::{Done, Failure, InOrder, Outcome};
use super::shared::Shared;
use super::{Collection, CollectionError, IngestError, IngestReport, Observer};
use crate::page::PageId;
use crate::pipeline::PageDocuments;
use crate::store::{ArchiveKey, PageBatch, PagePut, RecordSums};

pub(super) struct Writer<'a> {
    collection: &'a Collection,
    shared: &'a Shared,
    observer: &'a mut dyn Observer,
    archive: ArchiveKey,
    batch: PageBatch,
    /// Pages that the index's writer was given since the last commit.
    fresh: HashSet<PageId>,
    report: IngestReport,
}

impl<'a> Writer<'a> {
    pub(super) fn new(collection: &'a Collection, shared: &'a Shared, observer: &'a mut dyn Observer) -> Self {
        let archive = ArchiveKey { path: "".into(), fingerprint: 0 };
        let (batch, report) = (PageBatch::new(), IngestReport::default());
        Self { collection, shared, observer, archive, batch, fresh: HashSet::new(), report }
    }

    /// Takes results until the workers end; gives the report without its duration.
    pub(super) fn write_all(mut self, results: &Receiver<Done>) -> Result<IngestReport, IngestError> {
        let mut in_order = InOrder::new(results);
        while let Ok(done) = in_order.next() {
            let payload_bytes = done.payload_bytes;
            self.write(done.result)?;
            self.shared.budget.give_back(payload_bytes);
        }
        if in_order.is_waiting() {
            return Err(IngestError::WorkerLost);
        }
        self.commit()?;
        Ok(self.report)
    }

    fn write(&mut self, result: Outcome) -> Result<(), CollectionError> {
        match result {
            Outcome::Begin { archive } => {
                self.report.archives += 1;
                self.batch.restart(&archive);
                self.archive = archive;
            }
            Outcome::Page { put, documents } => self.write_page(*put, &documents)?,
            Outcome::Skipped { offset_bytes, reason } => {
                self.batch.skip(&self.archive, offset_bytes, reason);
                *self.report.records.skipped.entry(reason).or_default() += 1;
            }
            Outcome::Failed { offset_bytes, failure } => self.write_failure(offset_bytes, failure),
            Outcome::Checkpoint { position_bytes, finished } => {
                self.batch.checkpoint(&self.archive, position_bytes, finished);
            }
            Outcome::Commit => self.commit()?,
        }
        Ok(())
    }

    fn write_page(&mut self, put: PagePut, documents: &PageDocuments) -> Result<(), CollectionError> {
        let id = put.page().id;
        let known = self.collection.store().contains(id)? || self.fresh.contains(&id);
        self.collection.with_writer(|writer| {
            if known {
                writer.delete_page(&id.to_string())?;
            }
            writer.add_page(&documents.page, &documents.blocks)
        })?;
        self.fresh.insert(id);
        let RecordSums { indexed, replaced, blocks, .. } = &mut self.report.records;
        *(if known { replaced } else { indexed }) += 1;
        *blocks += documents.blocks.len() as u64;
        self.batch.put(&self.archive, put);
        let progress = self.shared.update_progress(|progress| progress.pages += 1);
        self.observer.progress(&progress);
        Ok(())
    }

    fn write_failure(&mut self, offset_bytes: u64, failure: Failure) {
        let Failure { code, message } = failure;
        tracing::debug!(archive = %self.archive.path.display(), record.offset_bytes = offset_bytes, code, "{message}");
        if matches!(code, "archive_unknown" | "archive_io") {
            self.report.unreadable.push(self.archive.path.clone());
        }
        self.report.records.failed += 1;
        self.report.message(message.clone());
        self.batch.fail(&self.archive, offset_bytes, code, message);
        self.shared.update_progress(|progress| progress.failed += 1);
    }

    fn commit(&mut self) -> Result<(), CollectionError> {
        if !self.batch.is_empty() {
            self.collection.commit(std::mem::take(&mut self.batch))?;
        }
        self.fresh.clear();
        self.shared.publish(self.collection.store().snapshot());
        Ok(())
    }
}
