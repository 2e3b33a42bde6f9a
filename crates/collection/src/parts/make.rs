//! Making a part of an archive.

use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lopper_archive::page::Page;
use lopper_archive::{ArchiveError, ArchiveRecord, FailureCode};
use lopper_content::limits::Limits;
use lopper_content::pipeline::{ExtractParams, PageAnalyser};
use lopper_content::statistics::StatisticsSnapshot;
use lopper_faults::failpoint;
use xxhash_rust::xxh3::xxh3_128;

use super::format::{Became, PART_VERSION, PartLine, PartPage};
use super::write::PartWriter;
use super::{PartBlock, PartCounts, PartEnd, PartError, PartHead, PartInput};
use crate::ingest::{Bodies, Failure, JudgedCapture, PageBundle, ReadRecord, code_of_refused, failure_of, panicked};

/// How parts are made.
#[derive(Debug, Clone, Default)]
pub struct PartOptions {
    /// Parameters of the extraction: those of the collection that the parts are for.
    pub params: ExtractParams,
    /// Limits on records and pages.
    pub limits: Limits,
    /// What the plain blocks are weighed and pruned by; none: each page by itself.
    pub statistics: StatisticsSnapshot,
    /// Digest of these.
    pub weighed_by: Option<String>,
    /// Whether the pages' HTML goes with them.
    pub html: bool,
    /// Records that are not touched, by their number, with the reason.
    pub quarantined: BTreeMap<u64, String>,
}

/// What is told while a part is made, so that a watchdog knows where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartEvent<'a> {
    /// The next record is read from the archive, somewhere behind this byte.
    Reading {
        /// Number of the record.
        ordinal: u64,
        /// Where the archive is read.
        position_bytes: u64,
    },
    /// A record was read and is analysed.
    Record {
        /// Number of the record.
        ordinal: u64,
        /// Its offset in the archive.
        offset_bytes: u64,
        /// Its URL.
        url: &'a str,
    },
}

/// What the part of `input` begins with; it tells the part's name.
pub fn part_head(input: &PartInput, options: &PartOptions) -> PartHead {
    let limits = serde_json::to_vec(&options.limits).unwrap_or_default();
    PartHead {
        lopper_part: PART_VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        archive: input.key.path.to_string_lossy().into_owned(),
        archive_id: format!("{:032x}", input.key.id),
        fingerprint: format!("{:032x}", input.key.fingerprint),
        range: input.range,
        params: options.params.digest(),
        limits: format!("{:032x}", xxh3_128(&limits)),
        weighed_by: options.weighed_by.clone(),
        html: options.html,
    }
}

/// Makes the part of `input`, and counts its pages. `watch` is told of each record before it is touched.
///
/// # Errors
///
/// [`PartError::Io`] when `out` takes no more; `path` names it. What is broken in the archive is in the part.
pub fn make_part(
    mut input: PartInput,
    options: &PartOptions,
    out: impl Write,
    path: &Path,
    watch: &mut dyn FnMut(PartEvent<'_>),
) -> Result<(PartEnd, PartCounts), PartError> {
    let head = part_head(&input, options);
    let mut writer = PartWriter::new(out, &head).map_err(PartError::io("write", path))?;
    let mut maker = Maker::new(options);
    let mut ordinal = 0;
    loop {
        watch(PartEvent::Reading { ordinal, position_bytes: input.position_bytes() });
        let Some(next) = input.next() else { break };
        let line = maker.line(ordinal, next, &input, watch);
        writer.write(&line).map_err(PartError::io("write", path))?;
        ordinal += 1;
    }
    let (end, mut out) = writer.finish(input.position_bytes()).map_err(PartError::io("write", path))?;
    out.flush().map_err(PartError::io("write", path))?;
    Ok((end, maker.counts))
}

struct Maker<'a> {
    options: &'a PartOptions,
    analyser: PageAnalyser,
    counts: PartCounts,
    /// What is wrong with the page of the present record.
    page_remark: Option<String>,
}

impl<'a> Maker<'a> {
    fn new(options: &'a PartOptions) -> Self {
        let analyser = PageAnalyser::new(options.params, options.limits);
        Self { options, analyser, counts: PartCounts::default(), page_remark: None }
    }

