//! Decoding and analysing, on as many threads as there are cores.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};

use super::job::{Done, Failure, Job, Outcome, Work};
use crate::archive::{ArchiveRecord, Payload};
use crate::limits::Limits;
use crate::page::{self, Page, PageError, PageOutcome, url};
use crate::pipeline::{AnalysedPage, ExtractParams, PageAnalyser, PageFacts, Stage, StoredTree, block_documents};
use crate::store::{CollectionStatistics, PagePut, StoreError, StoredPage, distinct_hashes};

/// Takes jobs until there are none or nobody wants the results.
///
/// No page is known to stop its analysis by a panic. Should one, it costs itself and not the run.
pub(super) fn work(jobs: &Mutex<Receiver<Job>>, results: &SyncSender<Done>, params: ExtractParams, limits: &Limits) {
    let mut analyser = PageAnalyser::new(params, *limits);
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { number, work }) = job else { return };
        let payload_bytes = payload_bytes(&work);
        let offset_bytes = offset_bytes(&work);
        let result = catch_unwind(AssertUnwindSafe(|| outcome(work, &mut analyser, limits)));
        let result = result.unwrap_or_else(|_| {
            analyser = PageAnalyser::new(params, *limits);
            let message = "the page stopped its analysis; this is a fault of lopper, please report it".to_owned();
            Outcome::Failed { offset_bytes, failure: Failure { code: "analysis_panicked", message } }
        });
        if results.send(Done { number, result, payload_bytes }).is_err() {
            return;
        }
    }
}

fn offset_bytes(work: &Work) -> u64 {
    match work {
        Work::Record { record, .. } => record.offset_bytes,
        Work::Broken { offset_bytes, .. } => *offset_bytes,
        _ => 0,
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

fn outcome(work: Work, analyser: &mut PageAnalyser, limits: &Limits) -> Outcome {
    match work {
        Work::Begin { archive } => Outcome::Begin { archive },
        Work::Broken { offset_bytes, failure } => Outcome::Failed { offset_bytes, failure },
        Work::Checkpoint { position_bytes, finished } => Outcome::Checkpoint { position_bytes, finished },
        Work::Commit => Outcome::Commit,
        Work::Record { record, statistics } => record_outcome(*record, &statistics, analyser, limits),
    }
}

fn record_outcome(
    record: ArchiveRecord,
    statistics: &CollectionStatistics,
    analyser: &mut PageAnalyser,
    limits: &Limits,
) -> Outcome {
    let (archive, offset_bytes) = (record.archive.clone(), record.offset_bytes);
    let failed = |code, error: &dyn std::fmt::Display| {
        let message = format!("{} at byte {offset_bytes}: {error}", archive.display());
        Outcome::Failed { offset_bytes, failure: Failure { code, message } }
    };
    match page::decode(record, limits) {
        Ok(PageOutcome::Skipped(reason)) => Outcome::Skipped { offset_bytes, reason },
        Ok(PageOutcome::Page(page)) => match put_page(&page, statistics, analyser) {
            Ok((put, documents)) => Outcome::Page { put: Box::new(put), documents },
            Err(error) => failed("tree_too_large", &error),
        },
        Err(error) => failed(code_of(&error), &error),
    }
}

fn code_of(error: &PageError) -> &'static str {
    match error {
        PageError::NoHttpHeaders { .. } => "no_http_headers",
        PageError::TooLarge { .. } => "body_too_large",
    }
}

/// Analyses a page into what the store and the index take.
pub(super) fn put_page(
    page: &Page,
    statistics: &CollectionStatistics,
    analyser: &mut PageAnalyser,
) -> Result<(PagePut, Vec<lopper_index::BlockDocument>), StoreError> {
    put_page_watched(page, statistics, analyser, &mut |_| {})
}

/// The same; `watch` is told of the end of each stage of the analysis.
pub(super) fn put_page_watched(
    page: &Page,
    statistics: &CollectionStatistics,
    analyser: &mut PageAnalyser,
    watch: &mut dyn FnMut(Stage),
) -> Result<(PagePut, Vec<lopper_index::BlockDocument>), StoreError> {
    let analysed = analyser.analyse_watched(page, Some(statistics), None, watch);
    let stored = stored_page(page, &analysed);
    let documents = block_documents(&PageFacts::from(&stored), analysed.blocks.clone());
    let terms = distinct_hashes(analysed.pruned.weighted().terms().iter().map(String::as_str));
    let tree = StoredTree::of(analysed).encode();
    Ok((PagePut::new(stored, &tree, terms)?, documents))
}

fn stored_page(page: &Page, analysed: &AnalysedPage) -> StoredPage {
    StoredPage {
        id: page.id,
        url: page.url.clone(),
        canonical_url: url::canonical_url(&page.url).unwrap_or_else(|| page.url.clone()),
        host: url::host(&page.url).unwrap_or_default(),
        title: analysed.metadata.title.clone(),
        description: analysed.metadata.description.clone(),
        language: (!analysed.language.is_empty()).then(|| analysed.language.to_owned()),
        captured_at: page.captured_at,
        status: page.status,
        charset: page.charset.to_owned(),
        provenance: page.provenance.clone(),
        html_bytes: page.html.len() as u64,
        main_blocks: analysed.blocks.len() as u32,
        runs: analysed.pruned.tree().runs().len() as u32,
    }
}
