//! Decoding and analysing, on as many threads as there are cores.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};

use lopper_archive::page::{self, Page, PageOutcome, SkipReason};
use lopper_archive::{ArchiveRecord, Payload, RecordKind};
use lopper_content::pipeline::{AnalysedPage, LinkResolver, PageAnalyser, SiteBlocks, Stage, StoredTree, link_keys};
use lopper_content::simhash::SimHash;
use lopper_content::text::url;
use lopper_content::weigh::{TermStatistics, distinct_hashes};
use lopper_index::PageEncoder;
use lopper_store::{
    BodyPlace, CollectionStatistics, ContentDigest, KeptBody, PagePut, RecordFacts, Revisit, StoreError, StoredPage,
};

use super::job::{At, Done, Failure, Job, Outcome, Work};
use super::{Bodies, Collection, IngestOptions};
use crate::documents::{PageDocuments, PageFacts, page_documents};

/// What is said of an analysis that panicked.
const PANICKED: &str = "the page stopped its analysis; this is a fault of lopper, please report it";

/// Takes jobs until there are none or nobody wants the results.
///
/// No page is known to stop its analysis by a panic. Should one, it costs itself and not the run.
pub(super) fn work(
    jobs: &Mutex<Receiver<Job>>,
    results: &SyncSender<Done>,
    collection: &Collection,
    options: &IngestOptions,
) {
    let mut worker = Worker::new(collection, options);
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { number, work }) = job else { return };
        let payload_bytes = payload_bytes(&work);
        let (at, place) = (at(&work), place(&work));
        let result = catch_unwind(AssertUnwindSafe(|| worker.outcome(work)));
        let result = result.unwrap_or_else(|reason| match at {
            Some((at, record_id)) => {
                worker = Worker::new(collection, options);
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

/// What one thread works with.
struct Worker<'a> {
    collection: &'a Collection,
    options: &'a IngestOptions,
    analyser: PageAnalyser,
    encoder: PageEncoder,
}

impl<'a> Worker<'a> {
    fn new(collection: &'a Collection, options: &'a IngestOptions) -> Self {
        Self {
            collection,
            options,
            analyser: PageAnalyser::new(collection.params(), options.limits),
            encoder: PageEncoder::default(),
        }
    }

    fn outcome(&mut self, work: Work) -> Outcome {
        match work {
            Work::Begin { archive, start } => Outcome::Begin { archive, start },
            Work::Broken { at, failure } => Outcome::Failed { at, failure },
            Work::Checkpoint { archive, checkpoint } => Outcome::Checkpoint { archive, checkpoint },
            Work::Commit => Outcome::Commit,
            Work::Record { record, at, .. } if record.kind == RecordKind::Revisit => self.revisit(at, *record),
            Work::Record { at, record, statistics } => self.record(at, *record, statistics),
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

    fn record(&mut self, at: At, record: ArchiveRecord, statistics: Arc<CollectionStatistics>) -> Outcome {
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
        // A store that cannot be read fails the writer, which asks again.
        if self.collection.store().is_duplicate(&at.place(), &facts).unwrap_or(false) {
            return Outcome::Held { at, facts: Box::new(facts), page, statistics };
        }
        match put_page(&page, &*statistics, &mut self.analyser, self.options.bodies) {
            Ok((put, documents)) => {
                let encoded = documents.encoded(&mut self.encoder, &mut self.analyser);
                Outcome::Page { at, put: Box::new(put.declaring(declared)), encoded }
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

/// Analyses a page into what the store and the index take.
///
/// # Errors
///
/// [`StoreError::Refused`], [`StoreError::TreeTooLarge`]: the page costs itself alone.
pub(super) fn put_page(
    page: &Page,
    statistics: &dyn TermStatistics,
    analyser: &mut PageAnalyser,
    bodies: Bodies,
) -> Result<(PagePut, PageDocuments), StoreError> {
    put_page_watched(page, statistics, analyser, bodies, &mut |_| {})
}

/// The same; `watch` is told of the end of each stage of the analysis.
pub(super) fn put_page_watched(
    page: &Page,
    statistics: &dyn TermStatistics,
    analyser: &mut PageAnalyser,
    bodies: Bodies,
    watch: &mut dyn FnMut(Stage),
) -> Result<(PagePut, PageDocuments), StoreError> {
    let analysed = analyser.analyse_watched(page.source(), Some(statistics), None, watch);
    let analysed = analysed.map_err(|source| StoreError::Refused { url: page.url.clone(), source })?;
    let digest = ContentDigest::of(&page.html);
    let mut stored = stored_page(page, digest, &analysed, bodies);
    let kept = (bodies == Bodies::Keep).then(|| KeptBody::of(page, digest)).flatten();
    let mut links = LinkResolver::new(&page.url);
    let mut terms = distinct_hashes(analysed.pruned.weighted().terms().iter().map(String::as_str));
    terms.extend(link_keys(analysed.pruned.tree(), &mut links));
    terms.extend(analysed.site.iter().flat_map(SiteBlocks::keys));
    let (tree, blocks) = StoredTree::with_blocks(analysed);
    let documents = page_documents(&PageFacts::from(&stored), blocks, &mut links);
    stored.main_blocks = documents.blocks.len() as u32;
    Ok((PagePut::new(stored, &tree.encode(), terms)?.keeping(kept), documents))
}

fn stored_page(page: &Page, digest: ContentDigest, analysed: &AnalysedPage, bodies: Bodies) -> StoredPage {
    StoredPage {
        id: page.id,
        url: page.url.clone(),
        canonical_url: url::canonical_url(&page.url).unwrap_or_else(|| page.url.clone()),
        host: url::host(&page.url).unwrap_or_default(),
        title: analysed.metadata.title.clone(),
        description: analysed.metadata.description.clone(),
        language: (!analysed.language.is_empty()).then(|| analysed.language.to_owned()),
        page_type: analysed.page_type,
        captured_at: page.captured_at,
        status: page.status,
        charset: page.charset.to_owned(),
        provenance: page.provenance.clone(),
        html_bytes: page.html.len() as u64,
        main_blocks: analysed.blocks.len() as u32,
        runs: analysed.pruned.tree().runs().len() as u32,
        digest: Some(digest),
        simhash: SimHash::of_words(analysed.blocks.iter().map(|block| block.text.as_str())).0,
        body: if bodies == Bodies::None { BodyPlace::None } else { BodyPlace::Archive },
    }
}
