//! What a record of an archive is, before anything is known of the collection.

use std::path::Path;

use lopper_archive::page::{self, Page, PageOutcome, SkipReason};
use lopper_archive::{ArchiveError, ArchiveRecord, FailureCode, Payload, RecordKind};
use lopper_content::limits::Limits;
use lopper_content::pipeline::AnalysisError;
use lopper_content::text::url;
use lopper_store::{Revisit, StoreError};

use super::job::Failure;

/// A record that was read and decoded.
pub(crate) enum ReadRecord {
    /// A page, with the payload digest that the archive declares.
    Page {
        page: Box<Page>,
        declared: Option<String>,
    },
    /// A capture whose body is elsewhere.
    Revisit(Box<Revisit>),
    Skipped(SkipReason),
    Failed(Failure),
}

impl ReadRecord {
    pub(crate) fn of(record: ArchiveRecord, limits: &Limits) -> Self {
        if record.kind == RecordKind::Revisit {
            return Self::revisit(record, limits);
        }
        let declared = record.payload_digest.clone();
        let (archive, offset_bytes, record_id) =
            (record.archive.clone(), record.offset_bytes, record.record_id.clone());
        match page::decode(record, limits) {
            Ok(PageOutcome::Skipped(reason)) => Self::Skipped(reason),
            Ok(PageOutcome::Page(page)) => Self::Page { page, declared },
            Err(error) => Self::Failed(failed(&archive, offset_bytes, record_id, error.code(), &error)),
        }
    }

    /// A revisit of what is no page, by the headers that came with it, is passed over as such.
    fn revisit(mut record: ArchiveRecord, limits: &Limits) -> Self {
        let said = record.revisit.take().unwrap_or_default();
        let revisit = Revisit {
            canonical_url: url::canonical_or_written(&record.url),
            captured_at: record.captured_at,
            payload_digest: record.payload_digest.take(),
            refers_to_url: said.refers_to_url,
            refers_to_time: said.refers_to_date,
        };
        if !said.http_head.is_empty() {
            record.payload = Payload::Http(said.http_head);
            if let Ok(PageOutcome::Skipped(reason @ SkipReason::MediaType)) = page::decode(record, limits) {
                return Self::Skipped(reason);
            }
        }
        Self::Revisit(Box::new(revisit))
    }
}

/// A record at that place that failed.
pub(super) fn failed(
    archive: &Path,
    offset_bytes: u64,
    record_id: Option<String>,
    code: FailureCode,
    error: &dyn std::fmt::Display,
) -> Failure {
    let message = format!("{} at byte {offset_bytes}: {error}", archive.display());
    Failure { code, message, record_id }
}

/// Bytes of an archive that are no record.
pub(crate) fn failure_of(error: &ArchiveError) -> Failure {
    let source = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    let record_id = error.record_id().map(str::to_owned);
    Failure { code: error.code(), message: format!("{error}{source}"), record_id }
}

/// A record, `place` in words, that made its analysis panic.
pub(crate) fn panicked(place: &str, record_id: Option<String>) -> Failure {
    let message = format!("{place}: the page stopped its analysis; this is a fault of lopper, please report it");
    Failure { code: FailureCode::AnalysisPanicked, message, record_id }
}

/// The code of a page that was analysed and is too large for the store or the index.
pub(crate) fn code_of_refused(error: &StoreError) -> FailureCode {
    match error {
        StoreError::Refused { source: AnalysisError::TooManyTerms { .. }, .. } => FailureCode::TooManyTerms,
        StoreError::Refused { .. } => FailureCode::TooMuchWork,
        _ => FailureCode::TreeTooLarge,
    }
}
