//! Decoding and analysing, on as many threads as there are cores.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};

use lopper_archive::page::{Page, Provenance};
use lopper_archive::{ArchiveRecord, FailureCode};
use lopper_content::pipeline::{ExtractParams, PageAnalyser};
use lopper_content::statistics::StatisticsSnapshot;
use lopper_content::text::url;
use lopper_index::PageEncoder;
use lopper_store::{ContentDigest, RecordFacts, RecordPlace, StoreError};

use super::job::{At, Done, Job, Outcome, Work};
use super::judged_line::JudgedLine;
use super::record::{ReadRecord, code_of_refused, failed, panicked};
use super::{IngestOptions, PageBundle};

/// What is known of pages that were ingested before.
pub(super) trait KnownPages: Sync {
    /// Whether the record at `place` holds what such a page holds, so that it need not be analysed yet. The writer has the last word.
    fn is_duplicate(&self, place: &RecordPlace<'_>, facts: &RecordFacts) -> bool;
}

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
                Outcome::Failed { at, failure: panicked(&place, record_id) }
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
        Work::Broken { at, .. } | Work::Judged { at, .. } => Some((at.clone(), None)),
        _ => None,
    }
}

/// The record of a job in words.
fn place(work: &Work) -> String {
    match work {
        Work::Record { record, .. } => {
            format!("{} at byte {}: {}", record.archive.display(), record.offset_bytes, record.url)
        }
        Work::Judged { at, .. } => format!("{} at byte {}", at.archive.path.display(), at.offset_bytes),
        _ => String::new(),
    }
}

/// What a job counts in the bounds on bytes: a judged record as the record that it was.
pub(super) fn payload_bytes(work: &Work) -> usize {
    match work {
        Work::Record { record, .. } => record.payload.len(),
        Work::Judged { payload_bytes, .. } => *payload_bytes,
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
            Work::Record { at, record, statistics } => self.record(at, *record, &statistics),
            Work::Judged { at, line, statistics, .. } => self.judged(at, &line, &statistics),
        }
    }

    fn record(&mut self, at: At, record: ArchiveRecord, statistics: &StatisticsSnapshot) -> Outcome {
        let is_damaged = record.remark.as_ref().is_some_and(|remark| remark.kind.is_damage());
        let at = At { is_damaged, ..at };
        let (page, declared) = match ReadRecord::of(record, &self.options.limits) {
            ReadRecord::Page { page, declared } => (page, declared),
            ReadRecord::Revisit(revisit) => return Outcome::Revisit { at, revisit },
            ReadRecord::Skipped(reason) => return Outcome::Skipped { at, reason },
            ReadRecord::Failed(failure) => return Outcome::Failed { at, failure },
        };
        let at = at.with_damage(page.remark.as_deref());
        let facts = facts(&page, declared.clone());
        if self.known.is_duplicate(&at.place(), &facts) {
            return Outcome::Held { at, facts: Box::new(facts), page, statistics: statistics.clone() };
        }
        let bundle = PageBundle::analyse(&page, statistics, &mut self.analyser, self.options.bodies);
        self.page(at, bundle, declared, &page.provenance)
    }

    /// A record that was judged elsewhere, by its line of a part.
    fn judged(&mut self, at: At, line: &str, statistics: &StatisticsSnapshot) -> Outcome {
        let (capture, declared) = match JudgedLine::read(line) {
            Ok(JudgedLine::Page { capture, declared }) => (capture, declared),
            Ok(JudgedLine::Revisit(revisit)) => return Outcome::Revisit { at, revisit },
            Ok(JudgedLine::Skipped(reason)) => return Outcome::Skipped { at, reason },
            Ok(JudgedLine::Failed(failure)) => return Outcome::Failed { at, failure },
            Err(error) => {
                let failure = failed(&at.archive.path, at.offset_bytes, None, FailureCode::PartDamaged, &error);
                return Outcome::Failed { at, failure };
            }
        };
        let provenance = capture.head.provenance.clone();
        let bundle = PageBundle::finish(*capture, statistics, &mut self.analyser, self.options.bodies);
        self.page(at, bundle, declared, &provenance)
    }

    fn page(
        &mut self,
        at: At,
        bundle: Result<PageBundle, StoreError>,
        declared: Option<String>,
        from: &Provenance,
    ) -> Outcome {
        match bundle {
            Ok(bundle) => {
                let PageBundle { put, documents, cut_short } = bundle.declaring(declared);
                let encoded = documents.encoded(&mut self.encoder, &mut self.analyser);
                let at = at.cut_short_by(cut_short);
                Outcome::Page { at, put: Box::new(put), encoded }
            }
            Err(error) => {
                let (code, record_id) = (code_of_refused(&error), from.record_id.clone());
                let failure = failed(&from.archive, at.offset_bytes, record_id, code, &error);
                Outcome::Failed { at, failure }
            }
        }
    }
}

fn facts(page: &Page, declared_digest: Option<String>) -> RecordFacts {
    RecordFacts {
        id: page.id,
        canonical_url: url::canonical_or_written(&page.url),
        captured_at: page.captured_at,
        digest: Some(ContentDigest::of(&page.html)),
        declared_digest,
    }
}
