//! Decoding and analysing, on as many threads as there are cores.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};

use lopper_archive::page::{self, Page, PageOutcome, SkipReason};
use lopper_archive::{ArchiveRecord, Payload, RecordKind};
use lopper_content::pipeline::{ExtractParams, PageAnalyser};
use lopper_content::statistics::StatisticsSnapshot;
use lopper_content::text::url;
use lopper_index::PageEncoder;
use lopper_store::{ContentDigest, RecordFacts, RecordPlace, Revisit, StoreError};

use super::job::{At, Done, Failure, Job, Outcome, Work};
use super::{IngestOptions, PageBundle};

/// What is known of pages that were ingested before.
pub(super) trait KnownPages: Sync {
    /// Whether the record at `place` holds what such a page holds, so that it need not be analysed yet. The writer has the last word.
    fn is_duplicate(&self, place: &RecordPlace<'_>, facts: &RecordFacts) -> bool;
}

/// What is said of an analysis that panicked.
const PANICKED: &str = "the page stopped its analysis; this is a fault of lopper, please report it";

/// Takes jobs until there are none or nobody wants the results.
///
/// No page is known to stop its analysis by a panic. Should one, it costs itself and not the run.
pub(super) fn work(
    jobs: &Mutex<Receiver<Job>>,
    results: &SyncSender<Done>,
    known: &dyn KnownPages,
    params: ExtractParams,
    options: &IngestOptions,
) {
    let mut worker = Worker::new(known, params, options);
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { number, work }) = job else { return };
        let payload_bytes = payload_bytes(&work);
        let (at, place) = (at(&work), place(&work));
        let result = catch_unwind(AssertUnwindSafe(|| worker.outcome(work)));
        let result = result.unwrap_or_else(|reason| match at {
            Some((at, record_id)) => {
                worker = Worker::new(known, params, options);
                drop(reason);
                let message = format!("{place}: {PANICKED}");
                Outcome::Failed { at, failure: Failure { code: "analysis_panicked", message, record_id } }
            }
            None => resume_unwind(reason),
        });
        if results.send(Done { number, result, payload_bytes }).is_err() {
            return;
        }
    }
}

/// The record of a job, with its id.
fn at(work: &Work) -> Option<(At, Option<String>)> {
    match work {
        Work::Record { at, record, .. } => Some((at.clone(), record.record_id.clone())),
        Work::Broken { at, .. } => Some((at.clone(), None)),
        _ => None,
    }
}

/// The record of a job in words.
fn place(work: &Work) -> String {
    match work {
        Work::Record { record, .. } => {
            format!("{} at byte {}: {}", record.archive.display(), record.offset_bytes, record.url)
        }
        _ => String::new(),
    }
}

pub(super) fn payload_bytes(work: &Work) -> usize {
    match work {
        Work::Record { record, .. } => match &record.payload {
            Payload::Http(bytes) | Payload::Bare { body: bytes, .. } => bytes.len(),
            Payload::Skipped => 0,
        },
        _ => 0,
    }
}

/// What one thread works with: no collection, so that it could be anywhere.
struct Worker<'a> {
    known: &'a dyn KnownPages,
    options: &'a IngestOptions,
    analyser: PageAnalyser,
    encoder: PageEncoder,
}

impl<'a> Worker<'a> {
    fn new(known: &'a dyn KnownPages, params: ExtractParams, options: &'a IngestOptions) -> Self {
        let analyser = PageAnalyser::new(params, options.limits);
        Self { known, options, analyser, encoder: PageEncoder::default() }
    }

    fn outcome(&mut self, work: Work) -> Outcome {
        match work {
            Work::Begin { archive, start } => Outcome::Begin { archive, start },
            Work::Broken { at, failure } => Outcome::Failed { at, failure },
            Work::Checkpoint { archive, checkpoint } => Outcome::Checkpoint { archive, checkpoint },
            Work::Commit => Outcome::Commit,
            Work::Record { record, at, .. } if record.kind == RecordKind::Revisit => self.revisit(at, *record),
            Work::Record { at, record, statistics } => self.record(at, *record, &statistics),
        }
    }

    /// A revisit of what is no page, by the headers that came with it, is passed over as such.
    fn revisit(&self, at: At, mut record: ArchiveRecord) -> Outcome {
        let said = record.revisit.take().unwrap_or_default();
        let revisit = Revisit {
            canonical_url: url::canonical_url(&record.url).unwrap_or_else(|| record.url.clone()),
            captured_at: record.captured_at,
            payload_digest: record.payload_digest.take(),
            refers_to_url: said.refers_to_url,
            refers_to_time: said.refers_to_date,
        };
        if !said.http_head.is_empty() {
            record.payload = Payload::Http(said.http_head);
            let decoded = page::decode(record, &self.options.limits);
            if let Ok(PageOutcome::Skipped(reason @ SkipReason::MediaType)) = decoded {
                return Outcome::Skipped { at, reason };
            }
        }
        Outcome::Revisit { at, revisit: Box::new(revisit) }
    }

    fn record(&mut self, at: At, record: ArchiveRecord, statistics: &StatisticsSnapshot) -> Outcome {
        let declared = record.payload_digest.clone();
        let (archive, record_id) = (record.archive.clone(), record.record_id.clone());
        let failed = |at: At, code, error: &dyn std::fmt::Display| {
            let message = format!("{} at byte {}: {error}", archive.display(), at.offset_bytes);
            Outcome::Failed { at, failure: Failure { code, message, record_id } }
        };
        let page = match page::decode(record, &self.options.limits) {
            Ok(PageOutcome::Skipped(reason)) => return Outcome::Skipped { at, reason },
            Ok(PageOutcome::Page(page)) => page,
            Err(error) => return failed(at, error.code(), &error),
        };
        let facts = facts(&page, declared.clone());
        if self.known.is_duplicate(&at.place(), &facts) {
            return Outcome::Held { at, facts: Box::new(facts), page, statistics: statistics.clone() };
        }
        match PageBundle::analyse(&page, statistics, &mut self.analyser, self.options.bodies) {
            Ok(bundle) => {
                let PageBundle { put, documents } = bundle.declaring(declared);
                let encoded = documents.encoded(&mut self.encoder, &mut self.analyser);
                Outcome::Page { at, put: Box::new(put), encoded }
            }
            Err(error) => failed(at, code_of_refused(&error), &error),
        }
    }
}

fn facts(page: &Page, declared_digest: Option<String>) -> RecordFacts {
    RecordFacts {
        id: page.id,
        canonical_url: url::canonical_url(&page.url).unwrap_or_else(|| page.url.clone()),
        captured_at: page.captured_at,
        digest: Some(ContentDigest::of(&page.html)),
        declared_digest,
    }
}

/// The code of a page that was analysed and is too large for the store or the index.
pub(super) fn code_of_refused(error: &StoreError) -> &'static str {
    if let StoreError::Refused { source, .. } = error { source.code() } else { "tree_too_large" }
}