    fn line(
        &mut self,
        ordinal: u64,
        next: Result<ArchiveRecord, ArchiveError>,
        input: &PartInput,
        watch: &mut dyn FnMut(PartEvent<'_>),
    ) -> PartLine {
        let position_bytes = input.position_bytes();
        let record = match next {
            Ok(record) => record,
            Err(error) => {
                let (offset_bytes, became) = (error.offset_bytes(), failed(failure_of(&error)));
                return PartLine { ordinal, offset_bytes, position_bytes, payload_bytes: 0, remark: None, became };
            }
        };
        let (offset_bytes, payload_bytes) = (record.offset_bytes, record.payload.len() as u64);
        watch(PartEvent::Record { ordinal, offset_bytes, url: &record.url });
        let remark = record.remark.as_ref().map(|remark| remark.message.clone());
        self.page_remark = None;
        let became = match self.options.quarantined.get(&ordinal) {
            Some(reason) => quarantined(&record, reason),
            None => self.became(record),
        };
        let remark = remark.or_else(|| self.page_remark.take());
        PartLine { ordinal, offset_bytes, position_bytes, payload_bytes, remark, became }
    }

    /// A record that makes the analysis panic costs itself.
    fn became(&mut self, record: ArchiveRecord) -> Became {
        let place = format!("{} at byte {}: {}", record.archive.display(), record.offset_bytes, record.url);
        let record_id = record.record_id.clone();
        catch_unwind(AssertUnwindSafe(|| self.analysed(record))).unwrap_or_else(|_| {
            self.analyser = PageAnalyser::new(self.options.params, self.options.limits);
            failed(panicked(&place, record_id))
        })
    }

    fn analysed(&mut self, record: ArchiveRecord) -> Became {
        failpoint::poison(&record.url);
        match ReadRecord::of(record, &self.options.limits) {
            ReadRecord::Revisit(revisit) => Became::Revisit { revisit: *revisit },
            ReadRecord::Skipped(reason) => Became::Skipped { reason },
            ReadRecord::Failed(failure) => failed(failure),
            ReadRecord::Page { page, declared } => self.page(&page, declared),
        }
    }

    fn page(&mut self, page: &Page, declared: Option<String>) -> Became {
        let bodies = if self.options.html { Bodies::Keep } else { Bodies::Refer };
        let refused = |code: FailureCode, error: &dyn std::fmt::Display| {
            let (from, record_id) = (&page.provenance, page.provenance.record_id.clone());
            let message = format!("{} at byte {}: {error}", from.archive.display(), from.offset_bytes);
            Became::Failed { code, message, record_id }
        };
        let capture = match JudgedCapture::of(page, &self.analyser, bodies) {
            Ok(capture) => capture,
            Err(error) => return refused(code_of_refused(&error), &error),
        };
        let cut_short = capture.cut_short().map(|limit| limit.to_string());
        self.page_remark = page.remark.clone().or(cut_short);
        let judged = match capture.to_bytes() {
            Ok(bytes) => STANDARD.encode(bytes),
            Err(error) => return refused(FailureCode::CaptureNotCoded, &error),
        };
        // Whether a page is within the limits in the end is told where the collection's statistics are.
        let bundle = PageBundle::finish(capture, &self.options.statistics, &mut self.analyser, Bodies::Refer).ok();
        let Some(PageBundle { put, documents, .. }) = bundle else {
            let page = PartPage { page_id: page.id.to_string(), url: page.url.clone(), ..PartPage::default() };
            return Became::Page { page, blocks: Vec::new(), declared, judged };
        };
        self.counts.add(put.keys());
        let page = PartPage::of(&documents.page, documents.blocks.first());
        let blocks = documents.blocks.into_iter().map(PartBlock::from).collect();
        Became::Page { page, blocks, declared, judged }
    }
}

fn failed(failure: Failure) -> Became {
    let Failure { code, message, record_id } = failure;
    Became::Failed { code, message, record_id }
}

fn quarantined(record: &ArchiveRecord, reason: &str) -> Became {
    let message = format!("{} at byte {}: {}: {reason}", record.archive.display(), record.offset_bytes, record.url);
    Became::Failed { code: FailureCode::Quarantined, message, record_id: record.record_id.clone() }
}
